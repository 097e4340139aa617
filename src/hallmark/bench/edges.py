"""In which range does a share lie that came out as 0 or 1?

All resamples of such a share agree, so that the bootstrap would give it an interval of no width, as
if it were certain. It has a Wilson interval instead, as groups have. The precision at a stated
prevalence, which is made of two such shares, has the range that their intervals allow.
"""

from collections.abc import Callable

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.deployment import VENUE_PREVALENCE, Rates, ppv
from hallmark.bench.measures.outcome import Array, outcome
from hallmark.bench.measures.weighed import Cells, Weighed
from hallmark.bench.resample import Interval
from hallmark.bench.statistics.intervals import wilson

EDGES = (0.0, 1.0)

_OUT_OF: dict[str, Callable[[Cells], Array]] = {
    "detection_rate": lambda cells: cells.tp + cells.fn,
    "false_negative_rate": lambda cells: cells.tp + cells.fn,
    "false_positive_rate": lambda cells: cells.valid,
    "precision": lambda cells: cells.tp + cells.false_alarms,
    "accuracy": lambda cells: cells.tp + cells.fn + cells.valid,
}
"""The measures that are shares, and of how many entries each is one."""


def at_edge(
    pairs: Pairs, stance: Stance, name: str, value: float | None, level: float
) -> Interval | None:
    """Return the interval of a share that is 0 or 1; None for all else, which resampling answers.

    Args:
        pairs: the aligned pairs.
        stance: what abstentions count as.
        name: of a measure.
        value: what it came out as.
        level: the share of samples that the interval is to hold the true value for.
    """
    if value not in EDGES or (name not in _OUT_OF and name != "ppv"):
        return None
    kept = outcome(pairs, stance)
    cells = Weighed(kept, np.ones((len(kept.truth), 1))).cells
    if name == "ppv":
        return _of_ppv(cells, value, level)
    n = round(_OUT_OF[name](cells).item())
    return Interval(*wilson(round(value * n), n, level))


def _of_ppv(cells: Cells, value: float, level: float) -> Interval:
    """Return the range of the precision, from the worst pair of rates to the best.

    It is 1 where nothing valid was flagged, and 0 where nothing hallucinated was.
    """
    tp, bad, alarms, valid = (
        round(count.item())
        for count in (cells.tp, cells.tp + cells.fn, cells.false_alarms, cells.valid)
    )
    caught, flagged = wilson(tp, bad, level), wilson(alarms, valid, level)
    worst = ppv(Rates(caught[0], flagged[1]), VENUE_PREVALENCE)
    best = ppv(Rates(caught[1], flagged[0]), VENUE_PREVALENCE)
    return Interval(min(worst or 0.0, value), max(value if best is None else best, value))
