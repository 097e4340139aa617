import json

import pytest

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.asking import (
    MEANINGS,
    TYPE_NAMES,
    is_of_service,
    model_settings,
    outcome_of,
    prediction_of,
    storable,
)
from hallmark.bench.taxonomy import HallucinationType, parse_type
from hallmark.llm.answers import OF_SERVICE, Answer, Kind, Unreadable
from hallmark.llm.interface import Failure, Reply, Trouble, Usage
from tests.llm.scripted import SPEC

ENTRY = BlindEntry("k", "misc", {"title": "T"})


def test_every_type_and_alias_of_the_taxonomy_is_understood_and_explained() -> None:
    assert set(MEANINGS) == {kind.value for kind in HallucinationType}
    assert all(parse_type(spelling) == name for spelling, name in TYPE_NAMES.items())
    assert TYPE_NAMES["author_mismatch"] == "swapped_authors"
    assert all(meaning and "\n" not in meaning for meaning in MEANINGS.values())


def test_a_flag_carries_the_models_own_confidence_and_type() -> None:
    answer = Answer(label="HALLUCINATED", confidence=0.8, type="wrong_venue", reason="It was ICML.")
    row = prediction_of(ENTRY, answer)
    assert (row.label, row.confidence, row.p_hallucinated) == (Label.HALLUCINATED, 0.8, 0.8)
    assert row.predicted_hallucination_type is HallucinationType.WRONG_VENUE
    assert row.reason == "It was ICML."


def test_an_abstention_that_leans_has_a_forced_label_with_its_confidence() -> None:
    row = prediction_of(ENTRY, Answer(label="UNCERTAIN", confidence=0.7, lean="HALLUCINATED"))
    assert (row.label, row.forced_label, row.confidence) == (
        Label.UNCERTAIN, Label.HALLUCINATED, 0.7,
    )  # fmt: skip


def test_an_abstention_that_does_not_lean_claims_nothing() -> None:
    row = prediction_of(ENTRY, Answer(label="UNCERTAIN", confidence=0.9))
    assert (row.label, row.forced_label, row.confidence) == (Label.UNCERTAIN, None, 0.5)
    assert row.extra["stated_confidence"] == 0.9


@pytest.mark.parametrize("kind", list(Kind))
def test_what_cannot_be_read_is_an_error_of_its_kind(kind: Kind) -> None:
    outcome = outcome_of(ENTRY, Unreadable(kind, "it broke"), (), SPEC)
    row = outcome.prediction
    assert (row.label, row.confidence) == (Label.ERROR, 0.0)
    assert row.reason == f"{kind}: it broke"
    assert row.extra["error"] == kind.value
    assert outcome.failed is is_of_service(row) is (kind in OF_SERVICE)


def test_a_row_tells_what_all_its_calls_took() -> None:
    calls = (
        Reply(text="a", usage=Usage(100, 0, 10, 4), seconds=1.5, model="m-1", kept=True),
        Failure(Trouble.TIMEOUT, "slow", 2.0),
        Reply(text="b" * 5000, usage=Usage(50, 0, 20, 0), seconds=0.5, model="m-2"),
    )
    answer = Answer(label="VALID", confidence=1.0)
    row = outcome_of(ENTRY, answer, calls, SPEC, {"prompt_sha256": "abc"}).prediction
    assert (row.seconds, row.calls, row.cost) == (4.0, 3, None)
    told = row.extra
    assert (told["tokens_in"], told["tokens_out"], told["tokens_reasoning"]) == (150, 30, 4)
    assert (told["kept"], told["model"], told["prompt_sha256"]) == (1, "m-2", "abc")
    assert told["reply"] == "b" * 2000


def test_costs_follow_the_models_prices() -> None:
    priced = type(SPEC)(name="p", id="p", input_price=2.0, output_price=10.0)
    calls = (Reply(text="a", usage=Usage(1_000_000, 0, 100_000, 0)),)
    row = outcome_of(ENTRY, Answer(label="VALID", confidence=1.0), calls, priced).prediction
    assert row.cost == 3.0


def test_half_characters_of_a_reply_can_be_stored() -> None:
    text = "a\ud800b\x00"
    assert storable(text).encode("utf-8")
    answer = Answer(label="VALID", confidence=1.0, reason=text, unknown_type=text)
    calls = (Reply(text=text, model=text),)
    row = outcome_of(ENTRY, answer, calls, SPEC).prediction
    assert json.dumps(row.row(), ensure_ascii=False).encode("utf-8")


def test_settings_name_the_model_and_no_key() -> None:
    told = model_settings(SPEC)
    assert told["model_id"] == "scripted-1"
    assert "key" not in told
