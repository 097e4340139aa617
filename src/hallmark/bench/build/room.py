"""May one more entry of a kind and field join a split, so that its shares can still be met?"""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from hallmark.bench.build.feasible import Cell, Shortage, fewest_bare, shortage
from hallmark.bench.build.quotas import Quotas
from hallmark.bench.entry import Entry, Label

MOVABLE = ("inproceedings", "article")
"""Kinds of papers: what a false entry becomes that is put at another venue."""
WITHIN_REACH = 0.005
"""Share of the works from which on a false entry that is put at another venue comes to their kind
and field soon enough."""

FEW = 5
"""Works of a kind and field below which no share is left to be met by them, where the kind has more
of another field: what can be made of one work is a matter of luck."""

FEW_WITH_DOI = 25
"""The same of works with a DOI, which sources of one work need not agree on."""

Held = Mapping[Cell, int]
"""Numbers of works by kind and field."""


class Place(Struct, frozen=True):
    """What of an entry counts for shares: its label, kind and field, and whether it has a DOI."""

    valid: bool
    kind: str
    field: str
    doi: bool


def place_of(entry: Entry, field: str) -> Place:
    """Return the place of an entry of a field."""
    return Place(entry.label is Label.VALID, entry.bibtex_type, field, "doi" in entry.fields)


class Outlook(Struct, frozen=True):
    """What a split expects of a label's other entries.

    `moving` are false entries still to come that are put at other venues, and so may come to a
    common kind and field whatever works are left; `bare` how many entries may lack a DOI yet.
    """

    moving: int
    bare: int


