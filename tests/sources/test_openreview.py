import pytest

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.sources.interface import Reply, Way
from hallmark.sources.openreview import OpenReview, is_accepted
from tests.sources.wire import TITLE, Service, ask_one, reply, versions

_NONE = reply("openreview-none.json")


def test_only_the_accepted_paper_counts() -> None:
    service = Service(reply("openreview-v2.json"))
    (held,) = versions(ask_one(OpenReview(), Way.TITLE, Question(TITLE), service))
    assert held.venue == "INVENT 2024 poster"
    assert held.venue_raw == "INVENT.cc/2024/Conference"
    assert held.year == 2024
    assert held.url == "https://openreview.net/forum?id=nt1"
    assert len(service.requests) == 1


def test_the_first_interface_is_asked_where_the_second_has_nothing() -> None:
    service = Service({"//api2": _NONE, "//api.": reply("openreview-v1.json")})
    (held,) = versions(ask_one(OpenReview(), Way.TITLE, Question(TITLE), service))
    assert held.year == 2021
    assert held.authors == ("Ada Fenwick",)


def test_a_paper_is_absent_only_when_both_interfaces_have_answered() -> None:
    refused = Unavailable("It answered with status 403.")
    question = Question(TITLE)
    assert ask_one(OpenReview(), Way.TITLE, question, Service(_NONE)) == Absent(("title",))
    one: dict[str, Reply | Unavailable] = {"//api2": refused, "//api.": _NONE}
    other: dict[str, Reply | Unavailable] = {"//api2": _NONE, "//api.": refused}
    for replies in (one, other):
        assert ask_one(OpenReview(), Way.TITLE, question, Service(replies)) == refused
    older = Service({"//api2": refused, "//api.": reply("openreview-v1.json")})
    assert isinstance(ask_one(OpenReview(), Way.TITLE, question, older), Found)


@pytest.mark.parametrize(
    ("venue_id", "venue", "accepted"),
    [
        ("ICLR.cc/2024/Conference", "ICLR 2024 oral", True),
        ("NeurIPS.cc/2023/Workshop/X", "X 2023", True),
        ("TMLR", "Accepted by TMLR", True),
        ("TMLR/Under_Review", "Under review for TMLR", False),
        ("ICLR.cc/2024/Conference/Submission", "ICLR 2024 Conference Submission", False),
        ("ICLR.cc/2024/Conference/Withdrawn_Submission", "", False),
        ("ICLR.cc/2024/Conference/Rejected_Submission", "", False),
        ("ICLR.cc/2024/Conference/Desk_Rejected_Submission", "", False),
        ("ICLR.cc/2024/Conference", "Submitted to ICLR 2024", False),
        ("dblp.org/conf/ICLR/2024", "ICLR 2024", False),
        ("", "ICLR 2018 poster", False),
    ],
)
def test_the_venue_tells_accepted_papers(venue_id: str, venue: str, accepted: bool) -> None:
    assert is_accepted(venue_id, venue) is accepted


def test_the_year_is_that_of_the_publication_where_the_venue_has_none() -> None:
    note = (
        b'{"notes": [{"id": "n", "pdate": 1700000000000, "content": {"title": {"value": "%s"},'
        b' "venueid": {"value": "TMLR"}, "authors": {"value": ["Anonymous"]}}}]}'
    ) % TITLE.encode()
    service = Service(Reply(200, note))
    (held,) = versions(ask_one(OpenReview(), Way.TITLE, Question(TITLE), service))
    assert held.year == 2023
    assert held.authors == ()
