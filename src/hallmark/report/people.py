"""How do two lists of authors stand side by side, person by person?

For people who read: each row is one person, as the entry and as the record names them. It draws no
conclusions; which differences count was settled when the lists were compared.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from hallmark.text.name_folding import fold
from hallmark.text.names import PersonName, family_key, parse_name

MOST_PEOPLE = 500
"""People of a list that are set side by side; the rest is counted."""


class Standing(StrEnum):
    """How the two sides of a row stand to each other."""

    SAME = "same"
    OTHERWISE = "written otherwise"
    MOVED = "in another place"
    DIFFERENT = "another name"
    YOURS = "only in the entry"
    RECORD = "only in the record"


class Pair(Struct, frozen=True):
    """One row; places count from 1, and are 0 with an empty name where a side has nobody."""

    standing: Standing
    claimed: str = ""
    found: str = ""
    place: int = 0
    record_place: int = 0


def side_by_side(claimed: Sequence[str], found: Sequence[str]) -> tuple[Pair, ...]:
    """Return the people of both lists, in the record's order; who is only claimed stands between.

    Args:
        claimed: full names of the entry, as displayed.
        found: those of the record.
    """
    mine = [parse_name(name) for name in claimed[:MOST_PEOPLE]]
    theirs = [parse_name(name) for name in found[:MOST_PEOPLE]]
    partners = _partners(mine, theirs)
    waiting = [at for at in range(len(mine)) if at not in partners]
    order = {record_at: mine_at for mine_at, record_at in sorted(partners.items())}
    staying = _in_order([order[at] for at in sorted(order)])
    rows: list[Pair] = []
    for at in range(len(theirs)):
        if at in order:
            rows.append(_row(order[at], at, claimed, found, moved=order[at] not in staying))
        elif at in waiting:
            waiting.remove(at)
            rows.append(Pair(Standing.DIFFERENT, claimed[at], found[at], at + 1, at + 1))
        else:
            rows.append(Pair(Standing.RECORD, "", found[at], 0, at + 1))
    rows += [Pair(Standing.YOURS, claimed[at], "", at + 1, 0) for at in waiting]
    return tuple(rows)


def _in_order(places: Sequence[int]) -> set[int]:
    """Return the longest run of places that rises; whoever is not in it was moved."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for place in places:
        at = bisect_left(tails, place)
        before[place] = tails[at - 1] if at else None
        tails[at:] = [place, *tails[at + 1 :]]
    staying: set[int] = set()
    place_or_none = tails[-1] if tails else None
    while place_or_none is not None:
        staying.add(place_or_none)
        place_or_none = before[place_or_none]
    return staying


def _partners(mine: Sequence[PersonName], theirs: Sequence[PersonName]) -> dict[int, int]:
    """Return for each claimed person the record's person of that name, by their places."""
    found: dict[int, int] = {}
    for strict in (True, False):
        for at, name in enumerate(mine):
            if at in found:
                continue
            free = [
                other
                for other, candidate in enumerate(theirs)
                if other not in found.values() and _fits(name, candidate, strict=strict)
            ]
            if free:
                found[at] = min(free, key=lambda other, at=at: abs(other - at))  # type: ignore[misc]
    return found


def _fits(one: PersonName, other: PersonName, *, strict: bool) -> bool:
    """Whether two names share the family name, and (strictly) the first letter of the given one."""
    if one.literal or other.literal:
        return fold(one.literal) == fold(other.literal)
    if family_key(one) != family_key(other):
        return False
    first, second = fold(one.given)[:1], fold(other.given)[:1]
    return not strict or not first or not second or first == second


def _row(
    mine: int, theirs: int, claimed: Sequence[str], found: Sequence[str], *, moved: bool
) -> Pair:
    standing = Standing.SAME
    if moved:
        standing = Standing.MOVED
    elif claimed[mine] != found[theirs]:
        alike = _fits(parse_name(claimed[mine]), parse_name(found[theirs]), strict=True)
        standing = Standing.OTHERWISE if alike else Standing.DIFFERENT
    return Pair(standing, claimed[mine], found[theirs], mine + 1, theirs + 1)


def shortened(rows: Sequence[Pair], around: int = 1) -> Iterator[Pair | int]:
    """Yield the rows that differ, and `around` alike ones beside them; numbers count the others."""
    near = {
        at + step
        for at, row in enumerate(rows)
        if row.standing is not Standing.SAME
        for step in range(-around, around + 1)
    }
    skipped = 0
    for at, row in enumerate(rows):
        if at in near:
            if skipped:
                yield skipped
            skipped = 0
            yield row
        else:
            skipped += 1
    if skipped:
        yield skipped
