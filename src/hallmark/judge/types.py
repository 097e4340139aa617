"""Which of the 14 hallucination types is it most likely?

The type follows from the charges, the most decisive first, as the paper's taxonomy (Table 1)
draws the lines. Some types cannot be told apart by what a checker sees (a preprint that is cited
as published, and a paper cited at a wrong venue); then the commoner one is named. Authors who are
on no record and never published together are invented names; such who did were taken from another
paper (the co-author test: it names the type only).
"""

from hallmark.judge.charge import Charge
from hallmark.judge.reading import Anchor, Reading
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference


def diagnose(
    reference: Reference, evidence: Evidence, reading: Reading, charges: list[Charge]
) -> str | None:
    """Return the most likely type, or None where nothing speaks against the reference."""
    codes = {one.finding.code for one in charges if one.decisive or one.weak}
    strong = {one.finding.code for one in charges if one.decisive}
    if not codes:
        return None
    for rule in (_evident, _identity, _title, _people_and_place):
        found = rule(evidence, reading, strong or codes)
        if found is not None:
            return found
    return None


def _evident(evidence: Evidence, reading: Reading, codes: set[str]) -> str | None:
    if "HM101" in codes:
        return "future_date"
    return "placeholder_authors" if "HM102" in codes else None


def _identity(evidence: Evidence, reading: Reading, codes: set[str]) -> str | None:
    """Types about identifiers and about works that do not exist."""
    if codes & {"HM201", "HM202"} and reading.anchor is not Anchor.SAME:
        return "hybrid_fabrication"
    if codes & {"HM701", "HM704"}:
        return "chimeric_title" if evidence.together else "plausible_fabrication"
    if reading.anchor is Anchor.NONE and codes & {"HM206", "HM208", "HM504"}:
        return "plausible_fabrication"
    return None


def _title(evidence: Evidence, reading: Reading, codes: set[str]) -> str | None:
    if codes & {"HM301", "HM302", "HM303", "HM304"} and codes & {"HM401"}:
        return "hybrid_fabrication"
    if codes & {"HM301", "HM304"}:
        return "near_miss_title"
    return "chimeric_title" if codes & {"HM302", "HM303"} else None


def _people_and_place(evidence: Evidence, reading: Reading, codes: set[str]) -> str | None:
    """Types of a real title with other fields changed."""
    venue_wrong = bool(codes & {"HM501", "HM502", "HM503", "HM504", "HM505"})
    for code, plain, merged in _PEOPLE:
        if code not in codes:
            continue
        if venue_wrong:
            return merged
        return "placeholder_authors" if code == "HM401" and evidence.together is False else plain
    if "HM502" in codes:
        return "nonexistent_venue"
    if "HM503" in codes:
        return _preprint_type(codes)
    if venue_wrong:
        dated = codes & {"HM601", "HM602"} or _dated_otherwise(reading)
        return "arxiv_version_mismatch" if dated else "wrong_venue"
    if codes & {"HM201", "HM203", "HM204", "HM206", "HM208"}:
        return "fabricated_doi"
    return "arxiv_version_mismatch" if codes & {"HM601", "HM602", "HM202", "HM207"} else None


def _dated_otherwise(reading: Reading) -> bool:
    """Whether the claimed year is none of those at which the work appeared elsewhere."""
    elsewhere = [one for one in reading.versions if one.venue.conflicts]
    return bool(elsewhere) and all(one.year.conflicts for one in elsewhere)


def _preprint_type(codes: set[str]) -> str:
    return "arxiv_version_mismatch" if codes & {"HM601"} else "preprint_as_published"


_PEOPLE = (
    ("HM401", "swapped_authors", "merged_citation"),
    ("HM402", "partial_author_list", "partial_author_list"),
    ("HM403", "swapped_authors", "swapped_authors"),
    ("HM404", "swapped_authors", "swapped_authors"),
)
