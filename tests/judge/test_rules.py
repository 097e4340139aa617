"""Rules that keep one mistake of the data from becoming an accusation, and such that settle more."""

import msgspec
import pytest

from hallmark.judge.decide import decide
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.judge.profiles import policy_of
from hallmark.records.answer import VenueYear
from hallmark.records.evidence import Compared, Comparison, Evidence, Field, Nuance
from hallmark.records.reference import Reference
from hallmark.records.work import Quality
from hallmark.text.names import PersonName
from hallmark.text.venues import VenueKind
from tests.judge.evidence import compared, comparison, evidence, reference

CONFLICT = "conflict"
ARXIV_DOI = "10.48550/arxiv.2602.01234"


def judged(
    one: Reference, known: Evidence, policy: Policy = DEFAULT
) -> tuple[str, set[str], str | None]:
    verdict = decide(one, known, policy)
    tag = str(verdict.__struct_config__.tag)
    return tag, {finding.code for finding in verdict.findings}, verdict.type


def foreign(*names: str, collection: str = "dblp") -> Compared:
    nuances = [Nuance("foreign-author", name) for name in names]
    authors = comparison(Field.AUTHORS, CONFLICT, "matched:2/3")
    authors = msgspec.structs.replace(authors, nuances=(*authors.nuances, *nuances))
    return compared(authors=authors, collection=collection)


def preprint(*, year: int = 2026, doi: str = "equal") -> Compared:
    held = compared(
        venue=comparison(Field.VENUE, "silent", "preprint-version"),
        year=comparison(Field.YEAR, "equal" if year == 2021 else CONFLICT, "off-by-more"),
        doi=comparison(Field.DOI, doi),
        venue_id="arxiv",
        preprint=True,
        record_doi=ARXIV_DOI,
    )
    return msgspec.structs.replace(held, version=msgspec.structs.replace(held.version, year=year))


def test_an_author_on_one_of_the_records_is_not_foreign() -> None:
    records = (foreign("Grace Hopper"), foreign("Mary Somerville", collection="acl"))
    found, codes, _ = judged(reference(), evidence(records))
    assert found == "unresolved"
    assert "HM401" not in codes
    assert "HM406" in codes


def test_an_author_on_no_record_is_foreign() -> None:
    records = (foreign("Grace Hopper"), foreign("Grace Hopper", collection="acl"))
    found, codes, _ = judged(reference(), evidence(records))
    assert found == "contradicted"
    assert "HM401" in codes


def test_one_given_name_is_doubt_and_two_are_other_people() -> None:
    one = comparison(Field.AUTHORS, CONFLICT, "given-name-substitution", "matched:2/3", weak=True)
    two = msgspec.structs.replace(one, nuances=(*one.nuances, one.nuances[0]))
    assert judged(reference(), evidence((compared(authors=one),)))[0] == "unresolved"
    assert judged(reference(), evidence((compared(authors=two),)))[0] == "contradicted"


def test_a_publication_years_before_its_own_preprint_is_out_of_the_question() -> None:
    cited = reference(doi=ARXIV_DOI)
    found, codes, named = judged(cited, evidence((preprint(year=2026),)))
    assert (found, named) == ("contradicted", "arxiv_version_mismatch")
    assert "HM601" in codes


def test_a_preprint_posted_in_the_year_after_is_usual() -> None:
    cited = reference(doi=ARXIV_DOI)
    assert judged(cited, evidence((preprint(year=2022),)))[0] == "unresolved"


def test_a_late_preprint_that_the_entry_does_not_cite_says_nothing() -> None:
    assert judged(reference(), evidence((preprint(year=2026, doi="silent"),)))[0] == "unresolved"


def test_a_venue_nobody_knows_for_a_preprints_doi_is_invented() -> None:
    known = evidence((preprint(year=2021),), kind=VenueKind.UNKNOWN)
    found, codes, named = judged(reference(doi=ARXIV_DOI), known)
    assert (found, named) == ("contradicted", "nonexistent_venue")
    assert "HM502" in codes


