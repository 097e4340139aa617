"""Which laws do the atoms of evidence obey?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.judge.calibrate import packaged
from hallmark.judge.charge import Charge
from hallmark.judge.codes import CODES
from hallmark.judge.decide import decide, weigh
from hallmark.judge.patterns import ATOMS, Direction, Pattern, pattern_of
from hallmark.judge.policy import DEFAULT
from hallmark.judge.reading import Anchor, Reading, read
from hallmark.records.answer import Absent, Answer, Found, SourceAnswer, Unavailable
from hallmark.records.evidence import Compared, Evidence, Field, VenueKind
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Kind
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)
from tests.judge.evidence import compared, comparison, evidence, reference

AGAINST = frozenset(atom.name for atom in ATOMS if atom.direction is Direction.AGAINST)
FOR = frozenset(atom.name for atom in ATOMS if atom.direction is Direction.FOR)
FIELDS = ("title", "author", "venue", "year", "doi", "")


def a_charge(code: str, field: str = "title", *sources: str, weak: bool = False) -> Charge:
    severity = Severity.WARNING if weak else Severity.PROBLEM
    finding = Finding(code=code, severity=severity, message="", field=field, sources=sources)
    return Charge(finding, weak=weak)


charges = st.builds(
    a_charge,
    st.sampled_from([*CODES, "HM699", "HM899", "X"]),
    st.sampled_from(FIELDS),
    st.sampled_from(["dblp", "acl"]),
    weak=st.booleans(),
)
relations = st.sampled_from(["equal", "variant", "conflict", "silent"])


@st.composite
def a_version(draw: st.DrawFn) -> Compared:
    fields = {
        name: comparison(Field(name), draw(relations), weak=draw(st.booleans()))
        for name in ("title", "authors", "venue", "year", "doi")
    }
    return compared(
        **fields,  # type: ignore[arg-type]
        collection=draw(st.sampled_from(["dblp", "acl", "crossref", "arxiv"])),
        preprint=draw(st.booleans()),
        record_doi=draw(st.sampled_from([None, "10.1000/x"])),
    )


versions = st.lists(a_version(), min_size=1, max_size=4)
some_evidence = st.builds(
    lambda records, kind, complete: evidence(tuple(records), kind=kind, complete=complete),
    versions,
    st.sampled_from(VenueKind),
    st.sampled_from([None, False, True]),
)


def pattern(
    verdict: Verdict,
    *given_charges: Charge,
    known: Evidence | None = None,
    reading: Reading | None = None,
) -> Pattern:
    return pattern_of(
        verdict, reference(), known or evidence(), reading or Reading(Anchor.NONE), given_charges
    )


def guilty(*given_charges: Charge) -> Verdict:
    """The outcome that charges come to, as the judge's rule has it."""
    decisive = [one for one in given_charges if one.decisive]
    if not decisive:
        return Unresolved(probability=0.5, reason="")
    absent = all(one.finding.code == "HM701" for one in decisive)
    return (NotFound if absent else Contradicted)(probability=0.5, reason="")


def test_every_atom_has_its_own_name_and_says_what_it_means() -> None:
    assert len({atom.name for atom in ATOMS}) == len(ATOMS)
    assert all(atom.meaning.endswith(".") for atom in ATOMS)


@given(st.lists(charges, max_size=4), charges)
def test_a_further_charge_only_adds_atoms_against(before: list[Charge], more: Charge) -> None:
    old = pattern(guilty(*before), *before)
    new = pattern(guilty(*before, more), *before, more)
    assert old <= new
    assert new - old <= AGAINST


@given(st.lists(charges, max_size=4), charges)
def test_a_further_charge_never_lowers_the_probability(before: list[Charge], more: Charge) -> None:
    old = pattern(guilty(*before), *before)
    new = pattern(guilty(*before, more), *before, more)
    assert packaged().probability(new) >= packaged().probability(old)


@given(some_evidence, st.sampled_from(["dblp", "acl", "crossref", "new"]))
def test_a_collection_that_agrees_in_all_never_raises_the_probability(
    known: Evidence, collection: str
) -> None:
    agreeing = compared(collection=collection)
    first, *others = known.works
    more = structs.replace(first, versions=(*first.versions, agreeing))
    richer = structs.replace(known, works=(more, *others))
    before = decide(reference(), known).probability
    assert decide(reference(), richer).probability <= before


@given(some_evidence)
def test_the_failure_of_a_further_source_never_raises_the_probability(known: Evidence) -> None:
    failed = SourceAnswer("other", Unavailable("Time out."))
    with_failure = structs.replace(known, answers=(*known.answers, failed))
    before = decide(reference(), known).probability
    assert decide(reference(), with_failure).probability <= before


