"""Where does a tool do well, and where does it break?

Rates for groups of entries (by type, tier, generation method, segment, year, source), each with
its Wilson interval: within a group that is all one class, an entry is a coin toss.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Ints, Pairs, Stance, Strings
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.statistics.intervals import wilson
from hallmark.bench.taxonomy import HallucinationType

SEGMENTS = ("pre-2023", "2023-2024", "2025+")
"""The paper's temporal segments (section 3.4), by the year that an entry states."""


class Estimate(Struct, frozen=True):
    """A number and its interval; None: undefined."""

    value: float | None
    ci: tuple[float, float] | None = None


class Group(Struct, frozen=True):
    """A group of entries: how many, and the rates of each stance by measure name."""

    n: int
    valid: int
    hallucinated: int
    stances: dict[str, dict[str, Estimate]]


def by(names: Strings, pairs: Pairs, stances: Sequence[Stance]) -> dict[str, Group]:
    """Return detection and false-positive rates of each group of entries.

    Args:
        names: the group of each entry; "" leaves it out.
        pairs: the aligned pairs.
        stances: what abstentions count as.
    """
    groups, code = np.unique(names, return_inverse=True)
    size = len(groups)
    bad = np.bincount(code[pairs.truth], minlength=size)
    good = np.bincount(code[~pairs.truth], minlength=size)
    rates = {str(stance): _rates(pairs, stance, code, size) for stance in stances}
    return {
        str(name): Group(
            n=int(bad[i] + good[i]),
            valid=int(good[i]),
            hallucinated=int(bad[i]),
            stances={stance: of_group[i] for stance, of_group in rates.items()},
        )
        for i, name in enumerate(groups)
        if name
    }


def _rates(pairs: Pairs, stance: Stance, code: Ints, size: int) -> list[dict[str, Estimate]]:
    o = outcome(pairs, stance)
    code = code[o.at]
    bad, good = code[o.truth], code[~o.truth]
    counts = {
        "detection_rate": (code[o.truth & o.flagged], bad),
        "false_positive_rate": (code[~o.truth & o.flagged], good),
    }
    columns = {
        name: (np.bincount(hit, minlength=size), np.bincount(all_, minlength=size))
        for name, (hit, all_) in counts.items()
    }
    return [
        {name: share(int(hit[i]), int(all_[i])) for name, (hit, all_) in columns.items()}
        for i in range(size)
    ]


def share(k: int, n: int, level: float = 0.95) -> Estimate:
    """Return k of n with its Wilson interval; undefined where n is 0."""
    return Estimate(k / n, wilson(k, n, level)) if n else Estimate(None)


def segments(pairs: Pairs) -> Strings:
    """Return the paper's temporal segment of each entry, "" where no year is known."""
    found = np.array(SEGMENTS)[np.searchsorted([2023, 2025], pairs.year, side="right")]
    return np.where(pairs.year > 0, found, "")


def chronological(groups: Mapping[str, Group]) -> dict[str, Group]:
    """Return the segments in their order in time."""
    return {name: groups[name] for name in SEGMENTS if name in groups}


def years(pairs: Pairs) -> Strings:
    """Return the year of each entry as a text, "" where none is known."""
    return np.where(pairs.year > 0, pairs.year.astype(np.str_), "")


def tiers(pairs: Pairs) -> Strings:
    """Return the tier of each hallucinated entry as a text, "" for the others."""
    return np.where(pairs.tier > 0, pairs.tier.astype(np.str_), "")


def sources(pairs: Pairs) -> Strings:
    """Return where each entry came from, "" where that is unknown."""
    return np.array([entry.source or entry.source_conference or "" for entry in pairs.entries])


def in_taxonomy_order(groups: Mapping[str, Group]) -> dict[str, Group]:
    """Return groups of types in the order of Table 1, other names last."""
    known = [str(kind) for kind in HallucinationType if kind in groups]
    return {name: groups[name] for name in [*known, *(g for g in groups if g not in known)]}