def test_a_venue_nobody_knows_stays_open_where_the_entry_gives_no_preprints_doi() -> None:
    known = evidence((preprint(year=2021, doi="silent"),), kind=VenueKind.UNKNOWN)
    assert judged(reference(), known)[0] == "unresolved"


def test_a_policy_may_leave_such_venues_open() -> None:
    careful = msgspec.structs.replace(DEFAULT, unknown_venue_of_preprint=False)
    known = evidence((preprint(year=2021),), kind=VenueKind.UNKNOWN)
    assert judged(reference(doi=ARXIV_DOI), known, careful)[0] == "unresolved"


def listed(held: int, expected: int | None, *, venue: str = "aaai", year: int = 2021) -> Evidence:
    row = VenueYear(venue, year, held=held, expected=expected, complete=True, sources=("dblp",))
    claim = msgspec.structs.replace(evidence().venue, name="AAAI", ids=(venue,))
    return msgspec.structs.replace(evidence(), venue=claim, coverage=(row,))


@pytest.mark.parametrize(
    ("doi", "held", "expected"),
    [
        ("10.1609/aaai.v35i2.16110", 1692, "unresolved"),
        ("10.1609/aaai.v35i2.16110", 1961, "not_found"),
        ("10.1609/aaai.v34i2.16110", 1692, "not_found"),
        ("10.1145/3442381.3449876", 1692, "not_found"),
        (None, 1692, "not_found"),
    ],
)
def test_absence_is_weak_where_the_own_doi_speaks_for_a_part_the_list_lacks(
    doi: str | None, held: int, expected: str
) -> None:
    assert judged(reference(venue="AAAI", doi=doi), listed(held, 1692))[0] == expected


def test_absence_from_the_main_list_says_nothing_of_another_track() -> None:
    cited = reference(venue="ACL", doi="10.18653/v1/2021.acl-demo.3")
    known = listed(1204, 710, venue="acl")
    assert judged(cited, known)[0] == "unresolved"


def test_two_meetings_of_different_years_exclude_each_other() -> None:
    elsewhere = compared(
        venue=comparison(Field.VENUE, CONFLICT, "other-venue"),
        year=comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True),
        venue_id="neurips",
    )
    found, _, named = judged(reference(), evidence((elsewhere,)))
    assert (found, named) == ("contradicted", "arxiv_version_mismatch")


def test_a_shared_task_may_be_cited_under_the_meeting_that_held_it() -> None:
    elsewhere = compared(venue=comparison(Field.VENUE, CONFLICT, "other-venue"), venue_id="semeval")
    assert judged(reference(), evidence((elsewhere,)))[0] == "unresolved"


def test_strangers_are_invented_and_a_known_team_was_taken_over() -> None:
    authors = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    swapped = evidence((compared(authors=authors),))
    strangers = msgspec.structs.replace(swapped, together=False)
    team = msgspec.structs.replace(swapped, together=True)
    assert judged(reference(), strangers)[2] == "placeholder_authors"
    assert judged(reference(), team)[2] == "swapped_authors"
    assert judged(reference(), swapped)[2] == "swapped_authors"


def test_whether_people_published_together_never_changes_the_outcome() -> None:
    for known in (evidence(complete=True), evidence(), evidence((foreign("Grace Hopper"),))):
        outcomes = {
            judged(reference(), msgspec.structs.replace(known, together=value))[0]
            for value in (True, False, None)
        }
        assert len(outcomes) == 1


def test_a_made_up_paper_by_a_real_team_is_a_chimera() -> None:
    known = evidence(complete=True)
    assert judged(reference(), known)[2] == "plausible_fabrication"
    team = msgspec.structs.replace(known, together=True)
    assert judged(reference(), team)[2] == "chimeric_title"


