"""How often does each outcome occur, in the data or in many resamples of it at once?

Every measure is a function of outcomes and their weights. The estimate uses the weights of the
data, an interval those of its resamples: the two cannot disagree about what is counted.
"""

import math
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from hallmark.bench.align import Bools
from hallmark.bench.measures.outcome import Array, Outcome

TIERS = (0, 1, 2, 3)
"""Tier 0 holds hallucinated entries whose tier is unknown."""

_FEW = 64

Weights: TypeAlias = npt.NDArray[np.floating]


class Cells(Struct, frozen=True, eq=False):
    """Counts of each resample; `caught` and `missed` have shape (4, resamples), by tier 0 to 3.

    `failed` counts valid entries that the tool failed on: neither flagged nor cleared.
    """

    caught: Array
    missed: Array
    false_alarms: Array
    cleared: Array
    failed: Array

    @property
    def tp(self) -> Array:
        """Hallucinated entries that were flagged."""
        return np.asarray(self.caught.sum(axis=0))

    @property
    def fn(self) -> Array:
        """Hallucinated entries that were not flagged."""
        return np.asarray(self.missed.sum(axis=0))

    @property
    def valid(self) -> Array:
        """Valid entries."""
        return self.false_alarms + self.cleared + self.failed


class Levels:
    """Weights pooled by the distinct values of a score, in ascending order.

    Args:
        outcome: K outcomes.
        weights: of the outcomes, shape (K, resamples).
        score: of each outcome; values that agree to 12 decimals are one level.
    """

    def __init__(self, outcome: Outcome, weights: Weights, score: Array) -> None:
        rounded = np.round(score, 12)
        self._order = np.argsort(rounded, kind="stable")
        self._sorted = weights[self._order]
        self._truth = outcome.truth
        self.values, starts, sizes = np.unique(
            rounded[self._order], return_index=True, return_counts=True
        )
        self._starts = starts
        self._ties = [(i, starts[i], starts[i] + sizes[i]) for i in np.flatnonzero(sizes > 1)]

    def mass(self, mask: Bools) -> Weights:
        """Return the weight of the masked outcomes at each level, shape (levels, resamples)."""
        return self._pooled(self._sorted * mask[self._order, None].astype(self._sorted.dtype))

    @cached_property
    def total(self) -> Weights:
        """The weight at each level, shape (levels, resamples)."""
        return self._pooled(self._sorted)

    @cached_property
    def upto(self) -> Weights:
        """The weight at each level and below it."""
        return running(self.total)

    @cached_property
    def bad(self) -> Weights:
        """The weight of hallucinated entries at each level."""
        return self.mass(self._truth)

    @cached_property
    def bad_upto(self) -> Weights:
        """The weight of hallucinated entries at each level and below it."""
        return running(self.bad)

    def _pooled(self, weights: Weights) -> Weights:
        """Add up what is tied; single outcomes, most of them as a rule, are only copied."""
        if not self._ties:
            return weights
        pooled: Weights = weights[self._starts]
        for level, start, end in self._ties:
            weights[start:end].sum(axis=0, out=pooled[level])
        return pooled


class Weighed:
    """Outcomes under weights of shape (outcomes, resamples).

    Args:
        outcome: K outcomes.
        weights: how often each occurs in each resample, of shape (K, resamples).
    """

    def __init__(self, outcome: Outcome, weights: Weights) -> None:
        self.outcome = outcome
        self.weights = weights

    @cached_property
    def n(self) -> Array:
        """The number of entries in each resample."""
        return np.asarray(self.weights.sum(axis=0))

    @cached_property
    def cells(self) -> Cells:
        """The counts behind all measures that look at labels only."""
        o = self.outcome
        bad = [o.truth & (o.tier == tier) for tier in TIERS]
        good = ~o.truth
        masks = [
            *(mask & o.flagged for mask in bad),
            *(mask & ~o.flagged for mask in bad),
            good & o.flagged,
            good & ~o.flagged & ~o.failed,
            good & o.failed,
        ]
        sums = self.sums(np.stack(masks))
        return Cells(sums[:4], sums[4:8], sums[8], sums[9], sums[10])

    @cached_property
    def by_p(self) -> Levels:
        """Levels of P(hallucinated)."""
        return Levels(self.outcome, self.weights, self.outcome.p)

    @cached_property
    def by_certainty(self) -> Levels:
        """Levels of the distance of P(hallucinated) from 0.5, the most certain first."""
        return Levels(self.outcome, self.weights, -np.abs(self.outcome.p - 0.5))

    @cached_property
    def by_confidence(self) -> Levels:
        """Levels of the confidence in the label, whichever it is."""
        return Levels(self.outcome, self.weights, self.outcome.confidence)

    def sums(self, rows: npt.NDArray[np.generic]) -> Array:
        """Return the weighted sums of `rows` (m, K), in shape (m, resamples)."""
        total: Array = rows.astype(self.weights.dtype) @ self.weights
        return total


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide; NaN (undefined) where the denominator is 0."""
    out: Array = np.full(np.broadcast(numerator, denominator).shape, np.nan, dtype=np.float64)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


def running(values: Weights) -> Weights:
    """Return running sums down the rows of (levels, resamples).

    Works in groups of rows, so that each step adds long contiguous stretches: several times
    faster than `numpy.cumsum` along the first axis.
    """
    levels, columns = values.shape
    if levels < _FEW or columns == 1:
        return np.cumsum(values, axis=0, dtype=values.dtype)
    size = math.isqrt(levels)
    groups = -(-levels // size)
    out = np.zeros((groups * size, columns), dtype=values.dtype)
    out[:levels] = values
    grouped = out.reshape(groups, size, columns)
    for i in range(1, size):
        grouped[:, i] += grouped[:, i - 1]
    for i in range(1, groups):
        grouped[i] += grouped[i - 1, -1]
    return out[:levels]
