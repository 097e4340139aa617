"""How far do tools, raters or variants agree beyond chance?"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from hallmark.bench.align import Floats
from hallmark.errors import InputError

Flags = npt.NDArray[np.bool_]


def cohen_kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two raters; None where chance alone agrees on everything.

    Raises:
        InputError: unless both rated the same number of items, at least one.
    """
    if len(first) != len(second) or not first:
        raise InputError("Cohen's kappa needs two ratings of each item, and at least one item.")
    labels = sorted({*first, *second})
    table = np.zeros((len(labels), len(labels)))
    for a, b in zip(first, second, strict=True):
        table[labels.index(a), labels.index(b)] += 1
    table /= len(first)
    return _beyond(float(np.trace(table)), float(table.sum(axis=0) @ table.sum(axis=1)))


def kappa(a: Flags, b: Flags) -> float | None:
    """Return Cohen's kappa of two sets of flags; None where both always say the same."""
    return cohen_kappa([str(flag) for flag in a], [str(flag) for flag in b])


def fleiss_kappa(counts: npt.ArrayLike) -> float | None:
    """Return Fleiss' kappa; None where chance alone agrees on everything.

    Args:
        counts: how many raters put each item into each category, shape (items, categories);
            every item has the same number of raters, at least two.
    """
    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1) if table.ndim == 2 else np.zeros(1)  # noqa: PLR2004
    if not len(raters) or (raters != raters[0]).any() or raters[0] < 2:  # noqa: PLR2004
        raise InputError(
            "Fleiss' kappa needs the same number of raters, two or more, on each item."
        )
    n = raters[0]
    observed = float(((table**2).sum(axis=1) - n).mean() / (n * (n - 1)))
    shares = table.sum(axis=0) / table.sum()
    return _beyond(observed, float((shares**2).sum()))


def _beyond(observed: float, chance: float) -> float | None:
    return None if 1 - chance < 1e-12 else (observed - chance) / (1 - chance)  # noqa: PLR2004


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation; None where one side is constant."""
    a, b = ranks(first), ranks(second)
    if len(a) != len(b):
        raise InputError("A rank correlation needs two values of each item.")
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale else None


def ranks(values: Sequence[float]) -> Floats:
    """Return ranks from 1, ties sharing their mean rank."""
    array = np.asarray(values, dtype=np.float64)
    _, code, counts = np.unique(array, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared: Floats = (ends - (counts - 1) / 2)[code]
    return shared


def stability(variants: Sequence[Sequence[float]]) -> float | None:
    """Return the mean pairwise rank correlation of tools' scores over variants.

    Args:
        variants: for each variant the scores of the same tools; at least two variants.
    """
    if len(variants) < 2:  # noqa: PLR2004
        raise InputError("Stability needs at least two variants.")
    values = [spearman(a, b) for a, b in combinations(variants, 2)]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None
