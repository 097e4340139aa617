"""How often does each outcome occur, in the data or in many resamples of it at once?

Every measure is a function of outcomes and their weights. The estimate uses the weights of the
data, an interval those of its resamples: the two cannot disagree about what is counted.
"""

from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from hallmark.bench.align import Ints
from hallmark.bench.measures.outcome import Array, Outcome

TIERS = (0, 1, 2, 3)
"""Tier 0 holds hallucinated entries whose tier is unknown."""

Weights: TypeAlias = npt.NDArray[np.floating]


class Cells(Struct, frozen=True, eq=False):
    """Counts of each resample; `caught` and `missed` have shape (resamples, 4), by tier 0 to 3.

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
        return self.caught.sum(axis=1)

    @property
    def fn(self) -> Array:
        """Hallucinated entries that were not flagged."""
        return self.missed.sum(axis=1)

    @property
    def valid(self) -> Array:
        """Valid entries."""
        return self.false_alarms + self.cleared + self.failed


class Levels(Struct, frozen=True, eq=False):
    """Weights pooled by the distinct values of a score, in ascending order.

    `values` has shape (levels,); the others have shape (resamples, levels): entries that are
    hallucinated, valid, wrongly labelled and valid but flagged.
    """

    values: Array
    bad: Array
    good: Array
    wrong: Array
    false_alarms: Array


class Weighed:
    """Outcomes under weights of shape (resamples, outcomes).

    Args:
        outcome: K outcomes.
        weights: how often each occurs in each resample, of shape (resamples, K).
    """

    def __init__(self, outcome: Outcome, weights: Weights) -> None:
        self.outcome = outcome
        self.weights = weights

    @cached_property
    def n(self) -> Array:
        """The number of entries in each resample."""
        return self.weights.sum(axis=1)

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
        sums = self.sums(np.stack(masks, axis=1))
        return Cells(sums[:, :4], sums[:, 4:8], sums[:, 8], sums[:, 9], sums[:, 10])

    @cached_property
    def by_p(self) -> Levels:
        """Levels of P(hallucinated)."""
        return self._levels(self.outcome.p)

    @cached_property
    def by_certainty(self) -> Levels:
        """Levels of the distance of P(hallucinated) from 0.5, the least certain first."""
        return self._levels(np.round(np.abs(self.outcome.p - 0.5), 12))

    def sums(self, columns: npt.NDArray[np.generic]) -> Array:
        """Return the weighted sums of `columns` (K, m), in shape (resamples, m)."""
        total: Array = self.weights @ columns.astype(self.weights.dtype)
        return total

    def _levels(self, score: Array) -> Levels:
        o = self.outcome
        values, level = np.unique(score, return_inverse=True)
        bad = self.pool(o.truth, level, len(values))
        good = self.pool(~o.truth, level, len(values))
        wrong = self.pool(~o.correct, level, len(values))
        return Levels(values, bad, good, wrong, self.pool(~o.truth & o.flagged, level, len(values)))

    def pool(self, mask: npt.NDArray[np.bool_], level: Ints, n_levels: int) -> Array:
        """Return the weight of the masked outcomes at each level, (resamples, n_levels)."""
        at = np.flatnonzero(mask)
        at = at[np.argsort(level[at], kind="stable")]
        pooled = np.zeros((len(self.weights), n_levels), dtype=self.weights.dtype)
        if len(at):
            present, starts = np.unique(level[at], return_index=True)
            chosen = self.weights[:, at]
            same = len(present) == len(at)
            pooled[:, present] = chosen if same else np.add.reduceat(chosen, starts, axis=1)
        return pooled


def ratio(numerator: Array, denominator: Array) -> Array:
    """Divide; NaN (undefined) where the denominator is 0."""
    out: Array = np.full(np.broadcast(numerator, denominator).shape, np.nan, dtype=np.float64)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
