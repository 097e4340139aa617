"""What do binomial counts prove, without any approximation?"""

import math

from scipy.special import betaincinv

from hallmark.bench.statistics.intervals import check_counts


def clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of k successes in n > 0 trials.

    Raises:
        InputError: unless 0 <= k <= n and n > 0.
    """
    check_counts(k, n)
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
    return low, high


def sign_test(wins: int, losses: int) -> float:
    """Return the exact two-sided p-value that wins and losses are equally likely.

    Ties are left out beforehand; without wins and losses there is no evidence, so p is 1.
    """
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1))
    return min(1.0, float(2 * tail / 2**n))
