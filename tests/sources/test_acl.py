from hallmark.records.answer import Absent, Unavailable
from hallmark.records.source import Question
from hallmark.sources.acl import AclAnthology
from hallmark.sources.interface import Reply, Way
from tests.sources.wire import Service, ask_one, look_up, reply, versions

_ASKED = Question("", doi="10.18653/v1/2021.invent-long.7")


def test_an_entry_is_read_as_unicode() -> None:
    service = Service(reply("acl-entry.bib"))
    (held,) = versions(ask_one(AclAnthology(), Way.DOI, _ASKED, service))
    assert held.title == "Tidal Memory: A Theory of Slow Networks in Öland"
    assert held.authors == ("Ada Fenwick", "Zoë Abél")
    assert held.editors == ("Lena Strand",)
    assert held.year == 2021
    assert held.doi == "10.18653/v1/2021.invent-long.7"
    assert held.venue == "Proceedings of the 59th Annual Meeting of the Invented Association"
    assert service.requests[0].url == "https://aclanthology.org/2021.invent-long.7.bib"


def test_old_ids_are_asked_for_in_capitals_and_foreign_dois_not_at_all() -> None:
    service = Service(Reply(404, b"<html>Not found"))
    questions = [
        Question("", doi="10.18653/v1/p19-1001"),
        Question("", doi="10.1145/3292500.1"),
        Question("", doi="10.18653/v1/../../x"),
    ]
    answers = look_up(AclAnthology(), Way.DOI, questions, service)
    assert answers == [Absent(("doi",)), Absent(()), Absent(())]
    assert [one.url for one in service.requests] == ["https://aclanthology.org/P19-1001.bib"]


def test_what_is_no_entry_is_no_answer() -> None:
    whole = reply("acl-entry.bib").body
    for body in (b"not found", b"@book{a}", whole + whole, b"\xff\xfe", whole[:-3]):
        service = Service(Reply(200, body))
        assert isinstance(ask_one(AclAnthology(), Way.DOI, _ASKED, service), Unavailable), body
