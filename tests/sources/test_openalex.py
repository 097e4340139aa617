import asyncio

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Quality
from hallmark.sources import openalex
from hallmark.sources.interface import KnownVenue, Reply, UnknownVenue, Way
from hallmark.sources.openalex import OpenAlex
from tests.sources.wire import DOI, TITLE, Service, ask_one, look_up, reply, versions


def test_a_work_is_its_publication_and_its_preprint() -> None:
    service = Service(reply("openalex-works.json"))
    held = versions(ask_one(OpenAlex(), Way.DOI, Question("", doi=DOI), service))
    published, preprint = held
    assert published.authors == ("Ada Fenwick", "T. K. Oduya")
    assert published.venue == "Journal of Invented Results"
    assert published.retracted
    assert not published.preprint
    assert preprint.arxiv == "2101.00007"
    assert preprint.year is None
    assert preprint.published_as == DOI
    assert {one.quality for one in held} == {Quality.EXTRACTED}


def test_lists_of_a_hundred_authors_are_taken_for_cut() -> None:
    people = [openalex.Authorship(f"Person {number}") for number in range(100)]
    (held,) = openalex.versions(openalex.Record(id="W1", title="T", authorships=people))
    assert held.authors_truncated


def test_a_doi_with_a_comma_is_asked_for_alone_and_its_404_is_a_web_page() -> None:
    page = Reply(404, b"<!doctype html><title>404 Not Found</title>", "text/html")
    service = Service({"/works/doi:": page, "/works": reply("openalex-works.json")})
    questions = [Question("", doi="10.5555/a,b"), Question("", doi=DOI)]
    first, second = look_up(OpenAlex(), Way.DOI, questions, service)
    assert first == Absent(("doi",))
    assert isinstance(second, Found)
    assert [dict(one.params).get("filter") for one in service.requests] == [f"doi:{DOI}", None]


def test_a_search_sends_plain_words_only() -> None:
    service = Service(reply("openalex-works.json"))
    ask_one(OpenAlex(), Way.TITLE, Question("Tidal, memory|x: y!"), service)
    assert dict(service.requests[0].params)["filter"] == "title.search:Tidal memory x y"


def test_a_record_without_its_identifier_leaves_the_question_open() -> None:
    body = b'{"results": [{"id": "https://openalex.org/W1", "title": "T"}]}'
    answer = ask_one(OpenAlex(), Way.DOI, Question("", doi=DOI), Service(Reply(200, body)))
    assert isinstance(answer, Unavailable)


def test_paratext_is_no_answer_to_a_title() -> None:
    body = reply("openalex-works.json").body.replace(b'"article"', b'"paratext"')
    answer = ask_one(OpenAlex(), Way.TITLE, Question(TITLE), Service(Reply(200, body)))
    assert answer == Absent(("title",))


def test_a_venue_is_known_by_any_of_its_names() -> None:
    for name in ("Journal of Invented Results", "J. Invent. Res.", "JIR"):
        service = Service(reply("openalex-sources.json"))
        answer = asyncio.run(OpenAlex().venue(name, service.ask))
        assert isinstance(answer, KnownVenue), name
        assert answer.identifiers == ("openalex:S1", "issn:2222-2229")
    service = Service(reply("openalex-sources.json"))
    answer = asyncio.run(OpenAlex().venue("Journal of Imagined Results", service.ask))
    assert answer == UnknownVenue(("Invented Letters", "Journal of Invented Results"))
