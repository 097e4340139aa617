"""What is the verdict on this reference?

`decide` is a pure function of (reference, evidence, policy). The order of its rules:

1. Faults that need no source are noted.
2. The cited work is recognised among the records (`judge.reading`).
3. Every field is checked against that work's records (`judge.checks`).
4. Some version explains the whole claim and nothing decisive speaks against it: verified.
5. A decisive charge, or several weak ones of different fields: contradicted; or, where the only
   charge is absence from a complete list, not found.
6. Otherwise unresolved, or not checked where no source lists such things.
"""

from collections.abc import Iterable

from msgspec import structs

from hallmark.judge import calibrate
from hallmark.judge.adjust import adjusted, held_back, set_aside
from hallmark.judge.attest import attested
from hallmark.judge.calibrate import Calibration
from hallmark.judge.charge import Charge, charge
from hallmark.judge.checks import (
    absence,
    authors,
    completeness,
    identifiers,
    notices,
    resolver,
    self_evident,
    title,
    venue,
)
from hallmark.judge.patterns import Pattern, pattern_of
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.judge.reading import (
    Anchor,
    Reading,
    any_source_answered,
    any_source_failed,
    names_people,
    read,
    rejecting,
)
from hallmark.judge.subtests import subtests
from hallmark.judge.suggest import suggest
from hallmark.judge.types import diagnose
from hallmark.judge.unheld import spared
from hallmark.records.evidence import Compared, Evidence, Relation
from hallmark.records.finding import Finding
from hallmark.records.reference import FailedEntry, Kind, Reference
from hallmark.records.verdict import (
    SUBTESTS,
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.text.venues import VenueKind

_ABSENCE = frozenset({"HM701", "HM704"})
_IDENTIFIERS = frozenset({"HM204", "HM207"})
"""Codes of identifiers other than the records', which belong to a place of publication."""
_UNLISTED = frozenset(
    {
        Kind.SOFTWARE,
        Kind.DATASET,
        Kind.WEB,
        Kind.STANDARD,
        Kind.PATENT,
        Kind.LEGAL,
        Kind.NEWS,
        Kind.PERIODICAL,
    }
)


def decide(
    reference: Reference,
    evidence: Evidence,
    policy: Policy = DEFAULT,
    calibration: Calibration | None = None,
) -> Verdict:
    """Return the verdict on one reference; replays from stored evidence, sees nothing else.

    Args:
        reference: the claim.
        evidence: what was gathered about it.
        policy: the judge's numbers and switches.
        calibration: states P(hallucinated); the packaged one by default.
    """
    verdict, pattern = weigh(reference, evidence, policy)
    model = calibration or calibrate.packaged()
    chance = model.probability(pattern)
    there = model.at_prevalence(chance, policy.prevalence)
    return held_back(structs.replace(verdict, probability=chance), there, policy)


def weigh(
    reference: Reference, evidence: Evidence, policy: Policy = DEFAULT
) -> tuple[Verdict, Pattern]:
    """Return the verdict, its probability still that of nothing known, and what it rests on.

    A policy that makes less of charges than the default one leaves what they contradict open; it
    never verifies it.
    """
    reading = read(reference, evidence, policy)
    raised = _charges(reference, evidence, reading, policy)
    every = spared(reference, evidence, reading, raised, policy)
    found = [
        attested(one, evidence, reading, policy)
        for one in every
        if one.finding.code not in policy.ignored
    ]
    charges = [adjusted(one, policy) for one in found]
    aside = set_aside(found, charges)
    doubted = _decisive(found, DEFAULT)
    explaining = None if doubted else explained_by(reference, evidence, reading)
    guilty = _decisive(charges, policy)
    if not guilty and explaining is not None:
        verdict = _verified(reference, evidence, reading, charges, explaining)
    elif guilty:
        verdict = _guilty(reference, evidence, reading, charges)
    elif reference.kind in _UNLISTED:
        verdict = _not_checked(reference, evidence, reading, charges)
    else:
        verdict = _unresolved(reference, evidence, reading, charges, aside)
    return verdict, pattern_of(verdict, reference, evidence, reading, charges)


def decide_failed(entry: FailedEntry) -> Verdict:
    """Return the verdict on an entry that could not be read."""
    finding = charge("HM105", entry.reason).finding
    return NotChecked(
        probability=calibrate.PRIOR,
        reason=entry.reason,
        findings=(finding,),
        subtests=dict.fromkeys(SUBTESTS),
        unreadable=True,
    )


def _charges(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterable[Charge]:
    for one in self_evident.check(reference, evidence, policy):
        if one.finding.code != "HM102" or not any(map(names_people, reading.versions)):
            yield one
    for check in (title.check, authors.check, venue.check, identifiers.check, resolver.check):
        yield from check(reference, evidence, reading, policy)
    if not reference.title:
        yield charge("HM104", "The entry has no title.")
    elif any_source_answered(evidence):
        yield from absence.check(reference, evidence, reading, policy)
    yield from notices.check(reference, evidence, reading, policy)
    yield from completeness.check(reference, evidence, reading, policy)
    for note in reference.notes:
        yield charge("HM106", note.message)


def _decisive(charges: list[Charge], policy: Policy) -> bool:
    """Whether the charges together contradict the reference.

    A retitled paper (HM303) has often changed its authors and venue with its title, so that these
    differences are one, not several; and another publication of the work, such as a reprint or a
    second posting, has another venue, another DOI and another number of arXiv.
    """
    if any(one.decisive for one in charges):
        return True
    weak_fields = {
        "venue" if one.finding.code in _IDENTIFIERS else one.finding.field
        for one in charges
        if one.weak and one.finding.code != "HM303"
    }
    return len(weak_fields) >= policy.weak_conflicts


def explained_by(reference: Reference, evidence: Evidence, reading: Reading) -> Compared | None:
    """Return the version that explains the whole claim, or None.

    Title and authors must agree (authors may be silent where one side names none), venue and
    year must not be contradicted, and a claimed venue must be confirmed.
    """
    if reading.anchor is not Anchor.SAME:
        return None
    for one in sorted(reading.versions, key=_authors_first):
        if _explains(reference, evidence, reading, one):
            return one
    return None


def _authors_first(one: Compared) -> tuple[bool, bool]:
    return (not one.authors.agrees, not one.venue.agrees)


def _explains(reference: Reference, evidence: Evidence, reading: Reading, one: Compared) -> bool:
    cut_only = one.authors.agrees and not rejecting(reading.versions)
    people = names_people(one) or cut_only or _are_the_people(reference, reading, one)
    if reference.authors and not people:
        return False
    if one.year.conflicts and not one.year.weak and evidence.venue.kind is not VenueKind.PREPRINT:
        return False
    if evidence.venue.kind in (VenueKind.VENUE, VenueKind.UNKNOWN):
        return one.venue.agrees
    if not reference.authors:
        return any(version.year.agrees for version in reading.versions)
    return not one.venue.conflicts


def _are_the_people(reference: Reference, reading: Reading, one: Compared) -> bool:
    """Whether the record's authors are the claimed ones, though the lists differ."""
    if _group_stands_in(reference, one) or _is_moved(one, reading):
        return True
    return _is_named_on_another(one, reading)


def _is_moved(one: Compared, reading: Reading) -> bool:
    """Whether a single record names the same people, the first one first, then in another order.

    Registries keep the order that was deposited, when the publisher has corrected it since.
    """
    faults = {nuance.code for nuance in one.authors.nuances} - {"matched", "initials"}
    moved = one.authors.conflicts and one.authors.weak and faults == {"order"}
    return moved and one.authors.matched_share == 1.0 and len(reading.collections) == 1


def _is_named_on_another(one: Compared, reading: Reading) -> bool:
    """Whether another record of the work names the claimed people, and this one the same people.

    Who cites the publication often takes the authors, their order and spelling from the preprint.
    """
    strange = ("foreign-author", "missing-author", "given-name-substitution", "placeholder")
    same = one.authors.matched_share == 1.0 and not any(map(one.authors.has, strange))
    return same and any(map(names_people, reading.versions))


def _group_stands_in(reference: Reference, one: Compared) -> bool:
    """Whether a group is named where the record names persons, and all else agrees.

    Papers of collaborations are cited under the collaboration's name.
    """
    groups = all(name.literal for name in reference.authors)
    silent = one.authors.relation is Relation.SILENT
    return groups and silent and one.venue.agrees and one.year.agrees


def _verified(
    reference: Reference,
    evidence: Evidence,
    reading: Reading,
    charges: list[Charge],
    explaining: Compared,
) -> Verdict:
    findings = _sorted(charges)
    place = explaining.version.venue or explaining.version.venue_raw or "the records"
    return Verified(
        probability=calibrate.PRIOR,
        reason=f"Title, authors, venue and year agree with the record at {place}."
        if evidence.venue.kind is VenueKind.VENUE
        else "The records confirm the work as it is cited.",
        subtests=subtests(reference, evidence, reading, charges, "verified"),
        findings=findings,
        work=explaining.version,
    )


def _guilty(
    reference: Reference, evidence: Evidence, reading: Reading, charges: list[Charge]
) -> Verdict:
    decisive = [one for one in charges if one.decisive] or [one for one in charges if one.weak]
    absent = all(one.finding.code in _ABSENCE for one in decisive)
    status = "not_found" if absent else "contradicted"
    make = NotFound if absent else Contradicted
    return make(
        probability=calibrate.PRIOR,
        reason=" ".join(one.finding.message for one in decisive),
        type=diagnose(reference, evidence, reading, charges),
        subtests=subtests(reference, evidence, reading, charges, status),
        findings=_sorted(charges),
        work=reading.best.version if reading.best is not None else None,
        suggestion=None if absent else suggest(reference, evidence, charges, reading),
    )


def _not_checked(
    reference: Reference, evidence: Evidence, reading: Reading, charges: list[Charge]
) -> Verdict:
    scope = charge("HM107", f"Sources of papers do not list things of this kind: {reference.kind}.")
    kept = [one for one in charges if one.finding.code != "HM702"]
    return NotChecked(
        probability=calibrate.PRIOR,
        reason=scope.finding.message,
        findings=_sorted([*kept, scope]),
        subtests=subtests(reference, evidence, reading, charges, "not_checked"),
    )


def _unresolved(
    reference: Reference,
    evidence: Evidence,
    reading: Reading,
    charges: list[Charge],
    aside: list[Charge],
) -> Verdict:
    failed = any_source_failed(evidence)
    if failed:
        reasons = [
            getattr(one.answer, "reason", "")
            for one in evidence.answers
            if getattr(one.answer, "reason", "")
        ]
        charges = [*charges, charge("HM901", " ".join(reasons))]
    speaking = [one for one in charges if one.weak or one in aside] or [
        one
        for one in charges
        if one.finding.code in {"HM508", "HM509", "HM702", "HM703", "HM104", "HM901"}
    ]
    reason = " ".join(one.finding.message for one in speaking)
    return Unresolved(
        probability=calibrate.PRIOR,
        reason=reason or "The records neither confirm nor contradict the entry.",
        type=diagnose(reference, evidence, reading, charges),
        subtests=subtests(reference, evidence, reading, charges, "unresolved"),
        findings=_sorted(charges),
        work=reading.best.version if reading.best is not None else None,
        source_failed=failed,
    )


_ORDER = {"problem": 0, "warning": 1, "note": 2}


def _sorted(charges: list[Charge]) -> tuple[Finding, ...]:
    """Return the findings, problems first, each once."""
    findings = dict.fromkeys(one.finding for one in charges)
    return tuple(sorted(findings, key=lambda one: _ORDER[one.severity]))
