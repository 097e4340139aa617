"""Do selective measures agree with slow definitions?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from hallmark.bench.align import Stance
from hallmark.bench.entry import Label
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.selective import most_certain, risk_coverage
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import committed_rows, pairs_of

S = Stance.SELECTIVE


def in_order(rows: Any) -> list[tuple[float, float, float, float]]:
    """Certainty, and the mean error, validity and false alarm of all entries as certain."""
    found = []
    for kind, label, sure in rows:
        p = sure if label is Label.HALLUCINATED else round(1 - sure, 12)
        wrong = (kind is not None) != (label is Label.HALLUCINATED)
        valid = kind is None
        alarm = valid and label is Label.HALLUCINATED
        found.append((round(abs(p - 0.5), 12), float(wrong), float(valid), float(alarm)))
    levels = {row[0]: np.mean([r[1:] for r in found if r[0] == row[0]], axis=0) for row in found}
    return [(row[0], *levels[row[0]]) for row in sorted(found, key=lambda row: -row[0])]


@given(committed_rows)
def test_aurc_is_the_mean_error_rate_of_the_k_most_certain(rows: Any) -> None:
    errors = [row[1] for row in in_order(rows)]
    expected = np.mean([np.mean(errors[: k + 1]) for k in range(len(errors))])
    assert evaluate(pairs_of(rows), S, ["aurc"])["aurc"] == pytest.approx(expected)


@given(committed_rows)
def test_fpr_at_coverage_keeps_the_most_certain_and_splits_ties(rows: Any) -> None:
    kept = in_order(rows)[: int(np.rint(0.9 * len(rows)))]
    valid, alarms = sum(row[2] for row in kept), sum(row[3] for row in kept)
    found = evaluate(pairs_of(rows), S, ["fpr_at_90_coverage"])["fpr_at_90_coverage"]
    if valid > 1e-6:
        assert found == pytest.approx(alarms / valid, abs=1e-9)
    else:
        assert found is None or valid > 0


@given(committed_rows)
def test_the_curve_ends_with_every_entry_and_its_error_rate(rows: Any) -> None:
    pairs = pairs_of(rows)
    last = risk_coverage(pairs, S)[-1]
    accuracy = evaluate(pairs, S, ["accuracy"])["accuracy"]
    assert last.coverage == 1.0
    assert last.error_rate == pytest.approx(1 - (accuracy or 0.0))


@given(committed_rows)
def test_thresholds_fall_and_coverage_rises_along_the_curve(rows: Any) -> None:
    points = risk_coverage(pairs_of(rows), S)
    assert sorted(p.coverage for p in points) == [p.coverage for p in points]
    assert sorted(-p.threshold for p in points) == [-p.threshold for p in points]


def test_the_papers_way_leaves_out_the_first_of_those_equally_uncertain() -> None:
    rows = [(None, Label.VALID, 0.6)] * 5 + [(None, Label.VALID, 0.9)] * 5
    kept = most_certain(pairs_of(rows), S, 0.9)
    assert kept.keys == tuple(f"k{i}" for i in range(1, 10))


def test_a_tool_without_any_committed_entry_has_no_selective_value() -> None:
    rows = [(HallucinationType.WRONG_VENUE, Label.UNCERTAIN, 0.5), (None, Label.UNCERTAIN, 0.5)]
    assert set(evaluate(pairs_of(rows), S).values()) == {None}
    assert risk_coverage(pairs_of(rows), S) == []
