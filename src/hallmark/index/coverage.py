"""Of which venue and year does the index hold the complete list?

Complete means that one collection's own list reaches at least 99 % of an independently published
count of accepted papers, or that it is a table of contents, whole by construction, or that its
papers are numbered and the numbers show no gap (`index.numbering`). Agreement between collections
is no proof: they copy each other. Years in which a venue was known not to be
held are in the ledger too.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from hallmark.index.numbering import Numbers
from hallmark.records.answer import VenueYear

COMPLETE_SHARE = 0.99
"""Share of a published count, in [0, 1], from which a list is complete. Each 1 % of papers that a
"complete" list lacks turns about 1 % of right citations into false alarms."""

MIXED_SHARE = 1.02
"""Share of a published count above which a list holds other tracks too, which may hide gaps. Such a
list must hold what every other fair list of the venue and year holds, and there must be one."""
STRAY = 3
"""Titles from which records speak against the statement that a venue was not held that year."""
FAIR_SHARE = 0.5
"""Share of a published count from which another list is fair enough to show gaps."""

Counts: TypeAlias = Mapping[tuple[str, int], int]
"""Published counts of accepted papers by venue identity and year."""

NotHeld: TypeAlias = Callable[[str, int], bool]


class Tally(msgspec.Struct, array_like=True):
    """The title hashes that one collection lists for one venue and year.

    `titles` holds eight bytes for each listing, with repetitions; `toc` counts the listings that
    came out of tables of contents. `numbers` holds eight bytes for each listing as well, its place
    in a numbered volume or 0; it is empty where no listing is numbered.
    """

    collection: str
    venue_id: str
    year: int
    titles: bytes
    toc: int = 0
    numbers: bytes = b""


class Ledger:
    """Collects, while an index is built, which titles are listed where."""

    def __init__(self, tallies: Iterable[Tally] = ()) -> None:
        self._titles: dict[tuple[str, str, int], array[int]] = {}
        self._toc: dict[tuple[str, str, int], int] = {}
        self._toc_years: dict[str, int] = {}
        self._numbers = Numbers()
        for tally in tallies:
            place = (tally.collection, tally.venue_id, tally.year)
            self._titles[place] = array("Q", tally.titles)
            self._add_toc(place, tally.toc)
            self._numbers.add(place, array("Q", tally.numbers))

    def see(
        self,
        collection: str,
        venue_id: str | None,
        year: int | None,
        title: int,
        *,
        toc: bool,
        number: int = 0,
    ) -> None:
        """Note one record; one without a venue or year is listed nowhere."""
        if venue_id is None or year is None:
            return
        place = (collection, venue_id, year)
        listed = self._titles.get(place)
        if listed is None:
            listed = self._titles[place] = array("Q")
        listed.append(title)
        self._numbers.see(place, number, len(listed))
        if toc:
            self._add_toc(place, 1)

    def tallies(self) -> list[Tally]:
        """Return all that was noted, in a stable order."""
        return [
            Tally(
                *place,
                listed.tobytes(),
                self._toc.get(place, 0),
                self._numbers.of(place).tobytes(),
            )
            for place, listed in sorted(self._titles.items())
        ]

    def rows(self, counts: Counts, not_held: NotHeld) -> list[VenueYear]:
        """Return one row for each venue and year that is listed, in a stable order."""
        by_place: dict[tuple[str, int], list[_List]] = {}
        for (collection, venue_id, year), listed in sorted(self._titles.items()):
            whole = self._whole(collection, venue_id, year, len(listed))
            by_place.setdefault((venue_id, year), []).append(_List(collection, listed, whole))
        return [
            _row(venue_id, year, lists, counts.get((venue_id, year)), not_held(venue_id, year))
            for (venue_id, year), lists in sorted(by_place.items())
        ]

    def _add_toc(self, place: tuple[str, str, int], count: int) -> None:
        if count:
            collection, _, year = place
            self._toc[place] = self._toc.get(place, 0) + count
            self._toc_years[collection] = max(year, self._toc_years.get(collection, year))

    def _whole(self, collection: str, venue_id: str, year: int, listed: int) -> str:
        """Return by what a list is whole in itself, "" where nothing says so."""
        if self._is_toc(collection, venue_id, year, listed):
            return TABLE_OF_CONTENTS
        return NUMBERING if self._numbers.show_whole((collection, venue_id, year)) else ""

    def _is_toc(self, collection: str, venue_id: str, year: int, listed: int) -> bool:
        """Whether a list is all tables of contents, and not of the last year of its collection.

        In its last year a dump may hold only some of a venue's volumes.
        """
        toc = self._toc.get((collection, venue_id, year), 0)
        return 0 < toc == listed and year < self._toc_years[collection]


class _List:
    """What one collection lists for a venue and year."""

    def __init__(self, collection: str, listed: "array[int]", whole: str) -> None:
        self.collection = collection
        self.titles = frozenset(listed)
        self.whole = whole

    @property
    def held(self) -> int:
        """The number of distinct titles."""
        return len(self.titles)

    def is_complete(self, expected: int | None, others: Iterable["_List"]) -> bool:
        """Whether this is the whole list, by the published count or by construction."""
        if expected is None:
            return bool(self.whole)
        if self.held < COMPLETE_SHARE * expected:
            return False
        if self.held <= MIXED_SHARE * expected:
            return True
        fair = [one for one in others if one is not self and one.held >= FAIR_SHARE * expected]
        return bool(fair or self.whole) and not any(map(self.has_gap_against, fair))

    def has_gap_against(self, other: "_List") -> bool:
        """Whether another, shorter list holds more than 1 % that is missing here."""
        missing = len(other.titles - self.titles)
        return other.held <= self.held and missing > (1 - COMPLETE_SHARE) * other.held


def _row(
    venue_id: str, year: int, lists: list[_List], expected: int | None, not_held: bool
) -> VenueYear:
    whole = [one for one in lists if one.is_complete(expected, lists)]
    chosen = whole or lists
    not_held = not_held and max(one.held for one in lists) < STRAY
    return VenueYear(
        venue_id=venue_id,
        year=year,
        held=max(one.held for one in chosen),
        expected=expected,
        complete=bool(whole) and not not_held,
        not_held=not_held,
        basis=_basis(whole, expected, not_held=not_held),
        sources=tuple(one.collection for one in chosen),
    )


def _basis(whole: list[_List], expected: int | None, *, not_held: bool) -> str:
    if not_held:
        return NO_EDITION
    if not whole:
        return ""
    return whole[0].whole if expected is None else PUBLISHED_COUNT


PUBLISHED_COUNT = "published count of accepted papers"
TABLE_OF_CONTENTS = "table of contents"
NUMBERING = "numbering without gaps"
NO_EDITION = "no edition in that year"
"""What a row of the ledger rests on."""


class Coverage:
    """The ledger of a finished index, for looking up."""

    def __init__(self, rows: Iterable[VenueYear], not_held: NotHeld) -> None:
        self._rows: dict[str, dict[int, VenueYear]] = {}
        self._not_held = not_held
        for row in rows:
            self._rows.setdefault(row.venue_id, {})[row.year] = row

    def get(self, venue_id: str, year: int) -> VenueYear | None:
        """Return what is held of a venue in a year; None where nothing is known."""
        row = self._rows.get(venue_id, {}).get(year)
        if row is None and self._not_held(venue_id, year):
            return VenueYear(venue_id, year, not_held=True, basis=NO_EDITION)
        return row

    def years(self, venue_id: str) -> tuple[VenueYear, ...]:
        """Return all years of a venue of which something is held, in order."""
        return tuple(row for _, row in sorted(self._rows.get(venue_id, {}).items()))

    def venues(self) -> tuple[str, ...]:
        """Return the identities of all venues of which something is held, in order."""
        return tuple(sorted(self._rows))
