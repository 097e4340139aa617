"""Of which venue and year does the index hold the complete list?

Complete means that one collection's own list reaches at least 99 % of an independently published
count of accepted papers, or that it is a table of contents, whole by construction. Agreement
between collections is no proof: they copy each other. Years in which a venue was known not to be
held are in the ledger too.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from hallmark.records.answer import VenueYear

COMPLETE_SHARE = 0.99
"""Share of a published count, in [0, 1], from which a list is complete. Each 1 % of papers that a
"complete" list lacks turns about 1 % of right citations into false alarms."""

Counts: TypeAlias = Mapping[tuple[str, int], int]
"""Published counts of accepted papers by venue identity and year."""

NotHeld: TypeAlias = Callable[[str, int], bool]


class Tally(msgspec.Struct, array_like=True):
    """The title hashes that one collection lists for one venue and year.

    `titles` holds eight bytes for each listing, with repetitions; `toc` counts the listings that
    came out of tables of contents.
    """

    collection: str
    venue_id: str
    year: int
    titles: bytes
    toc: int = 0


class Ledger:
    """Collects, while an index is built, which titles are listed where."""

    def __init__(self, tallies: Iterable[Tally] = ()) -> None:
        self._titles: dict[tuple[str, str, int], array[int]] = {}
        self._toc: dict[tuple[str, str, int], int] = {}
        self._toc_years: dict[str, int] = {}
        for tally in tallies:
            place = (tally.collection, tally.venue_id, tally.year)
            self._titles[place] = array("Q", tally.titles)
            self._add_toc(place, tally.toc)

    def see(
        self, collection: str, venue_id: str | None, year: int | None, title: int, *, toc: bool
    ) -> None:
        """Note one record; one without a venue or year is listed nowhere."""
        if venue_id is None or year is None:
            return
        place = (collection, venue_id, year)
        listed = self._titles.get(place)
        if listed is None:
            listed = self._titles[place] = array("Q")
        listed.append(title)
        if toc:
            self._add_toc(place, 1)

    def tallies(self) -> list[Tally]:
        """Return all that was noted, in a stable order."""
        return [
            Tally(*place, listed.tobytes(), self._toc.get(place, 0))
            for place, listed in sorted(self._titles.items())
        ]

    def rows(self, counts: Counts, not_held: NotHeld) -> list[VenueYear]:
        """Return one row for each venue and year that is listed, in a stable order."""
        by_place: dict[tuple[str, int], list[tuple[str, int, bool]]] = {}
        for (collection, venue_id, year), listed in sorted(self._titles.items()):
            held = len(set(listed))
            toc = self._is_toc(collection, venue_id, year, len(listed))
            by_place.setdefault((venue_id, year), []).append((collection, held, toc))
        return [
            _row(venue_id, year, lists, counts.get((venue_id, year)), not_held(venue_id, year))
            for (venue_id, year), lists in sorted(by_place.items())
        ]

    def _add_toc(self, place: tuple[str, str, int], count: int) -> None:
        if count:
            collection, _, year = place
            self._toc[place] = self._toc.get(place, 0) + count
            self._toc_years[collection] = max(year, self._toc_years.get(collection, year))

    def _is_toc(self, collection: str, venue_id: str, year: int, listed: int) -> bool:
        """Whether a list is all tables of contents, and not of the last year of its collection.

        In its last year a dump may hold only some of a venue's volumes.
        """
        toc = self._toc.get((collection, venue_id, year), 0)
        return 0 < toc == listed and year < self._toc_years[collection]


def _row(
    venue_id: str,
    year: int,
    lists: list[tuple[str, int, bool]],
    expected: int | None,
    not_held: bool,
) -> VenueYear:
    whole = [
        (collection, held, toc)
        for collection, held, toc in lists
        if _is_complete(held, expected, toc=toc)
    ]
    chosen = whole or lists
    return VenueYear(
        venue_id=venue_id,
        year=year,
        held=max(held for _, held, _ in chosen),
        expected=expected,
        complete=bool(whole) and not not_held,
        not_held=not_held,
        basis=_basis(whole, expected),
        sources=tuple(collection for collection, _, _ in chosen),
    )


def _is_complete(held: int, expected: int | None, *, toc: bool) -> bool:
    return toc if expected is None else held >= COMPLETE_SHARE * expected


def _basis(whole: list[tuple[str, int, bool]], expected: int | None) -> str:
    if not whole:
        return ""
    return "table of contents" if expected is None else "published count of accepted papers"


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
            return VenueYear(venue_id, year, not_held=True, basis="no edition in that year")
        return row

    def years(self, venue_id: str) -> tuple[VenueYear, ...]:
        """Return all years of a venue of which something is held, in order."""
        return tuple(row for _, row in sorted(self._rows.get(venue_id, {}).items()))

    def venues(self) -> tuple[str, ...]:
        """Return the identities of all venues of which something is held, in order."""
        return tuple(sorted(self._rows))
