"""Which differences could so many entries show at all?"""

import math

from hallmark.bench.statistics.intervals import normal_quantile
from hallmark.errors import InputError


def minimum_detectable_effect(
    n: int, baseline: float = 0.5, *, power: float = 0.8, alpha: float = 0.05, samples: int = 1
) -> float:
    """Return the smallest difference in a share that a two-sided z-test detects.

    One sample against a known share is what the paper's Table 9 computes; two independent samples
    of n each need an effect larger by the square root of 2.

    Args:
        n: entries in each sample, above 0.
        baseline: the share that is departed from, in [0, 1]; 0.5 is the worst case.
        power: the probability of detecting the effect.
        alpha: the level of the test.
        samples: 1 or 2.
    """
    if n < 1:
        raise InputError(f"Power needs at least one entry; n is {n}.")
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return z * math.sqrt(samples * baseline * (1 - baseline) / n)


def power_of(
    n: int, effect: float, baseline: float = 0.5, *, alpha: float = 0.05, samples: int = 1
) -> float:
    """Return the probability that a two-sided z-test detects `effect` with n entries."""
    if n < 1:
        raise InputError(f"Power needs at least one entry; n is {n}.")
    spread = math.sqrt(samples * baseline * (1 - baseline) / n)
    if spread == 0:
        return 1.0 if effect else alpha
    critical = normal_quantile(1 - alpha / 2)
    shifted = abs(effect) / spread
    return _phi(shifted - critical) + _phi(-shifted - critical)


def entries_needed(
    effect: float,
    baseline: float = 0.5,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    samples: int = 1,
) -> int:
    """Return how many entries (in each sample) it takes to detect `effect` > 0."""
    if effect <= 0:
        raise InputError(f"An effect must be above 0 to be detected; it is {effect}.")
    z = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    return math.ceil(samples * baseline * (1 - baseline) * (z / effect) ** 2)


def _phi(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2
