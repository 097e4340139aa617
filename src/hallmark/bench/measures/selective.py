"""What would a tool gain by leaving out the entries it is least certain of?

Certainty is the distance of P(hallucinated) from 0.5 (paper, section E.2). Entries of equal
certainty are left out together, in equal shares, so that the order of the file cannot matter.
"""

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.outcome import Array, outcome
from hallmark.bench.measures.weighed import Weighed, ratio, running, sums_up_to


def aurc(w: Weighed) -> Array:
    """Area under the risk-coverage curve: the mean error rate of the k most certain, k = 1 to n.

    Within entries of equal certainty, errors are spread evenly; the sum over them is exact, by
    differences of harmonic numbers.
    """
    levels = w.by_certainty
    mass, upto = levels.total, levels.upto
    wrong = levels.mass(~w.outcome.correct)
    rate = wrong / np.maximum(mass, 1)
    before = running(wrong)
    before -= wrong
    rate *= upto - mass
    before -= rate
    spans = _harmonic(upto)
    spans[1:] -= spans[:-1].copy()
    before *= spans
    return ratio(wrong.sum(axis=0) + before.sum(axis=0), w.n)


def _harmonic(counts: Array) -> Array:
    steps = np.arange(1, round(float(counts.max(initial=0))) + 1)
    table = np.concatenate([[0.0], np.cumsum(1 / steps)]).astype(counts.dtype)
    return np.take(table, counts.astype(np.int32))


def fpr_at_coverage(w: Weighed, coverage: float = 0.9) -> Array:
    """False-positive rate on the most certain round(coverage * n) entries.

    Args:
        w: the weighed outcomes.
        coverage: the share of entries to keep, in [0, 1].
    """
    o, levels = w.outcome, w.by_certainty
    if not len(levels.total):
        return ratio(w.n, w.n)
    keep = np.rint(coverage * w.n)[None]
    good, alarms = levels.total - levels.bad, levels.mass(~o.truth & o.flagged)
    kept, flagged = sums_up_to(levels.total, [good, alarms], keep)
    return ratio(flagged[0], kept[0])


def most_certain(pairs: Pairs, stance: Stance, coverage: float = 0.9) -> Pairs:
    """Return the most certain round(coverage * n) pairs, as the paper's Table 23 keeps them.

    Entries of equal certainty are left out in the order of the file (the first one first), so
    what is kept depends on that order; `fpr_at_coverage` does not.

    Args:
        pairs: the aligned pairs.
        stance: what an abstention counts as.
        coverage: the share of entries to keep, in [0, 1].
    """
    o = outcome(pairs, stance)
    order = np.argsort(np.abs(o.p - 0.5), kind="stable")
    keep = round(coverage * len(order))
    return pairs.select(np.sort(o.at[order[len(order) - keep :]]))


class RiskPoint(Struct, frozen=True):
    """A point of the risk-coverage curve; rates are None where nothing is left to count."""

    coverage: float
    threshold: float
    error_rate: float
    false_positive_rate: float | None


def risk_coverage(pairs: Pairs, stance: Stance) -> list[RiskPoint]:
    """Return the curve at each distinct certainty, the most certain entries first."""
    o = outcome(pairs, stance)
    levels = Weighed(o, np.ones((len(o.truth), 1))).by_certainty
    masks = (np.ones_like(o.truth), ~o.correct, ~o.truth, ~o.truth & o.flagged)
    columns = [np.cumsum(levels.mass(mask)[:, 0]).tolist() for mask in masks]
    return [
        RiskPoint(kept / len(o.truth), -value, wrong / kept, alarms / good if good else None)
        for value, kept, wrong, good, alarms in zip(levels.values.tolist(), *columns, strict=True)
    ]
