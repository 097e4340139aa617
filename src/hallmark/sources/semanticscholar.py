"""How is Semantic Scholar asked, and how are its papers read?

Academic Graph API as documented at https://api.semanticscholar.org/api-docs/graph. Its papers are
merged by machine from many copies, wrong ones too, and its authors are profiles under one name
form; so they are EXTRACTED: they confirm, and never reject a list of authors alone.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct, field

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Quality, Version, on_arxiv
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import Held, Identify, Listed
from hallmark.sources.interface import Ask, Rate, Reply, Request, SourceSpec, Way
from hallmark.sources.near import search_text
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="semanticscholar",
    title="Semantic Scholar",
    base="https://api.semanticscholar.org",
    rate=Rate(1, per_s=3.0),
    keyed_rate=Rate(1),
    ways=(Way.DOI, Way.ARXIV, Way.PMID, Way.TITLE),
    batch={"doi": 500, "arxiv": 500, "pmid": 500},
    kinds=frozenset({Kind.PAPER, Kind.PREPRINT, Kind.BOOK, Kind.CHAPTER}),
    key_variable="SEMANTIC_SCHOLAR_API_KEY",
    key_header="x-api-key",
    sends="DOIs, arXiv and PubMed ids; titles",
    homepage="https://api.semanticscholar.org/api-docs/graph",
    covers="papers of all fields, merged from publishers, arXiv, PubMed, DBLP and the web",
    quirks=(
        "Callers without a key share one pool, which often answers 429.",
        "Papers are merged by machine: some join two works; names are profiles, often initials.",
        "A title without a match is answered with status 404 and `Title match not found`.",
        "A list answer has a null for every identifier that it does not know.",
        "Its venue is a normalised one; the journal's name stands beside it.",
    ),
    facts_as_of="2026-12",
)

_FIELDS = "title,authors,year,venue,publicationVenue,journal,externalIds,publicationTypes,url"
LONGEST_BODY = 500_000
"""Characters of the identifiers in one POST: far more than 500 honest ones take."""
_NO_MATCH = "title match not found"


class Author(Struct):
    """A person's profile."""

    name: str | None = None


class Named(Struct):
    """A journal or venue."""

    name: str | None = None
    type: str | None = None


class Ids(Struct):
    """Identifiers elsewhere."""

    DOI: str | None = field(default=None, name="DOI")
    ArXiv: str | None = field(default=None, name="ArXiv")
    DBLP: str | None = field(default=None, name="DBLP")


class Record(Struct, rename="camel"):
    """One paper, as far as it is needed."""

    paper_id: str
    title: str | None = None
    authors: list[Author] | None = None
    year: int | None = None
    venue: str | None = None
    publication_venue: Named | None = None
    journal: Named | None = None
    external_ids: Ids | None = None
    publication_types: list[str] | None = None
    url: str | None = None


class _Matches(Struct):
    data: list[Raw]


class _Failure(Struct):
    error: str | None = None


class SemanticScholar:
    """Semantic Scholar, asked by identifiers in batches and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self._match(question, ask))
        if way not in _IDENTIFIED:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions,
            _IDENTIFIED[way],
            lambda ids: self._batch(ids, ask),
            way=way.value,
            size=self.spec.batch[way.value],
            longest=LONGEST_BODY,
        )

    async def _batch(self, ids: Sequence[str], ask: Ask) -> Held | Unavailable:
        url = f"{self.spec.base}/graph/v1/paper/batch"
        body = msgspec.json.encode({"ids": ids})
        reply = await ask(Request(self.spec.name, url, (("fields", _FIELDS),), body))
        found = decode.json_as(list[Raw], reply)
        if isinstance(found, Unavailable):
            return found
        if len(found) != len(ids):
            return Unavailable(f"It answered {len(ids)} questions with {len(found)} records.")
        return _held(ids, found)

    async def _match(self, question: Question, ask: Ask) -> Listed | Unavailable:
        url = f"{self.spec.base}/graph/v1/paper/search/match"
        params = (("query", search_text(question.title)), ("fields", _FIELDS))
        reply = await ask(Request(self.spec.name, url, params))
        if _is_no_match(reply):
            return Listed()
        found = decode.json_as(_Matches, reply)
        if isinstance(found, Unavailable):
            return found
        records, unread = decode.each_as(Record, found.data)
        return Listed([version for one in records for version in versions(one)], unread)


def _held(ids: Sequence[str], found: Sequence[Raw]) -> Held:
    """Return the papers by the identifiers asked for; their places tell which is which."""
    held: dict[str, list[Version]] = {}
    failed: dict[str, str] = {}
    for asked, raw in zip(ids, found, strict=True):
        if bytes(raw) == b"null":
            continue
        record = decode.parsed(Record, bytes(raw))
        if isinstance(record, Unavailable):
            failed[asked] = record.reason
        else:
            held[asked] = versions(record)
    return Held(held, failed)


def _is_no_match(reply: Reply | Unavailable) -> bool:
    """Whether the service says that no paper has the title; any other 404 is a failure."""
    if not isinstance(reply, Reply) or reply.status != decode.NOT_FOUND:
        return False
    told = decode.parsed(_Failure, reply.body)
    return isinstance(told, _Failure) and clean.field(told.error).lower() == _NO_MATCH


def _marked(mark: str, identifier: str | None) -> str | None:
    return f"{mark}:{identifier}" if identifier else None


_IDENTIFIED: dict[Way, Identify] = {
    Way.DOI: lambda question: _marked("DOI", identify.doi(question)),
    Way.ARXIV: lambda question: _marked("ARXIV", identify.arxiv(question)),
    Way.PMID: lambda question: _marked("PMID", identify.pmid(question)),
}


def versions(record: Record) -> list[Version]:
    """Return the versions that a paper merges: what was published, and its preprint on arXiv."""
    ids = record.external_ids or Ids()
    found = identifiers.arxiv(clean.field(ids.ArXiv))
    arxiv = found.id if found else None
    main = _version(record, ids)
    if arxiv is None or main.preprint:
        return [msgspec.structs.replace(main, arxiv=arxiv)]
    return [main, on_arxiv(main, arxiv)]


def _version(record: Record, ids: Ids) -> Version:
    authors, cut = clean.people([one.name for one in record.authors or ()])
    venue = _venue(record)
    doi = identifiers.doi(clean.field(ids.DOI))
    on_arxiv = venue.lower() in {"arxiv.org", "arxiv"} or _is_arxiv(doi)
    return Version(
        collection=SPEC.name,
        title=clean.line(record.title)[: clean.MAX_TITLE],
        authors=authors,
        origin=clean.field(record.paper_id),
        authors_truncated=cut,
        quality=Quality.EXTRACTED,
        venue=venue,
        venue_raw=clean.field(record.journal.name) if record.journal else venue,
        preprint=on_arxiv or (not venue and bool(ids.ArXiv)),
        year=clean.year(record.year),
        doi=doi,
        dblp=clean.field(ids.DBLP) or None,
        url=clean.field(record.url),
        kind=", ".join(record.publication_types or ()).lower()[: clean.MAX_FIELD],
    )


def _is_arxiv(doi: str | None) -> bool:
    return doi is not None and identifiers.arxiv_of_doi(doi) is not None


def _venue(record: Record) -> str:
    named = record.publication_venue.name if record.publication_venue else ""
    return clean.field(record.venue) or clean.field(named)
