import asyncio

import msgspec
import pytest

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Notice
from hallmark.sources import crossref
from hallmark.sources.crossref import Crossref
from hallmark.sources.interface import KnownVenue, Reply, UnknownVenue, Way
from hallmark.text.names import PersonName
from tests.sources.wire import DOI, TITLE, Service, ask_one, look_up, reply, versions

_ANSWER = versions(
    ask_one(Crossref(), Way.DOI, Question("", doi=DOI), Service(reply("crossref-works.json")))
)
(_WORK,) = _ANSWER


def test_title_and_subtitle_are_joined_and_markup_is_left_to_the_matcher() -> None:
    assert _WORK.title == "<b>Tidal</b> Memory: A Theory of Slow Networks"
    assert _WORK.title_others == ("<b>Tidal</b> Memory", "Gezeitenspeicher")


def test_names_that_stand_in_each_other_s_place_are_put_right() -> None:
    assert _WORK.authors == (
        "Ada Fenwick",
        "T. K. Oduya",
        "The Slow Networks Consortium",
        "Joris van den Berg Jr.",
    )
    assert _WORK.editors == ("Lena Strand",)


def test_years_are_those_of_print_and_online_never_of_the_deposit() -> None:
    assert (_WORK.year, _WORK.years) == (2021, (2022,))


def test_the_venue_is_as_the_source_says_and_is_not_resolved() -> None:
    assert _WORK.venue == "J. Invent. Res."
    assert _WORK.venue_raw == "Journal of Invented Results &amp; Methods"
    assert _WORK.venue_id is None


def test_notices_are_kept_with_kind_date_and_origin() -> None:
    assert _WORK.notices == (
        Notice("retraction", "2023-04-02", "10.5555/tides.2023.9", "retraction-watch"),
        Notice("concern", "2022-06-09", "10.5555/tides.2022.1", "crossref"),
    )
    assert _WORK.retracted


def test_a_concern_alone_does_not_retract() -> None:
    record = crossref.Record(
        DOI=DOI, updated_by=[crossref.Update(DOI="10.5555/n", type="expression_of_concern")]
    )
    held = crossref.version(record)
    assert [one.kind for one in held.notices] == ["concern"]
    assert not held.retracted


def test_a_record_that_became_its_own_notice_is_retracted() -> None:
    own = crossref.Update(DOI=DOI.upper(), type="withdrawal")
    other = crossref.Update(DOI="10.5555/another", type="retraction")
    assert crossref.version(crossref.Record(DOI=DOI, update_to=[own])).retracted
    notice = crossref.version(crossref.Record(DOI=DOI, update_to=[other]))
    assert not notice.retracted
    assert notice.kind == "retraction-notice"


def test_a_search_leaves_out_components_and_foreign_works() -> None:
    service = Service(reply("crossref-search.json"))
    found = versions(ask_one(Crossref(), Way.TITLE, Question(TITLE), service))
    assert [one.doi for one in found] == [DOI, "10.5555/pre.7"]
    preprint = found[1]
    assert preprint.preprint
    assert preprint.published_as == DOI
    assert preprint.venue == "InventedRxiv"
    assert preprint.year == 2020


def test_authors_of_curran_are_in_no_order_and_the_meeting_s_year_counts() -> None:
    service = Service(reply("crossref-search.json"))
    (held,) = versions(ask_one(Crossref(), Way.TITLE, Question("Counting waves"), service))
    assert not held.authors_ordered
    assert held.all_years == (2024, 2023)


def test_a_search_ranks_by_title_and_first_surname_and_demands_neither() -> None:
    author = PersonName(given="Ada", family="Fenwick")
    service = Service(reply("crossref-search.json"))
    ask_one(Crossref(), Way.TITLE, Question("Tidal “Memory”: <i>x</i>", authors=(author,)), service)
    params = dict(service.requests[0].params)
    assert params["query.bibliographic"] == "Tidal Memory x Fenwick"
    assert params["rows"] == "5"
    assert not {"query.author", "filter"} & set(params)


