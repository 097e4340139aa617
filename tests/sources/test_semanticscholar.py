import msgspec

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Quality
from hallmark.sources import semanticscholar
from hallmark.sources.interface import Reply, Way
from hallmark.sources.semanticscholar import Ids, Record, SemanticScholar
from tests.sources.wire import DOI, TITLE, Service, ask_one, look_up, reply, versions


def test_a_merged_paper_is_taken_apart_and_never_rejects_authors_alone() -> None:
    service = Service(reply("semanticscholar-batch.json"))
    held = versions(ask_one(SemanticScholar(), Way.DOI, Question("", doi=DOI), service))
    published, preprint = held
    assert published.doi == DOI
    assert published.venue == "Invented Conference on Waves"
    assert published.venue_raw == "INVENT 2021"
    assert preprint.arxiv == "2101.00007"
    assert preprint.year is None
    assert {one.quality for one in held} == {Quality.EXTRACTED}


def test_a_paper_only_on_arxiv_is_one_preprint() -> None:
    ids = Ids(ArXiv="2101.00007", DOI="10.48550/arXiv.2101.00007")
    record = Record("a", title="T", year=2021, venue="arXiv.org", external_ids=ids)
    (held,) = semanticscholar.versions(record)
    assert held.preprint
    assert held.arxiv == "2101.00007"
    assert held.year == 2021


def test_a_thousand_ids_are_two_requests_and_nulls_are_absences() -> None:
    questions = [Question("", doi=f"10.5555/{number}") for number in range(1000)]
    paper = msgspec.json.decode(reply("semanticscholar-batch.json").body)[0]
    body = msgspec.json.encode([paper, *[None] * 499])
    service = Service(Reply(200, body))
    answers = look_up(SemanticScholar(), Way.DOI, questions, service)
    assert len(service.requests) == 2
    sent = msgspec.json.decode(service.requests[0].body or b"")
    assert len(sent["ids"]) == 500
    assert sent["ids"][0] == "DOI:10.5555/0"
    assert isinstance(answers[0], Found)
    assert answers[1] == Absent(("doi",))


def test_a_list_of_another_length_answers_nobody() -> None:
    service = Service(Reply(200, b"[null, null]"))
    answer = ask_one(SemanticScholar(), Way.DOI, Question("", doi=DOI), service)
    assert isinstance(answer, Unavailable)


def test_only_the_documented_404_of_the_match_is_an_absence() -> None:
    none = reply("semanticscholar-none.json", status=404)
    answer = ask_one(SemanticScholar(), Way.TITLE, Question(TITLE), Service(none))
    assert answer == Absent(("title",))
    for body in (b'{"error": "Not found"}', b"<html>", b"", b'{"message": "x"}'):
        gone = Service(Reply(404, body))
        assert isinstance(ask_one(SemanticScholar(), Way.TITLE, Question(TITLE), gone), Unavailable)


def test_a_match_that_is_another_work_is_an_absence() -> None:
    service = Service(reply("semanticscholar-match.json"))
    answer = ask_one(SemanticScholar(), Way.TITLE, Question("On the Weight of Clouds"), service)
    assert answer == Absent(("title",))
