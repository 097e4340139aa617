"""Does a confidence of 0.8 mean being right eight times in ten?

The expected calibration error is the mean distance between accuracy and confidence over bins
(paper, Eq. 2). Three ways to bin: ten bins of equal width; ten of equal mass, where entries of
equal confidence share their accuracy, so that the order of the file cannot matter; and the way
behind the paper's printed values, ten of equal mass in the order of the file.
"""

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.outcome import Array, Outcome, outcome
from hallmark.bench.measures.weighed import Weighed, ratio

BINS = 10
EPSILON = 1e-15
"""Probabilities are kept this far from 0 and 1 in the log loss."""


def ece(w: Weighed) -> Array:
    """Expected calibration error over ten bins of equal width, (0, 0.1] to (0.9, 1]."""
    o = w.outcome
    bins = width_bins(o.confidence)
    gaps = (o.correct - o.confidence)[:, None] * (bins[:, None] == np.arange(BINS))
    return ratio(np.abs(w.sums(gaps)).sum(axis=1), w.n)


def width_bins(confidence: Array) -> Array:
    """Return the bin of each confidence: the upper edge belongs to the bin, and 0 to the first."""
    edges = np.round(np.arange(1, BINS) / BINS, 12)
    return np.searchsorted(edges, np.round(confidence, 12), side="left")


def ece_equal_mass(w: Weighed) -> Array:
    """Expected calibration error over ten bins of equal mass, ties pooled.

    The running sum of accuracy minus confidence is a function of the mass of entries below, linear
    within entries of equal confidence; a bin's gap is the difference of it between its ends.
    """
    o = w.outcome
    values, level = np.unique(np.round(o.confidence, 12), return_inverse=True)
    everything = np.ones(len(o.truth), dtype=np.bool_)
    mass = w.pool(everything, level, len(values))
    right = w.pool(o.correct, level, len(values))
    return _mass_gaps(mass, right - mass * values.astype(mass.dtype), w.n)


def ece_paper(w: Weighed) -> Array:
    """Expected calibration error of the paper's printed values.

    Ten bins of equal mass after a stable sort by confidence: where entries tie, their order in
    the file decides into which bin they fall. The outcomes must be in the order of the file.
    """
    o = w.outcome
    order = np.argsort(o.confidence, kind="stable")
    gap = (o.correct - o.confidence)[order]
    mass = w.weights[:, order]
    return _mass_gaps(mass, mass * gap.astype(mass.dtype), w.n)


def _mass_gaps(mass: Array, gap: Array, n: Array) -> Array:
    """Return the mean absolute gap over bins that hold a tenth of the mass each.

    Args:
        mass: of each level in ascending order, shape (resamples, levels).
        gap: sum of accuracy minus confidence of each level, same shape.
        n: total mass, shape (resamples,).
    """
    below = np.cumsum(mass, axis=1, dtype=np.float64)
    gaps = np.cumsum(gap, axis=1, dtype=np.float64)
    ends = n[:, None] * np.arange(1, BINS + 1) / BINS
    at = _first_reaching(below, ends)
    rows = np.arange(len(mass))[:, None]
    share = ratio(below[rows, at] - ends, mass[rows, at].astype(np.float64))
    cumulated = gaps[rows, at] - np.nan_to_num(share) * gap[rows, at]
    per_bin = np.diff(cumulated, axis=1, prepend=0.0)
    return ratio(np.abs(per_bin).sum(axis=1), n)


def _first_reaching(below: Array, ends: Array) -> Array:
    """Return for each row the first level whose running mass reaches each end."""
    if below.shape[1] == 0:
        return np.zeros(ends.shape, dtype=np.int64)
    step = below.shape[1]
    top = float(below[:, -1].max(initial=0.0)) + 1.0
    rows = np.arange(len(below))[:, None] * top
    flat = np.searchsorted((below + rows).ravel(), (ends - 1e-9 + rows).ravel(), side="left")
    at = flat.reshape(ends.shape) - np.arange(len(below))[:, None] * step
    return np.clip(at, 0, step - 1)


def brier(w: Weighed) -> Array:
    """Mean squared distance between P(hallucinated) and the truth."""
    o = w.outcome
    return ratio(w.sums(((o.p - o.truth) ** 2)[:, None])[:, 0], w.n)


def log_loss(w: Weighed) -> Array:
    """Mean negative log-likelihood of the truth, in nats."""
    o = w.outcome
    p = np.clip(o.p, EPSILON, 1 - EPSILON)
    loss = -np.where(o.truth, np.log(p), np.log1p(-p))
    return ratio(w.sums(loss[:, None])[:, 0], w.n)


class ReliabilityBin(Struct, frozen=True):
    """One bar of a reliability diagram: `low` < confidence <= `high`; means are None if n is 0."""

    low: float
    high: float
    n: int
    confidence: float | None
    accuracy: float | None


def reliability(pairs: Pairs, stance: Stance) -> list[ReliabilityBin]:
    """Return the ten bins of equal width of a reliability diagram."""
    o = outcome(pairs, stance)
    bins = width_bins(o.confidence)
    return [_bar(o, bins == b, b) for b in range(BINS)]


def _bar(o: Outcome, inside: Array, b: int) -> ReliabilityBin:
    n = int(inside.sum())
    sure = float(o.confidence[inside].mean()) if n else None
    right = float(o.correct[inside].mean()) if n else None
    return ReliabilityBin(b / BINS, (b + 1) / BINS, n, sure, right)
