"""How good are the labels, counted over the confusion matrix?

Definitions follow sections 4.1 and B.1 of the paper. Failures: a hallucinated entry on which the
tool failed is a miss; a valid one stays in the denominator of the false-positive rate, and counts
as wrong wherever a measure rewards cleared entries (MCC, balanced accuracy, macro F1, accuracy).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from hallmark.bench.measures.outcome import Array
from hallmark.bench.measures.weighed import Cells, Weighed, ratio

WEIGHTINGS: dict[str, tuple[float, float, float]] = {
    "linear": (1.0, 2.0, 3.0),
    "uniform": (1.0, 1.0, 1.0),
    "quadratic": (1.0, 4.0, 9.0),
    "log": (1.0, float(np.log2(3)), 2.0),
}
"""Weights of tiers 1 to 3 (paper, Table 10, whose log row is in base 2).

Tier-weighted F1 is not scale-invariant: a false positive weighs 1 whatever the scale.
"""


def detection_rate(w: Weighed) -> Array:
    """Share of the hallucinated entries that are flagged."""
    return ratio(w.cells.tp, w.cells.tp + w.cells.fn)


def false_positive_rate(w: Weighed) -> Array:
    """Share of the valid entries that are flagged."""
    return ratio(w.cells.false_alarms, w.cells.valid)


def false_negative_rate(w: Weighed) -> Array:
    """Share of the hallucinated entries that are not flagged."""
    return ratio(w.cells.fn, w.cells.tp + w.cells.fn)


def precision(w: Weighed) -> Array:
    """Share of the flags that are right."""
    return ratio(w.cells.tp, w.cells.tp + w.cells.false_alarms)


def accuracy(w: Weighed) -> Array:
    """Share of the entries whose label is right."""
    return ratio(w.cells.tp + w.cells.cleared, w.n)


def f1(w: Weighed) -> Array:
    """Harmonic mean of precision and detection rate."""
    cells = w.cells
    return _f1(cells.tp, cells.false_alarms, cells.fn)


def macro_f1(w: Weighed) -> Array:
    """Mean of the F1 of both classes."""
    cells = w.cells
    wrong = cells.false_alarms + cells.failed
    return (f1(w) + _f1(cells.cleared, cells.fn, wrong)) / 2


def balanced_accuracy(w: Weighed) -> Array:
    """Mean of the shares of hallucinated entries flagged and of valid entries cleared."""
    return (detection_rate(w) + ratio(w.cells.cleared, w.cells.valid)) / 2


def mcc(w: Weighed) -> Array:
    """Matthews correlation coefficient, in [-1, 1]; undefined where a class or label is empty."""
    cells = w.cells
    tp, fn, tn = (x.astype(np.float64) for x in (cells.tp, cells.fn, cells.cleared))
    fp = (cells.false_alarms + cells.failed).astype(np.float64)
    scale = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return ratio(tp * tn - fp * fn, scale)


def tier_weighted_f1(w: Weighed, weights: Sequence[float] = WEIGHTINGS["linear"]) -> Array:
    """F1 with each hallucinated entry weighted by its tier (paper, Eq. 1).

    Args:
        w: the weighed outcomes.
        weights: of tiers 1 to 3; an entry of unknown tier and a false positive weigh 1.
    """
    by_tier = np.array([1.0, *weights])
    cells = w.cells
    return _f1(by_tier @ cells.caught, cells.false_alarms, by_tier @ cells.missed)


def tier_f1(w: Weighed, tier: int) -> Array:
    """F1 of the hallucinated entries of one tier against all valid entries."""
    cells = w.cells
    return _f1(cells.caught[tier], cells.false_alarms, cells.missed[tier])


def _f1(tp: Array, fp: Array, fn: Array) -> Array:
    """F1 from counts; undefined where nothing is of the class and nothing is said to be."""
    return ratio(2 * tp, 2 * tp + fp + fn)


def cells_of(w: Weighed) -> dict[str, int]:
    """Return the counts of the first resample, for reports."""
    cells: Cells = w.cells
    names = {
        "tp": cells.tp,
        "fn": cells.fn,
        "fp": cells.false_alarms,
        "tn": cells.cleared,
        "failed_valid": cells.failed,
    }
    return {name: round(float(value[0])) for name, value in names.items()}


def inverse_difficulty(results: Mapping[str, Mapping[int, float]]) -> tuple[float, float, float]:
    """Return tier weights proportional to 1 minus the tools' mean detection rate (Table 10).

    Args:
        results: for each tool its detection rate by tier 1 to 3.
    """
    hardness = [1 - float(np.mean([rates[t] for rates in results.values()])) for t in (1, 2, 3)]
    total = sum(hardness) or 1.0
    first, second, third = (3 * hard / total for hard in hardness)
    return first, second, third
