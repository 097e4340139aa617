"""Why did the verifier say what it said: which rule fired, or which evidence was lacking?

Derived from the verdict and its evidence alone. What a gold file says in explanation of its labels
is never looked at.
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, coverage_of, read
from hallmark.records.answer import VenueYear
from hallmark.records.evidence import Compared, Comparison, Evidence, Relation, VenueKind
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import NotChecked, Unresolved, Verdict, Verified
from hallmark.study.judged import Judged


class Reason(StrEnum):
    """Kinds of reasons; the value is what a report calls it."""

    RULE = "a rule fired"
    WEAK_TOGETHER = "several weak findings together"
    ONE_WEAK = "one weak finding, which decides nothing alone"
    ORDER = "the authors stand in another order, which only one source attests"
    TITLE_VARIANT = "the title is a documented variant"
    NAME_VARIANT = "the names are a documented variant"
    VENUE_VARIANT = "the venue is a documented variant"
    YEAR_VARIANT = "the year is another one under which the work may be cited"
    CONFIRMED = "a record confirms every field as it stands"
    NAME_DOUBT = "the name forms leave doubt"
    OTHER_TITLE = "held under a title that is only near"
    VENUE_OPEN = "held, but the list of the claimed venue and year is not complete"
    VENUE_UNKNOWN = "held, but the claimed venue is not known"
    NOT_HELD_OPEN_YEAR = "not held, and the list of the claimed venue and year is not complete"
    NOT_HELD_NO_LIST = "not held, and nothing is held of the claimed venue and year"
    NOT_HELD_AMBIGUOUS = "not held, and the claimed name may mean several venues"
    NOT_HELD_UNKNOWN = "not held, and the claimed venue is not known"
    NOT_HELD_PREPRINT = "not held, and only a preprint is claimed"
    NOT_HELD_NO_PLACE = "not held, and no venue or no year is claimed"
    OUT_OF_SCOPE = "a kind of thing that no source lists"
    UNREADABLE = "the entry could not be read, or has no title"
    SOURCE_FAILED = "a source that was needed did not answer"
    OTHER = "nothing certain on either side"


class Why(Struct, frozen=True):
    """A reason with what it is about: codes of findings, a venue's list, a nuance."""

    reason: Reason
    detail: str = ""


def why(judged: Judged, policy: Policy) -> Why:
    """Return why a verdict is what it is."""
    verdict = judged.result.verdict
    match verdict:
        case Verified():
            return _why_verified(judged.evidence, verdict)
        case NotChecked():
            reason = Reason.UNREADABLE if verdict.unreadable else Reason.OUT_OF_SCOPE
            return Why(reason, str(judged.reference.kind))
        case Unresolved():
            return _why_open(judged.reference, judged.evidence, verdict, policy)
        case _:
            return _why_flagged(verdict)


def codes(findings: Iterable[Finding]) -> str:
    """Return the codes of findings, each once, in order ("HM201 + HM401")."""
    return " + ".join(sorted({one.code for one in findings}))


def _why_flagged(verdict: Verdict) -> Why:
    problems = [one for one in verdict.findings if one.severity is Severity.PROBLEM]
    if problems:
        return Why(Reason.RULE, codes(problems))
    return Why(Reason.WEAK_TOGETHER, codes(_warnings(verdict)))


def _warnings(verdict: Verdict) -> list[Finding]:
    return [
        one
        for one in verdict.findings
        if one.severity is Severity.WARNING and one.code not in _BESIDE
    ]


_BESIDE = frozenset({"HM305", "HM306", "HM308", "HM901"})
"""Warnings that say nothing about whether the reference is right."""


def _why_verified(evidence: Evidence, verdict: Verified) -> Why:
    weak = _warnings(verdict)
    if weak:
        return Why(_weak_reason(weak), codes(weak))
    explaining = _compared(evidence, verdict)
    if explaining is None:
        return Why(Reason.OTHER)
    for comparison, reason in (
        (explaining.title, Reason.TITLE_VARIANT),
        (explaining.authors, Reason.NAME_VARIANT),
        (explaining.venue, Reason.VENUE_VARIANT),
        (explaining.year, Reason.YEAR_VARIANT),
    ):
        if comparison.relation is Relation.VARIANT:
            return Why(reason, _nuances(comparison))
    return Why(Reason.CONFIRMED, explaining.version.collection)


def _weak_reason(weak: list[Finding]) -> Reason:
    only_order = all(one.code == "HM403" for one in weak)
    return Reason.ORDER if only_order else Reason.ONE_WEAK


def _compared(evidence: Evidence, verdict: Verdict) -> Compared | None:
    """Return the comparison with the record that the verdict names."""
    for work in evidence.works:
        for one in work.versions:
            if one.version == verdict.work:
                return one
    return None


def _nuances(comparison: Comparison) -> str:
    found = dict.fromkeys(nuance.code for nuance in comparison.nuances if nuance.code != "matched")
    return ", ".join(found)


def _why_open(reference: Reference, evidence: Evidence, verdict: Unresolved, policy: Policy) -> Why:
    if verdict.source_failed:
        return Why(Reason.SOURCE_FAILED)
    if not reference.title:
        return Why(Reason.UNREADABLE)
    reading = read(reference, evidence, policy)
    if reading.anchor is Anchor.NONE:
        return _why_not_held(reference, evidence)
    weak = _warnings(verdict)
    if weak:
        return Why(_weak_reason(weak), codes(weak))
    if reading.anchor is Anchor.NEAR:
        return Why(Reason.OTHER_TITLE)
    if any(one.code == "HM703" for one in verdict.findings):
        known = evidence.venue.kind is VenueKind.VENUE
        reason = Reason.VENUE_OPEN if known else Reason.VENUE_UNKNOWN
        return Why(reason, _place(reference, evidence))
    if any(one.authors.relation is Relation.SILENT for one in reading.versions):
        return Why(Reason.NAME_DOUBT)
    return Why(Reason.OTHER, str(reading.anchor))


def _why_not_held(reference: Reference, evidence: Evidence) -> Why:
    place = _place(reference, evidence)
    match evidence.venue.kind:
        case VenueKind.PREPRINT:
            return Why(Reason.NOT_HELD_PREPRINT, place)
        case VenueKind.UNKNOWN:
            return Why(Reason.NOT_HELD_UNKNOWN, place)
        case VenueKind.MISSING | VenueKind.CONTAINER:
            return Why(Reason.NOT_HELD_NO_PLACE, place)
        case VenueKind.VENUE:
            return Why(_list_reason(reference, evidence), place)


def _list_reason(reference: Reference, evidence: Evidence) -> Reason:
    if reference.year is None:
        return Reason.NOT_HELD_NO_PLACE
    if len(evidence.venue.ids) > 1:
        return Reason.NOT_HELD_AMBIGUOUS
    row = coverage_of(evidence, reference.year)
    return Reason.NOT_HELD_NO_LIST if row is None else Reason.NOT_HELD_OPEN_YEAR


def _place(reference: Reference, evidence: Evidence) -> str:
    """Return the claimed venue and year, with what is held of it."""
    name = ", ".join(evidence.venue.ids) or evidence.venue.name
    row = coverage_of(evidence, reference.year)
    place = f"{name} {reference.year or ''}".strip()
    return f"{place} ({held(row)})" if row is not None else place


def held(row: VenueYear) -> str:
    """Return what is held of a venue and year in a few words."""
    if row.not_held:
        return "no edition"
    known = f" of {row.expected}" if row.expected is not None else ", no published count"
    return f"{row.held}{known} held{', complete' if row.complete else ''}"
