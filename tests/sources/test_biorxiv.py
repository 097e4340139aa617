from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Notice
from hallmark.sources import biorxiv
from hallmark.sources.biorxiv import Biorxiv, Item
from hallmark.sources.interface import Reply, Way
from tests.sources.wire import Service, ask_one, look_up, reply, versions

_DOI = "10.1101/2020.12.30.424242"
_ASKED = Question("", doi=_DOI)
_NONE = reply("biorxiv-none.json")


def test_the_versions_of_a_preprint_are_one_record() -> None:
    service = Service(reply("biorxiv-details.json"))
    (held,) = versions(ask_one(Biorxiv(), Way.DOI, _ASKED, service))
    assert held.title == "Tidal Memory: A Theory of Slow Networks"
    assert held.title_others == ("Tidal memory, a first sketch",)
    assert held.all_years == (2022, 2020, 2021)
    assert held.authors == ("A. Fenwick", "J. K. Van den Berg", "Slow Networks Group")
    assert held.published_as == "10.5555/tides.2021.7"


def test_medrxiv_is_asked_where_biorxiv_has_nothing() -> None:
    service = Service({"/biorxiv/": _NONE, "/medrxiv/": reply("biorxiv-details.json")})
    assert isinstance(ask_one(Biorxiv(), Way.DOI, _ASKED, service), Found)
    both = Service(_NONE)
    assert ask_one(Biorxiv(), Way.DOI, _ASKED, both) == Absent(("doi",))
    assert len(both.requests) == 2


def test_other_registrants_are_not_asked() -> None:
    service = Service(_NONE)
    questions = [Question("", doi="10.5555/x"), Question("", doi="10.64898/2026.01.01.1")]
    assert look_up(Biorxiv(), Way.DOI, questions, service) == [Absent(()), Absent(("doi",))]


def test_an_unknown_message_is_no_absence() -> None:
    for body in (
        b'{"messages": [{"status": "error"}], "collection": []}',
        b'{"messages": [], "collection": []}',
        b'{"messages": [{"status": "ok"}], "collection": [{"doi": "10.1101/other"}]}',
    ):
        service = Service(Reply(200, body))
        assert isinstance(ask_one(Biorxiv(), Way.DOI, _ASKED, service), Unavailable)


def test_a_withdrawn_preprint_has_a_notice_and_na_is_no_article() -> None:
    item = Item(_DOI, "T", "A", "2021-01-01", "1", "WITHDRAWN", "NA")
    held = biorxiv.preprint([item], _DOI, "biorxiv")
    assert held.retracted
    assert held.notices == (Notice("withdrawal", source="biorxiv"),)
    assert held.published_as is None
