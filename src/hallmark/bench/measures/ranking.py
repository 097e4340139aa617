"""How well does P(hallucinated) rank hallucinated entries above valid ones?"""

import numpy as np

from hallmark.bench.measures.outcome import Array
from hallmark.bench.measures.weighed import Weighed, ratio


def auroc(w: Weighed) -> Array:
    """P(a hallucinated entry scores above a valid one), ties counting one half."""
    levels = w.by_p
    below = np.cumsum(levels.good, axis=1) - levels.good / 2
    won = np.einsum("ij,ij->i", levels.bad, below)
    return ratio(won, levels.bad.sum(axis=1) * levels.good.sum(axis=1))


def auprc(w: Weighed) -> Array:
    """Average precision: precision at each distinct score, weighted by the recall it adds."""
    levels = w.by_p
    bad = levels.bad[:, ::-1]
    tp = np.cumsum(bad, axis=1)
    flagged = np.cumsum(levels.good[:, ::-1], axis=1) + tp
    exact = np.divide(tp, flagged, out=np.zeros_like(tp), where=flagged > 0)
    return ratio(np.einsum("ij,ij->i", bad, exact), bad.sum(axis=1))
