"""Which places of a plan are still open, and for which entries is there room in them?"""

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec import structs

from hallmark.bench.build import fields
from hallmark.bench.build.census import RARE, Candidate, Census
from hallmark.bench.build.feasible import Cell
from hallmark.bench.build.plan import NEEDS_DOI, NEVER_DOI, Plan
from hallmark.bench.build.quotas import Quotas, portions
from hallmark.bench.build.room import Outlook, Place, Room, place_of
from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import VENUE_FIELDS, entry_type
from hallmark.bench.perturb.interface import load_all
from hallmark.bench.perturb.screening import Fate
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.records.work import Version

OF_PREPRINTS = tuple(kind for kind, info in TAXONOMY.items() if info.preprint)
"""Types that only works with a preprint can be made into: tried before all others."""
OF_PREPRINT = HallucinationType.PREPRINT_AS_PUBLISHED
"""The type that a work of a preprint server alone is made into."""
BARE = (*OF_PREPRINTS, *sorted(NEVER_DOI))
"""Types whose entries often or always lack a DOI, so that places without one are kept for them."""

PICKY = frozenset({HallucinationType.PARTIAL_AUTHOR_LIST, HallucinationType.NEAR_MISS_TITLE})
"""Types that need three authors, or a title of certain words."""

COMPOUND: Literal["compound"] = "compound"
"""In place of a type: an entry with two faults."""

Fault = HallucinationType | Literal["compound"]
"""A type of false entries, or any two at once."""
Slot = tuple[str, Fault | None]
"""A place to fill: the split and the fault, None for a valid entry."""


class Openings:
    """The places of a plan that are still to be filled.

    Args:
        plan: the plan.
        census: the works that may come, where they were counted: there is then no room for what
            would leave shares that they cannot meet.
    """

    def __init__(self, plan: Plan, census: Census | None) -> None:
        self._faults = load_all()
        self._open = Counter[Slot]()
        self._bare = Counter[tuple[str, bool]]()
        self._rooms: dict[str, Room] = {}
        self.counted = census is not None
        held = Counter[tuple[tuple[str, ...], Place]]() if census is None else census.held()
        kept = {} if census is None else allotted(plan, held)
        frequent = Counter[Cell]()
        for (_, place), n in held.items():
            frequent[place.kind, place.field] += n
        self._rare = frozenset(cell for cell, n in frequent.items() if n <= RARE)
        for name, split in plan.splits.items():
            self._open.update({(name, kind): n for kind, n in split.counts().items()})
            self._open[name, None] += split.valid
            self._open[name, COMPOUND] += split.compound
            counts = (split.valid, split.hallucinated)
            kinds = Quotas(plan.kind_shares_of(name), *counts)
            shares = Quotas(plan.fields_of(name), *counts)
            self._rooms[name] = Room(kinds, shares, kept.get(name))
            self._bare[name, True] = round(plan.without_doi * split.valid)
            self._bare[name, False] = round(plan.without_doi * split.hallucinated)

    def left(self) -> dict[Slot, int]:
        """Return the open places, with how many there are of each."""
        return {slot: n for slot, n in self._open.items() if n > 0}

    def due(self) -> dict[Slot, int]:
        """Return the open places that are to be filled now.

        Where works were counted, what cannot be put into any kind and field that happens to be left
        comes first: types that change the venue, that need a real DOI or never have one, or that
        not every work can be made into.
        """
        left = self.left()
        early = {slot: n for slot, n in left.items() if self._is_early(slot[1])}
        return early if early and self.counted else left

    def _is_early(self, kind: Fault | None) -> bool:
        bound = kind in NEVER_DOI or (kind in NEEDS_DOI and not self._may_change(kind, "doi"))
        return bound or kind in PICKY or self.is_moving(kind)

    def take(self, slot: Slot, entry: Entry, record: Version) -> None:
        """Fill a place.

        Args:
            slot: the place.
            entry: the entry; its `extra` says of which field it is.
            record: the work that it was made of.
        """
        place = place_of(entry, entry.extra["field"])
        self._open[slot] -= 1
        source = place_of_work(record, valid=place.valid)
        if self.counted and not record.preprint:
            if self.is_moving(slot[1]):
                self._lose(source)
            else:
                self._rooms[slot[0]].add(source, -1)
        self._rooms[slot[0]].take(place)
        self._bare[slot[0], place.valid] -= not place.doi

    def admits(self, slot: Slot, place: Place) -> bool:
        """Whether the shares of a split allow an entry, and can be met afterwards."""
        split, kind = slot
        outlook = self._outlook(split, valid=kind is None)
        if self.is_moving(kind) and kind is not OF_PREPRINT:
            outlook = structs.replace(outlook, moving=max(0, outlook.moving - 1))
        return self._rooms[split].admits(place, outlook)

    def suits(self, slot: Slot, work: Place) -> bool:
        """Whether a work, of the kind and field that it has, may be tried for a place.

        Where works were counted, what is put at another venue may be of any kind and field, but
        is not made of rare works; and no other place is filled with a work kept for another split.
        """
        rare = (work.kind, work.field) in self._rare
        if self.counted and self.is_moving(slot[1]):
            return not rare
        kept = not self.counted or self._rooms[slot[0]].held(work) > 0
        return kept and self.admits(slot, work)

    def may_be_bare(self, slot: Slot) -> bool:
        """Whether an entry may lack a DOI; types that often or always do come first."""
        split, kind = slot
        kept = () if kind is None or kind in BARE else BARE
        return self._bare[split, kind is None] > sum(self._open[split, one] for one in kept)

    def wants(self, candidate: Candidate) -> bool:
        """Whether a work such as this may still be of use."""
        left = [slot for slot in self.due() if slot[0] in candidate.splits]
        if candidate.preprint:
            return any(kind is OF_PREPRINT for _, kind in left)
        return any(self.suits(slot, candidate.place(valid=slot[1] is None)) for slot in left)

    def forget(self, candidate: Candidate) -> None:
        """Note that a work turned out to be of no use."""
        if not candidate.preprint:
            self._lose(candidate.place())

    def _lose(self, place: Place) -> None:
        """Take a work away from the split and label for which most such are kept."""
        either = [structs.replace(place, valid=valid) for valid in (True, False)]
        rooms = [(room, one) for room in self._rooms.values() for one in either]
        most, one = max(rooms, key=lambda pair: pair[0].held(pair[1]))
        most.add(one, -1)

    def unmet(self) -> list[str]:
        """Say which shares the works counted cannot meet."""
        return [
            f"split {split!r}: {short}"
            for split, room in self._rooms.items()
            for valid in (True, False)
            if (short := room.short(self._outlook(split, valid=valid), valid=valid))
        ]

    def is_moving(self, kind: Fault | None) -> bool:
        """Whether entries of a type are put at other venues, and so may be of any kind or field."""
        if kind is None or kind == COMPOUND:
            return False
        return any(self._may_change(kind, field) for field in VENUE_FIELDS)

    def lacking(self, attempts: Mapping[str, Mapping[str, int]]) -> str:
        """Say which places were not filled, one a line, and what most attempts failed for."""
        rows = [
            f"  split {split!r}: {n} more {kind or 'valid entries'}{_why(kind, attempts)}"
            for (split, kind), n in self.due().items()
        ]
        if len(self.due()) < len(self.left()):
            return "\n".join(rows)
        rows += [
            f"  split {split!r}: {left}"
            for split, room in self._rooms.items()
            for left in room.lacking()
        ]
        return "\n".join(rows)

    def _outlook(self, split: str, *, valid: bool) -> Outlook:
        """Return what is expected of the entries of a label that are still to come."""
        bare = self._bare[split, valid]
        if valid:
            return Outlook(0, bare)
        left = [(kind, n) for (one, kind), n in self.left().items() if one == split]
        moving = sum(n for kind, n in left if self.is_moving(kind) and kind is not OF_PREPRINT)
        return Outlook(moving, bare)

    def _may_change(self, kind: Fault | None, field: str) -> bool:
        return field in self._faults.get(str(kind)).may_change


