"""What is known about venues before any record is read?

Read from the tables (see `text.knowledge`) `venues` (names, kind, years held, DOI prefixes and the
codes used inside DOIs), `venue_aliases`, `venue_links` (joint meetings, journals that publish a
conference) and `doi_prefixes` (which registrant owns a DOI prefix).
"""

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from hallmark.text import knowledge


class VenueType(StrEnum):
    """What sort of outlet a name stands for."""

    CONFERENCE = "conference"
    JOURNAL = "journal"
    PREPRINT = "preprint"
    CONTAINER = "container"


class YearRange(Struct, frozen=True):
    """Years from `first` to `last` in steps; `known` is false where records are uncertain."""

    first: int
    last: int
    step: int = 1
    known: bool = True

    def __contains__(self, year: object) -> bool:
        """Whether a meeting of this range falls on `year`."""
        return (
            isinstance(year, int)
            and self.first <= year <= self.last
            and (year - self.first) % self.step == 0
        )


class VenueFact(Struct, frozen=True):
    """One curated venue.

    `names` holds the full name first, then acronyms, former names and usual writings.
    `years` are the years held. `prefixes` are the DOI prefixes under which its papers appear;
    "-" among them says that papers also, or only, appear without a DOI.
    `codes` are the acronyms used inside DOIs and Anthology ids.
    """

    id: str
    type: VenueType
    names: tuple[str, ...]
    years: tuple[YearRange, ...] = ()
    prefixes: frozenset[str] = frozenset()
    codes: tuple[str, ...] = ()

    def held(self, year: int) -> bool | None:
        """Whether there was an edition in `year`; None where that is not known.

        The years before the first listed one and after the last are unknown: a forerunner may
        have gone by the same name.
        """
        if not self.years or year > max(span.last for span in self.years):
            return None
        if year < min(span.first for span in self.years):
            return None
        for span in self.years:
            if not span.known and span.first <= year <= span.last:
                return None
        return any(year in span for span in self.years)


class VenueLink(Struct, frozen=True):
    """Two identities that may stand for each other, always or in the given years.

    `code` is the reason: "joint-conference" or "journal-of-conference".
    """

    first: str
    second: str
    code: str
    years: tuple[YearRange, ...] = ()

    def holds(self, year: int | None) -> bool:
        """Whether the link holds in `year`; an unknown year is given the benefit of the doubt."""
        return not self.years or year is None or any(year in span for span in self.years)


_LAST_KNOWN_YEAR = 2026


@knowledge.derived
@lru_cache(maxsize=1)
def venues() -> dict[str, VenueFact]:
    """Return the curated venues by identity."""
    aliases: dict[str, list[str]] = {}
    for venue_id, name in knowledge.rows("venue_aliases"):
        aliases.setdefault(venue_id, []).append(name)
    return {row[0]: _fact(row, aliases.get(row[0], [])) for row in knowledge.rows("venues")}


def _fact(row: knowledge.Row, aliases: list[str]) -> VenueFact:
    names = [name.strip() for name in row[5].split(" | ")]
    return VenueFact(
        id=row[0],
        type=VenueType(row[1]),
        years=_years(row[2]),
        prefixes=frozenset(row[3].split()),
        codes=tuple(row[4].split()),
        names=tuple(dict.fromkeys(names + aliases)),
    )


@knowledge.derived
@lru_cache(maxsize=1)
def links() -> dict[frozenset[str], VenueLink]:
    """Return the links between identities, by the pair."""
    rows = knowledge.rows("venue_links")
    every = (VenueLink(first=r[0], second=r[1], code=r[2], years=_years(r[3])) for r in rows)
    return {frozenset((link.first, link.second)): link for link in every}


@knowledge.derived
@lru_cache(maxsize=1)
def registrants() -> dict[str, str]:
    """Return who registered a DOI prefix, by the prefix ("10.1609" is AAAI)."""
    return {prefix: owner for prefix, owner, _ in knowledge.rows("doi_prefixes")}


@knowledge.derived
@lru_cache(maxsize=1)
def open_prefixes() -> frozenset[str]:
    """Return the prefixes of preprint servers and archives, where a copy of any paper may lie."""
    return frozenset(row[0] for row in knowledge.rows("doi_prefixes") if row[2] == "anywhere")


def type_of(venue_id: str) -> VenueType | None:
    """Return what sort of outlet an identity is, None where its name does not tell."""
    fact = venues().get(venue_id)
    if fact is not None:
        return fact.type
    kind, colon, slug = venue_id.partition(":")
    if not colon:
        return None
    if kind == "workshop" or _says(slug, _MEETING_WORDS):
        return VenueType.CONFERENCE
    return VenueType.JOURNAL if _says(slug, _JOURNAL_WORDS) else None


_MEETING_WORDS = frozenset({"conference", "symposium", "workshop", "meeting", "congress"})
_JOURNAL_WORDS = frozenset(
    "journal j transactions trans letters lett review reviews rev annals magazine bulletin "
    "quarterly archives acta advances annual international communications frontiers".split()
)


def _says(slug: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(slug.split("-"))


def _years(text: str) -> tuple[YearRange, ...]:
    """Read "1987,1990-2010/2,?2011-2012,2013-": lists, ranges, steps, "?" for unknown."""
    return tuple(_year_range(part) for part in text.split(",") if part)


def _year_range(part: str) -> YearRange:
    known = not part.startswith("?")
    body, _, step = part.lstrip("?").partition("/")
    first, dash, last = body.partition("-")
    return YearRange(
        first=int(first or 0),
        last=(int(last) if last else _LAST_KNOWN_YEAR) if dash else int(first),
        step=int(step or 1),
        known=known,
    )
