"""What is wrong with the entry, whatever any source says?"""

from collections.abc import Iterator
from datetime import date

from hallmark.judge.charge import Charge, charge
from hallmark.judge.policy import Policy
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.text.names import placeholder_names, repeated_names
from hallmark.text.placeholders import names_nobody
from hallmark.text.venues import VenueKind


def check(reference: Reference, evidence: Evidence, policy: Policy) -> Iterator[Charge]:
    """Yield the charges that need no record."""
    yield from _future_year(reference, evidence, policy)
    names = placeholder_names(reference.authors)
    if names:
        listed = "; ".join(names)
        said = (
            "is a placeholder, not a person" if len(names) == 1 else "are placeholders, not people"
        )
        weak = all(map(names_nobody, names)) and not _of_papers(evidence)
        yield charge("HM102", f"“{listed}” {said}.", claimed=listed, weak=weak)
    repeated = repeated_names(reference.authors)
    if repeated:
        listed = "; ".join(repeated)
        yield charge("HM103", f"Named more than once: {listed}.", claimed=listed, weak=True)
    if reference.claimed_doi and reference.doi is None:
        text = reference.claimed_doi[:200]
        yield charge("HM205", f"“{text}” is no DOI.", claimed=text)


def _of_papers(evidence: Evidence) -> bool:
    """Whether the claimed venue prints papers, all of which name their authors.

    Catalogues give "Anonymous" or "Unknown" for old prints, photographs and archives.
    """
    return evidence.venue.kind in (VenueKind.VENUE, VenueKind.PREPRINT)


def _future_year(reference: Reference, evidence: Evidence, policy: Policy) -> Iterator[Charge]:
    if reference.year is None or not evidence.today:
        return
    this_year = date.fromisoformat(evidence.today).year
    if reference.year > this_year + policy.future_years:
        yield charge(
            "HM101",
            f"The year {reference.year} lies in the future.",
            claimed=str(reference.year),
        )
