"""A verdict follows from the evidence, by rules in a fixed order."""

import pytest

from hallmark.judge.decide import decide
from hallmark.judge.policy import DEFAULT
from hallmark.judge.profiles import shipped
from hallmark.records.answer import Unavailable
from hallmark.records.evidence import Compared, Evidence, Field, Nuance
from hallmark.records.reference import Kind, Reference
from hallmark.records.verdict import Verdict
from hallmark.records.work import Quality
from hallmark.text.names import PersonName
from hallmark.text.venues import VenueKind
from tests.judge.evidence import compared, comparison, evidence, reference

CONFLICT = "conflict"


def status(verdict: Verdict) -> str:
    return str(verdict.__struct_config__.tag)


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings}


def judged(one: Reference, known: Evidence) -> tuple[str, set[str]]:
    verdict = decide(one, known)
    return status(verdict), codes(verdict)


def test_a_version_that_explains_everything_verifies() -> None:
    verdict = decide(reference(), evidence((compared(),)))
    assert status(verdict) == "verified"
    assert verdict.probability < 0.05
    assert verdict.work is not None


def test_one_version_must_explain_venue_and_year_together() -> None:
    right_venue = compared(year=comparison(Field.YEAR, CONFLICT, "off-by-more"))
    right_year = compared(venue=comparison(Field.VENUE, CONFLICT, "other-venue"))
    found, _ = judged(reference(), evidence((right_venue, right_year)))
    assert found != "verified"


def test_a_small_change_of_an_attested_title_is_a_contradiction() -> None:
    title = comparison(Field.TITLE, CONFLICT, "words-changed", claimed="sturdy", found="robust")
    both = (compared(title=title), compared(title=title, collection="acl"))
    verdict = decide(reference(), evidence(both, complete=True))
    assert status(verdict) == "contradicted"
    assert verdict.type == "near_miss_title"


def test_a_similar_title_is_no_misquotation_where_the_list_is_open() -> None:
    title = comparison(Field.TITLE, CONFLICT, "words-changed", claimed="sturdy", found="robust")
    both = (compared(title=title), compared(title=title, collection="acl"))
    assert judged(reference(), evidence(both))[0] == "unresolved"


def test_a_similar_title_by_partly_other_authors_is_another_work() -> None:
    title = comparison(Field.TITLE, CONFLICT, "words-changed", claimed="sturdy", found="robust")
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:1/2")
    near = compared(title=title, authors=people)
    assert judged(reference(), evidence((near,)))[0] == "unresolved"


def test_a_paper_of_another_meeting_of_the_year_was_not_at_the_claimed_one() -> None:
    elsewhere = compared(venue=comparison(Field.VENUE, CONFLICT, "other-venue"), venue_id="aaai")
    assert judged(reference(), evidence((elsewhere,), complete=False))[0] == "contradicted"


@pytest.mark.parametrize("venue_id", ["jmlr", "workshop:orchards", "name:orchards"])
def test_a_journal_or_a_workshop_may_print_it_again(venue_id: str) -> None:
    elsewhere = compared(venue=comparison(Field.VENUE, CONFLICT, "other-venue"), venue_id=venue_id)
    found, reasons = judged(reference(), evidence((elsewhere,), complete=False))
    assert found == "unresolved"
    assert "HM501" in reasons


def test_foreign_authors_contradict() -> None:
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    verdict = decide(reference(), evidence((compared(authors=people),)))
    assert status(verdict) == "contradicted"
    assert verdict.type == "swapped_authors"
    assert verdict.subtests["authors_match"] is False
    assert verdict.subtests["title_exists"] is True


def test_a_personal_bibliography_alone_cannot_reject_authors() -> None:
    people = comparison(Field.AUTHORS, CONFLICT, "missing-author", "matched:2/2")
    record = compared(authors=people, quality=Quality.PERSONAL)
    found, reasons = judged(reference(), evidence((record,)))
    assert found == "unresolved"
    assert "HM402" in reasons


def test_another_source_that_agrees_outweighs_one_that_does_not() -> None:
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:1/2")
    records = (compared(authors=people), compared(collection="acl"))
    assert judged(reference(), evidence(records))[0] == "verified"


