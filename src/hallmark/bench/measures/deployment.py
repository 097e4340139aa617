"""Is a tool worth its flags where it would be used?

Precision follows from detection rate, false-positive rate and the share of bad references by
Bayes' rule (paper, Eq. 3); which tool is best depends on that share, on what a missed fabrication
costs against a false alarm, and on how many flags reviewers can look at (paper, Table 6).
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from hallmark.bench.measures.labels import detection_rate, false_positive_rate
from hallmark.bench.measures.outcome import Array
from hallmark.bench.measures.weighed import Weighed, ratio
from hallmark.errors import InputError

VENUE_PREVALENCE = 0.02
"""The paper's share of bad references at a venue."""
SWEEP = (0.005, 0.01, 0.02, 0.05, 0.10, 0.20, 0.30)
"""The prevalences of Table 22."""


class Rates(Struct, frozen=True):
    """A tool's detection and false-positive rate, both in [0, 1]."""

    detection_rate: float
    false_positive_rate: float


class Cost(Struct, frozen=True):
    """What a tool is expected to cost for each entry, in units of one false alarm.

    `reviewed` is the share of all entries that reviewers look at; `caught` and `false_alarms` are
    shares of all entries, after flags beyond the capacity went unread.
    """

    expected: float
    reviewed: float
    caught: float
    false_alarms: float


class Regime(StrEnum):
    """The rows of Table 6."""

    REVIEWER_BOUND = "reviewer-bound venue audit"
    HIGH_PREVALENCE = "high prevalence"
    COSTLY_MISS = "costly miss, or review absorbs false alarms"


HIGH_PREVALENCE = 0.10
"""From this share of bad references on, precision is no longer what limits a tool (Table 22)."""
COSTLY_MISS = 20.0
"""From this ratio on, a miss outweighs the false alarms that it takes to catch it."""


def ppv(rates: Rates, prevalence: float) -> float | None:
    """Return the share of flags that are right, None where nothing would be flagged.

    Args:
        rates: of the tool.
        prevalence: the share of bad references, in [0, 1].
    """
    _share("prevalence", prevalence)
    right = rates.detection_rate * prevalence
    flagged = right + rates.false_positive_rate * (1 - prevalence)
    return right / flagged if flagged else None


def ppv_sweep(rates: Rates, prevalences: Sequence[float] = SWEEP) -> dict[float, float | None]:
    """Return the precision at each prevalence (Table 22)."""
    return {prevalence: ppv(rates, prevalence) for prevalence in prevalences}


def ppv_at(w: Weighed, prevalence: float = VENUE_PREVALENCE) -> Array:
    """Precision at a prevalence, of each resample."""
    right = detection_rate(w) * prevalence
    return ratio(right, right + false_positive_rate(w) * (1 - prevalence))


def expected_cost(
    rates: Rates, prevalence: float, cost_ratio: float, capacity: float = 1.0
) -> Cost:
    """Return what a tool costs where reviewers read at most a share `capacity` of the entries.

    A miss costs `cost_ratio`, a false alarm that is read costs 1. Flags beyond the capacity go
    unread, right ones and wrong ones alike, and what they caught is missed.

    Args:
        rates: of the tool.
        prevalence: the share of bad references, in [0, 1].
        cost_ratio: what a miss costs in units of a false alarm, from 0 upwards.
        capacity: the share of all entries that can be reviewed, in [0, 1].
    """
    _share("prevalence", prevalence)
    _share("capacity", capacity)
    if cost_ratio < 0:
        raise InputError(f"The cost ratio must not be negative; it is {cost_ratio}.")
    right = rates.detection_rate * prevalence
    wrong = rates.false_positive_rate * (1 - prevalence)
    read = min(1.0, capacity / (right + wrong)) if right + wrong else 1.0
    expected = cost_ratio * (prevalence - right * read) + wrong * read
    return Cost(expected, (right + wrong) * read, right * read, wrong * read)


def regime(prevalence: float, cost_ratio: float, capacity: float = 1.0) -> Regime:
    """Return the row of Table 6 that a deployment belongs to.

    A costly miss decides only where reviewers can read what a high-recall tool flags.
    """
    if cost_ratio >= COSTLY_MISS and capacity >= 0.5:  # noqa: PLR2004 - half of all entries
        return Regime.COSTLY_MISS
    return Regime.HIGH_PREVALENCE if prevalence >= HIGH_PREVALENCE else Regime.REVIEWER_BOUND


def pick(
    tools: Mapping[str, Rates], prevalence: float, cost_ratio: float, capacity: float = 1.0
) -> list[tuple[str, Cost]]:
    """Return the tools by expected cost, the cheapest first; equal ones by name."""
    costs = {
        name: expected_cost(rates, prevalence, cost_ratio, capacity)
        for name, rates in tools.items()
    }
    return sorted(costs.items(), key=lambda item: (item[1].expected, item[0]))


def _share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise InputError(f"The {name} must lie between 0 and 1; it is {value}.")
