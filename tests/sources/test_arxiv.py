import asyncio

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Notice
from hallmark.sources.arxiv import Arxiv
from hallmark.sources.interface import Reply, Request, Way
from tests.sources.wire import Service, ask_one, look_up, reply, versions


def test_an_entry_has_the_years_of_its_first_and_last_version() -> None:
    service = Service(reply("arxiv-query.xml"))
    (held,) = versions(ask_one(Arxiv(), Way.ARXIV, Question("", arxiv="2101.00007"), service))
    assert held.title == "Tidal Memory: A Theory of Slow Öscillators"
    assert held.all_years == (2021, 2022)
    assert held.authors == ("Ada Fenwick", "Joris van den Berg")
    assert held.published_as == "10.5555/tides.2021.7"
    assert held.doi == "10.48550/arxiv.2101.00007"
    assert held.preprint
    assert held.retracted
    assert held.notices == (Notice("withdrawal", source="arxiv"),)


def test_a_doi_of_arxiv_is_asked_for_by_its_id_and_other_dois_are_not_asked() -> None:
    service = Service(reply("arxiv-query.xml"))
    questions = [Question("", doi="10.48550/arxiv.2101.00007"), Question("", doi="10.5555/x")]
    first, second = look_up(Arxiv(), Way.DOI, questions, service)
    assert isinstance(first, Found)
    assert second == Absent(())
    assert dict(service.requests[0].params)["id_list"] == "2101.00007"


def test_250_ids_are_three_requests() -> None:
    questions = [Question("", arxiv=f"2101.{number:05d}") for number in range(1, 251)]
    service = Service(reply("arxiv-none.xml"))
    assert look_up(Arxiv(), Way.ARXIV, questions, service) == [Absent(("arxiv",))] * 250
    assert len(service.requests) == 3


def test_one_malformed_id_is_absent_and_the_others_are_asked_again() -> None:
    asked: list[str] = []

    async def ask(request: Request) -> Reply:
        ids = dict(request.params)["id_list"]
        asked.append(ids)
        return reply("arxiv-error.xml" if "2101.00009" in ids else "arxiv-query.xml")

    questions = [Question("", arxiv="2101.00009"), Question("", arxiv="2101.00007")]
    first, second = asyncio.run(Arxiv().look_up(Way.ARXIV, questions, ask))
    assert asked == ["2101.00009,2101.00007", "2101.00007"]
    assert first == Absent(("arxiv",))
    assert isinstance(second, Found)


def test_the_error_comes_with_status_200_or_400() -> None:
    for status in (200, 400):
        service = Service(reply("arxiv-error.xml", status))
        question = Question("", arxiv="2101.00009")
        assert ask_one(Arxiv(), Way.ARXIV, question, service) == Absent(("arxiv",))


def test_an_error_about_anything_else_is_no_absence() -> None:
    service = Service(reply("arxiv-error.xml"))
    for way in (Way.ARXIV, Way.TITLE):
        question = Question("Counting Waves", arxiv="2101.00007")
        assert isinstance(ask_one(Arxiv(), way, question, service), Unavailable)


def test_a_feed_that_counts_entries_and_shows_none_is_no_absence() -> None:
    body = reply("arxiv-none.xml").body.replace(b">0</opensearch:total", b">3</opensearch:total")
    service = Service(Reply(200, body))
    answer = ask_one(Arxiv(), Way.ARXIV, Question("", arxiv="2101.00007"), service)
    assert isinstance(answer, Unavailable)
    assert len(service.requests) == 2


def test_a_feed_that_was_empty_by_mistake_is_asked_for_once_more() -> None:
    empty = reply("arxiv-none.xml").body.replace(b">0</opensearch:total", b">1</opensearch:total")
    replies = iter([Reply(200, empty), reply("arxiv-query.xml")])
    asked: list[Request] = []

    async def ask(request: Request) -> Reply:
        asked.append(request)
        return next(replies)

    question = Question("", arxiv="2101.00007")
    (answer,) = asyncio.run(Arxiv().look_up(Way.ARXIV, [question], ask))
    assert isinstance(answer, Found)
    assert asked[0] != asked[1]


def test_a_search_demands_the_telling_words_and_no_signs() -> None:
    service = Service(reply("arxiv-none.xml"))
    question = Question('On "Tidal" Memory: a Theory of Slow Networks, AND more of it')
    assert ask_one(Arxiv(), Way.TITLE, question, service) == Absent(("title",))
    query = dict(service.requests[0].params)["search_query"]
    assert query == (
        '(ti:"tidal" AND ti:"theory" AND ti:"networks")'
        ' OR (ti:"memory" AND ti:"slow" AND ti:"more")'
    )


def test_something_that_is_no_id_is_not_asked() -> None:
    service = Service(reply("arxiv-none.xml"))
    assert ask_one(Arxiv(), Way.ARXIV, Question("", arxiv="abc"), service) == Absent(())
    assert not service.requests
