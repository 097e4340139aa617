import asyncio

import pytest

from hallmark.records.answer import Absent, Unavailable
from hallmark.records.source import Question
from hallmark.sources import dblp
from hallmark.sources.dblp import Dblp
from hallmark.sources.interface import KnownVenue, Reply, UnknownVenue, Way
from tests.sources.wire import Service, ask_one, reply, versions

_TITLE = "Tidal Memory & Waves: A Theory of Slow Networks"


def test_names_lose_their_numbers_and_titles_their_entities_and_full_stop() -> None:
    service = Service(reply("dblp-publ.json"))
    held, preprint = versions(ask_one(Dblp(), Way.TITLE, Question(_TITLE), service))
    assert held.title == _TITLE
    assert held.authors == ("Ada Fenwick", "Zoë Abel")
    assert held.dblp == "conf/invent/FenwickA21"
    assert held.doi == "10.5555/tides.2021.7"
    assert (held.venue, held.venue_raw) == ("INVENT", "INVENT, LNCS")
    assert preprint.preprint
    assert preprint.arxiv == "2101.00007"


@pytest.mark.parametrize("name", ["dblp-publ-one.json", "dblp-publ.xml"])
def test_one_hit_reads_like_several_in_json_and_in_xml(name: str) -> None:
    service = Service(reply(name))
    question = Question("Counting Waves in Shallow Water")
    (held,) = versions(ask_one(Dblp(), Way.TITLE, question, service))
    assert held.authors[0] == "Zoe Abel"
    assert held.year == 2022
    assert held.title == question.title


def test_no_hits_are_an_absence_and_uncounted_ones_are_not() -> None:
    none = reply("dblp-none.json")
    assert ask_one(Dblp(), Way.TITLE, Question("Nothing"), Service(none)) == Absent(("title",))
    lost = Reply(200, none.body.replace(b'"@total": "0"', b'"@total": "3"'))
    assert isinstance(ask_one(Dblp(), Way.TITLE, Question("Nothing"), Service(lost)), Unavailable)
    bare = Reply(200, b"<?xml version='1.0'?><result><hits/></result>")
    assert isinstance(ask_one(Dblp(), Way.TITLE, Question("Nothing"), Service(bare)), Unavailable)


def test_a_title_that_ends_in_dots_keeps_them() -> None:
    assert dblp.version(dblp.Info(title="And then...")).title == "And then..."
    assert dblp.version(dblp.Info(title="And then.")).title == "And then"


def test_a_withdrawn_paper_is_marked() -> None:
    assert dblp.version(dblp.Info(title="T.", type="Withdrawn Items")).retracted


@pytest.mark.parametrize("name", ["INVENT", "Invented Conference on Waves", "invented letters"])
def test_a_series_is_known_by_name_and_acronym(name: str) -> None:
    answer = asyncio.run(Dblp().venue(name, Service(reply("dblp-venue.json")).ask))
    assert isinstance(answer, KnownVenue)
    assert answer.identifiers in {("dblp:conf/invent",), ("dblp:journals/il",)}


def test_a_series_that_only_sounds_alike_is_unknown() -> None:
    service = Service(reply("dblp-venue.json"))
    answer = asyncio.run(Dblp().venue("International Conference on Invented Waves", service.ask))
    assert isinstance(answer, UnknownVenue)
