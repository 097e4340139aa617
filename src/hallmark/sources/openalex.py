"""How is OpenAlex asked, and how are its works read?

API as documented at https://developers.openalex.org. OpenAlex is gathered and merged by machine
and holds records with foreign titles or authors, so that they are EXTRACTED: they confirm, and
never reject a list of authors alone (the same as for its snapshot in the index).
"""

from collections.abc import Sequence
from urllib.parse import quote

from msgspec import Raw, Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Quality, Version, on_arxiv
from hallmark.sources import asking, decode, identify, venues
from hallmark.sources.asking import Held, Identify, Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, VenueAnswer, Way
from hallmark.sources.near import search_text
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="openalex",
    title="OpenAlex",
    base="https://api.openalex.org",
    rate=Rate(1),
    keyed_rate=Rate(10, connections=4),
    ways=(Way.DOI, Way.ARXIV, Way.PMID, Way.TITLE),
    batch={"doi": 50, "arxiv": 50, "pmid": 50},
    kinds=frozenset({Kind.PAPER, Kind.PREPRINT, Kind.BOOK, Kind.CHAPTER, Kind.THESIS}),
    key_variable="OPENALEX_API_KEY",
    key_param="api_key",
    sends="DOIs, arXiv and PubMed ids; words of titles; names of venues",
    homepage="https://developers.openalex.org",
    covers="works of all fields, merged from Crossref, DataCite, PubMed, arXiv and repositories",
    quirks=(
        "Since 2026-02 more than some 100 searches a day need a free key; one costs ten look-ups.",
        "Works are merged by machine: some have a foreign title or list of authors.",
        "An unknown identifier is answered with status 404 and a web page.",
        "Lists of authors are cut after 100 names; one of 100 counts as cut.",
        "A comma or bar in a DOI would end the filter; such a DOI is asked for alone.",
    ),
    facts_as_of="2026-12",
)

ROWS = 5
API_AUTHORS = 100
"""Authors after which the API cuts a list."""
_FIELDS = (
    "id,ids,doi,title,display_name,publication_year,type,authorships,primary_location,locations,"
    "is_retracted"
)
_SPECIAL = frozenset(",|")
_NO_WORKS = frozenset({"paratext", "grant", "peer-review", "supplementary-materials"})


class Author(Struct):
    """The profile of a person."""

    display_name: str | None = None


class Authorship(Struct):
    """A person's part in a work."""

    raw_author_name: str | None = None
    author: Author | None = None


class Holder(Struct):
    """A journal, conference or repository."""

    display_name: str | None = None
    type: str | None = None


class Place(Struct):
    """A place at which the work stands."""

    landing_page_url: str | None = None
    source: Holder | None = None
    raw_source_name: str | None = None


class Ids(Struct):
    """Further identifiers."""

    pmid: str | None = None


class Record(Struct):
    """One work, as far as it is needed."""

    id: str
    ids: Ids | None = None
    doi: str | None = None
    title: str | None = None
    display_name: str | None = None
    publication_year: int | None = None
    type: str | None = None
    authorships: list[Authorship] | None = None
    primary_location: Place | None = None
    locations: list[Place] | None = None
    is_retracted: bool | None = None
    is_authors_truncated: bool | None = None


class _Meta(Struct):
    count: int | None = None


class _Reply(Struct):
    results: list[Raw]
    meta: _Meta | None = None


class _Venue(Struct):
    id: str | None = None
    display_name: str | None = None
    abbreviated_title: str | None = None
    alternate_titles: list[str] | None = None
    issn: list[str] | None = None


class _Venues(Struct):
    results: list[_Venue]


