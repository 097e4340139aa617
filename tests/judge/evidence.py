"""Small pieces of evidence for tests of the judge."""

from hallmark.records.answer import Absent, Answer, Found, SourceAnswer, VenueYear
from hallmark.records.evidence import (
    Compared,
    ComparedWork,
    Comparison,
    Evidence,
    Field,
    Nuance,
    Relation,
)
from hallmark.records.reference import Kind, Location, Reference
from hallmark.records.work import Quality, Version
from hallmark.text.names import PersonName
from hallmark.text.venues import VenueClaim, VenueKind

TODAY = "2026-12-02"


def reference(
    *,
    title: str = "A Robust Method for Sparse Estimation",
    year: int | None = 2021,
    venue: str = "ICML",
    doi: str | None = None,
    claimed_doi: str = "",
    kind: Kind = Kind.PAPER,
    authors: tuple[PersonName, ...] = (
        PersonName(given="Ada", family="Lovelace"),
        PersonName(given="Charles", family="Babbage"),
    ),
) -> Reference:
    """A reference that an index could hold."""
    return Reference(
        key="r",
        location=Location("refs.bib", 1),
        title=title,
        authors=authors,
        venue=venue,
        year=year,
        doi=doi,
        claimed_doi=claimed_doi,
        kind=kind,
    )


def comparison(
    field: Field,
    relation: str = "equal",
    *codes: str,
    weak: bool = False,
    claimed: str = "claimed",
    found: str = "found",
) -> Comparison:
    """A comparison with one nuance for each code; "matched:1/3" gives a share."""
    nuances = tuple(_nuance(code, claimed, found) for code in codes)
    return Comparison(field, Relation(relation), claimed, found, nuances, weak)


def _nuance(code: str, claimed: str, found: str) -> Nuance:
    name, _, share = code.partition(":")
    if share:
        one, _, other = share.partition("/")
        return Nuance(name, one, other)
    return Nuance(code, claimed, found)


def compared(
    *,
    title: Comparison | None = None,
    authors: Comparison | None = None,
    venue: Comparison | None = None,
    year: Comparison | None = None,
    doi: Comparison | None = None,
    collection: str = "dblp",
    venue_id: str | None = "icml",
    preprint: bool = False,
    quality: Quality = Quality.CURATED,
    record_doi: str | None = None,
    record_title: str = "A Robust Method for Sparse Estimation",
    retracted: bool = False,
) -> Compared:
    """A compared record; every field agrees unless it is given."""
    version = Version(
        collection=collection,
        title=record_title,
        authors=("Ada Lovelace", "Charles Babbage"),
        venue="ICML",
        venue_id=venue_id,
        preprint=preprint,
        year=2021,
        doi=record_doi,
        quality=quality,
        retracted=retracted,
    )
    return Compared(
        version=version,
        title=title or comparison(Field.TITLE),
        authors=authors or comparison(Field.AUTHORS),
        venue=venue or comparison(Field.VENUE),
        year=year or comparison(Field.YEAR),
        doi=doi or comparison(Field.DOI, "silent"),
        arxiv=comparison(Field.ARXIV, "silent"),
    )


def evidence(
    *works: tuple[Compared, ...],
    kind: VenueKind = VenueKind.VENUE,
    complete: bool | None = None,
    not_held: bool = False,
    facts: tuple[Nuance, ...] = (),
    answer: Answer | None = None,
) -> Evidence:
    """Evidence of one answering index; `complete` is None where it holds nothing of the venue."""
    ids = ("icml",) if kind is VenueKind.VENUE else ()
    row = VenueYear("icml", 2021, held=1183, complete=bool(complete), not_held=not_held)
    name = "Symposium on Imaginary Results" if kind is VenueKind.UNKNOWN else "ICML"
    versions = tuple(one.version for work in works for one in work)
    given = answer or (Found(versions, ("title",)) if versions else Absent(("title",)))
    return Evidence(
        answers=(SourceAnswer("index", given),),
        venue=VenueClaim(name, kind, ids),
        works=tuple(ComparedWork(work) for work in works),
        coverage=(row,) if complete is not None or not_held else (),
        doi_facts=facts,
        today=TODAY,
    )
