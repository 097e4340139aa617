"""How good is a tool on sealed labels, told so that no entry's label can be read from it?

Only counts of flagged entries are told, by group, each rounded to a multiple of `STEP` entries and
for groups of `SMALLEST` or more. What depends on confidences is not told: a file could give each
entry a confidence of its own, so that a single figure spells out many labels.
"""

from collections.abc import Iterator, Mapping
from math import log2

import numpy as np
from msgspec import Struct

from hallmark.bench.align import UNSPECIFIED, Bools, Pairs, Stance
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.taxonomy import Tier

SCHEMA = "hallmark-sealed-score/1"
STEP = 3
"""Entries to whose multiples counts are rounded: a change of one label mostly does not show."""
SMALLEST = 20
"""Entries of the smallest group that is told of: smaller ones have few possible labels."""


class Rate(Struct, frozen=True):
    """The share of a group that is flagged, in [0, 1], from the rounded count, and its size."""

    value: float
    entries: int


class Score(Struct, frozen=True, kw_only=True):
    """What is told of a scoring; all rates take an abstention as VALID (conservative).

    `coverage` and `error_rate` follow from the predictions alone. `f1` follows from the two rates
    told. `bits` is how much all that is told can say of the labels at the most.
    """

    schema: str = SCHEMA
    entries: int
    coverage: float
    error_rate: float
    detection_rate: Rate | None
    false_positive_rate: Rate | None
    f1: float | None
    per_tier: dict[str, Rate]
    per_type: dict[str, Rate]
    bits: float
    step: int = STEP
    smallest_group: int = SMALLEST


def score(pairs: Pairs) -> Score:
    """Return what may be told of a tool's answers; see the module's first lines."""
    flagged = outcome(pairs, Stance.CONSERVATIVE).flagged
    groups = {name: mask for name, mask in _groups(pairs) if mask.sum() >= SMALLEST}
    rates = {name: _rate(flagged, mask) for name, mask in groups.items()}
    bad, good = rates.get(("", "hallucinated")), rates.get(("", "valid"))
    return Score(
        entries=len(pairs),
        coverage=round(float(pairs.committed.mean()), 4),
        error_rate=round(float(pairs.failed.mean()), 4),
        detection_rate=bad,
        false_positive_rate=good,
        f1=_f1(bad, good),
        per_tier=_of("tier", rates),
        per_type=_of("type", rates),
        bits=round(sum(log2(rate.entries // STEP + 2) for rate in rates.values()), 1),
    )


def _groups(pairs: Pairs) -> Iterator[tuple[tuple[str, str], Bools]]:
    yield ("", "hallucinated"), pairs.truth
    yield ("", "valid"), ~pairs.truth
    for tier in Tier:
        yield ("tier", str(int(tier))), np.equal(pairs.tier, int(tier))
    for kind in sorted(set(pairs.type.tolist()) - {"", UNSPECIFIED}):
        yield ("type", kind), np.equal(pairs.type, kind)


def _rate(flagged: Bools, mask: Bools) -> Rate:
    n = int(mask.sum())
    count = min(n, round(int((flagged & mask).sum()) / STEP) * STEP)
    return Rate(round(count / n, 4), n)


def _of(kind: str, rates: Mapping[tuple[str, str], Rate]) -> dict[str, Rate]:
    return {name: rate for (group, name), rate in rates.items() if group == kind}


def _f1(bad: Rate | None, good: Rate | None) -> float | None:
    if bad is None or good is None:
        return None
    hits, alarms = bad.value * bad.entries, good.value * good.entries
    total = hits + alarms + bad.entries
    return round(2 * hits / total, 4) if total else None
