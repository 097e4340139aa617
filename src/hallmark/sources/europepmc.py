"""How is Europe PMC asked, and how are its records read?

RESTful web service as documented at https://europepmc.org/RestfulWebService (search, result type
"core").
"""

from collections.abc import Sequence

from msgspec import Raw, Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.sources import asking, decode, identify, people
from hallmark.sources.asking import Held, Identify, Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.sources.near import groups
from hallmark.sources.notices import notice, retracts
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="europepmc",
    title="Europe PMC",
    base="https://www.ebi.ac.uk/europepmc/webservices/rest",
    rate=Rate(5, connections=2),
    ways=(Way.DOI, Way.PMID, Way.TITLE),
    batch={"doi": 50, "pmid": 100},
    kinds=frozenset({Kind.PAPER, Kind.PREPRINT}),
    fields=("medicine", "biology"),
    contact_param="email",
    sends="DOIs and PubMed ids; words of titles",
    homepage="https://europepmc.org/RestfulWebService",
    covers="PubMed, PubMed Central, and preprints of the life sciences",
    quirks=(
        "Names are `Surname AB`; given names are taken where they stand beside, else initials.",
        "A group is an author with a collective name.",
        "Titles end with a full stop, which is taken off.",
        "Retractions, concerns and corrections stand in the list of comments on a record.",
        "A preprint names the article that it became, and the article its preprint.",
    ),
    facts_as_of="2026-12",
)

ROWS = 10
_RETRACTED = "retracted publication"
_PUBLISHED = "preprint of"
_PREPRINTS = "PPR"


class Author(Struct, rename="camel"):
    """A person, or a group by its collective name."""

    full_name: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    initials: str | None = None
    collective_name: str | None = None


class Authors(Struct):
    """The people of a record."""

    author: list[Author] | None = None


class Journal(Struct):
    """A journal by its name and its abbreviation."""

    title: str | None = None
    isoabbreviation: str | None = None


class JournalInfo(Struct, rename="camel"):
    """The issue in which a record stands."""

    journal: Journal | None = None
    year_of_publication: int | str | None = None
    print_publication_date: str | None = None


class Book(Struct):
    """The book, report or preprint server in which a record stands."""

    publisher: str | None = None


class Comment(Struct):
    """Another record that is about this one, or the reverse."""

    id: str | None = None
    source: str | None = None
    type: str | None = None
    reference: str | None = None
    doi: str | None = None


class Comments(Struct, rename="camel"):
    """All such records."""

    comment_correction: list[Comment] | None = None


class PubTypes(Struct, rename="camel"):
    """The kinds of publication that a record is said to be."""

    pub_type: list[str] | str | None = None


class Record(Struct, rename="camel"):
    """One record, as far as it is needed."""

    id: str | None = None
    source: str | None = None
    pmid: str | None = None
    doi: str | None = None
    title: str | None = None
    author_list: Authors | None = None
    journal_info: JournalInfo | None = None
    book_or_report_details: Book | None = None
    pub_year: str | int | None = None
    electronic_publication_date: str | None = None
    first_publication_date: str | None = None
    pub_type_list: PubTypes | None = None
    comment_correction_list: Comments | None = None


class _Results(Struct):
    result: list[Raw]


class _Reply(Struct, rename="camel"):
    hit_count: int
    result_list: _Results


