"""Does a result take along what the index knows, and nothing that it does not?"""

from msgspec import structs

from hallmark.judge.decide import decide
from hallmark.judge.grounds import LONGEST_NAME, grounds_of
from hallmark.records.answer import Found, SourceAnswer, Unavailable
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.records.verdict import Grounds
from hallmark.text.venues import VenueClaim, VenueKind
from tests.judge.evidence import compared, evidence, reference


def grounds(about: Reference, of: Evidence) -> Grounds:
    return grounds_of(about, of, decide(about, of))


def test_a_held_venue_with_its_whole_list_is_known_and_complete() -> None:
    kept = grounds(reference(), evidence((compared(),), complete=True))
    assert (kept.venue, kept.venue_id, kept.year) == ("ICML", "icml", 2021)
    assert (kept.known, kept.complete, kept.found, kept.works) == (True, True, True, 1)


def test_a_list_that_is_not_whole_is_known_only() -> None:
    kept = grounds(reference(), evidence(complete=False))
    assert (kept.known, kept.complete, kept.found) == (True, False, False)


def test_a_venue_that_resolves_and_of_which_nothing_is_held_is_not_known() -> None:
    kept = grounds(reference(), evidence())
    assert (kept.kind, kept.known) == (VenueKind.VENUE, False)


def test_another_year_of_the_venue_does_not_make_this_one_known() -> None:
    kept = grounds(reference(year=2022), evidence(complete=True))
    assert (kept.known, kept.complete) == (False, False)


def test_without_a_year_a_name_that_resolves_is_known() -> None:
    kept = grounds(reference(year=None), evidence())
    assert (kept.known, kept.complete, kept.year) == (True, False, None)


def test_a_name_that_nobody_knows_is_kept_for_the_report() -> None:
    kept = grounds(reference(), evidence(kind=VenueKind.UNKNOWN))
    assert (kept.venue, kept.venue_id) == ("Symposium on Imaginary Results", "")
    assert not kept.known


def test_a_name_that_may_mean_two_venues_has_no_identity() -> None:
    claim = VenueClaim("Proceedings", VenueKind.VENUE, ("one", "two"))
    kept = grounds(reference(), structs.replace(evidence(complete=True), venue=claim))
    assert (kept.venue_id, kept.known, kept.complete) == ("", False, False)


def test_a_year_without_an_edition_is_known_in_full() -> None:
    assert grounds(reference(), evidence(not_held=True)).complete


def test_an_index_that_did_not_answer_knows_of_no_venue() -> None:
    failed = evidence(answer=Unavailable("It is damaged."), complete=True)
    kept = grounds(reference(doi="10.1000/x"), failed)
    assert kept == Grounds(link="doi")


def test_a_record_of_a_live_source_is_not_the_indexes() -> None:
    one = compared(collection="crossref")
    held = evidence((one,), complete=False)
    live = SourceAnswer("crossref", Found((one.version,), ("title",)), live=True)
    kept = grounds(reference(), structs.replace(held, answers=(*held.answers, live)))
    assert not kept.found


def test_a_person_opens_the_doi_first_then_arxiv_then_the_link() -> None:
    bare = reference()
    linked = structs.replace(bare, url="https://example.org")
    preprint = structs.replace(linked, arxiv="2101.00001")
    published = structs.replace(preprint, doi="10.1000/x")
    kept = [grounds(one, evidence()).link for one in (bare, linked, preprint, published)]
    assert kept == ["", "url", "arxiv", "doi"]


def test_long_names_are_cut() -> None:
    claim = VenueClaim("x" * 10_000, VenueKind.UNKNOWN)
    kept = grounds(reference(), structs.replace(evidence(), venue=claim))
    assert len(kept.venue) == LONGEST_NAME
