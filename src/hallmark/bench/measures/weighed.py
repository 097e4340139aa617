"""How often does each outcome occur, in the data or in many resamples of it at once?

Every measure is a function of outcomes and their weights. The estimate uses the weights of the
data, an interval those of its resamples: the two cannot disagree about what is counted.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from hallmark.bench.align import Bools, Ints
from hallmark.bench.measures.outcome import Array, Outcome

TIERS = (0, 1, 2, 3)
"""Tier 0 holds hallucinated entries whose tier is unknown."""

_FEW = 64
CHUNK = 16
_TOLERANCE = 1e-3
"""Masses are counts, or sums of counts; ends that differ by less are the same."""

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
        self.values, self._starts = np.unique(rounded[self._order], return_index=True)

    def mass(self, mask: Bools) -> Weights:
        """Return the weight of the masked outcomes at each level, shape (levels, resamples)."""
        return pooled(
            self._sorted * mask[self._order, None].astype(self._sorted.dtype), self._starts
        )

    @cached_property
    def total(self) -> Weights:
        """The weight at each level, shape (levels, resamples)."""
        return pooled(self._sorted, self._starts)

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


def pooled(values: Weights, starts: Ints) -> Weights:
    """Return the sums of the rows from each start to the next, shape (len(starts), resamples).

    Runs of a single row, most of them as a rule, are only copied.
    """
    if len(starts) == len(values):
        return values
    sums: Weights = values[starts]
    sizes = np.diff(starts, append=len(values))
    for i in np.flatnonzero(sizes > 1).tolist():
        values[starts[i] : starts[i] + sizes[i]].sum(axis=0, out=sums[i])
    return sums


def running(values: Weights) -> Weights:
    """Return running sums down the rows of (levels, resamples).

    Works in groups of rows, so that each step adds long contiguous stretches: several times
    faster than `numpy.cumsum` along the first axis.
    """
    levels, columns = values.shape
    if levels < _FEW:
        return _added_up(values.copy())
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


def _added_up(values: Weights) -> Weights:
    """Turn the rows of an array into their running sums, in place."""
    for i in range(1, len(values)):
        values[i] += values[i - 1]
    return values


def sums_up_to(mass: Weights, values: Sequence[Weights], ends: Array) -> list[Array]:
    """Return the sums of `values` over the levels that hold the first `ends` of the mass.

    A level that an end divides counts in proportion. Levels are looked through in chunks, so that
    running sums are needed of chunks only.

    Args:
        mass: of each level, shape (levels, resamples), at least one level.
        values: arrays of the same shape.
        ends: masses, shape (m, resamples), at most the total mass.

    Returns:
        An array of shape (m, resamples) for each of `values`.
    """
    levels, columns = mass.shape
    column, size = np.arange(columns), min(CHUNK, levels)
    starts = np.arange(0, levels, size)
    by_chunk = _chunked(mass, size)
    below = _added_up(by_chunk.copy())
    chunk = _first_reaching(below, ends)
    # Beyond the last level, it is repeated: an end is reached before that.
    inside = np.minimum(starts[chunk] + np.arange(size)[:, None, None], levels - 1)
    place = inside * columns + column
    upto = _added_up(mass.ravel().take(place))
    upto += below[chunk, column] - by_chunk[chunk, column]
    last = np.minimum((upto < ends - _TOLERANCE).sum(axis=0), size - 1)[None]
    at = np.take_along_axis(inside, last, axis=0)[0]
    reached = np.take_along_axis(upto, last, axis=0)[0]
    beyond = np.nan_to_num(ratio(reached - ends, mass[at, column]))
    found = []
    for value in values:
        chunks = _chunked(value, size)
        before = _added_up(chunks.copy()) - chunks
        within = _added_up(value.ravel().take(place))
        whole = before[chunk, column] + np.take_along_axis(within, last, axis=0)[0]
        found.append(whole - beyond * value[at, column])
    return found


def _chunked(values: Weights, size: int) -> Weights:
    """Return the sums of each `size` rows, the last of which may be fewer."""
    rows, columns = values.shape
    whole = rows - rows % size
    sums: Weights = values[:whole].reshape(-1, size, columns).sum(axis=1)
    if whole == rows:
        return sums
    return np.concatenate([sums, values[whole:].sum(axis=0, keepdims=True)])


def _first_reaching(below: Weights, ends: Array) -> Ints:
    """Return for each column the first row whose running mass reaches each end.

    All columns are searched at once, laid one behind the other.
    """
    rows, columns = below.shape
    shift = np.arange(columns) * (float(below[-1].max()) + 1.0)
    line = (below.T + shift[:, None]).ravel()
    at = np.searchsorted(line, (ends - _TOLERANCE + shift).ravel()).reshape(ends.shape)
    found: Ints = np.clip(at - np.arange(columns) * rows, 0, rows - 1)
    return found
