"""In which range does a share lie, given k of n?"""

import math

from hallmark.errors import InputError


def normal_quantile(p: float) -> float:
    """Return the quantile of the standard normal distribution, by Newton's method on erf.

    Args:
        p: a probability strictly between 0 and 1.
    """
    if not 0 < p < 1:
        raise InputError(f"A quantile needs a probability between 0 and 1, not {p}.")
    x = 0.0
    for _ in range(100):
        error = (1 + math.erf(x / math.sqrt(2))) / 2 - p
        step = error * math.sqrt(2 * math.pi) * math.exp(x * x / 2)
        x -= max(-1.0, min(1.0, step))
        if abs(step) < 1e-14:  # noqa: PLR2004 - machine precision
            break
    return x


def wilson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of k successes in n > 0 trials.

    Raises:
        InputError: unless 0 <= k <= n and n > 0.
    """
    check_counts(k, n)
    z = normal_quantile(0.5 + level / 2)
    share, spread = k / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    low = 0.0 if k == 0 else max(0.0, middle - half)
    high = 1.0 if k == n else min(1.0, middle + half)
    return low, high


def check_counts(k: int, n: int) -> None:
    """Raise InputError unless 0 <= k <= n and n > 0."""
    if not (n > 0 and 0 <= k <= n):
        raise InputError(f"A share needs 0 <= k <= n and n > 0; k is {k} and n is {n}.")
