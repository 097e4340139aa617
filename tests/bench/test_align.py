"""Is every entry joined with its own prediction, and nothing else?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.align import ERROR, HALLUCINATED, UNCERTAIN, VALID, Missing, Pairs, align
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import AlignmentError
from tests.bench.made import gold, said

FAKE = HallucinationType.PLAUSIBLE_FABRICATION
GOLD = [gold("a"), gold("b", FAKE), gold("c", HallucinationType.WRONG_VENUE)]


def answers(*keys: str) -> list[Prediction]:
    return [said(key, Label.VALID, line=i) for i, key in enumerate(keys, 1)]


@given(st.permutations(["a", "b", "c"]))
def test_pairs_follow_the_gold_file_whatever_the_order_of_predictions(keys: list[str]) -> None:
    pairs = align(GOLD, [said(key, Label.VALID, ord(key) / 200) for key in keys])
    assert pairs.keys == ("a", "b", "c")
    assert pairs.confidence.tolist() == [ord(key) / 200 for key in "abc"]


def test_an_unknown_key_is_refused_with_its_line() -> None:
    with pytest.raises(AlignmentError, match=r"that the gold file lacks: x \(line 4\)"):
        align(GOLD, answers("a", "b", "c", "x"))


def test_a_repeated_prediction_is_refused_with_all_its_lines() -> None:
    with pytest.raises(AlignmentError, match=r"duplicate prediction: a \(lines 1, 3\)"):
        align(GOLD, answers("a", "b", "a", "c"))


def test_a_repeated_gold_key_is_refused() -> None:
    with pytest.raises(AlignmentError, match="duplicate key in the gold file: a"):
        align([*GOLD, gold("a")], answers("a", "b", "c"))


def test_a_missing_prediction_is_refused_with_the_line_of_its_entry() -> None:
    entries = [structs.replace(entry, line=i) for i, entry in enumerate(GOLD, 1)]
    with pytest.raises(AlignmentError, match=r"no prediction .*: b, c \(gold lines 2-3\)"):
        align(entries, answers("a"))


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(AlignmentError, match=r"(?s)duplicate prediction: a.*lacks: x.*: b, c"):
        align(GOLD, answers("a", "a", "x"))


def test_predictions_for_another_split_get_one_clear_message() -> None:
    with pytest.raises(AlignmentError, match="none of the 2 predicted keys is in the gold file"):
        align(GOLD, answers("x", "y"))


def test_an_empty_gold_file_is_refused() -> None:
    with pytest.raises(AlignmentError, match="no gold entry"):
        align([], answers("a"))


def test_an_unknown_rule_for_missing_ones_is_refused() -> None:
    rule: Missing = "ignore"  # type: ignore[assignment]
    with pytest.raises(AlignmentError, match="missing must be one of"):
        align(GOLD, answers("a", "b", "c"), rule)


@pytest.mark.parametrize(("rule", "code"), [("valid", VALID), ("abstain", UNCERTAIN)])
def test_a_missing_prediction_counts_as_what_was_said_explicitly(rule: Missing, code: int) -> None:
    pairs = align(GOLD, answers("b"), rule)
    assert pairs.label.tolist() == [code, VALID, code]
    assert pairs.missing.tolist() == [True, False, True]


def test_a_missing_prediction_is_never_a_commitment() -> None:
    assert align(GOLD, answers("b"), "valid").committed.tolist() == [False, True, False]


def test_labels_become_codes_and_chances() -> None:
    labels = [Label.HALLUCINATED, Label.UNCERTAIN, Label.ERROR]
    pairs = align(GOLD, [said(k, x, 0.8) for k, x in zip("abc", labels, strict=True)])
    assert pairs.label.tolist() == [HALLUCINATED, UNCERTAIN, ERROR]
    assert pairs.p_hallucinated.tolist() == [0.8, 0.5, 0.5]


def test_tier_and_type_come_from_the_entry_or_the_taxonomy() -> None:
    bare = Entry(bibtex_key="d", label=Label.HALLUCINATED)
    untiered = structs.replace(gold("b", FAKE), difficulty_tier=None)
    pairs = align([gold("a"), untiered, bare], answers("a", "b", "d"))
    assert pairs.tier.tolist() == [0, 3, 0]
    assert pairs.type.tolist() == ["", "plausible_fabrication", "unspecified"]


@pytest.mark.parametrize(
    ("fields", "date", "year"),
    [
        ({"year": "2021"}, "2023-01-01", 2021),
        ({}, "2023-01-01", 2023),
        ({"year": "in press"}, None, 0),
    ],
)
def test_the_year_is_the_stated_one_or_that_of_publication(
    fields: dict[str, str], date: str | None, year: int
) -> None:
    pairs = align([gold("a", fields=fields, publication_date=date)], answers("a"))
    assert pairs.year.tolist() == [year]


def test_selected_pairs_are_the_same_by_mask_and_by_position() -> None:
    pairs = align(GOLD, answers("a", "b", "c"))
    by_mask: Pairs = pairs.select(pairs.truth)
    assert by_mask.keys == pairs.select(np.array([1, 2])).keys == ("b", "c")
    assert len(by_mask) == 2