def test_a_real_paper_at_a_complete_venue_that_lacks_it_is_contradicted() -> None:
    elsewhere = compared(venue=comparison(Field.VENUE, CONFLICT, "other-venue"), venue_id="aaai")
    verdict = decide(reference(), evidence((elsewhere,), complete=True))
    assert status(verdict) == "contradicted"
    assert verdict.type == "wrong_venue"


def test_a_preprint_at_a_complete_venue_that_lacks_it_was_never_published_there() -> None:
    preprint = compared(
        venue=comparison(Field.VENUE, "silent", "preprint-version"), venue_id=None, preprint=True
    )
    verdict = decide(reference(), evidence((preprint,), complete=True))
    assert status(verdict) == "contradicted"
    assert verdict.type == "preprint_as_published"


def test_a_preprint_at_a_venue_that_is_not_held_completely_stays_open() -> None:
    preprint = compared(
        venue=comparison(Field.VENUE, "silent", "preprint-version"), venue_id=None, preprint=True
    )
    found, reasons = judged(reference(), evidence((preprint,), complete=False))
    assert found == "unresolved"
    assert "HM703" in reasons


def test_absence_from_a_complete_list_is_not_found() -> None:
    verdict = decide(reference(), evidence(complete=True))
    assert status(verdict) == "not_found"
    assert verdict.type == "plausible_fabrication"


def test_absence_from_an_incomplete_list_says_nothing() -> None:
    assert judged(reference(), evidence(complete=False))[0] == "unresolved"
    assert judged(reference(), evidence())[0] == "unresolved"


@pytest.mark.parametrize("kind", [Kind.THESIS, Kind.BOOK, Kind.REPORT, Kind.CHAPTER])
def test_kinds_that_lists_do_not_hold_are_never_missing(kind: Kind) -> None:
    assert judged(reference(kind=kind), evidence(complete=True))[0] == "unresolved"


@pytest.mark.parametrize("kind", [Kind.SOFTWARE, Kind.WEB, Kind.STANDARD, Kind.PATENT])
def test_kinds_out_of_scope_are_not_checked(kind: Kind) -> None:
    assert judged(reference(kind=kind), evidence(complete=True))[0] == "not_checked"


def test_a_year_without_an_edition_contradicts() -> None:
    found, reasons = judged(reference(), evidence(not_held=True))
    assert found == "contradicted"
    assert "HM504" in reasons


def test_an_unknown_venue_counts_only_with_a_listing_elsewhere() -> None:
    silent = comparison(Field.VENUE, "silent", "unknown-venue")
    listed = compared(venue=silent, venue_id="icml")
    verdict = decide(reference(), evidence((listed,), kind=VenueKind.UNKNOWN))
    assert status(verdict) == "contradicted"
    assert verdict.type == "nonexistent_venue"
    preprint = compared(venue=silent, venue_id=None, preprint=True)
    assert judged(reference(), evidence((preprint,), kind=VenueKind.UNKNOWN))[0] == "unresolved"


def test_a_failed_source_is_never_evidence() -> None:
    known = evidence(answer=Unavailable("It timed out."))
    verdict = decide(reference(), known)
    assert status(verdict) == "unresolved"
    assert "HM901" in codes(verdict)


def test_a_future_year_needs_no_source() -> None:
    known = evidence(answer=Unavailable("It timed out."))
    verdict = decide(reference(year=2031), known)
    assert status(verdict) == "contradicted"
    assert verdict.type == "future_date"


def test_next_year_is_no_future() -> None:
    assert "HM101" not in judged(reference(year=2027), evidence())[1]


def test_a_placeholder_is_no_author() -> None:
    people = (PersonName(given="John", family="Doe"), PersonName(given="Jane", family="Smith"))
    verdict = decide(reference(authors=people), evidence())
    assert status(verdict) == "contradicted"
    assert verdict.type == "placeholder_authors"


def test_one_weak_conflict_is_a_warning_and_two_are_a_contradiction() -> None:
    late = comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True)
    one = compared(year=late)
    assert judged(reference(), evidence((one,)))[0] == "verified"
    doi = comparison(Field.DOI, CONFLICT, "other-identifier")
    two = compared(year=late, doi=doi, record_doi="10.1000/right")
    found, reasons = judged(reference(doi="10.1000/other"), evidence((two,)))
    assert found == "contradicted"
    assert {"HM602", "HM204"} <= reasons


