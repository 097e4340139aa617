"""Which weights of the atoms fit a set of judged entries best?

A logistic regression whose weights keep the direction of their atoms and are shrunk towards zero: a
maximum a posteriori estimate under half-normal priors, found by L-BFGS-B, which takes bounds
(Byrd, Lu, Nocedal and Zhu, 1995).
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from scipy.optimize import isotonic_regression, minimize

from hallmark.judge.calibrate import FLOOR, STRONGEST, Calibration, Model, Weight, bounds
from hallmark.judge.patterns import ATOMS, Pattern

Array: TypeAlias = npt.NDArray[np.float64]

RIDGES = (0.3, 1.0, 3.0, 10.0)
"""Strengths of shrinkage that are tried: the inverse variance of a weight's prior, in log-odds.
Less than 0.3 would let the weights of atoms run off that hold in few rows."""


class Row(Struct, frozen=True):
    """One judged entry in one condition of the index.

    `group` names the work that it is about: rows of one group are never on both sides of a fold.
    `weight` is what the row counts, above 0.
    """

    group: str
    pattern: Pattern
    hallucinated: bool
    weight: float = 1.0


def fitted(rows: Sequence[Row], ridge: float) -> Model:
    """Return the model that fits the rows best.

    Args:
        rows: of both classes.
        ridge: the strength of shrinkage, above 0; the intercept is not shrunk.
    """
    patterns, mass = _summed(rows)
    limits = [(-STRONGEST, STRONGEST), *map(bounds, ATOMS)]
    start = np.array([np.clip(0.0, low, high) for low, high in limits])
    found = minimize(
        _loss, start, (patterns, mass, ridge), jac=True, method="L-BFGS-B", bounds=limits
    )
    intercept, *weights = (float(value) for value in found.x)
    return Model(
        prevalence=float(mass[:, 1].sum() / mass.sum()),
        intercept=round(intercept, 4),
        atoms=tuple(
            Weight(atom.name, round(weight, 4), sum(atom.name in row.pattern for row in rows))
            for atom, weight in zip(ATOMS, weights, strict=True)
        ),
    )


def _summed(rows: Sequence[Row]) -> tuple[Array, Array]:
    """Return the distinct patterns and the mass of valid and of hallucinated rows of each.

    Shapes: (patterns, 1 + atoms), the first column all ones; (patterns, 2).
    """
    masses: dict[Pattern, list[float]] = {}
    for row in rows:
        masses.setdefault(row.pattern, [0.0, 0.0])[row.hallucinated] += row.weight
    held = [[1.0, *(float(atom.name in pattern) for atom in ATOMS)] for pattern in masses]
    return np.array(held), np.array(list(masses.values()))


def _loss(theta: Array, patterns: Array, mass: Array, ridge: float) -> tuple[float, Array]:
    """Return the penalised negative log-likelihood and its gradient."""
    score = patterns @ theta
    shrunk = np.concatenate([[0.0], theta[1:]])
    loss = mass[:, 0] @ np.logaddexp(0, score) + mass[:, 1] @ np.logaddexp(0, -score)
    chance = 1.0 / (1.0 + np.exp(-score))
    slope = patterns.T @ (mass.sum(axis=1) * chance - mass[:, 1])
    return float(loss + ridge / 2 * shrunk @ shrunk), slope + ridge * shrunk


def folds_of(groups: Sequence[str], folds: int, seed: int) -> Array:
    """Return the fold of each row, in [0, folds): groups are dealt out evenly, at random."""
    names = sorted(set(groups))
    Random(seed).shuffle(names)
    dealt = {name: number % folds for number, name in enumerate(names)}
    return np.array([dealt[group] for group in groups])


def cross_fitted(rows: Sequence[Row], fold: Array, ridge: float) -> Array:
    """Return P(hallucinated) of every row by a model that has not seen the row's fold."""
    chances = np.zeros(len(rows))
    for seen, held_out in _parts(fold):
        model = Calibration(fitted([rows[i] for i in seen], ridge))
        for i in held_out:
            chances[i] = model.probability(rows[i].pattern)
    return chances


def _parts(fold: Array) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the rows outside and inside of each fold."""
    for one in np.unique(fold):
        inside = fold == one
        yield np.flatnonzero(~inside).tolist(), np.flatnonzero(inside).tolist()


def best_ridge(rows: Sequence[Row], fold: Array, scored: npt.NDArray[np.bool_]) -> float:
    """Return the strength of shrinkage that gives the least cross-fitted log loss.

    Args:
        rows: all training rows.
        fold: of each row.
        scored: which rows the loss is taken over.
    """
    truth = np.array([row.hallucinated for row in rows])[scored]

    def loss(ridge: float) -> float:
        chance = cross_fitted(rows, fold, ridge)[scored]
        return float(-np.log(np.where(truth, chance, 1 - chance)).mean())

    return min(RIDGES, key=loss)


def with_isotonic(rows: Sequence[Row], fold: Array, ridge: float) -> Array:
    """Return cross-fitted P(hallucinated) with an isotonic step on top of the logistic one.

    The step is fitted on the model's own training rows, as a user of both would have it.
    """
    chances = np.zeros(len(rows))
    for seen, held_out in _parts(fold):
        model = Calibration(fitted([rows[i] for i in seen], ridge))
        xs, ys = _isotonic([rows[i] for i in seen], model)
        own = np.array([model.probability(rows[i].pattern) for i in held_out])
        chances[held_out] = np.clip(np.interp(own, xs, ys), FLOOR, 1 - FLOOR)
    return chances


def _isotonic(rows: Sequence[Row], model: Calibration) -> tuple[Array, Array]:
    """Return the knots of the isotonic step: stated and observed P(hallucinated), ascending."""
    masses: dict[float, list[float]] = {}
    for row in rows:
        masses.setdefault(model.probability(row.pattern), [0.0, 0.0])[row.hallucinated] += (
            row.weight
        )
    xs = sorted(masses)
    mass = np.array([masses[x] for x in xs])
    found = isotonic_regression(mass[:, 1] / mass.sum(axis=1), weights=mass.sum(axis=1))
    return np.array(xs), np.asarray(found.x)
