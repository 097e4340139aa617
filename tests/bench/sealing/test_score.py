"""Is nothing told of sealed labels but rounded shares of large groups?"""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given

from hallmark.bench.align import pair
from hallmark.bench.entry import Label
from hallmark.bench.sealing.score import SMALLEST, STEP, score
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import any_rows, binary, gold, pairs_of, said


def test_shares_are_of_rounded_counts() -> None:
    found = score(binary([True] * 30 + [False] * 30, [True] * 25 + [False] * 31 + [True] * 4))
    assert found.detection_rate is not None
    assert found.detection_rate.value == pytest.approx(24 / 30)
    assert found.false_positive_rate is not None
    assert found.false_positive_rate.value == pytest.approx(3 / 30)
    assert found.f1 == pytest.approx(2 * 24 / (24 + 3 + 30), abs=1e-4)


def test_small_groups_are_not_told() -> None:
    few = score(binary([True] * (SMALLEST - 1) + [False] * 30, [True] * (SMALLEST + 29)))
    assert (few.detection_rate, few.f1, few.per_tier, few.per_type) == (None, None, {}, {})
    enough = score(binary([True] * SMALLEST + [False] * 30, [True] * (SMALLEST + 30)))
    assert set(enough.per_type) == {"wrong_venue"}
    assert set(enough.per_tier) == {"2"}


@given(rows=any_rows)
def test_every_count_told_is_a_multiple_of_the_step_or_the_whole(
    rows: list[tuple[HallucinationType | None, Label, float]],
) -> None:
    found = score(pairs_of(rows))
    rates = [found.detection_rate, found.false_positive_rate, *found.per_tier.values()]
    for rate in [one for one in (*rates, *found.per_type.values()) if one is not None]:
        count = round(rate.value * rate.entries)
        assert count % STEP == 0 or count == rate.entries
        assert rate.entries >= SMALLEST


def test_no_confidence_and_no_key_can_be_seen_in_what_is_told() -> None:
    truth = [True] * 30 + [False] * 30
    entries = [
        gold(f"k{n}", HallucinationType.WRONG_VENUE if bad else None) for n, bad in enumerate(truth)
    ]
    told = {
        msgspec.json.encode(score(pair(entries, [said(e.bibtex_key, Label.HALLUCINATED, sure) for e in entries])))
        for sure in (0.5, 0.75, 1.0)
    }  # fmt: skip
    assert len(told) == 1
    assert b"k1" not in told.pop()


def test_a_single_label_mostly_does_not_show() -> None:
    """Flag one further entry: the count told stays in two of three cases."""
    truth = [True] * 60
    told = [
        score(binary(truth, [True] * n + [False] * (60 - n))).detection_rate for n in range(61)
    ]  # fmt: skip
    assert sum(a != b for a, b in pairwise(told)) == 60 // STEP
