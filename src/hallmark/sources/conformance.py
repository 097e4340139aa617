"""What must every live source do, whatever its service sends?

The shared suite, for our own sources and for those of other packages. Describe each way of asking
by an `Example`: a question, and the service's replies while it is well and holds the work. Then
run all `CHECKS`; with pytest:

    @pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
    def test_conforms(check):
        asyncio.run(check(MySource(), EXAMPLE))

A check that fails raises `Violation`, which says what was asked, what came back and what is wrong.
"""

import math
from collections.abc import Callable, Coroutine, Sequence
from urllib.parse import urlencode

from msgspec import Struct

from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.sources import mutate
from hallmark.sources.adversity import FAULTS, HOSTILE, PAGE, many_questions
from hallmark.sources.interface import (
    Ask,
    KnownVenue,
    LiveSource,
    Reply,
    Request,
    VenueSource,
    Way,
)
from hallmark.text.names import PersonName

LONGEST_ADDRESS = 16_000
"""Characters of an address with its query; most servers take no more than 8 or 16 KB."""


class Violation(AssertionError):
    """A source does not keep the contract; the message says how."""


class Example(Struct, frozen=True):
    """One way of asking a source, and its service's replies while it is well.

    Attributes:
        way: how the source is asked.
        question: about a work that the service holds.
        reply: what the service answers to a request of this look-up.
        missing_is_absent: the end-point is that of a single identifier, so that status 404 says
            that there is none.
        decisive: names of fields without which a record cannot be told to be the one asked for
            (its title, in a search for titles).
        requests: that one look-up may take at most, where a failing service is asked more often
            than a well one; 0 for as many as the well one is asked.
    """

    way: Way
    question: Question
    reply: Callable[[Request], Reply]
    missing_is_absent: bool = False
    decisive: frozenset[str] = frozenset()
    requests: int = 0


Check = Callable[[LiveSource, Example], Coroutine[None, None, None]]


class _Recorded:
    """A scripted service: counts what it is asked, and may spoil one of its replies."""

    def __init__(self, reply: Callable[[Request], Reply | Unavailable]) -> None:
        self.requests: list[Request] = []
        self._reply = reply

    async def ask(self, request: Request) -> Reply | Unavailable:
        self.requests.append(request)
        return self._reply(request)


def _fail(source: LiveSource, example: Example, told: str) -> Violation:
    return Violation(f"{source.spec.name}, asked by {example.way.value}: {told}.")


async def _look_up(source: LiveSource, example: Example, ask: Ask) -> Answer:
    answers = await source.look_up(example.way, [example.question], ask)
    if len(answers) != 1:
        raise _fail(source, example, f"one question got {len(answers)} answers")
    return answers[0]


async def _bodies(source: LiveSource, example: Example) -> list[Reply]:
    """Return the replies of an untroubled look-up, in order."""
    service = _Recorded(example.reply)
    await _look_up(source, example, service.ask)
    return [example.reply(request) for request in service.requests]


def _spoiled(example: Example, place: int, spoil: Callable[[Reply], Reply]) -> _Recorded:
    """Return the service of an example that spoils its reply number `place`, and all later ones."""
    seen = 0

    def reply(request: Request) -> Reply:
        nonlocal seen
        seen += 1
        good = example.reply(request)
        return spoil(good) if seen > place else good

    return _Recorded(reply)


async def finds_the_work(source: LiveSource, example: Example) -> None:
    """A well service's reply becomes records of this source, or what a resolver knows."""
    answer = await _look_up(source, example, _Recorded(example.reply).ask)
    match answer:
        case Registered():
            return
        case Found(versions, searched):
            foreign = [one for one in versions if one.collection != source.spec.name]
            if not versions or foreign or example.way.value not in searched:
                raise _fail(source, example, "the records found are empty or of another source")
        case _:
            raise _fail(source, example, f"the work was not found: {answer}")


async def ignores_unknown_fields(source: LiveSource, example: Example) -> None:
    """What a service adds to its replies changes nothing."""
    plain = await _look_up(source, example, _Recorded(example.reply).ask)
    service = _spoiled(example, 0, lambda good: _with_body(good, mutate.with_unknown(good.body)))
    if await _look_up(source, example, service.ask) != plain:
        raise _fail(source, example, "an unknown field changed the answer")


async def tolerates_absent_fields(source: LiveSource, example: Example) -> None:
    """A field that is missing raises nothing, and makes no absence of a work that is there."""
    for place, good in enumerate(await _bodies(source, example)):
        for name, body in mutate.without_one(good.body):
            service = _spoiled(example, place, lambda reply, body=body: _with_body(reply, body))  # type: ignore[misc]
            answer = await _look_up(source, example, service.ask)
            if isinstance(answer, Absent) and name not in example.decisive:
                raise _fail(source, example, f"without the field {name} the work was absent")