def test_500_dois_are_five_requests() -> None:
    questions = [Question("", doi=f"10.5555/x.{number}") for number in range(500)]
    service = Service(Reply(200, b'{"message": {"items": [], "total-results": 0}}'))
    answers = look_up(Crossref(), Way.DOI, questions, service)
    assert len(service.requests) == 5
    assert answers == [Absent(("doi",))] * 500
    assert dict(service.requests[0].params)["filter"].count("doi:") == 100


def test_a_doi_with_a_comma_is_asked_for_alone() -> None:
    body = b'{"message": {"items": [], "total-results": 0}}'
    service = Service({"/works/": reply("crossref-work.json"), "/works": Reply(200, body)})
    questions = [Question("", doi=DOI), Question("", doi="10.5555/tides,2021")]
    first, second = look_up(Crossref(), Way.DOI, questions, service)
    assert first == Absent(("doi",))
    assert isinstance(second, Found)
    assert service.requests[1].url.endswith("/works/10.5555%2Ftides%2C2021")


def test_a_broken_record_leaves_its_question_open_and_answers_the_others() -> None:
    good = msgspec.json.decode((reply("crossref-works.json")).body)["message"]["items"][0]
    broken = {**good, "DOI": "10.5555/other", "author": "Ada Fenwick"}
    body = msgspec.json.encode({"message": {"items": [good, broken]}})
    questions = [Question("", doi=DOI), Question("", doi="10.5555/other")]
    first, second = look_up(Crossref(), Way.DOI, questions, Service(Reply(200, body)))
    assert isinstance(first, Found)
    assert isinstance(second, Unavailable)


def test_a_text_in_place_of_a_list_of_titles_is_read() -> None:
    record = crossref.Record(DOI=DOI, title="Tidal Memory", container_title="Invented Letters")
    assert crossref.version(record).title == "Tidal Memory"
    assert crossref.version(record).venue_raw == "Invented Letters"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("The Journal of Invented Results & Methods", True),
        ("Journal of Invented Results", False),
        ("", False),
    ],
)
def test_a_journal_is_known_by_exactly_its_name(name: str, known: bool) -> None:
    answer = asyncio.run(Crossref().venue(name, Service(reply("crossref-journals.json")).ask))
    assert isinstance(answer, KnownVenue if known else UnknownVenue)
    if isinstance(answer, KnownVenue):
        assert answer.identifiers == ("issn:2222-2229", "issn:3333-3339")
    elif isinstance(answer, UnknownVenue):
        assert answer.near[0] == "Invented Results Quarterly"


def test_a_service_that_fails_says_nothing_of_a_venue() -> None:
    service = Service(Reply(200, b"<html>"))
    assert isinstance(asyncio.run(Crossref().venue("X", service.ask)), Unavailable)


_SELECTABLE = frozenset(
    "DOI ISBN ISSN URL abstract accepted alternative-id approved archive article-number assertion "
    "author chair clinical-trial-number container-title content-created content-domain "
    "contributor created degree deposited editor event funder group-title indexed "
    "is-referenced-by-count issn-type issue issued license link member original-title page posted "
    "prefix published published-online published-print publisher publisher-location reference "
    "references-count relation resource score short-container-title short-title standards-body "
    "subject subtitle title translator type update-policy update-to updated-by volume".split()
)
"""The fields that the service lets one select; any other one fails the whole request."""


def test_only_fields_are_selected_that_the_service_knows() -> None:
    service = Service(reply("crossref-search.json"))
    ask_one(Crossref(), Way.TITLE, Question(TITLE), service)
    assert set(dict(service.requests[0].params)["select"].split(",")) <= _SELECTABLE


def test_a_preprint_without_a_server_is_its_publisher_s() -> None:
    record = crossref.Record(DOI=DOI, type="posted-content", publisher="Invented Press")
    assert crossref.version(record).venue == "Invented Press"
