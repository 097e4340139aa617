"""Is one tool better than another on the same entries, or were they only lucky?

All tests here are two-sided and symmetric: exchanging the tools changes the sign of a difference
and nothing else.
"""

import math
from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Floats, Ints, Pairs, Stance
from hallmark.bench.measures import MEASURES, evaluate
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.resample import DEFINED, Interval, Plan, paired_draws, quantiles
from hallmark.bench.statistics.exact import sign_test
from hallmark.errors import AlignmentError


class Difference(Struct, frozen=True):
    """First tool minus second, on one measure; None: undefined.

    `p` is the two-sided p-value of the paired bootstrap.
    """

    measure: str
    first: float | None
    second: float | None
    value: float | None
    ci: Interval | None
    p: float | None


class Discordance(Struct, frozen=True):
    """How many entries only one tool labels rightly, and McNemar's exact two-sided p-value."""

    only_first: int
    only_second: int
    p: float


class Equivalence(Struct, frozen=True):
    """Whether two tools differ by less than `margin`; `p` is that of two one-sided tests."""

    margin: float
    equivalent: bool
    p: float


def difference(
    first: Pairs,
    second: Pairs,
    stance: Stance,
    name: str,
    plan: Plan | None = None,
    clusters: Ints | None = None,
) -> Difference:
    """Compare two tools on one measure by a paired stratified bootstrap.

    Each resample draws the same entries for both tools. The p-value doubles the smaller share of
    resampled differences on either side of 0, with one added to numerator and denominator.

    Raises:
        AlignmentError: where the tools were not run on the same entries.
    """
    plan = plan or Plan()
    a, b = (evaluate(pairs, stance, [name])[name] for pairs in (first, second))
    if a is None or b is None:
        return Difference(name, a, b, None, None, None)
    values = resampled(first, second, stance, name, plan, clusters)
    if len(values) < DEFINED * plan.resamples:
        return Difference(name, a, b, a - b, None, None)
    low, high = quantiles(values, (1 - plan.level) / 2)
    ci = Interval(min(low, a - b), max(high, a - b))
    return Difference(name, a, b, a - b, ci, two_sided(values))


def resampled(
    first: Pairs,
    second: Pairs,
    stance: Stance,
    name: str,
    plan: Plan,
    clusters: Ints | None = None,
) -> Floats:
    """Return the defined differences between two tools over paired resamples."""
    if first.keys != second.keys:
        raise AlignmentError("A paired test needs both tools on the same entries, in one order.")
    MEASURES.get(name)
    one, other = paired_draws([first, second], stance, [name], plan, clusters)
    values: Floats = one[stance, name] - other[stance, name]
    return values[~np.isnan(values)]


def two_sided(values: Floats) -> float:
    """Return the two-sided p-value of resampled differences; a difference of 0 speaks for both."""
    n = len(values) + 1
    below, above = (int((values <= 0).sum()) + 1) / n, (int((values >= 0).sum()) + 1) / n
    return min(1.0, 2 * min(below, above))


def mcnemar(first: Pairs, second: Pairs, stance: Stance) -> Discordance:
    """Compare two tools by the entries that only one of them labels rightly.

    The selective stance looks at the entries on which both committed.
    """
    if first.keys != second.keys:
        raise AlignmentError("McNemar's test needs both tools on the same entries, in one order.")
    right_first, right_second = _right(first, stance), _right(second, stance)
    both = ~(np.isnan(right_first) | np.isnan(right_second))
    only_first = int(((right_first == 1) & (right_second == 0) & both).sum())
    only_second = int(((right_first == 0) & (right_second == 1) & both).sum())
    return Discordance(only_first, only_second, sign_test(only_first, only_second))


def _right(pairs: Pairs, stance: Stance) -> Floats:
    """Return 1 where the label is right, 0 where it is wrong, NaN where it is left out."""
    o = outcome(pairs, stance)
    right = np.full(len(pairs), np.nan)
    right[o.at] = o.correct
    return right


def equivalence(values: Floats, margin: float, alpha: float = 0.05) -> Equivalence:
    """Test whether a difference lies within +-`margin`, by two one-sided bootstrap tests.

    Args:
        values: resampled differences.
        margin: the largest difference that does not matter, above 0.
        alpha: the level of each one-sided test.
    """
    n = len(values) + 1
    low = (int((values <= -margin).sum()) + 1) / n
    high = (int((values >= margin).sum()) + 1) / n
    p = max(low, high)
    return Equivalence(margin, p < alpha, p)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p-values adjusted for several tests by Holm's step-down method."""
    ranked = sorted(p_values.items(), key=lambda item: item[1])
    adjusted: dict[str, float] = {}
    largest = 0.0
    for i, (name, p) in enumerate(ranked):
        largest = max(largest, min(1.0, (len(ranked) - i) * p))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}


def cohens_h(first: float, second: float) -> float:
    """Return the effect size between two shares in [0, 1]: 0.2 small, 0.5 medium, 0.8 large."""
    return 2 * math.asin(math.sqrt(first)) - 2 * math.asin(math.sqrt(second))
