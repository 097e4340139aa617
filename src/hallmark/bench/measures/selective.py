"""What would a tool gain by leaving out the entries it is least certain of?

Certainty is the distance of P(hallucinated) from 0.5 (paper, section E.2). Entries of equal
certainty are left out together, in equal shares, so that the order of the file cannot matter.
"""

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.outcome import Array, outcome
from hallmark.bench.measures.weighed import Weighed, ratio


def aurc(w: Weighed) -> Array:
    """Area under the risk-coverage curve: the mean error rate of the k most certain, k = 1 to n.

    Within entries of equal certainty, errors are spread evenly; the sum over them is exact, by
    differences of harmonic numbers.
    """
    levels = w.by_certainty
    mass = (levels.bad + levels.good)[:, ::-1].astype(np.float64)
    wrong = levels.wrong[:, ::-1].astype(np.float64)
    upto = np.cumsum(mass, axis=1)
    harmonic = _harmonic(upto)
    rate = np.divide(wrong, mass, out=np.zeros_like(mass), where=mass > 0)
    before = np.cumsum(wrong, axis=1) - wrong - (upto - mass) * rate
    spans = np.diff(harmonic, axis=1, prepend=0.0)
    return ratio((wrong + before * spans).sum(axis=1), w.n)


def _harmonic(counts: Array) -> Array:
    table = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, round(counts.max(initial=0)) + 1))])
    at: Array = table[np.rint(counts).astype(np.int64)]
    return at


def fpr_at_coverage(w: Weighed, coverage: float = 0.9) -> Array:
    """False-positive rate on the most certain round(coverage * n) entries.

    Args:
        w: the weighed outcomes.
        coverage: the share of entries to keep, in [0, 1].
    """
    levels = w.by_certainty
    mass = (levels.bad + levels.good)[:, ::-1]
    keep = np.rint(coverage * w.n)[:, None]
    before = np.cumsum(mass, axis=1) - mass
    share = np.clip(np.divide(keep - before, mass, out=np.zeros(mass.shape), where=mass > 0), 0, 1)
    flagged = (levels.false_alarms[:, ::-1] * share).sum(axis=1)
    return ratio(flagged, (levels.good[:, ::-1] * share).sum(axis=1))


class RiskPoint(Struct, frozen=True):
    """A point of the risk-coverage curve; rates are None where nothing is left to count."""

    coverage: float
    threshold: float
    error_rate: float
    false_positive_rate: float | None


def risk_coverage(pairs: Pairs, stance: Stance) -> list[RiskPoint]:
    """Return the curve at each distinct certainty, the most certain entries first."""
    o = outcome(pairs, stance)
    levels = Weighed(o, np.ones((1, len(o.truth)))).by_certainty
    kept = np.cumsum((levels.bad + levels.good)[0, ::-1])
    wrong = np.cumsum(levels.wrong[0, ::-1])
    good = np.cumsum(levels.good[0, ::-1])
    alarms = np.cumsum(levels.false_alarms[0, ::-1])
    return [
        RiskPoint(k / len(o.truth), float(v), e / k, a / g if g else None)
        for k, v, e, a, g in zip(
            kept.tolist(),
            levels.values[::-1].tolist(),
            wrong.tolist(),
            alarms.tolist(),
            good.tolist(),
            strict=True,
        )
    ]