class OpenAlex:
    """OpenAlex, asked by identifiers in batches, by title, and for venues."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self.search(question, ask))
        if way not in _IDENTIFIED:
            return asking.not_asked(questions)
        identifier, name = _IDENTIFIED[way]
        return await asking.by_identifier(
            questions,
            identifier,
            lambda wanted: self._by_identifier(name, wanted, ask),
            way=way.value,
            size=self.spec.batch[way.value],
            alone=lambda one: bool(_SPECIAL & set(one)),
        )

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        """Tell whether OpenAlex knows a journal, conference or repository of this name."""
        fields = "id,display_name,abbreviated_title,alternate_titles,issn"
        params = (("search", search_text(name)), ("per_page", "10"), ("select", fields))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/sources", params))
        found = decode.json_as(_Venues, reply)
        if isinstance(found, Unavailable):
            return found
        return venues.judged(name, [_offered(one) for one in found.results])

    async def _by_identifier(
        self, name: str, wanted: Sequence[str], ask: Ask
    ) -> Held | Unavailable:
        if len(wanted) == 1 and _SPECIAL & set(wanted[0]):
            return await self._alone(wanted[0], ask)
        found = await self._list(f"{name}:{'|'.join(wanted)}", len(wanted), ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        held: dict[str, list[Version]] = {}
        for record in records:
            key = _pmid(record) if name == "pmid" else identifiers.doi(clean.field(record.doi))
            if key is None:
                unread = unread or asking.NAMELESS
            else:
                held.setdefault(key, []).extend(versions(record))
        return Held(held, unread=unread)

    async def _alone(self, doi: str, ask: Ask) -> Held | Unavailable:
        url = f"{self.spec.base}/works/doi:{quote(doi, safe='/')}"
        reply = await ask(Request(self.spec.name, url, (("select", _FIELDS),)))
        if decode.is_missing(reply):
            return Held()
        record = decode.json_as(Record, reply)
        return record if isinstance(record, Unavailable) else Held({doi: versions(record)})

    async def search(self, question: Question, ask: Ask, rows: int = ROWS) -> Listed | Unavailable:
        """Search by the words of the title."""
        found = await self._list(f"title.search:{search_text(question.title)}", rows, ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        works = [one for one in records if one.type not in _NO_WORKS]
        return Listed([version for one in works for version in versions(one)], unread)

    async def _list(
        self, wanted: str, rows: int, ask: Ask
    ) -> tuple[list[Record], str] | Unavailable:
        params = (("filter", wanted), ("per_page", str(rows)), ("select", _FIELDS))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/works", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.meta and found.meta.count and not found.results:
            return Unavailable(asking.EMPTY)
        return decode.each_as(Record, found.results)


_IDENTIFIED: dict[Way, tuple[Identify, str]] = {
    Way.DOI: (identify.doi, "doi"),
    Way.ARXIV: (identify.arxiv_doi, "doi"),
    Way.PMID: (identify.pmid, "pmid"),
}


def _pmid(record: Record) -> str | None:
    return identifiers.pmid(clean.field(record.ids.pmid)) if record.ids else None


def versions(record: Record) -> list[Version]:
    """Return the versions of a work: where it appeared, and its preprint on arXiv."""
    main = _version(record, record.primary_location or Place())
    for place in record.locations or ():
        arxiv = _arxiv(place)
        if arxiv and main.arxiv is None:
            return [main, on_arxiv(main, arxiv)]
    return [main]


def _version(record: Record, place: Place) -> Version:
    listed = record.authorships or []
    authors, cut = clean.people([_author(one) for one in listed])
    holder = place.source or Holder()
    venue = clean.field(holder.display_name or place.raw_source_name)
    return Version(
        collection=SPEC.name,
        title=clean.line(record.title or record.display_name)[: clean.MAX_TITLE],
        authors=authors,
        origin=clean.field(record.id),
        authors_truncated=cut or bool(record.is_authors_truncated) or len(listed) == API_AUTHORS,
        quality=Quality.EXTRACTED,
        venue=venue,
        venue_raw=venue,
        preprint=record.type == "preprint" or holder.type == "repository",
        year=clean.year(record.publication_year),
        doi=identifiers.doi(clean.field(record.doi)),
        arxiv=_arxiv(place),
        url=clean.field(place.landing_page_url or record.id),
        kind=clean.field(record.type),
        retracted=record.is_retracted is True,
    )


def _author(authorship: Authorship) -> str:
    """Return the name as printed, else the name of the author's profile."""
    profile = authorship.author.display_name if authorship.author else ""
    return clean.field(authorship.raw_author_name) or clean.field(profile)


def _arxiv(place: Place) -> str | None:
    found = identifiers.arxiv(clean.field(place.landing_page_url), marked=True)
    return found.id if found else None


def _offered(venue: _Venue) -> venues.Offered:
    names = (venue.display_name, venue.abbreviated_title, *(venue.alternate_titles or ()))
    own = (f"openalex:{venue.id.rpartition('/')[2]}",) if venue.id else ()
    issns = tuple(f"issn:{issn}" for issn in venue.issn or ())
    return venues.Offered(tuple(name for name in names if name), (*own, *issns))
