"""May the entry cite the journal version of a paper that is held as a conference paper only?

Journals print conference papers again, longer and often with other authors, in another order, years
later, under the same title. Where the claimed venue is a journal whose list is not whole, and the
people are largely the same, what differs from the conference paper's record speaks of another
version, and contradicts nothing.
"""

from collections.abc import Iterable, Iterator

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.reading import HALF, Anchor, Reading, coverage_of
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference

_OF_THE_VERSION = frozenset(
    "HM204 HM206 HM401 HM402 HM403 HM404 HM406 HM501 HM505 HM601 HM602 HM703".split()
)
"""Codes of charges about what may differ between the two versions of a paper."""


def spared(
    reference: Reference, evidence: Evidence, reading: Reading, charges: Iterable[Charge]
) -> Iterator[Charge]:
    """Yield the charges that stand even if the entry cites the journal version."""
    if not may_be_journal_version(reference, evidence, reading):
        yield from charges
        return
    for one in charges:
        if one.finding.code not in _OF_THE_VERSION:
            yield one
    yield charge(
        "HM508",
        f"The records hold the conference paper only; {evidence.venue.name} may hold a longer "
        "version, with other authors.",
        claimed=evidence.venue.name,
        sources=collections(reading.versions),
    )


def may_be_journal_version(reference: Reference, evidence: Evidence, reading: Reading) -> bool:
    """Whether the records are of a conference paper of largely the same people, and not later."""
    if reading.anchor is not Anchor.SAME:
        return False
    placed = [one for one in reading.versions if one.venue.conflicts]
    if not placed or not all(one.venue.has("journal-vs-conference") for one in placed):
        return False
    if any(one.venue.agrees for one in reading.versions):
        return False
    if any(one.doi.agrees for one in placed):
        return False  # the entry's own DOI is the conference paper's
    coverage = coverage_of(evidence, reference.year)
    if coverage is not None and coverage.complete:
        return False
    return any(_shared(one) and _not_later(reference, one) for one in placed)


def _shared(one: Compared) -> bool:
    """Whether the conference paper's authors are all named, in whatever order, with few others.

    Journal versions add people, and order them anew; they leave nobody out.
    """
    if one.authors.agrees:
        return True
    left_out = any(map(one.authors.has, ("missing-author", "given-name-substitution")))
    return one.authors.matched_share >= HALF and not left_out


def _not_later(reference: Reference, one: Compared) -> bool:
    years = one.version.known_years
    return reference.year is None or not years or min(years) <= reference.year
