"""Do two samples look alike, and how unevenly is a sum spread?"""

import warnings
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from hallmark.bench.align import year_of
from hallmark.bench.entry import Entry
from hallmark.errors import InputError


class KolmogorovSmirnov(Struct, frozen=True):
    """The largest distance of two empirical distributions, and its two-sided p-value."""

    statistic: float
    p: float


FEATURES = ("title_length", "author_count", "year")


def surface(entry: Entry) -> dict[str, float]:
    """Return what an entry shows without looking anything up: the paper's three features."""
    authors = entry.fields.get("author", "").strip()
    count = len(authors.split(" and ")) if authors else 0
    return {
        "title_length": float(len(entry.fields.get("title", ""))),
        "author_count": float(count),
        "year": float(year_of(entry)),
    }


def kolmogorov_smirnov(first: Sequence[float], second: Sequence[float]) -> KolmogorovSmirnov:
    """Compare two samples; not rejecting that they agree is no proof that they do."""
    from scipy.stats import ks_2samp  # noqa: PLC0415 - takes a second to import

    if not first or not second:
        raise InputError("A comparison of distributions needs two samples that are not empty.")
    with warnings.catch_warnings():
        # Where the exact p-value cannot be computed, SciPy says so and takes the asymptotic one.
        warnings.simplefilter("ignore", RuntimeWarning)
        result = ks_2samp(first, second, method="auto")
    return KolmogorovSmirnov(float(result.statistic), float(result.pvalue))


def gini(values: Sequence[float]) -> float | None:
    """Return the Gini coefficient of values from 0 upwards; None where their sum is 0.

    The paper applies it to detection rates over tiers: 0 is an even spread.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if len(ordered) == 0 or ordered[0] < 0:
        raise InputError("A Gini coefficient needs values from 0 upwards.")
    total, n = float(ordered.sum()), len(ordered)
    if total == 0:
        return None
    weights = 2 * np.arange(1, n + 1) - n - 1
    return float(weights @ ordered) / (n * total)