def test_strict_reports_what_default_notes() -> None:
    late = comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True)
    spelled = comparison(Field.TITLE, "variant", "spelling")
    for record in (compared(year=late), compared(title=spelled)):
        known = evidence((record,))
        assert status(decide(reference(), known, DEFAULT)) == "verified"
        assert status(decide(reference(), known, shipped().get("strict"))) == "contradicted"


def test_more_contradictions_never_give_a_milder_verdict() -> None:
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    late = comparison(Field.YEAR, CONFLICT, "off-by-more")
    one = decide(reference(), evidence((compared(authors=people),)))
    two = decide(reference(), evidence((compared(authors=people, year=late),)))
    assert status(one) == status(two) == "contradicted"
    assert two.probability >= one.probability
    assert codes(one) <= codes(two)


def test_an_identifier_of_another_work_contradicts() -> None:
    other = compared(
        title=comparison(Field.TITLE, CONFLICT, "different"),
        authors=comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2"),
        doi=comparison(Field.DOI),
        record_title="Something Else Entirely",
    )
    verdict = decide(reference(doi="10.1000/x"), evidence((other,)))
    assert status(verdict) == "contradicted"
    assert verdict.type == "hybrid_fabrication"


def test_an_implausible_doi_on_a_real_paper_is_fabricated() -> None:
    facts = (Nuance("prefix-unknown", "10.99999"),)
    verdict = decide(reference(doi="10.99999/x.1"), evidence((compared(),), facts=facts))
    assert status(verdict) == "contradicted"
    assert verdict.type == "fabricated_doi"
    assert verdict.subtests["doi_resolves"] is False


def test_a_doi_with_rubbish_behind_it_is_mangled() -> None:
    doi = comparison(Field.DOI, CONFLICT, "other-identifier")
    record = compared(doi=doi, record_doi="10.1000/abc")
    verdict = decide(reference(doi="10.1000/abccats"), evidence((record,)))
    assert status(verdict) == "contradicted"
    assert verdict.suggestion is not None
    assert verdict.suggestion.fields == {"doi": "10.1000/abc"}


def owned_by(*, foreign: bool) -> tuple[Compared, ...]:
    """The record of another work that carries the claimed DOI."""
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    return (
        compared(
            title=comparison(Field.TITLE, CONFLICT, "different"),
            authors=people if foreign else comparison(Field.AUTHORS),
            doi=comparison(Field.DOI),
            record_title="Something Else Entirely",
        ),
    )


def test_a_doi_of_other_peoples_work_on_a_sound_entry_contradicts() -> None:
    known = evidence((compared(),), owned_by(foreign=True))
    assert judged(reference(doi="10.1000/x"), known)[0] == "contradicted"


def test_a_doi_of_the_same_people_may_be_that_of_the_retitled_paper() -> None:
    known = evidence((compared(),), owned_by(foreign=False))
    found, reasons = judged(reference(doi="10.1000/x"), known)
    assert found == "verified"
    assert "HM201" in reasons


def test_a_group_stands_for_the_persons_of_the_record() -> None:
    group = (PersonName(literal="The Imaginary Collaboration"),)
    silent = comparison(Field.AUTHORS, "silent", "consortium")
    known = evidence((compared(authors=silent),))
    assert judged(reference(authors=group), known)[0] == "verified"


def test_a_year_beside_is_decisive_where_both_lists_are_complete() -> None:
    late = comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True)
    record = compared(year=late)
    assert judged(reference(), evidence((record,), complete=False))[0] == "verified"
    assert judged(reference(), evidence((record,), complete=True))[0] == "contradicted"


def test_a_retracted_work_is_verified_with_a_warning() -> None:
    found, reasons = judged(reference(), evidence((compared(retracted=True),)))
    assert found == "verified"
    assert "HM305" in reasons


def test_an_entry_without_a_title_cannot_be_told() -> None:
    found, reasons = judged(reference(title=""), evidence())
    assert found == "unresolved"
    assert "HM104" in reasons


def test_the_order_of_the_records_does_not_matter() -> None:
    people = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:1/2")
    records = (compared(authors=people), compared(collection="acl"), compared(collection="x"))
    forwards = decide(reference(), evidence(records))
    backwards = decide(reference(), evidence(records[::-1]))
    assert status(forwards) == status(backwards)
    assert forwards.probability == backwards.probability
