"""How is Crossref asked, and how are its records read?

REST API as documented at https://api.crossref.org and in its "REST API JSON format". The years are
those of print, online, issue, posting and the meeting; never of the deposit.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from msgspec import Raw, Struct, field

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.sources import asking, decode, identify, people, venues
from hallmark.sources.asking import Held, Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, VenueAnswer, Way
from hallmark.sources.near import search_text, surname
from hallmark.sources.notices import notice, retracts
from hallmark.text import clean, identifiers, titles

SPEC = SourceSpec(
    name="crossref",
    title="Crossref",
    base="https://api.crossref.org",
    rate=Rate(1),
    contact_rate=Rate(3, connections=3),
    ways=(Way.DOI, Way.TITLE),
    batch={"doi": 100},
    kinds=frozenset({Kind.PAPER, Kind.BOOK, Kind.CHAPTER, Kind.PREPRINT, Kind.REPORT}),
    contact_param="mailto",
    registry_of=("Crossref",),
    sends="DOIs; titles with the first author's family name",
    homepage="https://www.crossref.org/documentation/retrieve-metadata/rest-api/",
    covers="works of the publishers that register DOIs with it, in all fields; no arXiv DOIs, and "
    "few papers of ICLR, NeurIPS and ICML",
    quirks=(
        "Titles hold JATS, MathML and entities, or are lists; the subtitle apart is joined.",
        "A DOI with a comma would end the filter; it is asked for alone.",
        "Curran's proceedings (10.52202) list authors by the alphabet: their order proves nothing.",
        "Given and family name change places where the family name is only initials.",
        "Retractions stand in `updated-by`, or in `update-to` of a record that replaced its work.",
        "A body `Resource not found.` also comes with status 200; it is no answer.",
    ),
    facts_as_of="2026-12",
)

NO_WORKS = frozenset(
    "component grant journal journal-issue journal-volume peer-review book-series book-set "
    "proceedings-series report-series report-component database sa-component".split()
)
"""Types of records that are no citable works; a DOI may name one, a title never means one."""
UNORDERED_PREFIX = "10.52202/"
ROWS = 5
_FIELDS = (
    "DOI,type,title,subtitle,original-title,author,editor,container-title,short-container-title,"
    "event,publisher,issued,published,published-print,published-online,posted,"
    "relation,update-to,updated-by,URL"
)
_SPECIAL = frozenset(",")


class Person(Struct, rename="kebab"):
    """A contributor: a person in parts, or a group by its name."""

    given: str | None = None
    family: str | None = None
    suffix: str | None = None
    name: str | None = None


class PartialDate(Struct, rename="kebab"):
    """A date of which the year, and perhaps month and day, are known."""

    date_parts: list[list[int | str | None] | None] | None = None


class Update(Struct, rename="kebab"):
    """A notice about this work, or the work that this notice is about."""

    DOI: str | None = field(default=None, name="DOI")
    type: str | None = None
    source: str | None = None
    updated: PartialDate | None = None


class Related(Struct, rename="kebab"):
    """The other end of a relation."""

    id_type: str | None = None
    id: str | None = None


class Relations(Struct, rename="kebab"):
    """The relations that matter: from a preprint to what was published."""

    is_preprint_of: list[Related] | Related | None = None


class Named(Struct):
    """Anything with a name, and a beginning: an event, an institution."""

    name: str | None = None
    start: PartialDate | None = None


Texts = list[str | None] | str | None


class Record(Struct, rename="kebab"):
    """One work, as far as it is needed."""

    DOI: str = field(name="DOI")
    type: str | None = None
    title: Texts = None
    subtitle: Texts = None
    original_title: Texts = None
    author: list[Person] | None = None
    editor: list[Person] | None = None
    container_title: Texts = None
    short_container_title: Texts = None
    event: Named | None = None
    institution: list[Named] | Named | None = None
    publisher: str | None = None
    issued: PartialDate | None = None
    published: PartialDate | None = None
    published_print: PartialDate | None = None
    published_online: PartialDate | None = None
    posted: PartialDate | None = None
    relation: Relations | None = None
    update_to: list[Update] | None = None
    updated_by: list[Update] | None = None
    URL: str | None = field(default=None, name="URL")


class _List(Struct, rename="kebab"):
    items: list[Raw]
    total_results: int | None = None


class _ListReply(Struct):
    message: _List


class _WorkReply(Struct):
    message: Raw


class _Journal(Struct, rename="kebab"):
    title: str | None = None
    ISSN: list[str] | None = field(default=None, name="ISSN")


class _Journals(Struct):
    items: list[_Journal]


class _JournalsReply(Struct):
    message: _Journals


class Crossref:
    """Crossref, asked by DOI in batches and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.DOI:
            return await asking.by_identifier(
                questions,
                identify.doi,
                lambda dois: self._by_doi(dois, ask),
                way="doi",
                size=self.spec.batch["doi"],
                alone=lambda doi: bool(_SPECIAL & set(doi)),
            )
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self.search(question, ask))
        return asking.not_asked(questions)

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        """Tell whether Crossref knows a journal of this name."""
        params = (("query", search_text(name)), ("rows", "10"))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/journals", params))
        found = decode.json_as(_JournalsReply, reply)
        if isinstance(found, Unavailable):
            return found
        offered = [
            venues.Offered((one.title or "",), tuple(f"issn:{issn}" for issn in one.ISSN or ()))
            for one in found.message.items
        ]
        return venues.judged(name, offered)

    async def _by_doi(self, dois: Sequence[str], ask: Ask) -> Held | Unavailable:
        if len(dois) == 1 and _SPECIAL & set(dois[0]):
            return await self._alone(dois[0], ask)
        wanted = ",".join(f"doi:{doi}" for doi in dois)
        found = await self._list(("filter", wanted), len(dois), ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        return asking.held(map(version, records), lambda one: one.doi, unread)

    async def _alone(self, doi: str, ask: Ask) -> Held | Unavailable:
        url = f"{self.spec.base}/works/{quote(doi, safe='')}"
        reply = await ask(Request(self.spec.name, url))
        if decode.is_missing(reply):
            return Held()
        found = decode.json_as(_WorkReply, reply)
        if isinstance(found, Unavailable):
            return found
        record = decode.parsed(Record, bytes(found.message))
        return record if isinstance(record, Unavailable) else Held({doi: [version(record)]})

    async def search(self, question: Question, ask: Ask, rows: int = ROWS) -> Listed | Unavailable:
        """Search by title and first surname, which rank; neither is demanded."""
        words = f"{search_text(question.title)} {surname(question.authors)}".strip()
        found = await self._list(("query.bibliographic", words), rows, ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        works = [version(one) for one in records if one.type not in NO_WORKS]
        return Listed(works, unread)

    async def _list(
        self, wanted: tuple[str, str], rows: int, ask: Ask
    ) -> tuple[list[Record], str] | Unavailable:
        params = (wanted, ("rows", str(rows)), ("select", _FIELDS))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/works", params))
        found = decode.json_as(_ListReply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.message.total_results and not found.message.items:
            return Unavailable(asking.EMPTY)
        return decode.each_as(Record, found.message.items)


def version(record: Record) -> Version:
    """Return the version that a record describes."""
    doi = identifiers.doi(record.DOI)
    authors, cut = _people(record.author)
    years = _years(record)
    kind = _kind(record, doi)
    venue = _first(record.container_title) or _name(record.event) or _server(record)
    notices = _notices(record, doi)
    return Version(
        collection=SPEC.name,
        title=_title(record),
        authors=authors,
        origin=clean.field(record.DOI),
        authors_truncated=cut,
        authors_ordered=doi is None or not doi.startswith(UNORDERED_PREFIX),
        editors=_people(record.editor)[0],
        title_others=_other_titles(record),
        venue=_first(record.short_container_title) or venue,
        venue_raw=venue,
        preprint=record.type == "posted-content",
        year=years[0] if years else None,
        years=years[1:],
        doi=doi,
        arxiv=identifiers.arxiv_of_doi(doi) if doi else None,
        url=clean.field(record.URL),
        kind=kind,
        retracted=retracts(notices),
        notices=notices,
        published_as=_published_as(record),
    )


def _kind(record: Record, doi: str | None) -> str:
    """Return the type of the record; that of a notice about another work is "retraction-notice"."""
    others = [one for one in record.update_to or () if _doi(one) != doi]
    told = tuple(found for one in others if (found := _notice(one)) is not None)
    return "retraction-notice" if retracts(told) else clean.field(record.type)


def _people(persons: list[Person] | None) -> tuple[tuple[str, ...], bool]:
    return clean.people([one.name or _person(one) for one in persons or ()])


def _person(person: Person) -> str:
    return people.in_order(person.given, person.family, person.suffix)


def _texts(value: Texts) -> list[str]:
    listed = [value] if isinstance(value, str) else value or []
    return [line for text in listed if (line := clean.line(text)[: clean.MAX_TITLE])]


def _first(value: Texts) -> str:
    return next(iter(_texts(value)), "")


def _title(record: Record) -> str:
    """Return title and subtitle as one, unless the title says the subtitle already."""
    title, subtitle = _first(record.title), _first(record.subtitle)
    if not subtitle or titles.key(subtitle) in titles.key(title):
        return title
    return f"{title.rstrip(':')}: {subtitle}"


def _other_titles(record: Record) -> tuple[str, ...]:
    """Return the title without its subtitle, further titles and that of the original language."""
    whole = _title(record)
    others = (*_texts(record.title), *_texts(record.original_title))
    return tuple(dict.fromkeys(one for one in others if one != whole))


def _name(named: Named | None) -> str:
    return clean.field(named.name) if named else ""


def _server(record: Record) -> str:
    """Return the preprint server that posted the work, else its publisher.

    Lists cannot be asked for the server (`institution` is none of the fields that `select` knows).
    """
    if record.type != "posted-content":
        return ""
    listed = record.institution if isinstance(record.institution, list) else [record.institution]
    names = [name for one in listed if (name := _name(one))]
    return names[0] if names else clean.field(record.publisher)


def _years(record: Record) -> tuple[int, ...]:
    dates = (
        record.issued,
        record.published,
        record.published_print,
        record.published_online,
        record.posted,
        record.event.start if record.event else None,
    )
    return tuple(dict.fromkeys(year for date in dates if (year := _year(date)) is not None))


def _year(date: PartialDate | None) -> int | None:
    parts = _parts(date)
    return clean.year(parts[0]) if parts else None


def _parts(date: PartialDate | None) -> list[Any]:
    listed = date.date_parts if date else None
    return (listed[0] or []) if listed else []


def _notices(record: Record, doi: str | None) -> tuple[Notice, ...]:
    """Return the notices about this work; a record may also be the notice about itself."""
    itself = [one for one in record.update_to or () if doi and _doi(one) == doi]
    found = (_notice(one) for one in (*(record.updated_by or ()), *itself))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _notice(update: Update) -> Notice | None:
    date = "-".join(str(part).zfill(2) for part in _parts(update.updated)[:3] if part)
    source = clean.field(update.source)
    told_by = source if source not in {"", "publisher"} else SPEC.name
    return notice(clean.field(update.type), told_by, date=date, doi=_doi(update))


def _doi(update: Update) -> str | None:
    return identifiers.doi(clean.field(update.DOI))


def _published_as(record: Record) -> str | None:
    related = record.relation.is_preprint_of if record.relation else None
    listed = related if isinstance(related, list) else [related]
    dois = (identifiers.doi(clean.field(one.id)) for one in listed if one and one.id_type == "doi")
    return next((doi for doi in dois if doi), None)
