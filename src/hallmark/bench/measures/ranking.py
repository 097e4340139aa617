"""How well does P(hallucinated) rank hallucinated entries above valid ones?"""

import numpy as np

from hallmark.bench.measures.outcome import Array
from hallmark.bench.measures.weighed import Weighed, ratio


def auroc(w: Weighed) -> Array:
    """P(a hallucinated entry scores above a valid one), ties counting one half."""
    bad, good = w.by_p.bad, w.by_p.total - w.by_p.bad
    below = w.by_p.upto - w.by_p.bad_upto - good / 2
    return ratio((bad * below).sum(axis=0), bad.sum(axis=0) * good.sum(axis=0))


def auprc(w: Weighed) -> Array:
    """Average precision: precision at each distinct score, weighted by the recall it adds."""
    levels = w.by_p
    n_bad = levels.bad.sum(axis=0)
    tp = n_bad - levels.bad_upto + levels.bad
    flagged = w.n - levels.upto + levels.total
    tp /= np.maximum(flagged, 1)
    tp *= levels.bad
    return ratio(tp.sum(axis=0), n_bad)
