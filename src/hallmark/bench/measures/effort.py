"""What did the answers take, in time, calls and money?"""

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Pairs


class Spread(Struct, frozen=True):
    """A quantity over the `n` predictions that state it; None where none does."""

    n: int
    total: float | None
    mean: float | None
    median: float | None
    p95: float | None


class Effort(Struct, frozen=True):
    """Seconds, calls and US dollars for each prediction, and entries answered in a second."""

    seconds: Spread
    calls: Spread
    cost: Spread
    entries_per_second: float | None


def effort(pairs: Pairs) -> Effort:
    """Summarise what the predictions say that they took; unstated values are left out."""
    made = [prediction for prediction in pairs.predictions if prediction is not None]
    seconds = _spread([p.seconds for p in made if p.seconds is not None])
    calls = _spread([float(p.calls) for p in made if p.calls is not None])
    cost = _spread([p.cost for p in made if p.cost is not None])
    return Effort(seconds, calls, cost, seconds.n / seconds.total if seconds.total else None)


def _spread(values: list[float]) -> Spread:
    if not values:
        return Spread(0, None, None, None, None)
    median, p95 = np.quantile(values, [0.5, 0.95]).tolist()
    return Spread(len(values), sum(values), sum(values) / len(values), median, p95)
