"""Which venue does a name mean?

A `VenueTable` resolves names to identities: exactly after normalisation, by the parts of a long
name, as an ISO 4 abbreviation, and last with one mistyped letter in a long name. It never
attaches a name to a venue because the two look alike: an invented venue comes out UNKNOWN.

Identities are short ids: curated ones ("neurips", "acl-findings") and, for names that no table
of ours holds, the name itself ("name:journal-of-vision", "workshop:asian-translation").
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct, convert

from hallmark.text import knowledge
from hallmark.text import venue_names as names
from hallmark.text.venue_dois import doi_parts, url_venue
from hallmark.text.venue_facts import VenueFact, VenueType, links, venues
from hallmark.text.venue_lookup import Lookup
from hallmark.text.venue_tracks import Track, joined, split, track_of


class VenueKind(StrEnum):
    """What a claimed venue's name turned out to be."""

    VENUE = "venue"
    PREPRINT = "preprint"
    CONTAINER = "container"
    UNKNOWN = "unknown"
    MISSING = "missing"


class VenueClaim(Struct, frozen=True):
    """How the venue that a reference claims was resolved.

    `ids` holds the identities that the name may mean: one where it is certain, several where the
    name is ambiguous or names a joint meeting, none where it is UNKNOWN, a PREPRINT server, a
    CONTAINER (publisher, series, platform: no venue of its own) or MISSING. `year` is a year
    read from the name itself. `explicit` says that the name is the written-out title of the main
    proceedings, not a mere acronym, so that it cannot stand for the series as a whole.
    """

    name: str
    kind: VenueKind
    ids: tuple[str, ...] = ()
    year: int | None = None
    explicit: bool = False


class LearntName(Struct, frozen=True, array_like=True):
    """A name that the records use for an identity, and how many of them do.

    Stored as an array of three: name, identity, count.
    """

    name: str
    venue_id: str
    count: int = 1


_UNLISTED = ("unlisted",)
_LONGEST = 1000
_CACHE = 65536


def normal(name: str) -> str:
    """Return the one spelling under which a name of a venue is compared ("journal of acm").

    Idempotent. Case, accents, punctuation and articles are gone; for meetings also years,
    ordinals, "proceedings of" and societies in front.
    """
    return " ".join(names.core(names.tokens(name[:_LONGEST])))


