import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark.records.answer import Absent, Answer, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import crossref
from hallmark.sources.conformance import CHECKS, Example, Violation, knows_venues, sane_spec
from hallmark.sources.interface import (
    Ask,
    KnownVenue,
    Rate,
    Reply,
    Request,
    UnknownVenue,
    VenueAnswer,
    VenueSource,
    Way,
)
from hallmark.sources.specs import SOURCES
from tests.sources.wire import DOI, EXAMPLES, ISBN, TITLE, Service, look_up, reply

_ALL = [
    pytest.param(name, example, id=f"{name}-{example.way.value}-{number}")
    for name, examples in EXAMPLES.items()
    for number, example in enumerate(examples)
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("name", "example"), _ALL)
def test_every_source_keeps_the_contract(name: str, example: Example, check: str) -> None:
    asyncio.run(CHECKS[check](SOURCES.get(name)(None), example))


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_source_describes_itself(name: str) -> None:
    spec = SOURCES.get(name)(None).spec
    assert spec.name == name
    sane_spec(SOURCES.get(name)(None), [other for other in SOURCES.names() if other != name])


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_way_of_every_source_has_an_example(name: str) -> None:
    ways = {example.way for example in EXAMPLES[name]}
    missing = set(SOURCES.get(name)(None).spec.ways) - ways
    assert missing <= {"arxiv"}


@pytest.mark.parametrize("name", SOURCES.names())
@pytest.mark.parametrize("way", Way)
def test_a_way_that_a_source_does_not_have_is_not_asked(name: str, way: Way) -> None:
    source = SOURCES.get(name)(None)
    if way in source.spec.ways:
        return
    service = Service(Reply(200, b"{}"))
    question = Question(TITLE, doi=DOI, arxiv="2101.00007", pmid="7", isbn=ISBN)
    assert look_up(source, way, [question], service) == [Absent(())]
    assert not service.requests


@pytest.mark.parametrize(
    ("name", "venue", "payload"),
    [
        ("crossref", "Journal of Invented Results & Methods", "crossref-journals.json"),
        ("openalex", "Journal of Invented Results", "openalex-sources.json"),
        ("dblp", "INVENT", "dblp-venue.json"),
    ],
)
def test_every_source_of_venues_keeps_the_contract(name: str, venue: str, payload: str) -> None:
    source = SOURCES.get(name)(None)
    assert isinstance(source, VenueSource)
    asyncio.run(knows_venues(source, venue, lambda _: reply(payload)))


@pytest.mark.parametrize("name", SOURCES.names())
@settings(max_examples=25)
@given(body=st.binary(max_size=200) | st.text(max_size=200).map(str.encode), status=st.integers())
def test_no_body_whatsoever_is_an_absence_or_an_exception(
    name: str, body: bytes, status: int
) -> None:
    for example in EXAMPLES[name]:
        service = Service(Reply(status, body))
        answer = look_up(SOURCES.get(name)(None), example.way, [example.question], service)[0]
        assert isinstance(answer, Unavailable) or status in {200, 404}
        if status == 200 and body.strip() not in {b"{}", b"[null]"}:
            assert isinstance(answer, Unavailable)


class _Bad:
    """A source that breaks the contract in one way."""

    def __init__(self, fault: str) -> None:
        self.spec = msgspec.structs.replace(crossref.SPEC, batch={"title": 2})
        self.fault = fault

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        if self.fault == "answers nobody":
            return []
        answers: list[Answer] = []
        for question in questions:
            if not question.title:
                answers.append(Absent(("title",) if self.fault == "guesses" else ()))
            else:
                answers.append(await self._answer(question, ask))
        return answers[::-1] if self.fault == "turns the order" else answers

    async def _answer(self, question: Question, ask: Ask) -> Answer:
        got = await ask(self._request(question))
        if isinstance(got, Unavailable):
            return Absent(("title",)) if self.fault == "takes silence for absence" else got
        if got.status == 200:
            return self._read(got.body)
        silent = self.fault == "believes any status"
        return Absent(("title",)) if silent else Unavailable("status")

    def _request(self, question: Question) -> Request:
        base = self.spec.base
        params: tuple[tuple[str, str], ...] = (("query", question.title[:50]),)
        match self.fault:
            case "tells the user's address":
                params = (*params, ("mailto", "me@example.org"))
            case "goes elsewhere":
                base = "https://other.example"
            case "hides a query":
                base = f"{base}/x?y=z"
            case "lies about itself":
                return Request("other", f"{base}/works", params)
            case "puts titles into addresses":
                return Request(self.spec.name, f"{base}/works/{question.title}", params)
            case "sends it all":
                params = (("query", question.title * 100),)
            case _:
                pass
        return Request(self.spec.name, f"{base}/works", params)

    def _read(self, body: bytes) -> Answer:
        if self.fault == "believes any body":
            return Absent(("title",))
        if self.fault == "is strict" and b"unheardOf" in body:
            return Unavailable("unknown field")
        name = "other" if self.fault == "borrows records" else self.spec.name
        try:
            items = msgspec.json.decode(body)["message"]["items"]
            found = tuple(Version(collection=name, title=str(item["title"])) for item in items)
        except (msgspec.DecodeError, KeyError, TypeError, RecursionError, UnicodeDecodeError):
            return Absent(("title",)) if self.fault == "swallows errors" else Unavailable("?")
        return Found(found, ("title",)) if found else Absent(("title",))