@pytest.mark.parametrize("kind", [Kind.PAPER, Kind.BOOK])
@pytest.mark.parametrize("venue_kind", list(VenueKind))
@pytest.mark.parametrize("answer", [Absent(searched=("title",)), Found((), ("title",))])
def test_a_source_that_fails_instead_of_answering_never_raises_the_probability(
    kind: Kind, venue_kind: VenueKind, answer: Answer
) -> None:
    answered = evidence(kind=venue_kind, answer=answer)
    failed = structs.replace(answered, answers=(SourceAnswer("index", Unavailable("Time out.")),))
    one = reference(kind=kind)
    assert decide(one, failed).probability <= decide(one, answered).probability


@given(some_evidence)
def test_equal_evidence_gives_equal_patterns_whatever_the_order_of_records(
    known: Evidence,
) -> None:
    (work,) = known.works
    backwards = structs.replace(known, works=(structs.replace(work, versions=work.versions[::-1]),))
    first = weigh(reference(), known, DEFAULT)[1]
    assert first == weigh(reference(), known, DEFAULT)[1]
    reading = read(reference(), known, DEFAULT)
    other = read(reference(), backwards, DEFAULT)
    verdict = Unresolved(probability=0.5, reason="")
    assert pattern_of(verdict, reference(), known, reading, ()) == pattern_of(
        verdict, reference(), backwards, other, ()
    )


@given(some_evidence)
def test_every_atom_of_a_verdict_is_a_known_one(known: Evidence) -> None:
    assert weigh(reference(), known, DEFAULT)[1] <= AGAINST | FOR


@pytest.mark.parametrize(
    ("verdict", "atoms"),
    [
        (Verified(probability=0.5, reason=""), set()),
        (Unresolved(probability=0.5, reason=""), {"not-explained"}),
        (NotChecked(probability=0.5, reason=""), {"not-explained", "kind-unlisted"}),
        (NotFound(probability=0.5, reason=""), {"not-explained", "charged"}),
        (Contradicted(probability=0.5, reason=""), {"not-explained", "charged"}),
    ],
)
def test_the_outcome_has_its_atoms(verdict: Verdict, atoms: set[str]) -> None:
    outcome = {"not-explained", "charged", "kind-unlisted"}
    assert pattern(verdict) & outcome == atoms


def test_an_unknown_code_counts_by_its_severity_and_its_hundred() -> None:
    verdict = Contradicted(probability=0.5, reason="")
    assert "decisive-authors" in pattern(verdict, a_charge("HM499"))
    assert "weak-place" in pattern(verdict, a_charge("HM599", weak=True))
    assert "decisive-entry" in pattern(verdict, a_charge("ZZ9"))
    note = Charge(Finding(code="HM699", severity=Severity.NOTE, message="", field="year"))
    assert pattern(verdict, note) == pattern(verdict)


def test_absence_weighs_by_what_is_held_of_the_venue() -> None:
    nothing = weigh(reference(), evidence(), DEFAULT)[1]
    assert {"no-record", "held-little"} <= nothing
    lenient = structs.replace(DEFAULT, absent_from_complete=False)
    whole = weigh(reference(), evidence(complete=True), lenient)[1]
    assert "no-record-of-most" in whole
    assert "held-little" not in whole


def test_an_unknown_venue_and_a_missing_place_are_told_apart() -> None:
    unknown = weigh(reference(), evidence(kind=VenueKind.UNKNOWN), DEFAULT)[1]
    nowhere = weigh(reference(venue=""), evidence(kind=VenueKind.MISSING), DEFAULT)[1]
    book = weigh(reference(venue="", kind=Kind.BOOK), evidence(kind=VenueKind.MISSING), DEFAULT)[1]
    assert "no-record-venue-unknown" in unknown
    assert "no-record-no-place" in nowhere
    assert "no-record-no-place" not in unknown | book


def test_confirming_collections_are_counted_and_copies_are_not() -> None:
    def confirmed(*names: str) -> set[str]:
        records = tuple(compared(collection=name) for name in names)
        atoms = weigh(reference(), evidence(records), DEFAULT)[1]
        return {atom for atom in atoms if atom.startswith("confirmed")}

    assert confirmed("dblp") == confirmed("dblp", "dblp") == {"confirmed"}
    assert confirmed("dblp", "acl") == {"confirmed", "confirmed-twice"}
    assert confirmed("a", "b", "c", "d") == {"confirmed", "confirmed-twice", "confirmed-thrice"}
