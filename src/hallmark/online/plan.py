"""Whom to ask about a reference, by what, and in which order?

Pure: what is asked depends on the reference and on what is known so far. Identifiers come first,
for many of them fit into one request; then titles, in waves of a few sources each, the likeliest
first, until the verdict can no longer change. What is settled is not asked.
"""

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from hallmark.records.answer import Absent, Registered
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Kind, Reference
from hallmark.records.source import Question
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.sources.interface import SourceSpec, Way
from hallmark.text.identifiers import arxiv_of_doi
from hallmark.text.venue_facts import VenueType, venues
from hallmark.text.venue_tracks import split
from hallmark.text.venues import VenueKind


class Step(Struct, frozen=True):
    """One source to ask, and by what."""

    source: str
    way: Way


class Need(Struct, frozen=True):
    """What is still to be learnt about a reference: of its identifiers, of its title."""

    identifiers: bool
    title: bool


NOTHING = Need(identifiers=False, title=False)
ALL = Need(identifiers=True, title=True)

_ARXIV_PREFIX = "10.48550/"
_BIOLOGY_PREFIXES = ("10.1101/", "10.64898/")
_BOOKS = frozenset({Kind.BOOK})
_PAPERS = frozenset({Kind.PAPER, Kind.PREPRINT, Kind.OTHER, Kind.CHAPTER})
_DATACITE = "datacite"


def need(reference: Reference, evidence: Evidence, verdict: Verdict) -> Need:
    """Return what is to be asked, given what the index (if there is one) has led to.

    A contradiction or an absence that the index proves is settled, and so is a confirmed entry
    but for a DOI that no record bears.
    """
    match verdict:
        case Contradicted() | NotFound():
            return NOTHING
        case Verified():
            return Need(identifiers=_open_doi(reference, evidence), title=False)
        case NotChecked():
            known = reference.doi is not None and not verdict.unreadable
            return Need(identifiers=known, title=False)
        case Unresolved():
            return Need(identifiers=True, title=bool(reference.title))


def _open_doi(reference: Reference, evidence: Evidence) -> bool:
    held = any(one.doi.agrees for work in evidence.works for one in work.versions)
    return reference.doi is not None and not held


def by_identifiers(reference: Reference, usable: Collection[str]) -> Iterator[Step]:
    """Yield the first questions about the identifiers, each to the registry likeliest to know."""
    steps = []
    doi = reference.doi or ""
    if reference.arxiv is not None or (doi and arxiv_of_doi(doi) is not None):
        steps.append(Step("arxiv", Way.ARXIV if reference.arxiv else Way.DOI))
    if doi.startswith(_BIOLOGY_PREFIXES):
        steps.append(Step("biorxiv", Way.DOI))
    if doi and not doi.startswith(_ARXIV_PREFIX):
        steps.append(Step("crossref", Way.DOI))
    if reference.pmid is not None:
        steps.append(Step("europepmc", Way.PMID))
    if reference.isbn is not None and reference.kind in _BOOKS:
        steps.append(Step("openlibrary", Way.ISBN))
    yield from (step for step in steps if step.source in usable)


def by_every_identifier(question: Question, specs: Iterable[SourceSpec]) -> Iterator[Step]:
    """Yield every question about identifiers that any source takes."""
    given = {
        Way.DOI: question.doi,
        Way.ARXIV: question.arxiv,
        Way.PMID: question.pmid,
        Way.ISBN: question.isbn,
    }
    for spec in specs:
        yield from (Step(spec.name, way) for way in spec.ways if given.get(way))


def by_every_title(question: Question, specs: Iterable[SourceSpec]) -> Iterator[Step]:
    """Yield the question about the title for every source that takes it."""
    if question.title:
        yield from (Step(spec.name, Way.TITLE) for spec in specs if Way.TITLE in spec.ways)


def by_resolver(
    reference: Reference, evidence: Evidence, usable: Collection[str]
) -> Iterator[Step]:
    """Yield the question whether the DOI exists, where its first registry has no record of it."""
    doi = reference.doi
    if doi is None or _record_of_doi(evidence) or "doi_org" not in usable:
        return
    if doi.startswith(_ARXIV_PREFIX) and "arxiv" in _asked(evidence):
        missing = any(
            one.source == "arxiv" and isinstance(one.answer, Absent) for one in evidence.answers
        )
        if not missing:
            return
    yield Step("doi_org", Way.DOI)