async def takes_foreign_types_for_failures(source: LiveSource, example: Example) -> None:
    """A value of an undocumented type raises nothing, and makes no absence."""
    for place, good in enumerate(await _bodies(source, example)):
        for what, body in mutate.with_foreign_type(good.body):
            service = _spoiled(example, place, lambda reply, body=body: _with_body(reply, body))  # type: ignore[misc]
            answer = await _look_up(source, example, service.ask)
            if isinstance(answer, Absent) and not _is_decisive(what, example):
                raise _fail(source, example, f"with {what} the work was absent")


def _is_decisive(what: str, example: Example) -> bool:
    return any(part in example.decisive for part in what.partition(" = ")[0].split("."))


async def takes_faults_for_failures(source: LiveSource, example: Example) -> None:
    """Whatever is not the documented form, with status 200, is `Unavailable`."""
    for place in range(len(await _bodies(source, example))):
        for what, body in FAULTS.items():
            service = _spoiled(example, place, lambda reply, body=body: _with_body(reply, body))  # type: ignore[misc]
            answer = await _look_up(source, example, service.ask)
            if not isinstance(answer, Unavailable):
                raise _fail(source, example, f"{what} for reply {place + 1} gave {answer}")


async def takes_cut_bodies_for_failures(source: LiveSource, example: Example) -> None:
    """A body that ends too early is `Unavailable`, wherever it ends."""
    for place, good in enumerate(await _bodies(source, example)):
        whole = good.body.rstrip()
        for cut in sorted({1, len(whole) // 3, len(whole) // 2, len(whole) - 2, len(whole) - 1}):
            service = _spoiled(
                example,
                place,
                lambda reply, body=whole[:cut]: _with_body(reply, body),  # type: ignore[misc]
            )
            answer = await _look_up(source, example, service.ask)
            if not isinstance(answer, Unavailable):
                raise _fail(source, example, f"a body cut after {cut} bytes gave {answer}")


async def takes_other_statuses_for_failures(source: LiveSource, example: Example) -> None:
    """Any status but 200 is `Unavailable`, except 404 where a single identifier was asked for."""
    for place in range(len(await _bodies(source, example))):
        for status in (202, 204, 301, 400, 401, 403, 404, 410, 429, 500, 502, 503):
            service = _spoiled(example, place, lambda _, status=status: Reply(status, PAGE))  # type: ignore[misc]
            answer = await _look_up(source, example, service.ask)
            absent = status == 404 and example.missing_is_absent  # noqa: PLR2004 - HTTP
            if absent and isinstance(answer, Absent) and answer.searched:
                continue
            if not isinstance(answer, Unavailable):
                raise _fail(source, example, f"status {status} for reply {place + 1}: {answer}")


async def passes_failures_on(source: LiveSource, example: Example) -> None:
    """What the client could not fetch is `Unavailable`, for every question of the batch."""
    service = _Recorded(lambda _: Unavailable("It timed out."))
    answers = await source.look_up(example.way, [example.question] * 3, service.ask)
    if answers != [Unavailable("It timed out.")] * 3:
        raise _fail(source, example, f"a failure of the client gave {answers}")


async def answers_every_question_in_order(source: LiveSource, example: Example) -> None:
    """Each question gets its answer, in order; one that cannot be asked is absent of nothing."""
    blank = Question(title="")
    if await source.look_up(example.way, [], _Recorded(example.reply).ask):
        raise _fail(source, example, "no question got an answer")
    alone = await _look_up(source, example, _Recorded(example.reply).ask)
    service = _Recorded(example.reply)
    answers = await source.look_up(
        example.way, [blank, example.question, blank, example.question], service.ask
    )
    if answers != [Absent(()), alone, Absent(()), alone]:
        raise _fail(source, example, f"four questions got {answers}")
    if len(set(service.requests)) != len(service.requests):
        raise _fail(source, example, "the same request was sent twice")


async def keeps_batches(source: LiveSource, example: Example) -> None:
    """Many questions become few requests, and no request holds more than it may."""
    batch = source.spec.batch.get(example.way.value, 1)
    asked = many_questions(example.way, 2 * batch + 1)
    alone = _Recorded(example.reply)
    await _look_up(source, example, alone.ask)
    service = _Recorded(lambda _: Unavailable("It timed out."))
    answers = await source.look_up(example.way, asked, service.ask)
    if len(answers) != len(asked):
        raise _fail(source, example, f"{len(asked)} questions got {len(answers)} answers")
    most = math.ceil(len(asked) / batch) * max(len(alone.requests), example.requests)
    if len(service.requests) > most:
        told = f"{len(asked)} questions took {len(service.requests)} requests instead of {most}"
        raise _fail(source, example, told)


async def says_nothing_of_the_user(source: LiveSource, example: Example) -> None:
    """Requests go to the service's own addresses, and carry no key and no contact."""
    service = _Recorded(example.reply)
    await _look_up(source, example, service.ask)
    for request in service.requests:
        _check_request(source, example, request)


def _check_request(source: LiveSource, example: Example, request: Request) -> None:
    spec = source.spec
    secret = {spec.key_param, spec.contact_param, "mailto", "email", "api_key", "apikey", "token"}
    names = {name.lower() for name, _ in request.params}
    bases = (spec.base, *spec.more_bases)
    if names & (secret - {""}):
        raise _fail(source, example, f"a request carries {names & secret}; the client adds these")
    if request.source != spec.name:
        raise _fail(source, example, f"a request names the source {request.source}")
    if not any(request.url.startswith(f"{base}/") for base in bases) or "?" in request.url:
        raise _fail(source, example, f"a request goes to {request.url[:200]}")
    try:
        whole = request.url + urlencode(request.params)
    except UnicodeEncodeError:
        raise _fail(source, example, "a parameter cannot be written as UTF-8") from None
    if any(ord(sign) <= ord(" ") or ord(sign) == _DELETE for sign in request.url):
        raise _fail(source, example, "an address holds blanks or control characters")
    if len(whole) > LONGEST_ADDRESS:
        raise _fail(source, example, f"an address of {len(whole)} characters")


_DELETE = 127


async def withstands_hostile_questions(source: LiveSource, example: Example) -> None:
    """No text of a reference raises anything, or reaches a place where it is not meant to be."""
    for text in HOSTILE:
        name = PersonName(given=text[:500], family=text[:500])
        for doi in (f"10.1000/{text[:500]}", f"10.18653/v1/{text[:50]}", f"10.1101/{text[:50]}"):
            question = Question(
                title=text, authors=(name,), doi=doi, arxiv=text[:300], pmid="1", isbn=text[:20]
            )
            service = _Recorded(lambda _: Reply(200, b"{}"))
            await source.look_up(example.way, [question], service.ask)
            for request in service.requests:
                _check_request(source, example, request)


def _with_body(reply: Reply, body: bytes) -> Reply:
    return Reply(reply.status, body, reply.content_type, reply.url)


def sane_spec(source: LiveSource, known: Sequence[str] = ()) -> None:
    """Check what a source says of itself; `known` are names that are taken.

    Raises:
        Violation: the spec is incomplete or contradicts itself.
    """
    spec = source.spec
    faults = {
        "its name is empty or taken": not spec.name or spec.name in known,
        "its address has no scheme, or ends with a slash": (
            not spec.base.startswith(("https://", "http://127.0.0.1")) or spec.base.endswith("/")
        ),
        "it has batches for ways by which it cannot be asked": (
            not set(spec.batch) <= {way.value for way in spec.ways}
        ),
        "it does not say what is sent": not spec.sends,
        "it does not say what it covers": not spec.covers,
        "it does not say where its terms stand": not spec.homepage.startswith("https://"),
        "it has a key and no place for it": (
            bool(spec.key_variable) != bool(spec.key_header or spec.key_param)
        ),
        "its rate is not positive": spec.rate.requests <= 0 or spec.rate.per_s <= 0,
    }
    found = [fault for fault, holds in faults.items() if holds]
    if found:
        raise Violation(f"The spec of {spec.name or 'a source'}: {'; '.join(found)}.")


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        finds_the_work,
        ignores_unknown_fields,
        tolerates_absent_fields,
        takes_foreign_types_for_failures,
        takes_faults_for_failures,
        takes_cut_bodies_for_failures,
        takes_other_statuses_for_failures,
        passes_failures_on,
        answers_every_question_in_order,
        keeps_batches,
        says_nothing_of_the_user,
        withstands_hostile_questions,
    )
}
"""Every check by its name."""


async def knows_venues(source: VenueSource, name: str, reply: Callable[[Request], Reply]) -> None:
    """Check a source that can be asked for venues.

    Args:
        source: the source.
        name: of a venue that the service knows.
        reply: what the service answers while it is well.

    Raises:
        Violation: the venue is not known, or a failure of the service says something of it.
    """
    service = _Recorded(reply)
    if not isinstance(await source.venue(name, service.ask), KnownVenue):
        raise Violation(f"{source.spec.name} does not know the venue {name}.")
    if isinstance(await source.venue("A name that nobody bears", service.ask), KnownVenue):
        raise Violation(f"{source.spec.name} knows a venue that there is not.")
    for what, body in FAULTS.items():
        spoiled = _Recorded(lambda request, body=body: _with_body(reply(request), body))  # type: ignore[misc]
        if not isinstance(await source.venue(name, spoiled.ask), Unavailable):
            raise Violation(f"{source.spec.name}, asked for a venue: {what} is no failure.")
    for text in HOSTILE:
        await source.venue(text, _Recorded(reply).ask)
