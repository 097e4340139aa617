"""May the entry cite a version of the work that no source holds?

Journals print conference papers again, longer and often with other authors, in another order, years
later, under the same title. Preprints come before the paper, often under another title and without
some of its authors. Where the cited version is not among the records, and the people are largely
the same, what differs from the records of another version contradicts nothing.
"""

from collections.abc import Iterable, Iterator

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.policy import Policy
from hallmark.judge.reading import HALF, Anchor, Reading, coverage_of, names_people
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference
from hallmark.records.work import Quality, Version
from hallmark.text.venues import VenueKind, VenueTable

ARXIV = "arxiv"

_OF_A_JOURNAL = frozenset(
    "HM204 HM206 HM401 HM402 HM403 HM404 HM406 HM501 HM505 HM601 HM602 HM703".split()
)
"""Codes of charges about what may differ between a conference paper and its journal version."""
_OF_A_PREPRINT = frozenset("HM204 HM206 HM301 HM303 HM401 HM402 HM403 HM404 HM406".split())
"""Codes of charges about what may differ between a paper and its preprint."""
_OF_A_MANUSCRIPT = _OF_A_PREPRINT | {"HM601", "HM602"}
"""The same for a manuscript, which is known by its earlier year alone."""


def spared(
    reference: Reference,
    evidence: Evidence,
    reading: Reading,
    charges: Iterable[Charge],
    policy: Policy,
) -> Iterator[Charge]:
    """Yield the charges that stand even if the entry cites a version that is not held."""
    if may_be_journal_version(reference, evidence, reading):
        yield from _without(charges, _OF_A_JOURNAL)
        yield charge(
            "HM508",
            f"The records hold the conference paper only; {evidence.venue.name} may hold a longer "
            "version, with other authors.",
            claimed=evidence.venue.name,
            sources=collections(reading.versions),
        )
        return
    manuscript = may_be_manuscript(reference, evidence, reading, policy)
    if not manuscript and not may_be_preprint(reference, evidence, reading, policy):
        yield from charges
        return
    told = tuple(charges)
    left = tuple(_without(told, _OF_A_MANUSCRIPT if manuscript else _OF_A_PREPRINT))
    yield from left
    if len(left) < len(told):
        yield charge(
            "HM509",
            "The records hold the published paper only; the preprint may have another title or "
            "other authors.",
            claimed=evidence.venue.name,
            sources=collections(reading.versions),
        )


def _without(charges: Iterable[Charge], codes: frozenset[str]) -> Iterator[Charge]:
    return (one for one in charges if one.finding.code not in codes)


def may_be_journal_version(reference: Reference, evidence: Evidence, reading: Reading) -> bool:
    """Whether the records are of a conference paper of largely the same people, and not later."""
    if reading.anchor is not Anchor.SAME:
        return False
    placed = [one for one in reading.versions if one.venue.conflicts]
    if not placed or not all(one.venue.has("journal-vs-conference") for one in placed):
        return False
    if any(one.venue.agrees and one.version.quality is Quality.CURATED for one in reading.versions):
        return False
    if any(one.doi.agrees for one in placed):
        return False  # the entry's own DOI is the conference paper's
    coverage = coverage_of(evidence, reference.year)
    if coverage is not None and coverage.complete:
        return False
    return any(_shared(one) and _not_later(reference, one) for one in placed)


def may_be_preprint(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> bool:
    """Whether a preprint is cited, and only the publication of largely the same people is held."""
    if not cites_preprint(reference, evidence):
        return False
    if any(_is_of_server(reference, evidence, one.version) for one in reading.versions):
        return False
    return _is_of_the_people(reading, policy)


def may_be_manuscript(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> bool:
    """Whether no venue is named, and the year lies shortly before all publications of the people.

    The entry's own DOI would be the publication's.
    """
    if evidence.venue.kind is not VenueKind.MISSING or reference.year is None:
        return False
    if any(one.version.preprint or one.doi.agrees for one in reading.versions):
        return False
    years = [year for one in reading.versions for year in one.version.known_years]
    early = bool(years) and 0 < min(years) - reference.year <= policy.preprint_venue_span
    return early and _is_of_the_people(reading, policy)


def _is_of_the_people(reading: Reading, policy: Policy) -> bool:
    """Whether the records are of a work of largely the claimed people, by whatever title."""
    match reading.anchor:
        case Anchor.SAME:
            return any(_kept_share(one) >= policy.preprint_people for one in reading.versions)
        case Anchor.NEAR:
            return policy.preprint_people <= 1.0 and any(map(names_people, reading.versions))
        case Anchor.IDENTIFIER | Anchor.NONE:
            return False


def _is_of_server(reference: Reference, evidence: Evidence, version: Version) -> bool:
    """Whether a record is a preprint on the server that the entry means: each has its own list."""
    if not version.preprint:
        return False
    if reference.arxiv is not None:
        return version.venue_id == ARXIV
    meant, preprint = VenueTable.curated().identity(evidence.venue.name, "")
    return not preprint or version.venue_id == meant


def cites_preprint(reference: Reference, evidence: Evidence) -> bool:
    """Whether the entry names a preprint server and no other venue."""
    return evidence.venue.kind is VenueKind.PREPRINT or (
        evidence.venue.kind is VenueKind.MISSING and reference.arxiv is not None
    )


def _kept_share(one: Compared) -> float:
    """Return the share of the longer of the two lists that both have, in [0, 1]."""
    if one.authors.agrees:
        return 1.0
    for nuance in one.authors.nuances:
        if nuance.code == "matched":
            longer = max(int(nuance.found or 0), len(one.version.authors))
            return int(nuance.claimed or 0) / longer if longer else 0.0
    return 0.0


def _shared(one: Compared) -> bool:
    """Whether the conference paper's authors are all named, in whatever order, with few others.

    Journal versions add people, and order them anew; they leave nobody out.
    """
    if one.authors.agrees:
        return True
    if any(map(one.authors.has, ("missing-author", "given-name-substitution"))):
        return False
    return one.authors.matched_share >= HALF or _names_everyone(one)


def _names_everyone(one: Compared) -> bool:
    """Whether the claim names all of the record's authors, as it does of a student's abstract."""
    held = len(one.version.authors)
    return any(
        nuance.code == "matched" and int(nuance.claimed or 0) == held
        for nuance in one.authors.nuances
    )


def _not_later(reference: Reference, one: Compared) -> bool:
    years = one.version.known_years
    return reference.year is None or not years or min(years) <= reference.year
