import pytest

from hallmark.records.answer import Absent, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Quality
from hallmark.sources.adversity import many_questions
from hallmark.sources.googlebooks import GoogleBooks
from hallmark.sources.interface import LiveSource, Reply, Way
from hallmark.sources.openlibrary import OpenLibrary
from tests.sources.wire import ISBN, TITLE, Service, ask_one, look_up, reply, versions

_SOURCES: list[tuple[LiveSource, str]] = [
    (OpenLibrary(), "openlibrary-books.json"),
    (GoogleBooks(), "googlebooks-volumes.json"),
]


@pytest.mark.parametrize(("source", "payload"), _SOURCES)
def test_a_book_is_found_by_its_number(source: LiveSource, payload: str) -> None:
    question = Question("", isbn=ISBN)
    (held,) = versions(ask_one(source, Way.ISBN, question, Service(reply(payload))))
    assert held.title == TITLE
    assert held.title_others == ("Tidal Memory",)
    assert held.authors == ("Ada Fenwick",)
    assert held.year == 2021
    assert held.venue_raw == "Invented Press"
    assert held.quality is Quality.EXTRACTED
    assert held.kind == "book"
    assert source.spec.kinds == {Kind.BOOK}


def test_a_work_of_open_library_may_be_cited_by_the_year_of_every_edition() -> None:
    service = Service(reply("openlibrary-search.json"))
    (held,) = versions(ask_one(OpenLibrary(), Way.TITLE, Question(TITLE), service))
    assert held.all_years == (2020, 2021, 2023)
    assert "author" not in dict(service.requests[0].params)


def test_numbers_that_nobody_knows_are_absent() -> None:
    question = Question("", isbn=ISBN)
    none = Service(Reply(200, b"{}"))
    assert ask_one(OpenLibrary(), Way.ISBN, question, none) == Absent(("isbn",))
    none = Service(reply("googlebooks-none.json"))
    assert ask_one(GoogleBooks(), Way.ISBN, question, none) == Absent(("isbn",))
    assert ask_one(GoogleBooks(), Way.TITLE, Question(TITLE), none) == Absent(("title",))


def test_a_volume_of_another_number_is_not_the_book() -> None:
    other = Question("", isbn="9780306406157")
    service = Service(reply("googlebooks-volumes.json"))
    assert ask_one(GoogleBooks(), Way.ISBN, other, service) == Absent(("isbn",))


def test_a_hundred_books_are_two_requests_to_open_library() -> None:
    service = Service(Reply(200, b"{}"))
    look_up(OpenLibrary(), Way.ISBN, many_questions(Way.ISBN, 100), service)
    assert len(service.requests) == 2


def test_counted_results_that_are_not_shown_are_no_absence() -> None:
    question = Question(TITLE)
    lost = Service(Reply(200, b'{"numFound": 3, "docs": []}'))
    assert isinstance(ask_one(OpenLibrary(), Way.TITLE, question, lost), Unavailable)
    lost = Service(Reply(200, b'{"kind": "books#volumes", "totalItems": 3}'))
    assert isinstance(ask_one(GoogleBooks(), Way.TITLE, question, lost), Unavailable)
