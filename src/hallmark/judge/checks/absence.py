"""What does it mean that no record was found?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, any_source_failed, coverage_of
from hallmark.records.answer import Absent, Registered, VenueYear
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Kind, Reference
from hallmark.text.venue_dois import doi_parts
from hallmark.text.venue_tracks import split

_LISTED_KINDS = frozenset({Kind.PAPER, Kind.PREPRINT, Kind.OTHER})
"""Kinds that the lists of venues hold; absence says nothing about any other."""


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield what the absence of the work means."""
    if reading.anchor is not Anchor.NONE:
        return
    coverage = coverage_of(evidence, reference.year)
    name = evidence.venue.name
    if coverage is not None and reference.kind in _LISTED_KINDS and policy.absent_from_complete:
        if coverage.not_held:
            sentence = f"{name} had no edition in {reference.year}."
            yield charge("HM504", sentence, claimed=f"{name} {reference.year}")
            return
        if coverage.complete:
            yield charge(
                "HM701",
                f"The complete list of {name} {reference.year} ({coverage.held} works) lacks it.",
                claimed=reference.title,
                sources=coverage.sources,
                weak=_may_be_unlisted(reference, coverage),
            )
            return
    for nuance in evidence.doi_facts:
        if nuance.code in {"doi-venue-differs", "doi-year-differs", "doi-track-differs"}:
            sentence = f"The DOI is one of {nuance.found}, the entry says {nuance.claimed}."
            yield charge("HM206", sentence, claimed=reference.doi or "", weak=True)
    yield _unfound(reference, evidence, policy)


def _unfound(reference: Reference, evidence: Evidence, policy: Policy) -> Charge:
    """Return what it means that the live sources have no record either.

    All that were asked must have answered, and those that ought to have it lack it: a source that
    failed, or was not reached before the time was up, leaves the question open, however many
    others lack the work. Any of them might have held it.
    """
    absent = {
        one.source
        for one in evidence.answers
        if isinstance(one.answer, Absent) and "title" in one.answer.searched
    }
    enough = len(evidence.ought) >= policy.absent_sources
    everywhere = enough and absent >= set(evidence.ought) and not any_source_failed(evidence)
    if not everywhere or reference.kind not in _LISTED_KINDS:
        return charge("HM702", "No record was found, and no source that was asked had to have it.")
    if not _settled(reference, evidence, policy):
        return charge("HM705", "No record was found; the work may be too new for the sources.")
    if _resolves(evidence):
        return charge("HM702", "No record was found, but its DOI is registered.")
    return charge(
        "HM704",
        f"None of the {len(evidence.ought)} sources that cover such works has a record of it.",
        claimed=reference.title,
        sources=evidence.ought,
    )


def _settled(reference: Reference, evidence: Evidence, policy: Policy) -> bool:
    """Whether the claimed year is long enough ago for the sources to hold its works."""
    today = evidence.today[:4]
    if reference.year is None or not today.isdigit():
        return False
    return int(today) - reference.year >= policy.settled_after


def _resolves(evidence: Evidence) -> bool:
    return any(isinstance(one.answer, Registered) for one in evidence.answers)


def _may_be_unlisted(reference: Reference, coverage: VenueYear) -> bool:
    """Whether the entry's own DOI speaks for a part of the meeting that the list may lack.

    Its structure names another track of the claimed meeting; or it names the meeting and the year,
    and the list is of the main track alone, not of all that the proceedings hold.
    """
    if reference.doi is None:
        return False
    parts = doi_parts(reference.doi)
    if parts.venue_id is None or parts.year not in (None, reference.year):
        return False
    series, track = split(parts.venue_id)
    claimed_series, claimed_track = split(coverage.venue_id)
    main_only = coverage.expected is not None and coverage.held <= _MAIN_ONLY * coverage.expected
    return series == claimed_series and (track is not claimed_track or main_only)


_MAIN_ONLY = 1.02
"""Share of the published count of the main track up to which a list holds nothing beside it."""