class EuropePmc:
    """Europe PMC, asked by DOI and PubMed id in batches, and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self._search(question, ask))
        if way not in _IDENTIFIED:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions,
            _IDENTIFIED[way],
            lambda wanted: self._by_identifier(way, wanted, ask),
            way=way.value,
            size=self.spec.batch[way.value],
        )

    async def _by_identifier(self, way: Way, wanted: Sequence[str], ask: Ask) -> Held | Unavailable:
        if way is Way.DOI:
            query = " OR ".join(f'DOI:"{_escaped(doi)}"' for doi in wanted)
        else:
            query = " OR ".join(f"(EXT_ID:{pmid} AND SRC:MED)" for pmid in wanted)
        found = await self._records(query, 2 * len(wanted), ask)
        if isinstance(found, Unavailable):
            return found
        records, unread = found
        held: dict[str, list[Version]] = {}
        for record in records:
            key = clean.field(record.pmid) if way is Way.PMID else _doi(record)
            if key:
                held.setdefault(key, []).append(version(record))
            else:
                unread = unread or asking.NAMELESS
        return Held(held, unread=unread)

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
            ("resultType", "core"),
            ("format", "json"),
            ("pageSize", str(rows)),
        )
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/search", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.hit_count and not found.result_list.result:
            return Unavailable(asking.EMPTY)
        return decode.each_as(Record, found.result_list.result)


_IDENTIFIED: dict[Way, Identify] = {
    Way.DOI: identify.doi,
    Way.PMID: identify.pmid,
}


def _demanded(words: Sequence[str]) -> str:
    return "TITLE:(" + " AND ".join(f'"{word}"' for word in words) + ")"


def _escaped(doi: str) -> str:
    return doi.replace("\\", "\\\\").replace('"', '\\"')


def _doi(record: Record) -> str | None:
    return identifiers.doi(clean.field(record.doi))


def version(record: Record) -> Version:
    """Return the version that a record describes."""
    listed = record.author_list.author if record.author_list else None
    authors, cut = clean.people([_author(one) for one in listed or ()])
    years = _years(record)
    kinds = _kinds(record)
    notices = _notices(record)
    name, short = _venue(record)
    return Version(
        collection=SPEC.name,
        title=_title(record.title),
        authors=authors,
        origin=clean.field(f"{record.source or ''}:{record.id or ''}"),
        authors_truncated=cut,
        venue=short or name,
        venue_raw=name,
        preprint=record.source == _PREPRINTS,
        year=years[0] if years else None,
        years=years[1:],
        doi=_doi(record),
        url=_address(record),
        kind=", ".join(kinds)[: clean.MAX_FIELD],
        retracted=_RETRACTED in kinds or retracts(notices),
        notices=notices,
        published_as=_published_as(record),
    )


def _author(author: Author) -> str:
    """Return a group's name, or a person's with the given names, else the initials, in front."""
    if group := clean.field(author.collective_name):
        return group
    given = clean.field(author.first_name) or people.spaced(author.initials)
    if not author.last_name:
        return people.surname_first(clean.field(author.full_name))
    return people.in_order(given, author.last_name)


def _title(text: str | None) -> str:
    line = clean.line(text)[: clean.MAX_TITLE]
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line


def _venue(record: Record) -> tuple[str, str]:
    """Return the journal's name and its abbreviation, else the preprint server or publisher."""
    journal = record.journal_info.journal if record.journal_info else None
    if journal is not None:
        return clean.field(journal.title), clean.field(journal.isoabbreviation)
    book = record.book_or_report_details
    return (clean.field(book.publisher) if book else ""), ""


def _years(record: Record) -> tuple[int, ...]:
    """Return the years of the issue, of print and online; never that of the entry's making."""
    issue = record.journal_info or JournalInfo()
    dates = (
        record.pub_year,
        issue.year_of_publication,
        issue.print_publication_date,
        record.electronic_publication_date,
        record.first_publication_date,
    )
    found = (clean.year(date) for date in dates)
    return tuple(dict.fromkeys(year for year in found if year is not None))


def _kinds(record: Record) -> list[str]:
    listed = record.pub_type_list.pub_type if record.pub_type_list else None
    texts = [listed] if isinstance(listed, str) else listed or []
    return [clean.field(one).lower() for one in texts]


def _comments(record: Record) -> list[Comment]:
    listed = record.comment_correction_list
    return (listed.comment_correction if listed else None) or []


def _notices(record: Record) -> tuple[Notice, ...]:
    found = (
        notice(
            clean.field(one.type),
            SPEC.name,
            date=str(clean.year(clean.field(one.reference)) or ""),
            doi=identifiers.doi(clean.field(one.doi or one.reference)),
        )
        for one in _comments(record)
    )
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _published_as(record: Record) -> str | None:
    for one in _comments(record):
        if clean.field(one.type).lower() == _PUBLISHED:
            return identifiers.doi(clean.field(one.doi or one.reference))
    return None


def _address(record: Record) -> str:
    if not record.source or not record.id:
        return ""
    return clean.field(f"https://europepmc.org/article/{record.source}/{record.id}")
