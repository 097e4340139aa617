"""At which other real venue could an entry claim to have appeared?"""

from collections.abc import Callable
from random import Random

from msgspec import Struct

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import venue_name, venue_of
from hallmark.bench.perturb.interface import Level, Pool
from hallmark.match.venue_relation import relation
from hallmark.records.evidence import Relation
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venue_facts import VenueType, type_of
from hallmark.text.venue_tracks import split
from hallmark.text.venues import VenueKind

_TRIES = 60
_CANDIDATES = 12


class Place(Struct, frozen=True):
    """A real venue: its name as a record of it gives it, identity, type, and that record's title.

    `complete` says that the pool holds all its papers of the year that was asked for.
    """

    name: str
    id: str
    type: VenueType
    example: str
    complete: bool | None


def other_place(
    pool: Pool, rng: Random, entry: Entry, year: int | None, difficulty: Level
) -> Place | None:
    """Return a venue at which no record of the work was, or None where none was found.

    Args:
        pool: the real works.
        rng: the dice.
        entry: the work as it is cited.
        year: the year of the claim; the venue must have been held then.
        difficulty: LOW: any venue; MEDIUM: one held in that year, of which the pool has papers of
            that year; HIGH: of several such venues the one with a paper of the nearest title.
    """
    taken = _places_of(pool, entry)
    found: dict[str, Place] = {}
    for _ in range(_TRIES):
        drawn = pool.draw(rng, year=year if difficulty > Level.LOW else None)
        place = None if drawn is None else _place(pool, drawn, year)
        if place is not None and place.id not in found and _is_foreign(place, taken, year):
            found[place.id] = place
            if difficulty < Level.HIGH or len(found) == _CANDIDATES:
                break
    return max(found.values(), key=_likeness(entry), default=None)


def surely_foreign_place(
    pool: Pool, rng: Random, entry: Entry, year: int, difficulty: Level
) -> Place | None:
    """Return a venue of `year` that lacks the work as far as the pool can tell.

    Where the pool knows which lists are complete, only a complete one will do.
    """
    for _ in range(_TRIES):
        place = other_place(pool, rng, entry, year, max(difficulty, Level.MEDIUM))
        if place is None or place.complete is not False:
            return place
    return None


def foreign_place_of(pool: Pool, drawn: Version, entry: Entry, year: int | None) -> Place | None:
    """Return the venue of a record, if no record of the entry's work was there; else None."""
    place = _place(pool, drawn, year)
    taken = _places_of(pool, entry)
    return place if place is not None and _is_foreign(place, taken, year) else None


def _place(pool: Pool, drawn: Version, year: int | None) -> Place | None:
    """Return the venue of a drawn record, if its name means a main, curated venue of that year."""
    name = venue_name(drawn)
    claim = pool.venues.resolve(name)
    if claim.kind is not VenueKind.VENUE or len(claim.ids) != 1 or drawn.preprint:
        return None
    identity = claim.ids[0]
    sort = type_of(identity)
    if ":" in identity or sort is None or split(identity)[0] != identity:
        return None
    if year is not None and pool.venues.held(identity, year) is False:
        return None
    complete = None if year is None else pool.complete(identity, year)
    return Place(name, identity, sort, drawn.title, complete)


def _places_of(pool: Pool, entry: Entry) -> frozenset[tuple[str, int | None]]:
    """Return the identities of all venues at which the work was, with the years."""
    found: set[tuple[str, int | None]]
    found = {(one, None) for one in pool.venues.resolve(venue_of(entry)).ids}
    for version in pool.titled(entry.fields.get("title", "")):
        ids = {version.venue_id or "", *pool.venues.resolve(venue_name(version)).ids}
        found |= {(one, version.year) for one in ids - {"", "arxiv"}}
    return frozenset(found)


def _is_foreign(place: Place, taken: frozenset[tuple[str, int | None]], year: int | None) -> bool:
    """Whether the work may not be said to have appeared at the place."""
    for held, held_year in taken:
        years = tuple(one for one in (year, held_year) if one is not None)
        if relation(place.id, held, years, explicit=False).relation is not Relation.CONFLICT:
            return False
    return True


def _likeness(entry: Entry) -> Callable[[Place], int]:
    words = set(titles.words(entry.fields.get("title", "")))
    return lambda place: len(words & set(titles.words(place.example)))
