"""Which other real works are there, in a list of records or in a local index?"""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from random import Random

from hallmark.index import LocalIndex
from hallmark.records.work import Version
from hallmark.text import identifiers, titles
from hallmark.text.venues import VenueTable

DONORS = 20_000
"""Works of an index from which parts are drawn: enough for every larger venue and year."""


class ListPool:
    """A pool over records in memory; obeys `interface.Pool`.

    Args:
        versions: the records; each can be drawn, and is found by all its titles.
        venues: what names of venues mean.
    """

    def __init__(self, versions: Iterable[Version], venues: VenueTable | None = None) -> None:
        self._versions = tuple(versions)
        self._venues = venues or VenueTable.curated()
        self._titled: dict[str, list[Version]] = {}
        self._by_doi: dict[str, list[Version]] = {}
        self._placed: dict[tuple[str | None, int | None], list[Version]] = {}
        for version in self._versions:
            self._file(version)

    def _file(self, version: Version) -> None:
        for key in {titles.key(title) for title in (version.title, *version.title_others)}:
            self._titled.setdefault(key, []).append(version)
        if version.doi:
            self._by_doi.setdefault(version.doi, []).append(version)
        for place in {
            (version.venue_id, version.year), (version.venue_id, None), (None, version.year),
        }:  # fmt: skip
            self._placed.setdefault(place, []).append(version)

    @property
    def venues(self) -> VenueTable:
        """What names of venues mean."""
        return self._venues

    def draw(
        self, rng: Random, venue: str | None = None, year: int | None = None
    ) -> Version | None:
        """Return a record, of this venue and year where given."""
        anywhere = venue is None and year is None
        found = self._versions if anywhere else self._placed.get((venue, year), ())
        return rng.choice(found) if found else None

    def titled(self, title: str) -> Sequence[Version]:
        """Return the records of this title."""
        return self._titled.get(titles.key(title), ())

    def identified(self, doi: str) -> Sequence[Version]:
        """Return the records of this DOI."""
        return self._by_doi.get(identifiers.doi(doi) or doi, ())

    def complete(self, venue: str, year: int) -> bool | None:  # noqa: ARG002 - the protocol's
        """Return None: a list does not know what it lacks."""
        return None


class IndexPool:
    """A pool over a local index; obeys `interface.Pool`.

    Titles and DOIs are looked up in the whole index; works are drawn from a sample of it.

    Args:
        index: the index.
        rng: the dice for the sample.
        donors: works to sample.
    """

    def __init__(self, index: LocalIndex, rng: Random, donors: int = DONORS) -> None:
        self._index = index
        sampled = chain.from_iterable(islice(index.sample(rng), donors))
        self._donors = ListPool(sampled, index.venues)

    @property
    def venues(self) -> VenueTable:
        """What names of venues mean."""
        return self._index.venues

    def draw(
        self, rng: Random, venue: str | None = None, year: int | None = None
    ) -> Version | None:
        """Return a record of the sample, of this venue and year where given."""
        return self._donors.draw(rng, venue, year)

    def titled(self, title: str) -> Sequence[Version]:
        """Return the index's records of this title."""
        return self._index.by_title_key(titles.key(title))

    def identified(self, doi: str) -> Sequence[Version]:
        """Return the index's records of this DOI."""
        return self._index.by_doi(doi)

    def complete(self, venue: str, year: int) -> bool | None:
        """Whether the index holds the complete list of this venue and year."""
        row = self._index.coverage(venue, year)
        return row is not None and row.complete
