"""Live sources that answer from records in memory, without a network."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from hallmark.records.answer import RESOLVER, Absent, Answer, Found, Registered, Unavailable
from hallmark.records.reference import Location, Reference
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import specs
from hallmark.sources.interface import (
    Ask,
    KnownVenue,
    Reply,
    Request,
    SourceSpec,
    UnknownVenue,
    VenueAnswer,
    Way,
)
from hallmark.text import titles
from hallmark.text.names import split_authors


def version(**changed: object) -> Version:
    """A record of one paper; any field can be changed."""
    made = Version(
        collection="crossref",
        title="A Robust Method for Sparse Estimation of Graphs",
        authors=("Ada Lovelace", "Charles Babbage"),
        venue="Journal of Imaginary Results",
        venue_raw="Journal of Imaginary Results",
        year=2019,
        doi="10.1145/1234567.1234568",
    )
    return structs.replace(made, **changed)


def reference(key: str = "r", **changed: object) -> Reference:
    """A reference to that paper; any field can be changed."""
    made = Reference(
        key=key,
        location=Location("refs.bib", 1),
        title="A Robust Method for Sparse Estimation of Graphs",
        authors=split_authors("Ada Lovelace and Charles Babbage")[0],
        venue="Journal of Imaginary Results",
        year=2019,
    )
    return structs.replace(made, **changed)


@dataclass
class Scripted:
    """A source that holds some records; `down` makes it fail, `asked` counts its questions."""

    spec: SourceSpec
    records: Sequence[Version] = ()
    registered: Mapping[str, str] = field(default_factory=dict)
    venues: Sequence[str] = ()
    down: bool = False
    wrong: bool = False
    delay_s: float = 0.0
    asked: list[tuple[Way, str]] = field(default_factory=list)

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer from the records."""
        await asyncio.sleep(self.delay_s)
        if self.wrong:
            raise RuntimeError("a fault of the source")
        self.asked += [(way, question.title) for question in questions]
        return [self._answer(way, question) for question in questions]

    def _answer(self, way: Way, question: Question) -> Answer:
        if self.down:
            return Unavailable("It is down.")
        if self.spec.name == "doi_org":
            return self._resolved(question)
        found = tuple(
            structs.replace(one, collection=self.spec.name)
            for one in self.records
            if _meant(way, question, one)
        )
        return Found(found, (way.value,)) if found else Absent((way.value,))

    def _resolved(self, question: Question) -> Answer:
        if question.doi in self.registered:
            return Registered(self.registered[question.doi or ""])
        return Absent((RESOLVER,))

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        """Tell whether the venue is known."""
        if self.down:
            return Unavailable("It is down.")
        return KnownVenue((name,)) if name in self.venues else UnknownVenue()


def _meant(way: Way, question: Question, one: Version) -> bool:
    match way:
        case Way.DOI:
            return one.doi is not None and one.doi == question.doi
        case Way.ARXIV:
            return one.arxiv is not None and one.arxiv == question.arxiv
        case Way.TITLE:
            return titles.key(one.title) == titles.key(question.title)
        case Way.PMID | Way.ISBN:
            return False


EVERY = tuple(each for each, _ in specs.SOURCES.items())


def world(
    records: Sequence[Version] = (),
    *,
    names: Sequence[str] = EVERY,
    registered: Mapping[str, str] | None = None,
) -> dict[str, Scripted]:
    """Return all sources, each of which holds all records."""
    known = {one.doi: "Crossref" for one in records if one.doi} | dict(registered or {})
    return {
        name: Scripted(specs.SOURCES.get(name)(None).spec, records, registered=known)
        for name in names
    }


async def refuse(request: Request) -> Reply | Unavailable:
    """No network: a scripted source never asks."""
    raise AssertionError(f"asked {request.url}")