def by_agency(evidence: Evidence, usable: Collection[str]) -> Iterator[Step]:
    """Yield the question to DataCite, where the resolver says that it registered the DOI."""
    agencies = {
        one.answer.agency.lower() for one in evidence.answers if isinstance(one.answer, Registered)
    }
    if _DATACITE in agencies and _DATACITE in usable and not _record_of_doi(evidence):
        yield Step(_DATACITE, Way.DOI)


def _record_of_doi(evidence: Evidence) -> bool:
    return any(one.doi.agrees for work in evidence.works for one in work.versions)


def _asked(evidence: Evidence) -> set[str]:
    return {one.source for one in evidence.answers}


def title_waves(
    reference: Reference, evidence: Evidence, usable: Collection[str]
) -> tuple[tuple[Step, ...], ...]:
    """Return the sources to be asked for the title, in waves, the likeliest first.

    Which cover the work follows from its kind, and from the field of its venue: a venue of the
    curated table is one of computer science.
    """
    waves = [
        tuple(Step(name, Way.TITLE) for name in wave if name in usable)
        for wave in _waves(reference, evidence)
    ]
    return tuple(wave for wave in waves if wave)


def _waves(reference: Reference, evidence: Evidence) -> tuple[tuple[str, ...], ...]:
    if reference.kind in _BOOKS:
        return (("openlibrary",), ("crossref", "googlebooks"))
    if reference.kind is Kind.THESIS:
        return (("openalex",), ("semanticscholar",))
    if reference.kind not in _PAPERS:
        return (("crossref",), ("openalex",))
    if reference.kind is Kind.PREPRINT or evidence.venue.kind is VenueKind.PREPRINT:
        return (("arxiv",), ("semanticscholar", "openalex"), ("crossref", "dblp", "europepmc"))
    if evidence.venue.kind is VenueKind.VENUE and _is_computing(evidence):
        if _mints_dois(evidence):
            return (("crossref",), ("dblp", "openalex"), ("semanticscholar", "arxiv"))
        return (("dblp",), ("openreview", "openalex"), ("semanticscholar", "arxiv", "crossref"))
    return (("crossref",), ("openalex", "semanticscholar"), ("dblp", "europepmc", "arxiv"))


def _is_computing(evidence: Evidence) -> bool:
    """Whether the claimed venue is a meeting of computer science, all of which DBLP holds."""
    facts = [venues().get(split(venue_id)[0]) for venue_id in evidence.venue.ids]
    return bool(facts) and all(
        fact is not None and fact.type is VenueType.CONFERENCE for fact in facts
    )


def _mints_dois(evidence: Evidence) -> bool:
    """Whether papers of the claimed venue have DOIs of a publisher as a rule."""
    facts = [venues().get(split(venue_id)[0]) for venue_id in evidence.venue.ids]
    return all(fact is None or _WITHOUT_DOI not in fact.prefixes for fact in facts)


_WITHOUT_DOI = "-"
"""The mark of a venue whose papers also, or only, appear without a DOI."""

_COVERS_ALL = frozenset({"crossref", "openalex", "semanticscholar"})


def ought(
    reference: Reference, evidence: Evidence, waves: tuple[tuple[Step, ...], ...]
) -> tuple[str, ...]:
    """Return those of the sources asked by title that ought to have such a work.

    Sources of one field count only where the claimed venue is of that field; Crossref only where
    the venue's papers have DOIs.
    """
    planned = {step.source for wave in waves for step in wave}
    computing = evidence.venue.kind is VenueKind.VENUE and _is_computing(evidence)
    covering = set(_COVERS_ALL)
    if computing:
        covering.add("dblp")
        if not _mints_dois(evidence):
            covering.discard("crossref")
    if reference.kind is Kind.PREPRINT or evidence.venue.kind is VenueKind.PREPRINT:
        covering = {"arxiv", "openalex", "semanticscholar"}
    if reference.kind in _BOOKS:
        covering = {"openlibrary", "googlebooks", "crossref"}
    return tuple(sorted(covering & planned))