def test_other_peoples_work_may_begin_with_the_same_words() -> None:
    head = comparison(Field.TITLE, "variant", "subtitle-dropped")
    others = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:0/2")
    elsewhere = comparison(Field.VENUE, CONFLICT, "other-venue")
    later = comparison(Field.YEAR, CONFLICT, "off-by-more")
    stranger = compared(title=head, authors=others, venue=elsewhere, year=later, venue_id="aaai")
    assert judged(reference(), evidence((stranger,)))[0] == "unresolved"
    same = compared(title=head, authors=others)
    assert judged(reference(), evidence((same,)))[0] == "contradicted"


def conference(**changed: object) -> Compared:
    """The record of a conference paper, where the entry claims a journal."""
    made = compared(
        venue=comparison(Field.VENUE, CONFLICT, "other-venue", "journal-vs-conference"),
        year=comparison(Field.YEAR, CONFLICT, "off-by-more"),
        authors=comparison(Field.AUTHORS, CONFLICT, "foreign-author", "order", "matched:2/3"),
        venue_id="cvpr",
        record_doi="10.1109/cvpr.2015.7298965",
    )
    return msgspec.structs.replace(made, **changed)


def test_the_journal_version_of_a_conference_paper_may_have_more_authors() -> None:
    cited = reference(venue="TPAMI", year=2023, doi="10.1109/tpami.2016.2572683")
    found, codes, _ = judged(cited, evidence((conference(),)))
    assert found == "unresolved"
    assert "HM508" in codes
    assert "HM401" not in codes


def test_a_journal_version_leaves_nobody_out() -> None:
    cut = comparison(Field.AUTHORS, CONFLICT, "missing-author", "matched:2/2")
    found, codes, _ = judged(reference(year=2023), evidence((conference(authors=cut),)))
    assert found == "contradicted"
    assert "HM402" in codes


def test_a_journal_version_does_not_bear_the_conference_papers_doi() -> None:
    same = conference(doi=comparison(Field.DOI))
    assert judged(reference(year=2023), evidence((same,)))[0] == "contradicted"


def test_a_journal_version_does_not_come_before_the_paper() -> None:
    assert judged(reference(year=2015), evidence((conference(),)))[0] == "contradicted"


def test_a_journal_whose_list_is_whole_holds_no_such_version() -> None:
    assert judged(reference(), evidence((conference(),), complete=True))[0] == "contradicted"


GUEST = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:3/4")


def test_a_preprint_that_is_not_held_may_have_other_authors() -> None:
    published = evidence((compared(authors=GUEST),), kind=VenueKind.PREPRINT)
    found, codes, _ = judged(reference(venue="arXiv"), published)
    assert found == "unresolved"
    assert "HM509" in codes
    assert "HM401" not in codes


def test_a_preprint_that_is_held_has_the_authors_of_its_record() -> None:
    held = compared(authors=GUEST, preprint=True)
    assert (
        judged(reference(venue="arXiv"), evidence((held,), kind=VenueKind.PREPRINT))[0]
        == "contradicted"
    )


def test_a_preprint_is_not_one_of_other_people() -> None:
    strangers = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:1/4")
    published = evidence((compared(authors=strangers),), kind=VenueKind.PREPRINT)
    assert judged(reference(venue="arXiv"), published)[0] == "contradicted"


def test_who_cites_the_publication_gets_its_authors() -> None:
    assert judged(reference(), evidence((compared(authors=GUEST),)))[0] == "contradicted"


def test_the_strict_policy_knows_no_unseen_preprints() -> None:
    published = evidence((compared(authors=GUEST),), kind=VenueKind.PREPRINT)
    assert judged(reference(venue="arXiv"), published, policy_of("strict"))[0] == "contradicted"


@pytest.mark.parametrize("name", ["Anonymous", "Unknown", "(:Null)", "Various Authors"])
def test_works_whose_authors_nobody_knows_are_no_fabrication(name: str) -> None:
    nobody = reference(authors=(PersonName(literal=name),), venue="")
    found, codes, _ = judged(nobody, evidence(kind=VenueKind.MISSING))
    assert found == "unresolved"
    assert "HM102" in codes


