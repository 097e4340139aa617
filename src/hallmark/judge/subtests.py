"""How do the six sub-tests of the benchmark come out?

Each is true, false, or None where the evidence does not tell (paper, Table 1).
"""

from hallmark.judge.charge import Charge
from hallmark.judge.reading import Anchor, Reading, any_source_answered
from hallmark.records.answer import Registered
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.text.venues import VenueKind


def subtests(
    reference: Reference,
    evidence: Evidence,
    reading: Reading,
    charges: list[Charge],
    status: str,
) -> dict[str, bool | None]:
    """Return the six sub-tests, by the names in `records.verdict.SUBTESTS`."""
    codes = {one.finding.code for one in charges if one.decisive}
    return {
        "doi_resolves": _doi_resolves(reference, evidence, codes),
        "title_exists": _title_exists(reading, codes),
        "authors_match": _authors_match(reference, reading, codes),
        "venue_correct": _venue_correct(evidence, reading, codes),
        "fields_complete": _fields_complete(reference, codes),
        "cross_db_agreement": _agreement(evidence, reading, status),
    }


def _doi_resolves(reference: Reference, evidence: Evidence, codes: set[str]) -> bool | None:
    """Whether a record shows that the DOI is registered; only structure can show that it is not."""
    if reference.doi is None:
        return None
    if any(one.doi.agrees for work in evidence.works for one in work.versions):
        return True
    if any(isinstance(one.answer, Registered) for one in evidence.answers):
        return True
    return False if codes & {"HM203", "HM208"} else None


def _title_exists(reading: Reading, codes: set[str]) -> bool | None:
    if reading.anchor is Anchor.SAME:
        return "HM304" not in codes
    if reading.anchor is Anchor.NONE:
        return False if codes & {"HM701", "HM704", "HM504"} else None
    return False


def _authors_match(reference: Reference, reading: Reading, codes: set[str]) -> bool | None:
    if codes & {"HM102", "HM401", "HM402", "HM403", "HM404", "HM701", "HM704", "HM201", "HM202"}:
        return False
    if not reference.authors:
        return None
    return True if any(one.authors.agrees for one in reading.versions) else None


def _venue_correct(evidence: Evidence, reading: Reading, codes: set[str]) -> bool | None:
    if codes & {"HM501", "HM502", "HM503", "HM504", "HM505"}:
        return False
    if any(one.venue.agrees for one in reading.versions):
        return True
    return True if evidence.venue.kind is VenueKind.VENUE and "HM701" in codes else None


def _fields_complete(reference: Reference, codes: set[str]) -> bool:
    """Whether the fields that every entry needs are there, with a year that can be."""
    present = bool(reference.title and (reference.authors or reference.editors))
    placed = bool(reference.venue or reference.arxiv or reference.publisher or reference.doi)
    return present and placed and reference.year is not None and "HM101" not in codes


def _agreement(evidence: Evidence, reading: Reading, status: str) -> bool | None:
    """Whether several sources confirm the entry; one alone agrees with nobody."""
    if not any_source_answered(evidence):
        return None
    if status == "verified":
        return True if len(reading.collections) > 1 else None
    return {"contradicted": False, "not_found": False}.get(status)
