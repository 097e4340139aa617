"""Does a confidence of 0.8 mean being right eight times in ten?

The expected calibration error is the mean distance between accuracy and confidence over bins
(paper, Eq. 2). Three ways to bin: ten bins of equal width; ten of equal mass, where entries of
equal confidence share their accuracy, so that the order of the file cannot matter; and the way
behind the paper's printed values, ten of equal mass in the order of the file.
"""

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Bools, Ints, Pairs, Stance
from hallmark.bench.measures.outcome import Array, Outcome, outcome
from hallmark.bench.measures.weighed import Weighed, ratio, sums_up_to

BINS = 10
EPSILON = 1e-15
"""Probabilities are kept this far from 0 and 1 in the log loss."""


def ece(w: Weighed) -> Array:
    """Expected calibration error over ten bins of equal width, [0, 0.1) to [0.9, 1]."""
    o = w.outcome
    inside = width_bins(o.confidence) == np.arange(BINS)[:, None]
    return ratio(np.abs(w.sums(inside * (o.correct - o.confidence))).sum(axis=0), w.n)


def width_bins(confidence: Array) -> Ints:
    """Return the bin of each confidence: a lower edge belongs to its bin, and 1 to the last."""
    edges = np.round(np.arange(1, BINS) / BINS, 12)
    return np.searchsorted(edges, np.round(confidence, 12), side="right")


def ece_equal_mass(w: Weighed) -> Array:
    """Expected calibration error over ten bins of equal mass, ties pooled.

    The running sum of accuracy minus confidence is a function of the mass of entries below, linear
    within entries of equal confidence; a bin's gap is the difference of it between its ends.
    """
    levels = w.by_confidence
    mass, right = levels.total, levels.mass(w.outcome.correct)
    return _mass_gaps(mass, right - mass * levels.values[:, None].astype(mass.dtype), w.n)


def ece_paper(w: Weighed) -> Array:
    """Expected calibration error of the paper's printed values.

    Ten bins of equal mass after a stable sort by confidence: where entries tie, their order in
    the file decides into which bin they fall. The outcomes must be in the order of the file.
    """
    o = w.outcome
    order = np.argsort(o.confidence, kind="stable")
    gap = (o.correct - o.confidence)[order, None]
    mass = w.weights[order]
    return _mass_gaps(mass, mass * gap.astype(mass.dtype), w.n)


def _mass_gaps(mass: Array, gap: Array, n: Array) -> Array:
    """Return the mean absolute gap over bins of equal mass.

    Args:
        mass: of each level in ascending order, shape (levels, resamples).
        gap: sum of accuracy minus confidence of each level, same shape.
        n: total mass, shape (resamples,).
    """
    if not len(mass):
        return ratio(np.zeros_like(n), n)
    (cumulated,) = sums_up_to(mass, [gap], _bin_ends(n))
    return ratio(np.abs(np.diff(cumulated, axis=0, prepend=0.0)).sum(axis=0), n)


def _bin_ends(n: Array) -> Array:
    """Return where bins end, (BINS, resamples): sizes differ by 1 at most, the larger first."""
    bins = np.arange(1, BINS + 1)[:, None]
    whole = np.rint(n).astype(np.int64)
    ends: Array = (bins * (whole // BINS) + np.minimum(bins, whole % BINS)).astype(np.float64)
    return ends


def brier(w: Weighed) -> Array:
    """Mean squared distance between P(hallucinated) and the truth."""
    o = w.outcome
    return ratio(w.sums(((o.p - o.truth) ** 2)[None])[0], w.n)


def log_loss(w: Weighed) -> Array:
    """Mean negative log-likelihood of the truth, in nats."""
    o = w.outcome
    p = np.clip(o.p, EPSILON, 1 - EPSILON)
    loss = -np.where(o.truth, np.log(p), np.log1p(-p))
    return ratio(w.sums(loss[None])[0], w.n)


class ReliabilityBin(Struct, frozen=True):
    """One bar of a reliability diagram: `low` <= confidence < `high`; means are None if n is 0."""

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


def _bar(o: Outcome, inside: Bools, b: int) -> ReliabilityBin:
    n = int(inside.sum())
    sure = float(o.confidence[inside].mean()) if n else None
    right = float(o.correct[inside].mean()) if n else None
    return ReliabilityBin(b / BINS, (b + 1) / BINS, n, sure, right)
