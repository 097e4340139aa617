"""How is DataCite asked, and how are its records read?

REST API as documented at https://support.datacite.org/docs/api (JSON:API); its queries are those
of Elasticsearch's query strings.
"""

from collections.abc import Sequence

from msgspec import Raw, Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import asking, decode, identify, people
from hallmark.sources.asking import Held, Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.sources.near import groups
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="datacite",
    title="DataCite",
    base="https://api.datacite.org",
    rate=Rate(3000, per_s=300, connections=4),
    ways=(Way.DOI, Way.ARXIV, Way.TITLE),
    batch={"doi": 50, "arxiv": 50},
    kinds=frozenset({Kind.PREPRINT, Kind.DATASET, Kind.SOFTWARE, Kind.REPORT, Kind.THESIS}),
    registry_of=("DataCite",),
    sends="DOIs and arXiv ids; words of titles",
    homepage="https://support.datacite.org/docs/api",
    covers="arXiv (10.48550), Zenodo, figshare, theses, data and software",
    quirks=(
        "Its DOIs of arXiv have no version suffix; the record has the years of all versions.",
        "A creator may be a group, or have only a name in the form `Family, Given`.",
        "The publisher is a text, or an object with a name.",
        "Records that are not findable (drafts, withdrawn) are left out.",
    ),
    facts_as_of="2026-12",
)

ROWS = 10
_YEARS = frozenset({"Issued", "Available", "Submitted", "Accepted"})
_PREPRINT_TYPES = frozenset({"preprint"})
_PUBLISHED = frozenset({"IsPreviousVersionOf", "IsVersionOf", "IsPreprintOf"})


class Title(Struct, rename="camel"):
    """A title; `title_type` marks subtitles, alternative and translated ones."""

    title: str | None = None
    title_type: str | None = None


class Creator(Struct, rename="camel"):
    """A person or group."""

    name: str | None = None
    name_type: str | None = None
    given_name: str | None = None
    family_name: str | None = None


class Named(Struct):
    """A publisher."""

    name: str | None = None


class Container(Struct):
    """The series or volume that holds the work."""

    title: str | None = None


class Dated(Struct, rename="camel"):
    """A date and what it is the date of."""

    date: str | None = None
    date_type: str | None = None


class Related(Struct, rename="camel"):
    """Another work and how this one is related to it."""

    relation_type: str | None = None
    related_identifier: str | None = None
    related_identifier_type: str | None = None


class Types(Struct, rename="camel"):
    """What sort of thing it is."""

    resource_type_general: str | None = None
    resource_type: str | None = None
    bibtex: str | None = None


class Attributes(Struct, rename="camel"):
    """One work, as far as it is needed."""

    doi: str
    titles: list[Title] | None = None
    creators: list[Creator] | None = None
    publisher: Named | str | None = None
    container: Container | None = None
    publication_year: int | str | None = None
    dates: list[Dated] | None = None
    types: Types | None = None
    related_identifiers: list[Related] | None = None
    url: str | None = None
    state: str | None = None


class Record(Struct):
    """One resource of the API."""

    attributes: Attributes


class _Meta(Struct):
    total: int | None = None


class _Reply(Struct):
    data: list[Raw]
    meta: _Meta | None = None


class DataCite:
    """DataCite, asked by DOI and arXiv id in batches, and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self._search(question, ask))
        identifier = {Way.DOI: identify.doi, Way.ARXIV: identify.arxiv_doi}.get(way)
        if identifier is None:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions,
            identifier,
            lambda dois: self._by_doi(dois, ask),
            way=way.value,
            size=self.spec.batch[way.value],
        )

    async def _by_doi(self, dois: Sequence[str], ask: Ask) -> Held | Unavailable:
        wanted = " OR ".join(f'"{_escaped(doi)}"' for doi in dois)
        found = await self._records(f"doi:({wanted})", len(dois), ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        return asking.held(map(version, records), lambda one: one.doi, unread)

    async def _search(self, question: Question, ask: Ask) -> Listed | Unavailable:
        query = " OR ".join(_demanded(words) for words in groups(question.title))
        found = await self._records(query, ROWS, ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        return Listed([version(one) for one in records], unread)

    async def _records(
        self, query: str, rows: int, ask: Ask
    ) -> tuple[list[Record], str] | Unavailable:
        params = (
            ("query", query),
            ("page[size]", str(rows)),
            ("sort", "relevance"),
            ("disable-facets", "true"),
        )
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/dois", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.meta and found.meta.total and not found.data:
            return Unavailable(asking.EMPTY)
        records, unread = decode.each_as(Record, found.data)
        return [one for one in records if one.attributes.state in {None, "findable"}], unread


def _demanded(words: Sequence[str]) -> str:
    return "titles.title:(" + " AND ".join(f'"{word}"' for word in words) + ")"


def _escaped(doi: str) -> str:
    return doi.replace("\\", "\\\\").replace('"', '\\"')


def version(record: Record) -> Version:
    """Return the version that a record describes."""
    item = record.attributes
    doi = identifiers.doi(item.doi)
    arxiv = identifiers.arxiv_of_doi(doi) if doi else None
    authors, cut = clean.people([_creator(one) for one in item.creators or ()])
    years = _years(item)
    title, others = _titles(item.titles or [])
    kind = clean.field(item.types.resource_type_general) if item.types else ""
    venue = _venue(item)
    return Version(
        collection=SPEC.name,
        title=title,
        authors=authors,
        origin=clean.field(item.doi),
        authors_truncated=cut,
        title_others=others,
        venue=venue,
        venue_raw=f"arXiv:{arxiv}" if arxiv else venue,
        preprint=arxiv is not None or kind.lower() in _PREPRINT_TYPES,
        year=years[0] if years else None,
        years=years[1:],
        doi=doi,
        arxiv=arxiv,
        url=clean.field(item.url),
        kind=kind.lower(),
        published_as=_published_as(item),
    )


def _creator(creator: Creator) -> str:
    if creator.name_type != "Organizational" and creator.family_name:
        return people.in_order(creator.given_name, creator.family_name)
    name = clean.field(creator.name)
    return name if creator.name_type == "Organizational" else people.turned(name)


def _titles(listed: list[Title]) -> tuple[str, tuple[str, ...]]:
    """Return the main title with its subtitle, and all other titles."""
    texts = [(one.title_type or "", clean.line(one.title)[: clean.MAX_TITLE]) for one in listed]
    main = next((text for kind, text in texts if not kind and text), "")
    subtitle = next((text for kind, text in texts if kind == "Subtitle" and text), "")
    whole = f"{main.rstrip(':')}: {subtitle}" if main and subtitle else main
    others = (text for kind, text in texts if kind != "Subtitle" and text and text != whole)
    return whole, tuple(dict.fromkeys(others))


def _venue(item: Attributes) -> str:
    held_in = clean.field(item.container.title) if item.container else ""
    publisher = item.publisher.name if isinstance(item.publisher, Named) else item.publisher
    return held_in or clean.field(publisher)


def _years(item: Attributes) -> tuple[int, ...]:
    dates = [one.date for one in item.dates or () if one.date_type in _YEARS]
    found = (clean.year(value) for value in (item.publication_year, *dates))
    return tuple(dict.fromkeys(year for year in found if year is not None))


def _published_as(item: Attributes) -> str | None:
    for one in item.related_identifiers or ():
        if one.relation_type in _PUBLISHED and one.related_identifier_type == "DOI":
            doi = identifiers.doi(clean.field(one.related_identifier))
            if doi and doi.partition("/")[0] != (item.doi or "").partition("/")[0]:
                return doi
    return None
