import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.external.readers import Heard, Said
from hallmark.bench.systems.external.rows import JsonForm, Status, Tool
from hallmark.bench.systems.external.settle import Call, settle

FORM = JsonForm(key="key", status=(("status",),), processed="n")
TOOL = Tool(
    name="t",
    package="t",
    summary="",
    output=FORM,
    outage=("no network",),
    statuses=(
        Status(native="good", label=Label.VALID, why=""),
        Status(native="bad", label=Label.HALLUCINATED, why=""),
        Status(native="unsure", label=Label.UNCERTAIN, why=""),
        Status(native="down", label=Label.ERROR, why=""),
    ),
)
ENTRIES = [BlindEntry("a"), BlindEntry("b")]
KEYS = ("ref1", "ref2")


def settled(*answers: Said, tool: Tool = TOOL, **call: object) -> list[tuple[Label, object]]:
    rows = settle(tool, ENTRIES, Call(KEYS, Heard(answers), **call))  # type: ignore[arg-type]
    assert [row.bibtex_key for row in rows] == ["a", "b"]
    return [(row.label, row.extra.get("failure")) for row in rows]


def test_answers_are_mapped_back_to_the_entries_by_their_keys() -> None:
    assert settled(Said("ref1", ("good",)), Said("ref2", ("bad",))) == [
        (Label.VALID, None),
        (Label.HALLUCINATED, None),
    ]


def test_answers_in_another_order_are_still_right_and_it_is_noted() -> None:
    call = Call(KEYS, Heard((Said("ref2", ("bad",)), Said("ref1", ("good",)))))
    rows = settle(TOOL, ENTRIES, call)
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED]
    assert all(row.extra["reordered"] for row in rows)


def test_an_entry_that_the_tool_left_out_is_a_failure() -> None:
    assert settled(Said("ref2", ("good",)))[0] == (Label.ERROR, "dropped")


def test_an_entry_that_the_tool_answered_twice_is_a_failure() -> None:
    found = settled(Said("ref1", ("good",)), Said("ref1", ("bad",)), Said("ref2", ("good",)))
    assert found == [(Label.ERROR, "repeated"), (Label.VALID, None)]


def test_a_tool_that_tells_of_a_repeated_key_refused_it_and_dropped_nothing() -> None:
    for answers in ((), (Said("same", ("good",)),)):
        told = settle(TOOL, ENTRIES, Call(("same", "same"), Heard(answers, twice=True)))
        assert [row.label for row in told] == [Label.ERROR, Label.ERROR]
        assert [row.extra["failure"] for row in told] == ["refused", "refused"]
        silent = settle(TOOL, ENTRIES, Call(("same", "same"), Heard(answers)))
        assert [row.extra["failure"] for row in silent] == ["dropped", "dropped"]


def test_a_word_about_repeated_keys_changes_nothing_for_other_entries() -> None:
    call = Call(KEYS, Heard((Said("ref1", ("good",)),), twice=True))
    first, second = settle(TOOL, ENTRIES, call)
    assert first.label is Label.VALID
    assert second.extra["failure"] == "dropped"


def test_a_status_that_the_row_does_not_list_is_a_failure_with_its_text() -> None:
    call = Call(KEYS, Heard((Said("ref1", ("good", "splendid"), "so it is"), Said("ref2", ()))))
    first, second = settle(TOOL, ENTRIES, call)
    assert first.label is Label.ERROR
    assert "splendid" in first.reason
    assert "so it is" in first.reason
    assert second.extra["failure"] == "unlisted"


def test_one_complaint_outweighs_praise_doubt_and_failure() -> None:
    assert settled(Said("ref1", ("good", "unsure", "down", "bad")), Said("ref2", ("good", "down")))[
        0
    ] == (Label.HALLUCINATED, None)


def test_failure_outweighs_doubt_and_doubt_praise() -> None:
    found = settled(Said("ref1", ("good", "unsure", "down")), Said("ref2", ("good", "unsure")))
    assert found == [(Label.ERROR, "outage"), (Label.UNCERTAIN, None)]


def test_an_abstention_for_want_of_an_answer_is_a_failure() -> None:
    found = settled(Said("ref1", ("unsure",), "no network"), Said("ref2", ("bad",), "no network"))
    assert found == [(Label.ERROR, "outage"), (Label.HALLUCINATED, None)]


def test_what_was_answered_before_a_call_ran_out_of_time_counts_and_the_rest_failed() -> None:
    found = settled(Said("ref1", ("good",)), problem="too slow")
    assert found == [(Label.VALID, None), (Label.ERROR, "call")]


def test_an_output_that_breaks_off_is_a_failure_of_the_call() -> None:
    rows = settle(TOOL, ENTRIES, Call(KEYS, Heard((), broken="no JSON")))
    assert [row.extra["failure"] for row in rows] == ["call", "call"]


SILENT = Tool(
    name="t", package="t", summary="", output=FORM, silence="good", statuses=TOOL.statuses
)


def test_silence_is_praise_only_where_the_tool_worked_on_all_entries() -> None:
    said = Said("ref2", ("bad",))
    whole = settle(SILENT, ENTRIES, Call(KEYS, Heard((said,), processed=2)))
    short = settle(SILENT, ENTRIES, Call(KEYS, Heard((said,), processed=1)))
    assert [row.label for row in whole] == [Label.VALID, Label.HALLUCINATED]
    assert short[0].extra["failure"] == "dropped"
    assert short[1].label is Label.HALLUCINATED


def test_entries_of_one_key_are_answered_in_their_order_or_not_at_all() -> None:
    both = Heard((Said("k", ("good",)), Said("k", ("bad",))))
    rows = settle(TOOL, ENTRIES, Call(("k", "k"), both))
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED]
    rows = settle(TOOL, ENTRIES, Call(("k", "k"), Heard((Said("k", ("good",)),))))
    assert [row.extra.get("failure") for row in rows] == ["dropped", "dropped"]


@pytest.mark.parametrize(
    ("status", "confidence"), [("good", 0.2), ("bad", 0.8), ("unsure", 0.5), ("down", 0.0)]
)
def test_the_tools_own_probability_becomes_the_confidence(status: str, confidence: float) -> None:
    said = Said("ref1", (status,), "", 0.2)
    assert settle(TOOL, ENTRIES, Call(KEYS, Heard((said,))))[0].confidence == confidence


answers = st.lists(
    st.builds(
        Said,
        key=st.sampled_from(["ref1", "ref2", "ref3", ""]),
        statuses=st.lists(
            st.sampled_from(["good", "bad", "unsure", "down", "new"]), max_size=3
        ).map(tuple),
        text=st.sampled_from(["", "no network"]),
    ),
    max_size=6,
).map(tuple)


@given(answers, st.booleans(), st.integers(0, 3))
def test_praise_is_only_ever_what_the_tool_said_of_that_entry(
    given_answers: tuple[Said, ...], silent: bool, processed: int
) -> None:
    tool = SILENT if silent else TOOL
    rows = settle(tool, ENTRIES, Call(KEYS, Heard(given_answers, processed=processed)))
    for row, key in zip(rows, KEYS, strict=True):
        said = [answer for answer in given_answers if answer.key == key]
        if row.label is Label.VALID and said:
            assert [set(answer.statuses) for answer in said] == [{"good"}]
        if row.label is Label.VALID and not said:
            assert silent
            assert processed == 2
