"""What does the entry leave out that its record has?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, names_people
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Note a DOI that the record of the cited version has and the entry lacks.

    An entry with an arXiv id has an identifier; one whose version is not settled gets no advice.
    """
    identified = reference.claimed_doi or reference.doi or reference.arxiv
    if not policy.missing_doi or identified or reading.anchor is not Anchor.SAME:
        return
    known = [one.version.doi for one in reading.versions if _is_cited(one) and one.version.doi]
    if not known:
        return
    doi = max(known, key=known.count)
    yield charge(
        "HM209",
        f"The record of this version has the DOI {doi}.",
        found=doi,
        sources=collections(one for one in reading.versions if one.version.doi == doi),
        suggestion=doi,
    )


def _is_cited(one: Compared) -> bool:
    """Whether a record is of the version that the entry cites."""
    return names_people(one) and one.venue.agrees and not one.year.conflicts