_EXAMPLE = Example(Way.TITLE, Question(TITLE), lambda _: reply("crossref-search.json"))


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("answers nobody", "finds_the_work"),
        ("borrows records", "finds_the_work"),
        ("believes any body", "finds_the_work"),
        ("is strict", "ignores_unknown_fields"),
        ("swallows errors", "tolerates_absent_fields"),
        ("swallows errors", "takes_foreign_types_for_failures"),
        ("swallows errors", "takes_faults_for_failures"),
        ("swallows errors", "takes_cut_bodies_for_failures"),
        ("believes any status", "takes_other_statuses_for_failures"),
        ("takes silence for absence", "passes_failures_on"),
        ("guesses", "answers_every_question_in_order"),
        ("turns the order", "answers_every_question_in_order"),
        ("", "answers_every_question_in_order"),
        ("", "keeps_batches"),
        ("answers nobody", "keeps_batches"),
        ("tells the user's address", "says_nothing_of_the_user"),
        ("goes elsewhere", "says_nothing_of_the_user"),
        ("hides a query", "says_nothing_of_the_user"),
        ("lies about itself", "says_nothing_of_the_user"),
        ("puts titles into addresses", "withstands_hostile_questions"),
        ("sends it all", "withstands_hostile_questions"),
    ],
)
def test_the_suite_catches_a_source_that_breaks_the_contract(fault: str, check: str) -> None:
    with pytest.raises(Violation, match="crossref"):
        asyncio.run(CHECKS[check](_Bad(fault), _EXAMPLE))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"name": "taken"}, "taken"),
        ({"base": "ftp://x/"}, "scheme"),
        ({"batch": {"isbn": 5}}, "batches"),
        ({"sends": ""}, "sent"),
        ({"covers": ""}, "covers"),
        ({"homepage": ""}, "terms"),
        ({"key_variable": "KEY"}, "no place"),
        ({"rate": Rate(0)}, "positive"),
    ],
)
def test_a_spec_that_says_too_little_is_caught(change: dict[str, Any], told: str) -> None:
    bad = _Bad("")
    bad.spec = msgspec.structs.replace(crossref.SPEC, **change)
    with pytest.raises(Violation, match=told):
        sane_spec(bad, ["taken"])


class _BadVenues:
    def __init__(self, answer: VenueAnswer) -> None:
        self.spec = crossref.SPEC
        self.answer = answer

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        await ask(Request(self.spec.name, f"{self.spec.base}/journals"))
        known = name == "Invented Letters" or self.answer is _EVERYTHING
        return KnownVenue((name,)) if known and self.answer is not _NOTHING else self.answer


_NOTHING, _EVERYTHING = UnknownVenue(("nothing",)), UnknownVenue(("everything",))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (_NOTHING, "does not know"),
        (_EVERYTHING, "that there is not"),
        (UnknownVenue(), "is no failure"),
    ],
)
def test_the_suite_catches_a_source_of_venues_that_guesses(answer: VenueAnswer, told: str) -> None:
    with pytest.raises(Violation, match=told):
        asyncio.run(
            knows_venues(_BadVenues(answer), "Invented Letters", lambda _: Reply(200, b"{}"))
        )
