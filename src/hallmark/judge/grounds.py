"""What does a result take along of its evidence?

The report and the queue need a few facts that the verdict does not hold: whether the index knows
the claimed venue, and what a person could open. The evidence itself is too large to carry.
"""

from hallmark.judge.reading import coverage_of
from hallmark.records.answer import Unavailable
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.records.verdict import Grounds, Verdict
from hallmark.text.venues import VenueKind

LONGEST_NAME = 200
"""Characters of a venue's name that are kept: names come from outside, and results are stored."""


def grounds_of(reference: Reference, evidence: Evidence, verdict: Verdict) -> Grounds:
    """Return what is kept of the evidence for one reference."""
    link, works = link_of(reference), len(evidence.works)
    if not _index_answered(evidence):
        return Grounds(works=works, link=link)
    claim = evidence.venue
    listed = coverage_of(evidence, reference.year)
    return Grounds(
        venue=claim.name[:LONGEST_NAME],
        kind=claim.kind,
        venue_id=claim.ids[0] if len(claim.ids) == 1 else "",
        year=reference.year,
        known=claim.kind is VenueKind.VENUE and _is_known(reference, evidence),
        complete=listed is not None and (listed.complete or listed.not_held),
        found=_found(evidence, verdict),
        works=works,
        link=link,
    )


def link_of(reference: Reference) -> str:
    """Return what of the reference a person could open: "doi", "arxiv", "url", or ""."""
    if reference.doi is not None:
        return "doi"
    if reference.arxiv is not None:
        return "arxiv"
    return "url" if reference.url else ""


def _index_answered(evidence: Evidence) -> bool:
    return any(not one.live and not isinstance(one.answer, Unavailable) for one in evidence.answers)


def _is_known(reference: Reference, evidence: Evidence) -> bool:
    """Whether the index holds records of the claimed venue in the claimed year.

    It knows a year without an edition too. Without a year there are no rows to go by: then a name
    that resolves is a known venue.
    """
    if reference.year is None:
        return True
    ids = evidence.venue.ids
    rows = (row for row in evidence.coverage if row.year == reference.year)
    return any(row.held > 0 or row.not_held for row in rows if row.venue_id in ids)


def _found(evidence: Evidence, verdict: Verdict) -> bool:
    """Whether the record that the verdict rests on is one of the index, not of a live source."""
    live = {one.source for one in evidence.answers if one.live}
    return verdict.work is not None and verdict.work.collection not in live
