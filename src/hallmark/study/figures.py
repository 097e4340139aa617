"""Which figures does every study give, and what is the type named worth?

All of them are the benchmark's own measures. The type counts as right where it is the label's, and
also where it is `preprint_as_published` against `wrong_venue` either way: both say that a real work
did not appear where it is claimed, and an index that holds the published version of a preprint
cannot tell which of the two was meant.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.diagnosis import NONE, type_confusion
from hallmark.study.judged import Judged, pairs_of

DETECTION, FALSE_ALARMS, ECE = "detection_rate", "false_positive_rate", "ece"
ECE_MASS = "ece_equal_mass"
SAME_TYPE = {"preprint_as_published": "wrong_venue"}
"""Types that count as one when it is asked whether the type was named right."""


class Rates(Struct, frozen=True):
    """Detection, false alarms and calibration error under one stance, each in [0, 1] or None."""

    detection: float | None
    false_alarms: float | None
    ece: float | None
    ece_equal_mass: float | None


class Figures(Struct, frozen=True):
    """What one run over one gold file comes to; shares in [0, 1], None where undefined.

    `coverage` is the share of entries on which the verifier commits itself. `type_exact` and
    `type_accuracy` are the shares of flagged hallucinated entries whose type is named right, by the
    label and with the types of `SAME_TYPE` as one.
    """

    n: int
    conservative: Rates
    selective: Rates
    forced: Rates
    coverage: float
    type_exact: float | None
    type_accuracy: float | None


def figures(judged: Sequence[Judged]) -> Figures:
    """Return the figures of a run.

    Raises:
        InputError: never; an empty gold file is refused when it is read.
    """
    pairs = pairs_of(judged)
    confusion = type_confusion(pairs)
    return Figures(
        n=len(pairs),
        conservative=_rates(pairs, Stance.CONSERVATIVE),
        selective=_rates(pairs, Stance.SELECTIVE),
        forced=_rates(pairs, Stance.FORCED),
        coverage=float(pairs.committed.mean()),
        type_exact=share_right(confusion, {}),
        type_accuracy=share_right(confusion, SAME_TYPE),
    )


def _rates(pairs: Pairs, stance: Stance) -> Rates:
    values = evaluate(pairs, stance, (DETECTION, FALSE_ALARMS, ECE, ECE_MASS))
    return Rates(*(values[name] for name in (DETECTION, FALSE_ALARMS, ECE, ECE_MASS)))


def share_right(
    confusion: Mapping[str, Mapping[str, int]], same: Mapping[str, str]
) -> float | None:
    """Return the share of named types that are right, in [0, 1]; None where none was named.

    Args:
        confusion: counts by true and by named type; a type that was not named counts as wrong.
        same: types that stand for another one.
    """
    total = right = 0
    for true, row in confusion.items():
        for named, count in row.items():
            if true != NONE:
                total += count
                right += count * (same.get(true, true) == same.get(named, named))
    return right / total if total else None


def confusions(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """Count, for each true type, the types named for the entries that were flagged."""
    return type_confusion(pairs_of(judged))