class VenueTable:
    """Names of venues and what they mean; immutable, shared freely between threads.

    Args:
        lookup: the names known.
        facts: the curated venues by id.
    """

    def __init__(self, lookup: Lookup, facts: Mapping[str, VenueFact]) -> None:
        self._lookup = lookup
        self._facts = facts
        self.resolve = lru_cache(maxsize=_CACHE)(self._resolve)
        self._named = lru_cache(maxsize=_CACHE)(self._identity_of_names)

    @classmethod
    def curated(cls) -> "VenueTable":
        """Return the table that the package ships."""
        return _curated()

    def with_learnt(self, rows: Iterable[object]) -> "VenueTable":
        """Return a table that also knows the names in `rows`; curated names keep their meaning.

        Args:
            rows: `LearntName`s, or what they become when stored and read again; the names are
                in the spelling of `normal`.
        """
        learnt = convert(list(rows), list[LearntName])
        return VenueTable(
            self._lookup.extended((row.name, row.venue_id) for row in learnt), self._facts
        )

    def held(self, venue_id: str, year: int) -> bool | None:
        """Whether the venue had an edition in `year`; None where that is not known.

        A track is held only with its series, save where it has its own row.
        """
        fact = self._facts.get(venue_id) or self._facts.get(split(venue_id)[0])
        return fact.held(year) if fact else None

    def _resolve(self, name: str) -> VenueClaim:
        """Return what `name` means; see `VenueClaim`. Cached under the name `resolve`."""
        words = names.tokens(name[:_LONGEST])
        if not words:
            return VenueClaim(name=name, kind=VenueKind.MISSING)
        found = self._lookup.find(name[:_LONGEST], words)
        year = names.year_of(words)
        kind = self._kind(found)
        if kind is not VenueKind.VENUE:
            return VenueClaim(name=name, kind=kind, year=year)
        explicit = names.is_written_out(words)
        return VenueClaim(name=name, kind=kind, ids=found, year=year, explicit=explicit)

    def _kind(self, ids: tuple[str, ...]) -> VenueKind:
        if not ids:
            return VenueKind.UNKNOWN
        fact = self._facts.get(ids[0])
        if fact is not None and fact.type is VenueType.PREPRINT:
            return VenueKind.PREPRINT
        if fact is not None and fact.type is VenueType.CONTAINER:
            return VenueKind.CONTAINER
        return VenueKind.VENUE

    def identity(
        self,
        venue_short: str,
        venue_raw: str,
        doi: str | None = None,
        url: str | None = None,
        origin: str | None = None,  # noqa: ARG002 - part of the interface: a source may yet decide
    ) -> tuple[str | None, bool]:
        """Return the identity of a record's venue, and whether that is a preprint server.

        Args:
            venue_short: the venue as the source files it ("CVPR"), "" where it does not.
            venue_raw: the venue as written on the record, "" where it is not.
            doi: the record's normalised DOI; with the URL it decides the track.
            url: the record's URL.
            origin: where the record was read.

        Returns:
            The id, None where the record names no venue (a publisher, a platform, nothing).
        """
        if _is_arxiv(venue_short) and (not venue_raw or _is_arxiv(venue_raw)):
            return ("arxiv", True)
        named, preprint = self._named(venue_short, venue_raw)
        if preprint:
            return (named, True)
        told = self._told_by_identifiers(doi, url)
        if told is None:
            return (named, False)
        if named is None:
            return (told, self._kind((told,)) is VenueKind.PREPRINT)
        return (_refined(named, told), False)

    def _told_by_identifiers(self, doi: str | None, url: str | None) -> str | None:
        """Return the venue that the URL or the DOI names, where they do."""
        if url:
            told = url_venue(url)
            if told:
                return told
        return doi_parts(doi).venue_id if doi else None

    def _identity_of_names(self, short: str, raw: str) -> tuple[str | None, bool]:
        """Return the identity that the two names of a record mean together."""
        from_short, from_raw = self._ids(short), self._ids(raw)
        kinds = (self._kind(from_short), self._kind(from_raw))
        if from_short == _UNLISTED:
            return (None, False)
        if VenueKind.VENUE in kinds:
            return (self._agreed(raw, from_short, from_raw), False)
        if VenueKind.PREPRINT in kinds:
            ids = from_raw if kinds[1] is VenueKind.PREPRINT else from_short
            return (ids[0], True)
        unknown = [
            name
            for name, kind in zip((raw, short), reversed(kinds), strict=True)
            if kind is VenueKind.UNKNOWN and names.tokens(name)
        ]
        return (_made_up(unknown[0]) if unknown else None, False)

    def _ids(self, name: str) -> tuple[str, ...]:
        words = names.tokens(name[:_LONGEST]) if name else ()
        return self._lookup.find(name[:_LONGEST], words) if words else ()

    def _agreed(self, raw: str, from_short: tuple[str, ...], from_raw: tuple[str, ...]) -> str:
        """Return the identity where at least one of the two names is a known venue's."""
        short_known = self._kind(from_short) is VenueKind.VENUE
        if self._kind(from_raw) is not VenueKind.VENUE:
            named = "" if self._is_workshop(from_short[0]) else names.workshop_name(raw)
            return f"workshop:{named}" if named else _on_marked_track(from_short[0], raw)
        if not short_known:
            return from_raw[0]
        return _combined(from_short, from_raw)

    def _is_workshop(self, venue_id: str) -> bool:
        fact = self._facts.get(venue_id)
        return fact is not None and any("orkshop" in name for name in fact.names)


_MARKED = frozenset(
    [Track.DEMO, Track.COMPANION, Track.STUDENT, Track.TUTORIALS, Track.INDUSTRY, Track.ABSTRACTS]
)


def _on_marked_track(venue_id: str, raw: str) -> str:
    """Return the identity on the track that the written name marks ("Demonstrations")."""
    track = track_of(names.tokens(raw))
    main = split(venue_id)[1] is Track.MAIN
    return joined(venue_id, track) if main and track in _MARKED else venue_id


def _made_up(name: str) -> str | None:
    """Return an identity made of the name itself."""
    named = names.workshop_name(name)
    if named:
        return f"workshop:{named}"
    slug = names.slug(name)
    return f"name:{slug}" if slug else None


def _combined(from_short: tuple[str, ...], from_raw: tuple[str, ...]) -> str:
    """Return one identity out of two names that are both known."""
    common = [venue_id for venue_id in from_raw if venue_id in from_short]
    if common:
        return from_raw[0] if _joint(from_raw[0], common[0]) else common[0]
    for one in from_short:
        for other in from_raw:
            if split(one)[0] == split(other)[0]:
                return one if split(other)[1] is Track.MAIN else other
            link = links().get(frozenset((one, other)))
            if link is not None:
                return other if link.code == "same-series" else one
    return from_raw[0]


def _joint(one: str, other: str) -> bool:
    """Whether two meetings were ever held as one."""
    link = links().get(frozenset((split(one)[0], split(other)[0])))
    return link is not None and link.code == "joint-conference"


def _refined(named: str, told: str) -> str:
    """Return the identity after an identifier had its say: it decides the track, not the series.

    Only an Anthology id moves a paper to another series as well ("Findings").
    """
    if split(named)[0] == split(told)[0]:
        return told if split(told)[1] is not Track.MAIN else named
    if split(told)[1] is Track.FINDINGS or _joint(named, told):
        return told
    return named


def _is_arxiv(name: str) -> bool:
    return name[:5].lower() == "arxiv"


@knowledge.derived
@lru_cache(maxsize=1)
def _curated() -> VenueTable:
    return VenueTable(Lookup.curated(), venues())