class Room:
    """What is left of a split's shares, and of the works that they can be met with.

    Args:
        kinds: shares of kinds.
        fields: shares of fields of study.
        held: the published works that are kept for each label of the split; None where they were
            not counted: then each share is kept for itself alone.
    """

    def __init__(self, kinds: Quotas, fields: Quotas, held: Mapping[Place, int] | None) -> None:
        self._kinds, self._fields = kinds, fields
        self._counted = held is not None
        self._held = {valid: Counter[Cell]() for valid in (True, False)}
        self._with_doi = {valid: Counter[Cell]() for valid in (True, False)}
        for place, n in (held or {}).items():
            self.add(place, n)
        every = self._held[True] + self._held[False]
        movable = {kinds.key(kind) for kind in MOVABLE}
        self._reach = frozenset(
            cell
            for cell, n in every.items()
            if n >= WITHIN_REACH * every.total() and cell[0] in movable
        )
        self._relied = {valid: _relied_on(held, FEW) for valid, held in self._held.items()}
        self._relied_doi = {
            valid: _relied_on(held, FEW_WITH_DOI) for valid, held in self._with_doi.items()
        }
        self._known: dict[tuple[Place, Outlook], bool] = {}

    def admits(self, place: Place, outlook: Outlook) -> bool:
        """Whether an entry may be taken.

        Args:
            place: the entry's.
            outlook: what is to come after it.
        """
        if not self._kinds.admits(place.kind, valid=place.valid):
            return False
        if not self._fields.admits(place.field, valid=place.valid):
            return False
        if not self._counted:
            return True
        asked = (place, outlook)
        if asked not in self._known:
            self._known[asked] = self._can_be_met(place, outlook)
        return self._known[asked]

    def take(self, place: Place) -> None:
        """Count an entry."""
        self._kinds.take(place.kind, valid=place.valid)
        self._fields.take(place.field, valid=place.valid)
        self._known.clear()

    def held(self, place: Place) -> int:
        """Return how many works such as this are left for its label."""
        cell = self._cell(place)
        with_doi = self._with_doi[place.valid][cell]
        return with_doi if place.doi else self._held[place.valid][cell] - with_doi

    def add(self, place: Place, n: int) -> None:
        """Keep more works for a label, or fewer where `n` is negative."""
        cell = self._cell(place)
        self._held[place.valid][cell] += n
        self._with_doi[place.valid][cell] += n * place.doi
        self._known = {}

    def lacking(self) -> list[str]:
        """Say what is left of the shares named."""
        return [left for one in (self._fields, self._kinds) if (left := one.lacking())]

    def short(self, outlook: Outlook, *, valid: bool) -> str:
        """Say which shares of a label cannot be met by the works counted, "" where all can."""
        if not self._counted:
            return ""
        label = "valid" if valid else "hallucinated"
        kinds, fields = self._kinds.left(valid=valid), self._fields.left(valid=valid)
        held = self._reachable(self._held[valid], outlook.moving)
        found = shortage(kinds, fields, held)
        if found is not None:
            return f"{label} entries: {_told(found, fields, held)}"
        fewest = fewest_bare(kinds, fields, *self._parted(valid=valid, moving=outlook.moving))
        if fewest > outlook.bare:
            return (
                f"{label} entries: `without_doi` leaves {outlook.bare:,} of them without a DOI, "
                f"and the shares of kinds and fields need {fewest:,} works that have none"
            )
        return ""

    def _can_be_met(self, place: Place, outlook: Outlook) -> bool:
        """Whether what is left can be met as well once an entry is taken as before."""
        kinds, fields = (one.left(valid=place.valid) for one in (self._kinds, self._fields))
        with_doi, bare = self._parted(valid=place.valid, moving=outlook.moving)
        relied = self._relied[place.valid]
        with_doi = {
            cell: n for cell, n in with_doi.items() if cell in self._relied_doi[place.valid]
        }
        bare = {cell: n for cell, n in bare.items() if cell in relied}
        before = _wanting(kinds, fields, with_doi, bare, outlook.bare)
        cell = self._cell(place)
        kinds[cell[0]] -= 1
        fields[cell[1]] -= 1
        if place.doi:
            with_doi[cell] = with_doi.get(cell, 0) - 1
        else:
            bare[cell] = bare.get(cell, 0) - 1
        left = outlook.bare - (not place.doi)
        after = _wanting(kinds, fields, with_doi, bare, left)
        return all(now <= then for now, then in zip(after, before, strict=True))

    def _parted(self, *, valid: bool, moving: int) -> tuple[dict[Cell, int], dict[Cell, int]]:
        """Return the works for a label that have a DOI, and those that have none.

        What is put at another venue keeps its DOI, or gets one.
        """
        held, with_doi = self._held[valid], self._with_doi[valid]
        bare = {cell: n - with_doi[cell] for cell, n in held.items()}
        return dict(self._reachable(with_doi, moving)), bare

    def _reachable(self, held: Held, moving: int) -> Held:
        """Return the works held, with those that could come from elsewhere."""
        if not moving:
            return held
        return {cell: n + moving * (cell in self._reach) for cell, n in held.items()}

    def _cell(self, place: Place) -> Cell:
        return self._kinds.key(place.kind), self._fields.key(place.field)


def _wanting(
    kinds: Mapping[str, int], fields: Mapping[str, int], with_doi: Held, bare: Held, most: int
) -> tuple[int, int]:
    """Return how many entries there cannot be, and how many too many have no DOI."""
    both = {cell: with_doi.get(cell, 0) + bare.get(cell, 0) for cell in {*with_doi, *bare}}
    found = shortage(kinds, fields, both)
    lacking = 0 if found is None else found.lacking
    return lacking, max(0, fewest_bare(kinds, fields, with_doi, bare) - most)


def _told(found: Shortage, fields: Mapping[str, int], held: Held) -> str:
    """Say which kinds, and of which fields there are too few works of these kinds."""
    named = " or ".join(kind or "other kinds" for kind in found.kinds)
    of_field = Counter[str]()
    for (kind, field), n in held.items():
        of_field[field] += n * (kind in found.kinds)
    scarce = ", ".join(
        f"{field or 'other fields'} {of_field[field]:,}, asked for {n:,}"
        for field, n in fields.items()
        if n > of_field[field]
    )
    return (
        f"{found.wanted:,} are to be {named}, and the works and the shares of fields leave "
        f"{found.most:,} (too few of these kinds: {scarce})"
    )


def _relied_on(held: Held, few: int) -> frozenset[Cell]:
    """Return the kinds and fields of which something is expected to come."""
    most = Counter[str]()
    for (kind, _), n in held.items():
        most[kind] = max(most[kind], n)
    return frozenset(cell for cell, n in held.items() if n >= min(few, most[cell[0]]))
