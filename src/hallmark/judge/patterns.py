"""Which pieces of evidence speak for and against a judged reference?

The pattern of a reference is a set of atoms: yes-or-no facts about its verdict, charges and
records. Each atom has a direction, which is law for every fitted model: one that speaks AGAINST the
reference never lowers P(hallucinated), one that speaks FOR it never raises it. No atom is a
similarity score, and none knows a benchmark.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TypeAlias, assert_never

from msgspec import Struct

from hallmark.judge.charge import Charge
from hallmark.judge.reading import (
    Anchor,
    Reading,
    any_source_answered,
    any_source_failed,
    coverage_of,
    names_people,
)
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Kind, Reference
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.text.venues import VenueKind


class Direction(StrEnum):
    """Which way an atom may move P(hallucinated): the sign of its weight."""

    AGAINST = "against"
    FOR = "for"


class Atom(Struct, frozen=True):
    """One yes-or-no fact: its name, its direction, and what it says, for people."""

    name: str
    direction: Direction
    meaning: str


Pattern: TypeAlias = frozenset[str]
"""The names of the atoms that hold of one judged reference."""

_A, _F = Direction.AGAINST, Direction.FOR

ATOMS = (
    Atom("not-explained", _A, "No record explains the whole claim: it is not verified."),
    Atom("charged", _A, "It is contradicted or not found."),
    Atom("decisive-entry", _A, "Decisive: a fault that the entry shows by itself."),
    Atom("decisive-identifier", _A, "Decisive: an identifier of something else."),
    Atom("decisive-title", _A, "Decisive: another title."),
    Atom("decisive-authors", _A, "Decisive: other authors."),
    Atom("decisive-venue", _A, "Decisive: another venue."),
    Atom("decisive-year", _A, "Decisive: another year."),
    Atom("decisive-absence", _A, "Decisive: missing from a complete list."),
    Atom("decisive-several", _A, "Decisive findings about two fields or more."),
    Atom("attested", _A, "A decisive finding that two collections or more attest."),
    Atom("weak-identifier", _A, "A weak finding about an identifier."),
    Atom("weak-title", _A, "A weak finding about the title."),
    Atom("weak-authors", _A, "A weak finding about the authors, or one of the entry itself."),
    Atom("weak-place", _A, "A weak finding about venue or year."),
    Atom("near-title", _A, "Recognised by a title that is nearly the same."),
    Atom("identifier-only", _A, "Only an identifier leads to a record."),
    Atom("no-record", _A, "No record, though every source answered."),
    Atom("no-record-of-most", _A, "No record where at least 80 % of the venue's year is held."),
    Atom("no-record-no-place", _A, "No record of a paper that gives neither venue nor identifier."),
    Atom("no-record-venue-unknown", _A, "No record, and no table knows the venue's name."),
    Atom("no-record-preprint-id", _A, "No record, and a preprint's identifier beside a venue."),
    Atom("held-little", _F, "No record, but little of the known venue's year is held, or nothing."),
    Atom("place-open", _A, "The work is known, but no record places it at the claimed venue."),
    Atom("place-open-of-most", _A, "The same, where at least 80 % of the venue's year is held."),
    Atom("confirmed", _F, "A record agrees with every field that both of them fill."),
    Atom("confirmed-twice", _F, "Records of two collections do."),
    Atom("confirmed-thrice", _F, "Records of three collections or more do."),
    Atom("people-agree", _F, "A record of the work names just the claimed authors."),
    Atom("identifier-agrees", _F, "A record of the work carries the claimed identifier."),
    Atom("kind-unlisted", _F, "It is of a kind that sources of papers do not list."),
)
"""Every atom there is, in the order of reports."""

MOST = 0.8
"""Share of a published count, in [0, 1], from which most of a list is held."""


def pattern_of(
    verdict: Verdict,
    reference: Reference,
    evidence: Evidence,
    reading: Reading,
    charges: Sequence[Charge],
) -> Pattern:
    """Return the atoms that hold of a judged reference.

    Args:
        verdict: which of the five outcomes came of it.
        reference: the claim.
        evidence: what was gathered about it.
        reading: as which work it was recognised.
        charges: what speaks against it. The group of a finding follows from its code's hundred,
            its weight from its severity, so that a new code needs no entry here.
    """
    return frozenset(
        (
            *_outcome(verdict),
            *_charged(charges),
            *_recognised(reference, evidence, reading, charges),
            *_confirmed(reading),
        )
    )


def _outcome(verdict: Verdict) -> tuple[str, ...]:
    match verdict:
        case Verified():
            return ()
        case Contradicted() | NotFound():
            return ("not-explained", "charged")
        case Unresolved():
            return ("not-explained",)
        case NotChecked():
            return ("not-explained", "kind-unlisted")
        case _ as never:
            assert_never(never)


_GROUPS = {
    "1": "entry",
    "2": "identifier",
    "3": "title",
    "4": "authors",
    "5": "venue",
    "6": "year",
    "7": "absence",
}
_WEAK = {
    "identifier": "weak-identifier",
    "title": "weak-title",
    "venue": "weak-place",
    "year": "weak-place",
}


def _charged(charges: Sequence[Charge]) -> Iterator[str]:
    decisive = {_group(one): None for one in charges if one.decisive}
    for group in decisive:
        yield f"decisive-{group}"
    if len(decisive) > 1:
        yield "decisive-several"
    if any(one.decisive and len(one.finding.sources) > 1 for one in charges):
        yield "attested"
    for one in charges:
        if one.weak:
            yield _WEAK.get(_group(one), "weak-authors")


def _group(one: Charge) -> str:
    """Return what a charge is about; a code of an unknown hundred is about the entry."""
    return _GROUPS.get(one.finding.code[2:3], "entry")


def _recognised(
    reference: Reference, evidence: Evidence, reading: Reading, charges: Sequence[Charge]
) -> Iterator[str]:
    match reading.anchor:
        case Anchor.NONE:
            yield from _absent(reference, evidence)
        case Anchor.NEAR:
            yield "near-title"
        case Anchor.IDENTIFIER:
            yield "identifier-only"
        case Anchor.SAME:
            if any(one.finding.code == "HM703" for one in charges):
                yield "place-open"
                if (_held(reference, evidence) or 0.0) >= MOST:
                    yield "place-open-of-most"


def _absent(reference: Reference, evidence: Evidence) -> Iterator[str]:
    """Yield what the absence of a record means by what is held of the claimed venue's year.

    Where a source failed, absence says nothing; that little is held still excuses it.
    """
    known = evidence.venue.kind is VenueKind.VENUE
    held = _held(reference, evidence) if known else None
    if held is not None and held < MOST:
        yield "held-little"
    if any_source_failed(evidence) or not any_source_answered(evidence):
        return
    yield "no-record"
    if held is not None and held >= MOST:
        yield "no-record-of-most"
    if evidence.venue.kind is VenueKind.UNKNOWN:
        yield "no-record-venue-unknown"
    if evidence.venue.kind in _NAMED:
        if reference.arxiv is not None:
            yield "no-record-preprint-id"
    elif _is_paper(reference) and reference.doi is None and reference.arxiv is None:
        yield "no-record-no-place"


_NAMED = frozenset({VenueKind.VENUE, VenueKind.UNKNOWN, VenueKind.CONTAINER})


def _is_paper(reference: Reference) -> bool:
    return reference.kind in {Kind.PAPER, Kind.PREPRINT, Kind.OTHER}


def _held(reference: Reference, evidence: Evidence) -> float | None:
    """Return the share of the claimed venue's year that is held, in [0, 1].

    None where something is held, and no published count tells how much that is.
    """
    row = coverage_of(evidence, reference.year)
    if row is None:
        return 0.0
    if row.complete or row.not_held:
        return 1.0
    if not row.expected:
        return None if row.held else 0.0
    return min(1.0, row.held / row.expected)


def _confirmed(reading: Reading) -> Iterator[str]:
    if reading.anchor is not Anchor.SAME:
        return
    agreeing = {one.version.collection for one in reading.versions if _agrees(one)}
    for count, name in enumerate(("confirmed", "confirmed-twice", "confirmed-thrice"), 1):
        if len(agreeing) >= count:
            yield name
    if any(names_people(one) for one in reading.versions):
        yield "people-agree"
    if any(one.doi.agrees or one.arxiv.agrees for one in reading.versions):
        yield "identifier-agrees"


def _agrees(one: Compared) -> bool:
    """Whether a record contradicts no field, and names the claimed title, people and venue."""
    return (
        one.title.agrees
        and one.authors.agrees
        and one.venue.agrees
        and not any(field.conflicts for field in one.fields)
    )
