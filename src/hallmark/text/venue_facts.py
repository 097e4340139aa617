"""What is known about venues before any record is read?

The tables beside this module are written by hand from common knowledge of the field:
`venues.tsv` (names, kind, years held, DOI prefixes and the codes used inside DOIs),
`venue_links.tsv` (joint meetings, journals that publish a conference) and `doi_prefixes.tsv`
(which registrant owns a DOI prefix).
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct


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


@lru_cache(maxsize=1)
def venues() -> dict[str, VenueFact]:
    """Return the curated venues by identity."""
    found: dict[str, VenueFact] = {}
    for row in _rows("venues.tsv", columns=6):
        fact = VenueFact(
            id=row[0],
            type=VenueType(row[1]),
            years=_years(row[2]),
            prefixes=frozenset(row[3].split()),
            codes=tuple(row[4].split()),
            names=tuple(name.strip() for name in row[5].split(" | ")),
        )
        if fact.id in found:
            raise ValueError(f"venues.tsv lists {fact.id!r} twice")
        found[fact.id] = fact
    return found


@lru_cache(maxsize=1)
def links() -> dict[frozenset[str], VenueLink]:
    """Return the links between identities, by the pair."""
    rows = _rows("venue_links.tsv", columns=4)
    every = (VenueLink(first=r[0], second=r[1], code=r[2], years=_years(r[3])) for r in rows)
    return {frozenset((link.first, link.second)): link for link in every}


@lru_cache(maxsize=1)
def registrants() -> dict[str, str]:
    """Return who registered a DOI prefix, by the prefix ("10.1609" is AAAI)."""
    return {row[0]: row[1] for row in _rows("doi_prefixes.tsv", columns=2)}


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


def _rows(name: str, *, columns: int) -> Iterator[list[str]]:
    """Yield the rows of a table of ours; "#" starts a comment line."""
    text = files("hallmark.text").joinpath("tables", name).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        row = [cell.strip() for cell in line.split("\t")]
        if len(row) != columns:
            raise ValueError(f"{name}, line {number}: {len(row)} cells instead of {columns}")
        yield [("" if cell == "." else cell) for cell in row]


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
