"""A live source of one's own: the catalogue of an invented library, asked by DOI and by title."""

from msgspec import Struct

from hallmark.records.reference import Kind
from hallmark.records.work import Version
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import Listed
from hallmark.sources.interface import Rate, Request, SourceSpec, Unavailable, Way
from hallmark.sources.near import search_text

SPEC = SourceSpec(
    name="mylibrary",
    title="My Library",
    base="https://catalogue.example",
    rate=Rate(2),
    ways=(Way.DOI, Way.TITLE),
    batch={"doi": 20},
    kinds=frozenset({Kind.PAPER, Kind.BOOK}),
    sends="DOIs; titles",
    homepage="https://catalogue.example/terms",
    covers="what my library holds",
)


class Record(Struct):
    """What is needed of a record; the service may send more."""

    title: str
    authors: list[str] = []
    doi: str | None = None
    year: int | None = None


class Answer(Struct):
    """What the service documents."""

    records: list[Record]


class MyLibrary:
    def __init__(self, spec=None):
        self.spec = spec or SPEC

    async def look_up(self, way, questions, ask):
        if way is Way.DOI:
            return await asking.by_identifier(
                questions,
                identify.doi,
                lambda dois: self.by_doi(dois, ask),
                way="doi",
                size=self.spec.batch["doi"],
            )
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self.search(question, ask))
        return asking.not_asked(questions)

    async def by_doi(self, dois, ask):
        versions = await self.records(("doi", ",".join(dois)), ask)
        if isinstance(versions, Unavailable):
            return versions
        return asking.held(versions, lambda version: version.doi)

    async def search(self, question, ask):
        versions = await self.records(("title", search_text(question.title)), ask)
        return versions if isinstance(versions, Unavailable) else Listed(versions)

    async def records(self, wanted, ask):
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/search", (wanted,)))
        answer = decode.json_as(Answer, reply)
        return answer if isinstance(answer, Unavailable) else [version(r) for r in answer.records]


def version(record):
    return Version(
        collection=SPEC.name,
        title=record.title,
        authors=tuple(record.authors),
        doi=record.doi and record.doi.lower(),
        year=record.year,
    )