def place_of_work(record: Version, *, valid: bool) -> Place:
    """Return what counts for shares of a work as it stands, as an entry of a label."""
    return Place(valid, entry_type(record), fields.of_record(record), bool(record.doi))


def allotted(
    plan: Plan, held: Mapping[tuple[tuple[str, ...], Place], int]
) -> dict[str, Counter[Place]]:
    """Share works out among the splits and labels of a plan, by what each may ask for.

    So that none can take what another one needs. What a split and label may ask for of a kind and
    field is taken to be its number of entries times both shares; of what is not named, works come
    as they are frequent.

    Args:
        plan: the plan.
        held: numbers of works by the splits that they fit and the place of a valid entry.
    """
    kinds, of_field = Counter[str](), Counter[str]()
    for (_, place), n in held.items():
        kinds[place.kind] += n
        of_field[place.field] += n
    found = {name: Counter[Place]() for name in plan.splits}
    for (names, place), n in sorted(held.items(), key=lambda pair: _ranked(*pair[0])):
        wanted = {
            (name, valid): (plan.splits[name].valid if valid else plan.splits[name].hallucinated)
            * _share(place.kind, plan.kind_shares_of(name), kinds)
            * _share(place.field, plan.fields_of(name), of_field)
            for name in names
            for valid in (True, False)
        }
        total = sum(wanted.values()) or 1.0
        parts = portions({key: one / total for key, one in wanted.items()}, n)
        for (name, valid), part in parts.items():
            found[name][structs.replace(place, valid=valid)] += part
    return found


def _ranked(names: tuple[str, ...], place: Place) -> tuple[object, ...]:
    return names, place.kind, place.field, place.doi


def _share(name: str, shares: Mapping[str, float], held: Mapping[str, int]) -> float:
    """Return the share that a plan names, or a part of what is left over, by frequency."""
    if name in shares:
        return shares[name]
    others = sum(n for one, n in held.items() if one not in shares)
    return max(0.0, 1 - sum(shares.values())) * held[name] / others


def _why(kind: Fault | None, attempts: Mapping[str, Mapping[str, int]]) -> str:
    failed = Counter(attempts.get(str(kind), {}))
    failed.pop(str(Fate.MADE), None)
    (reason, n), *_ = failed.most_common(1) or [("", 0)]
    return f" (mostly {reason}, {n:,} times)" if reason else ""
