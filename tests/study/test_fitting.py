"""Does the fit find a known truth, and keep to its laws?"""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark.judge.calibrate import Calibration, Model, bounds
from hallmark.judge.patterns import ATOMS
from hallmark.study.fitting import (
    RIDGES,
    Row,
    best_ridge,
    cross_fitted,
    fitted,
    folds_of,
    with_isotonic,
)

NAMES = [atom.name for atom in ATOMS]
rows_of_any_kind = st.lists(
    st.builds(
        Row,
        group=st.sampled_from("abcdefgh"),
        pattern=st.frozensets(st.sampled_from(NAMES), max_size=5),
        hallucinated=st.booleans(),
        weight=st.sampled_from([0.1, 1.0]),
    ),
    min_size=4,
    max_size=40,
)


def drawn(count: int, seed: int = 1) -> list[Row]:
    """Rows by a known truth: log-odds -2, +3 if not explained, +2 if charged, -1 if confirmed."""
    rng = random.Random(seed)
    truth = {"not-explained": 3.0, "charged": 2.0, "confirmed": -1.0}
    rows = []
    for number in range(count):
        pattern = frozenset(name for name in truth if rng.random() < 0.5)
        score = -2.0 + sum(truth[name] for name in pattern)
        bad = rng.random() < 1 / (1 + math.exp(-score))
        rows.append(Row(f"work {number}", pattern, hallucinated=bad))
    return rows


def weights(model: Model) -> dict[str, float]:
    return {one.atom: one.weight for one in model.atoms}


def test_the_fit_finds_the_weights_that_made_the_data() -> None:
    found = fitted(drawn(40_000), 0.1)
    assert found.intercept == pytest.approx(-2.0, abs=0.1)
    assert weights(found)["not-explained"] == pytest.approx(3.0, abs=0.15)
    assert weights(found)["charged"] == pytest.approx(2.0, abs=0.15)
    assert weights(found)["confirmed"] == pytest.approx(-1.0, abs=0.15)
    assert weights(found)["near-title"] == 0.0


def test_cross_fitted_probabilities_of_such_data_are_calibrated() -> None:
    rows = drawn(20_000)
    fold = folds_of([row.group for row in rows], 5, 7)
    chances = cross_fitted(rows, fold, 1.0)
    truth = np.array([row.hallucinated for row in rows])
    for pattern in {row.pattern for row in rows}:
        inside = np.array([row.pattern == pattern for row in rows])
        assert chances[inside].mean() == pytest.approx(truth[inside].mean(), abs=0.03)


@settings(max_examples=40)
@given(rows_of_any_kind, st.sampled_from(RIDGES))
def test_weights_keep_their_direction_whatever_the_data(rows: list[Row], ridge: float) -> None:
    found = fitted(rows, ridge)
    for atom in ATOMS:
        low, high = bounds(atom)
        assert low <= weights(found)[atom.name] <= high


@settings(max_examples=20)
@given(rows_of_any_kind)
def test_the_order_of_the_rows_does_not_matter(rows: list[Row]) -> None:
    one, other = fitted(rows, 1.0), fitted(rows[::-1], 1.0)
    assert one.intercept == pytest.approx(other.intercept, abs=2e-3)


def test_more_shrinkage_gives_smaller_weights() -> None:
    rows = drawn(500)
    sizes = [sum(map(abs, weights(fitted(rows, ridge)).values())) for ridge in RIDGES]
    assert sizes == sorted(sizes, reverse=True)


def test_a_contrary_weight_is_held_at_its_bound() -> None:
    rows = [
        *(Row(f"v{n}", frozenset({"weak-title"}), hallucinated=False) for n in range(50)),
        *(Row(f"h{n}", frozenset({"confirmed"}), hallucinated=True) for n in range(50)),
    ]
    found = weights(fitted(rows, 0.1))
    assert found["weak-title"] == 0.0
    assert found["confirmed"] == 0.0


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60), st.integers(2, 6))
def test_rows_of_one_work_are_in_one_fold(groups: list[str], folds: int) -> None:
    dealt = folds_of(groups, folds, 3)
    assert all(len({dealt[i] for i, g in enumerate(groups) if g == one}) == 1 for one in groups)
    assert set(dealt) <= set(range(folds))
    sizes = [len({g for g, d in zip(groups, dealt, strict=True) if d == f}) for f in range(folds)]
    assert max(sizes) - min(sizes) <= 1


def test_an_entry_is_never_judged_by_a_model_that_has_seen_it() -> None:
    """One odd work: its own fold's model must not know it, the others' must."""
    odd = [Row("odd", frozenset({"near-title"}), hallucinated=True) for _ in range(200)]
    rows = [*drawn(300), *odd]
    fold = folds_of([row.group for row in rows], 3, 5)
    chances = cross_fitted(rows, fold, 0.1)
    blind = Calibration(
        fitted([row for row, f in zip(rows, fold, strict=True) if f != fold[-1]], 0.1)
    )
    assert chances[-1] == blind.probability(odd[0].pattern)
    assert chances[-1] < Calibration(fitted(rows, 0.1)).probability(odd[0].pattern) - 0.2


def test_the_ridge_is_one_of_those_tried() -> None:
    rows = drawn(400)
    fold = folds_of([row.group for row in rows], 4, 1)
    assert best_ridge(rows, fold, np.ones(len(rows), dtype=np.bool_)) in RIDGES


def test_an_isotonic_step_keeps_the_order_within_a_fold() -> None:
    rows = drawn(2_000)
    fold = folds_of([row.group for row in rows], 2, 1)
    plain, stepped = cross_fitted(rows, fold, 1.0), with_isotonic(rows, fold, 1.0)
    for one in range(2):
        order = np.argsort(plain[fold == one], kind="stable")
        assert (np.diff(stepped[fold == one][order]) >= -1e-9).all()
    assert ((stepped > 0) & (stepped < 1)).all()
