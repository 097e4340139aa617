import msgspec

from hallmark.bench.entry import Label, Prediction
from hallmark.bench.usage import in_words, outage_in_words, usage_of


def row(
    cost: float | None, kept: int = 0, error: str | None = None, model: str = "m"
) -> Prediction:
    extra = {"tokens_in": 10, "tokens_out": 5, "tokens_reasoning": 1, "kept": kept, "model": model}
    return Prediction(
        bibtex_key="k",
        label=Label.ERROR if error else Label.VALID,
        calls=2,
        cost=cost,
        extra=extra | ({"error": error} if error else {}),
    )


def test_nothing_is_told_where_no_model_was_asked() -> None:
    assert usage_of([Prediction(bibtex_key="k", label=Label.VALID, calls=0)]) is None
    assert usage_of([]) is None


def test_what_rows_took_is_summed_up() -> None:
    rows = [row(0.25, kept=1), row(0.5, model="n"), row(0.0, error="timeout", model="")]
    found = usage_of(rows)
    assert found is not None
    assert (found.calls, found.kept, found.tokens_in, found.tokens_out) == (6, 1, 30, 15)
    assert (found.cost, found.models, found.errors) == (0.75, ("m", "n"), {"timeout": 1})
    assert "US$ 0.7500" in in_words(found)


def test_look_ups_that_sources_did_not_answer_are_counted_and_told() -> None:
    one = row(0.0)
    extra = {**one.extra, "tool_calls": 5, "tool_mistakes": 1, "tool_calls_unanswered": 2}
    found = usage_of([msgspec.structs.replace(one, extra=extra), one])
    assert found is not None
    assert (found.lookups, found.lookups_unanswered, found.rows_unanswered) == (4, 2, 1)
    assert "did not answer 2 of 4 look-ups (50%), for 1 entries" in outage_in_words(found)
    assert not outage_in_words(usage_of([one]))
    assert not outage_in_words(None)


def test_half_and_nearly_all_rows_took_no_longer() -> None:
    rows = [msgspec.structs.replace(row(0.0), seconds=float(n)) for n in range(1, 101)]
    found = usage_of(rows)
    assert found is not None
    assert (found.median_s, found.high_s) == (50.0, 95.0)


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    found = usage_of([row(0.25), row(None)])
    assert found is not None
    assert found.cost is None
    assert "price unknown" in in_words(found)


def test_strange_extras_of_other_tools_do_no_harm() -> None:
    strange = Prediction(
        bibtex_key="k",
        label=Label.VALID,
        extra={"tokens_in": "many", "model": ["x"], "kept": None},
    )
    found = usage_of([strange])
    assert found is not None
    assert (found.tokens_in, found.models) == (0, ())
