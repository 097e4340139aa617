"""How well does P(hallucinated) rank hallucinated entries above valid ones?"""

import numpy as np

from hallmark.bench.measures.outcome import Array
from hallmark.bench.measures.weighed import Weighed, ratio, running


def auroc(w: Weighed) -> Array:
    """P(a hallucinated entry scores above a valid one), ties counting one half."""
    bad, good = w.by_p.mass(w.outcome.truth), w.by_p.mass(~w.outcome.truth)
    below = running(good) - good / 2
    return ratio((bad * below).sum(axis=0), bad.sum(axis=0) * good.sum(axis=0))


def auprc(w: Weighed) -> Array:
    """Average precision: precision at each distinct score, weighted by the recall it adds."""
    bad = w.by_p.mass(w.outcome.truth)[::-1]
    tp = running(bad)
    flagged = running(w.by_p.mass()[::-1])
    exact = np.divide(tp, flagged, out=np.zeros_like(tp), where=flagged > 0)
    return ratio((bad * exact).sum(axis=0), bad.sum(axis=0))
