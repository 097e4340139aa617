"""Are sub-tests, types and findings compared as they should be?"""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.align import Stance, pair
from hallmark.bench.entry import Label
from hallmark.bench.measures.diagnosis import (
    detect_at_k,
    subtest_accuracy,
    three_way,
    type_accuracy,
    type_confusion,
)
from hallmark.bench.taxonomy import HallucinationType as T
from hallmark.errors import AlignmentError, InputError
from tests.bench.made import binary, gold, pairs_of, said

H, V = Label.HALLUCINATED, Label.VALID


def test_a_sub_test_counts_only_where_both_sides_know_it() -> None:
    entries = [
        gold(k, subtests={"title_exists": v})
        for k, v in zip("abc", (True, False, None), strict=True)
    ]
    answers = [said(k, V, subtest_results={"title_exists": True}) for k in "abc"]
    found = subtest_accuracy(pair(entries, answers))
    assert (found["title_exists"].n, found["title_exists"].right) == (2, 1)
    assert found["doi_resolves"].accuracy is None


def test_types_are_compared_for_flagged_entries_only() -> None:
    entries = [
        gold("a", T.WRONG_VENUE),
        gold("b", T.WRONG_VENUE),
        gold("c", T.WRONG_VENUE),
        gold("d"),
    ]
    answers = [
        said("a", H, predicted_hallucination_type=T.WRONG_VENUE),
        said("b", H, predicted_hallucination_type=T.FUTURE_DATE),
        said("c", V),
        said("d", H, predicted_hallucination_type=T.WRONG_VENUE),
    ]
    pairs = pair(entries, answers)
    assert type_confusion(pairs) == {"wrong_venue": {"future_date": 1, "wrong_venue": 1}}
    assert type_accuracy(pairs) == 0.5


def test_no_named_type_leaves_the_accuracy_undefined() -> None:
    assert type_accuracy(pair([gold("a", T.WRONG_VENUE)], [said("a", H)])) is None


def test_invented_works_are_told_from_wrongly_described_ones() -> None:
    entries = [gold("a"), gold("b", T.WRONG_VENUE), gold("c", T.PLAUSIBLE_FABRICATION)]
    answers = [
        said("a", V),
        said("b", H, predicted_hallucination_type=T.SWAPPED_AUTHORS),
        said("c", H, predicted_hallucination_type=T.WRONG_VENUE),
    ]
    assert three_way(pair(entries, answers)) == {
        "fabricated": {"mismatched": 1},
        "mismatched": {"mismatched": 1},
        "verified": {"verified": 1},
    }


def test_a_failure_is_left_open_and_no_finding() -> None:
    assert three_way(pair([gold("a")], [said("a", Label.ERROR)])) == {"verified": {"left open": 1}}


flags = st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=5)


@given(flags, st.data())
def test_detect_at_k_is_the_mean_over_all_choices_of_k_tools(
    tools: list[list[bool]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(tools)))
    pairs = [binary([True] * 4, flagged) for flagged in tools]
    chosen = list(combinations(tools, k))
    hits = [any(tool[i] for tool in some) for some in chosen for i in range(4)]
    assert detect_at_k(pairs, k, Stance.CONSERVATIVE) == pytest.approx(sum(hits) / len(hits))


def test_detect_at_k_needs_the_same_entries_and_a_possible_k() -> None:
    one = binary([True], [True])
    with pytest.raises(InputError):
        detect_at_k([one], 2, Stance.CONSERVATIVE)
    with pytest.raises(AlignmentError):
        detect_at_k([one, binary([True, True], [True, True])], 1, Stance.CONSERVATIVE)
    assert detect_at_k([pairs_of([(None, V, 0.9)])], 1, Stance.CONSERVATIVE) is None