def test_papers_of_a_conference_name_their_authors() -> None:
    nobody = reference(authors=(PersonName(literal="Anonymous"),))
    assert judged(nobody, evidence())[0] == "contradicted"


def test_john_doe_is_a_stand_in_everywhere() -> None:
    doe = reference(authors=(PersonName(given="John", family="Doe"),), venue="")
    assert judged(doe, evidence(kind=VenueKind.MISSING))[0] == "contradicted"


def test_a_book_that_nobody_knows_may_print_a_paper_again() -> None:
    book = evidence((compared(venue=comparison(Field.VENUE, "silent")),), kind=VenueKind.UNKNOWN)
    claim = msgspec.structs.replace(book.venue, name="The Philosophy of Artificial Intelligence")
    again = msgspec.structs.replace(book, venue=claim)
    assert judged(reference(venue=claim.name), again)[0] == "unresolved"
    assert judged(reference(venue=book.venue.name), book)[0] == "contradicted"


EARLY = comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True)
FAR = comparison(Field.YEAR, CONFLICT, "off-by-more")


def dated(year: int, *, record: int, difference: Comparison) -> Evidence:
    """Complete lists of two years, and the record of the work in one of them."""
    held = compared(year=difference)
    held = msgspec.structs.replace(held, version=msgspec.structs.replace(held.version, year=record))
    rows = tuple(VenueYear("icml", one, held=1183, complete=True) for one in (year, record))
    return msgspec.structs.replace(evidence((held,)), coverage=rows)


def test_the_year_before_is_that_of_the_preprint() -> None:
    found, codes, _ = judged(reference(year=2020), dated(2020, record=2021, difference=EARLY))
    assert found == "verified"
    assert "HM602" in codes


def test_the_year_after_is_another_edition() -> None:
    found, codes, _ = judged(reference(year=2022), dated(2022, record=2021, difference=EARLY))
    assert found == "contradicted"
    assert "HM602" in codes


def test_a_book_has_editions_and_a_report_becomes_an_article() -> None:
    publisher = evidence((compared(year=FAR),), kind=VenueKind.CONTAINER)
    found, codes, _ = judged(reference(venue="John Wiley & Sons", year=1999), publisher)
    assert found == "unresolved"
    assert "HM601" in codes


def test_a_preprint_may_be_posted_years_after_the_publication() -> None:
    late = msgspec.structs.replace(reference(venue="arXiv", year=2026), arxiv="2607.13428")
    published = evidence((compared(year=FAR),), kind=VenueKind.PREPRINT)
    assert judged(late, published)[0] == "verified"
    other = msgspec.structs.replace(late, arxiv="1907.13428")
    assert judged(other, published)[0] == "contradicted"


def test_an_unknown_place_years_away_is_one_difference() -> None:
    elsewhere = compared(venue=comparison(Field.VENUE, "silent"), year=FAR)
    known = evidence((elsewhere,), kind=VenueKind.UNKNOWN)
    found, codes, _ = judged(reference(venue=known.venue.name, year=2016), known)
    assert found == "unresolved"
    assert "HM502" in codes


def test_some_of_the_people_under_a_short_title_is_another_of_their_works() -> None:
    half = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "missing-author", "matched:2/4")
    elsewhere = comparison(Field.VENUE, CONFLICT, "other-venue", "journal-vs-conference")
    tutorial = compared(authors=half, venue=elsewhere, year=FAR)
    short = reference(title="Universal Dependencies")
    assert judged(short, evidence((tutorial,)))[0] == "unresolved"
    here = compared(authors=half)
    assert judged(short, evidence((here,)))[0] == "contradicted"


def test_of_two_reports_that_begin_the_same_the_one_of_the_cited_year_is_meant() -> None:
    head = comparison(Field.TITLE, "variant", "subtitle-dropped")
    unplaced = comparison(Field.VENUE, "silent", "claim-missing")
    later = compared(title=head, venue=unplaced, year=FAR)
    meant = compared(title=head, venue=unplaced)
    for works in ((later,), (meant,)), ((meant,), (later,)):
        known = evidence(*works, kind=VenueKind.MISSING)
        assert judged(reference(venue=""), known)[0] == "verified"


