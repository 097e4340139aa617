"""What does each entry count as under a stance?

A failure (ERROR) is neither a flag nor a clearance. On a hallucinated entry it is a miss; on a
valid one it is never a success: aggressive scoring counts it as a false alarm, conservative and
forced scoring as an entry that was not cleared. The selective stance looks at the committed
entries only, so there an error shows in coverage and error rate instead.
"""

from typing import TypeAlias, assert_never

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from hallmark.bench.align import (
    ERROR,
    HALLUCINATED,
    UNCERTAIN,
    VALID,
    Bools,
    Floats,
    Ints,
    Pairs,
    Stance,
)

FLAG_AT = 0.55
"""P(hallucinated) of an abstention that counts as a flag (paper, section E.2)."""

Array: TypeAlias = npt.NDArray[np.floating]


class Outcome(Struct, frozen=True, eq=False):
    """Entries as a stance scores them; every array has one element for each entry kept.

    `at` holds the positions of the kept entries in the pairs. `flagged`: counted as HALLUCINATED.
    `failed`: neither flagged nor cleared. `correct`: the label is the truth. `confidence` is the
    probability that the label is right, `p` that the entry is hallucinated; both are 0.5 where
    the tool failed.
    """

    at: Ints
    truth: Bools
    flagged: Bools
    failed: Bools
    correct: Bools
    confidence: Floats
    p: Floats
    tier: Ints


def outcome(pairs: Pairs, stance: Stance) -> Outcome:
    """Score the pairs under a stance."""
    label, confidence, p = _settled(pairs, stance)
    kept = pairs.committed if stance is Stance.SELECTIVE else np.ones(len(pairs), dtype=np.bool_)
    failed = label == ERROR
    if stance is Stance.AGGRESSIVE:
        failed = failed & pairs.truth
    flagged = (label == HALLUCINATED) | ((label == ERROR) & ~failed)
    at = np.flatnonzero(kept)
    return Outcome(
        at=at,
        truth=pairs.truth[at],
        flagged=flagged[at],
        failed=failed[at],
        correct=((flagged == pairs.truth) & (label != ERROR))[at],
        confidence=confidence[at],
        p=p[at],
        tier=pairs.tier[at],
    )


def _settled(pairs: Pairs, stance: Stance) -> tuple[Ints, Floats, Floats]:
    """Return label, confidence and P(hallucinated) after abstentions have become labels."""
    unsure = pairs.label == UNCERTAIN
    label, confidence, p = pairs.label.copy(), pairs.confidence.copy(), pairs.p_hallucinated.copy()
    confidence[unsure | pairs.failed] = 0.5
    match stance:
        case Stance.CONSERVATIVE | Stance.SELECTIVE:
            label[unsure] = VALID
        case Stance.AGGRESSIVE:
            label[unsure] = HALLUCINATED
            confidence[unsure] = p[unsure] = FLAG_AT
        case Stance.FORCED:
            label[unsure] = VALID
            return _forced(pairs, label, confidence, p)
        case _:
            assert_never(stance)
    return label, confidence, p


def _forced(
    pairs: Pairs, label: Ints, confidence: Floats, p: Floats
) -> tuple[Ints, Floats, Floats]:
    """Put the forced label where a tool gives one; its confidence then speaks of that label."""
    given = pairs.forced >= 0
    stated = pairs.confidence
    label[given] = pairs.forced[given]
    confidence[given] = stated[given]
    p[given] = np.where(pairs.forced == HALLUCINATED, stated, np.round(1 - stated, 12))[given]
    return label, confidence, p
