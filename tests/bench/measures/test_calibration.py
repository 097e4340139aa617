"""Do calibration measures agree with slow definitions?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from sklearn import metrics

from hallmark.bench.align import Stance
from hallmark.bench.entry import Label
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.calibration import EPSILON, reliability
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import committed_rows, pairs_of

S = Stance.SELECTIVE
TYPE = HallucinationType.FABRICATED_DOI


def answers(rows: Any) -> list[tuple[float, bool]]:
    """Confidence and whether the label is right, in the order of the file."""
    return [
        (sure, (kind is not None) == (label is Label.HALLUCINATED)) for kind, label, sure in rows
    ]


def equal_width(rows: Any) -> float:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for sure, right in answers(rows):
        bins.setdefault(min(int(round(sure, 12) * 10 + 1e-9), 9), []).append((sure, right))
    return sum(abs(sum(r - c for c, r in members)) for members in bins.values()) / len(rows)


def equal_mass(rows: Any, *, pooled: bool) -> float:
    digits = 12 if pooled else 300  # only where ties are pooled does the 12th digit make one
    ordered = sorted(answers(rows), key=lambda answer: round(answer[0], digits))
    gaps = [float(right) - sure for sure, right in ordered]
    if pooled:
        levels: dict[float, list[float]] = {}
        for (sure, right), _ in zip(ordered, gaps, strict=True):
            levels.setdefault(round(sure, 12), []).append(float(right))
        gaps = [float(np.mean(levels[round(sure, 12)])) - sure for sure, _ in ordered]
    parts = np.array_split(gaps, 10)
    return float(sum(abs(part.sum()) for part in parts) / len(rows))


@given(committed_rows)
def test_ece_is_the_papers_equation_2(rows: Any) -> None:
    found = evaluate(pairs_of(rows), S, ["ece"])["ece"]
    assert found == pytest.approx(equal_width(rows), abs=1e-9)


@given(committed_rows)
def test_equal_mass_pools_ties(rows: Any) -> None:
    found = evaluate(pairs_of(rows), S, ["ece_equal_mass"])["ece_equal_mass"]
    assert found == pytest.approx(equal_mass(rows, pooled=True), abs=1e-9)


@given(committed_rows)
@example([(None, Label.VALID, 0.0)] * 3 + [(TYPE, Label.VALID, 4e-20), (None, Label.VALID, 0.0)])
def test_the_papers_variant_sorts_stably_in_the_order_of_the_file(rows: Any) -> None:
    found = evaluate(pairs_of(rows), S, ["ece_paper"])["ece_paper"]
    assert found == pytest.approx(equal_mass(rows, pooled=False), abs=1e-9)


def test_the_papers_variant_depends_on_the_order_of_the_file_and_ours_does_not() -> None:
    right: list[Any] = [(None, Label.VALID, 0.8)] * 15
    wrong: list[Any] = [(HallucinationType.WRONG_VENUE, Label.VALID, 0.8)] * 5
    mixed = [row for i in range(5) for row in (*right[3 * i : 3 * i + 3], wrong[i])]
    names = ["ece", "ece_equal_mass", "ece_paper"]
    first, second = evaluate(pairs_of(right + wrong), S, names), evaluate(pairs_of(mixed), S, names)
    assert first["ece_equal_mass"] == pytest.approx(second["ece_equal_mass"])
    assert first["ece"] == pytest.approx(second["ece"])
    assert first["ece_paper"] != pytest.approx(second["ece_paper"])


@given(committed_rows)
def test_brier_and_log_loss_agree_with_scikit_learn(rows: Any) -> None:
    pairs = pairs_of(rows)
    found = evaluate(pairs, S, ["brier", "log_loss"])
    expected = float(np.mean((pairs.p_hallucinated - pairs.truth) ** 2))
    assert found["brier"] == pytest.approx(expected)
    inside = np.clip(pairs.p_hallucinated, EPSILON, 1 - EPSILON)
    loss = metrics.log_loss(pairs.truth, inside, labels=[False, True])
    assert found["log_loss"] == pytest.approx(loss, rel=1e-6, abs=1e-9)


@given(committed_rows)
def test_reliability_bars_hold_every_entry_once_and_rebuild_the_error(rows: Any) -> None:
    bars = reliability(pairs_of(rows), S)
    assert sum(bar.n for bar in bars) == len(rows)
    gaps = [
        bar.n * abs(bar.accuracy - bar.confidence)
        for bar in bars
        if bar.accuracy is not None and bar.confidence is not None
    ]
    assert sum(gaps) / len(rows) == pytest.approx(equal_width(rows), abs=1e-9)