def test_a_meeting_that_a_list_names_for_a_workshop_paper_is_left_open() -> None:
    copied = comparison(Field.VENUE, CONFLICT, "track", "listed-so", weak=True)
    there = compared(venue=copied, venue_id="icml-workshops")
    assert judged(reference(), evidence((there,), complete=True))[0] == "unresolved"
    told = comparison(Field.VENUE, CONFLICT, "track")
    there = compared(venue=told, venue_id="icml-workshops")
    assert judged(reference(), evidence((there,), complete=True))[0] == "contradicted"


def test_a_record_that_ends_where_the_claimed_authors_go_on_may_be_cut() -> None:
    people = tuple(PersonName(given=given, family="Zobel") for given in "Ada Bo Cy Di Ed".split())
    longer = reference(authors=people)
    beyond = foreign("Ed Zobel")
    held = msgspec.structs.replace(beyond.version, authors=tuple(one.display for one in people[:4]))
    cut = msgspec.structs.replace(beyond, version=held)
    assert judged(longer, evidence((cut,)))[0] == "unresolved"
    another = msgspec.structs.replace(cut, version=msgspec.structs.replace(held, collection="acl"))
    assert judged(longer, evidence((cut, another)))[0] == "contradicted"
    first = msgspec.structs.replace(cut, authors=foreign("Ada Zobel").authors)
    assert judged(longer, evidence((first,)))[0] == "contradicted"


def personal(*collections: str, **changed: object) -> tuple[Compared, ...]:
    held = compared(quality=Quality.PERSONAL, **changed)  # type: ignore[arg-type]
    return tuple(
        msgspec.structs.replace(
            held, version=msgspec.structs.replace(held.version, collection=collection)
        )
        for collection in collections
    )


def test_what_one_persons_bibliography_says_otherwise_is_shown_and_weighs_nothing() -> None:
    alone = judged(reference(), evidence(personal("cv", year=FAR)))
    assert alone[0] == "unresolved"
    assert "HM601" in alone[1]
    both = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:1/2")
    assert judged(reference(), evidence(personal("cv", year=FAR, authors=both)))[0] == "unresolved"
    assert judged(reference(), evidence(personal("cv", "notes", year=FAR)))[0] == "contradicted"
    assert judged(reference(), evidence((compared(year=FAR),)))[0] == "contradicted"


def test_an_entry_without_a_venue_may_be_of_the_manuscript() -> None:
    unplaced = comparison(Field.VENUE, "silent", "claim-missing")
    later = compared(year=FAR, venue=unplaced, doi=comparison(Field.DOI, CONFLICT))
    known = evidence((later,), kind=VenueKind.MISSING)
    early = judged(reference(venue="", year=2019), known)
    assert early[0] == "unresolved"
    assert "HM509" in early[1]
    assert judged(reference(venue="", year=2012), known)[0] == "contradicted"
    assert judged(reference(venue="", year=2024), known)[0] == "contradicted"


def test_each_server_has_its_own_list_of_a_preprints_authors() -> None:
    fewer = comparison(Field.AUTHORS, CONFLICT, "missing-author", "matched:2/2")
    cited = comparison(Field.VENUE, "variant", "preprint-cited-as-preprint")
    held = compared(authors=fewer, venue=cited, venue_id="arxiv", preprint=True)
    known = evidence((held,), kind=VenueKind.PREPRINT)
    for name, status in (("arXiv", "contradicted"), ("SSRN", "unresolved")):
        venue = msgspec.structs.replace(known.venue, name=name)
        one = msgspec.structs.replace(known, venue=venue)
        assert judged(reference(venue=name), one)[0] == status


def test_another_publication_has_another_venue_and_another_doi() -> None:
    reprint = comparison(Field.VENUE, CONFLICT, "other-venue", weak=True)
    held = compared(venue=reprint, doi=comparison(Field.DOI, CONFLICT), record_doi="10.1093/x")
    found = judged(reference(doi="10.7551/y", claimed_doi="10.7551/y"), evidence((held,)))
    assert found[0] == "unresolved"
    assert {"HM204", "HM501"} <= found[1]


