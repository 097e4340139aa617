"""What does it mean that no record was found?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, coverage_of
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Kind, Reference

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
            )
            return
    for nuance in evidence.doi_facts:
        if nuance.code in {"doi-venue-differs", "doi-year-differs", "doi-track-differs"}:
            sentence = f"The DOI is one of {nuance.found}, the entry says {nuance.claimed}."
            yield charge("HM206", sentence, claimed=reference.doi or "", weak=True)
    yield charge("HM702", "No record was found, and no source that was asked had to have it.")