def test_a_registry_that_moved_later_authors_is_shown_and_no_doubt() -> None:
    moved = comparison(Field.AUTHORS, CONFLICT, "order", "matched:2/2", weak=True)
    found = judged(reference(), evidence((compared(authors=moved),)))
    assert found[0] == "verified"
    assert "HM403" in found[1]
    both = (compared(authors=moved), compared(authors=moved, collection="acl"))
    assert judged(reference(), evidence(both))[0] != "verified"
    first = comparison(Field.AUTHORS, CONFLICT, "order", "matched:2/2")
    assert judged(reference(), evidence((compared(authors=first),)))[0] != "verified"


def test_a_publication_may_be_cited_with_the_preprints_order_of_its_authors() -> None:
    order = comparison(Field.AUTHORS, CONFLICT, "order", "matched:2/2")
    published = compared(authors=order)
    silent = comparison(Field.VENUE, "silent", "preprint-version")
    posted = compared(venue=silent, venue_id="arxiv", preprint=True, collection="arxiv")
    assert judged(reference(), evidence((published, posted)))[0] == "verified"
    fewer = comparison(Field.AUTHORS, CONFLICT, "missing-author", "matched:2/2")
    assert judged(reference(), evidence((compared(authors=fewer), posted)))[0] == "unresolved"


def test_a_second_posting_has_a_number_and_a_doi_of_its_own() -> None:
    other = comparison(Field.DOI, CONFLICT)
    number = comparison(Field.ARXIV, CONFLICT)
    cited = comparison(Field.VENUE, "variant", "preprint-cited-as-preprint")
    held = compared(venue=cited, doi=other, venue_id="arxiv", preprint=True, record_doi="10.1/x")
    held = msgspec.structs.replace(held, arxiv=number)
    claimed = reference(venue="arXiv", doi=ARXIV_DOI, claimed_doi=ARXIV_DOI)
    assert judged(claimed, evidence((held,), kind=VenueKind.PREPRINT))[0] == "verified"


def test_one_persons_record_does_not_tell_a_journals_authors() -> None:
    added = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "matched:2/3")
    elsewhere = comparison(Field.VENUE, CONFLICT, "other-venue", "journal-vs-conference")
    paper = compared(authors=added, venue=elsewhere, venue_id="neurips")
    own = personal("cv", authors=added)
    assert judged(reference(), evidence((paper, *own)))[0] == "unresolved"
    assert judged(reference(), evidence((paper, compared(authors=added))))[0] == "contradicted"


def test_a_slip_of_a_key_in_a_name_contradicts_with_nothing_else() -> None:
    slipped = comparison(Field.AUTHORS, CONFLICT, "surname-typo", "matched:2/2", weak=True)
    beside = comparison(Field.YEAR, CONFLICT, "off-by-one", weak=True)
    found = judged(reference(), evidence((compared(authors=slipped, year=beside),)))
    assert found[0] == "unresolved"
    assert {"HM404", "HM602"} <= found[1]


def test_a_students_abstract_is_not_the_article_with_the_teachers() -> None:
    people = (PersonName("Ada", "Lovelace"), PersonName("Bo", "Zobel"), PersonName("Cy", "Quist"))
    added = comparison(Field.AUTHORS, CONFLICT, "foreign-author", "foreign-author", "matched:1/3")
    article = comparison(Field.VENUE, CONFLICT, "other-venue", "journal-vs-conference")
    held = compared(authors=added, venue=article, venue_id="sigmod")
    lone = msgspec.structs.replace(held.version, authors=("Ada Lovelace",))
    abstract = msgspec.structs.replace(held, version=lone)
    assert judged(reference(authors=people), evidence((abstract,)))[0] == "unresolved"
    assert judged(reference(authors=people), evidence((held,)))[0] == "contradicted"
