"""Retries, pace, caps and what happens to a request when the run ends."""

import asyncio
import random
from collections.abc import Callable, Iterable
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark._waiting import Clock
from hallmark.errors import ModelStopped
from hallmark.llm.attempt import Attempt, Secrets, malformed, refused, too_slow, unconnected
from hallmark.llm.book import Amount
from hallmark.llm.calls import Caller, Pace, Patience
from hallmark.llm.interface import Caps, Failure, Reply, Request, Trouble, Usage, User
from hallmark.llm.ledger import Ledger, most, of
from hallmark.llm.models import find
from hallmark.llm.totals import Tally

SPEC = structs.replace(find("gpt-5.1"), at_once=8)
ASKED = Request(messages=(User("Is it real?"),), max_tokens=100)
FINE = Attempt(outcome=Reply(text="yes", usage=Usage(input=10, output=5)))
START = 1_000_000.0


class Times:
    """A clock that only sleeping moves."""

    def __init__(self, seed: int = 1) -> None:
        self.at = 0.0
        self.slept: list[float] = []
        self._dice = random.Random(seed)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)

    def clock(self) -> Clock:
        return Clock(lambda: self.at, lambda: START + self.at, self._sleep, self._dice)


class Service:
    """Answers from a list, the last line again and again."""

    def __init__(self, attempts: Iterable[Attempt | Exception], *, delay_s: float = 0.0) -> None:
        self._attempts = list(attempts)
        self._delay_s = delay_s
        self.asked = 0
        self.finished = 0
        self.most_at_once = 0

    async def ask(self, request: Request) -> Attempt:
        attempt = self._attempts[min(self.asked, len(self._attempts) - 1)]
        self.asked += 1
        self.most_at_once = max(self.most_at_once, self.asked - self.finished)
        await asyncio.sleep(self._delay_s)
        self.finished += 1
        if isinstance(attempt, Exception):
            raise attempt
        return attempt


def refusal(status: int, **headers: str) -> Attempt:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return refused(SPEC, Secrets(""), status, "no", told, START)


def caller(
    service: Service,
    *,
    ledger: Ledger | None = None,
    times: Times | None = None,
    patience: Patience | None = None,
    per_minute: int = 0,
) -> tuple[Caller, Tally]:
    spec = structs.replace(SPEC, per_minute=per_minute)
    tally = Tally(spec)
    made = Caller(
        spec,
        lambda: service,
        ledger=ledger or Ledger(Caps()),
        tally=tally,
        patience=patience or Patience(),
        clock=(times or Times()).clock(),
    )
    return made, tally


@pytest.mark.parametrize(
    "first",
    [
        refusal(408),
        refusal(409),
        refusal(429),
        refusal(500),
        refusal(529),
        too_slow(SPEC),
        unconnected(),
    ],
)
def test_what_may_pass_is_tried_again(first: Attempt) -> None:
    service = Service([first, first, FINE])
    asks, tally = caller(service)
    assert asyncio.run(asks.ask(ASKED)) == FINE.outcome
    assert tally.requests == service.asked == 3


@pytest.mark.parametrize("first", [refusal(400), refusal(413), refusal(422), malformed("odd")])
def test_what_will_not_pass_is_not_tried_again(first: Attempt) -> None:
    service = Service([first, FINE])
    asks, tally = caller(service)
    assert asyncio.run(asks.ask(ASKED)) == first.outcome
    assert service.asked == 1
    assert list(tally.totals().failures.values()) == [1]


def test_a_question_is_given_up_after_so_many_attempts_with_longer_and_longer_pauses() -> None:
    service, times = Service([refusal(500)]), Times()
    asks, _ = caller(service, times=times)
    outcome = asyncio.run(asks.ask(ASKED))
    assert isinstance(outcome, Failure)
    assert service.asked == 6
    for pause_s, longest in zip(times.slept, [1, 2, 4, 8, 16], strict=True):
        assert longest / 2 <= pause_s <= longest


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after": "7.5"}, 7.5),
        ({"retry_after_ms": "2500", "retry_after": "9"}, 2.5),
        ({"retry_after": formatdate(START + 90, usegmt=True)}, 90),
        ({"retry_after": "0"}, 1),
        ({"retry_after": formatdate(START - 90, usegmt=True)}, 1),
        ({"retry_after": "soon"}, 4),
    ],
)
def test_a_pause_that_is_asked_for_is_kept(headers: dict[str, str], seconds: float) -> None:
    service, times = Service([refusal(429, **headers), FINE]), Times()
    asks, _ = caller(service, times=times)
    assert asyncio.run(asks.ask(ASKED)) == FINE.outcome
    assert seconds / 2 <= times.at <= seconds + 0.001


@given(st.integers(0, 2**32))
def test_a_limit_for_a_minute_that_tells_no_time_is_outlasted(seed: int) -> None:
    """As LiteLLM's proxy refuses what is too much in a minute."""
    service, times = Service([refusal(429)]), Times(seed)
    asks, _ = caller(service, times=times)
    outcome = asyncio.run(asks.ask(ASKED))
    assert isinstance(outcome, Failure)
    assert (service.asked, outcome.trouble) == (6, Trouble.RATE_LIMIT)
    assert 60 <= times.at <= 124


def test_a_limit_that_tells_no_time_holds_for_all_questions() -> None:
    service, times = Service([refusal(429), FINE]), Times()
    asks, _ = caller(service, times=times)

    async def two() -> float:
        first = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        await asks.ask(ASKED)
        at = times.at
        await first
        return at

    assert asyncio.run(two()) >= 2


@pytest.mark.parametrize("seconds", [1, 7, 60, 300])
def test_nothing_is_asked_before_the_time_that_a_service_gives(seconds: int) -> None:
    service, times = Service([refusal(429, retry_after=str(seconds)), FINE]), Times()
    asks, _ = caller(service, times=times)
    assert asyncio.run(asks.ask(ASKED)) == FINE.outcome
    assert times.at >= seconds


def test_a_date_to_wait_for_is_on_the_clock_of_the_service() -> None:
    late = {"date": formatdate(START + 3600, usegmt=True)}  # its clock is an hour ahead of ours
    until = formatdate(START + 3600 + 20, usegmt=True)
    service, times = Service([refusal(429, retry_after=until, **late), FINE]), Times()
    asks, _ = caller(service, times=times)
    assert asyncio.run(asks.ask(ASKED)) == FINE.outcome
    assert 20 <= times.at <= 20.001


def test_a_pause_of_an_hour_is_not_waited_for() -> None:
    service, times = Service([refusal(429, retry_after="3600"), FINE]), Times()
    asks, _ = caller(service, times=times)
    outcome = asyncio.run(asks.ask(ASKED))
    assert isinstance(outcome, Failure)
    assert (outcome.trouble, times.at) == (Trouble.RATE_LIMIT, 0.0)


def test_a_pause_holds_for_all_questions() -> None:
    service, times = Service([refusal(429, retry_after="60"), FINE]), Times()
    asks, _ = caller(service, times=times)

    async def two() -> float:
        first = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        await asyncio.gather(first, asks.ask(ASKED))
        return times.at

    assert asyncio.run(two()) >= 60


@given(st.integers(1, 600), st.integers(1, 30))
def test_no_more_requests_start_in_a_minute_than_allowed(per_minute: int, n: int) -> None:
    times, started = Times(), []
    pace = Pace(per_minute, times.clock())

    async def start() -> None:
        await pace.turn()
        started.append(times.at)

    async def all_of() -> None:
        await asyncio.gather(*(start() for _ in range(n)))

    asyncio.run(all_of())
    for later in range(per_minute, n):
        assert started[later] - started[later - per_minute] >= 59.999


def test_a_reply_is_booked_at_what_it_cost_not_at_what_was_set_aside() -> None:
    ledger = Ledger(Caps(cost=1.0))
    asks, tally = caller(Service([FINE]), ledger=ledger)
    asyncio.run(asks.ask(ASKED))
    assert ledger.spent == Amount((10 * 1.25 + 5 * 10) / 1e6, 15, 1)
    assert tally.totals().cost == ledger.spent.cost


def test_a_reply_without_a_count_of_tokens_costs_what_was_set_aside() -> None:
    ledger = Ledger(Caps())
    asks, _ = caller(Service([Attempt(outcome=Reply(text="yes"))]), ledger=ledger)
    asyncio.run(asks.ask(ASKED))
    assert ledger.spent == most(SPEC, ASKED)


@pytest.mark.parametrize(
    ("attempt", "doubtful"),
    [(refusal(429), False), (refusal(400), False), (refusal(500), True), (too_slow(SPEC), True),
     (unconnected(), True), (malformed("odd"), True)],
)  # fmt: skip
def test_what_may_be_on_the_bill_without_a_reply_counts(attempt: Attempt, doubtful: bool) -> None:
    ledger = Ledger(Caps())
    asks, tally = caller(Service([attempt]), ledger=ledger, patience=Patience(attempts=1))
    asyncio.run(asks.ask(ASKED))
    expected = most(SPEC, ASKED) if doubtful else Amount()
    assert (ledger.spent, ledger.doubtful, tally.doubtful) == (Amount(), expected, expected)


def test_a_refused_key_costs_nothing_and_stops() -> None:
    ledger = Ledger(Caps(calls=1))
    asks, _ = caller(Service([ModelStopped("no key")]), ledger=ledger)
    with pytest.raises(ModelStopped, match="no key"):
        asyncio.run(asks.ask(ASKED))
    assert ledger.spent == ledger.doubtful == Amount()


CAPS = [
    (lambda n: Caps(calls=n), lambda spent: spent.calls),
    (lambda n: Caps(tokens=n * 300), lambda spent: spent.tokens / 300),
    (lambda n: Caps(cost=n * 0.002), lambda spent: spent.cost / 0.002),
]


@pytest.mark.parametrize(("caps", "share"), CAPS)
@given(n=st.integers(0, 5), outputs=st.lists(st.integers(0, 100), min_size=1, max_size=12))
def test_no_cap_is_overrun_however_many_are_asked_at_once(
    caps: Callable[[int], Caps], share: Callable[[Amount], float], n: int, outputs: list[int]
) -> None:
    replies = [Attempt(outcome=Reply(text="x", usage=Usage(40, 0, out))) for out in outputs]
    service, ledger = Service(replies), Ledger(caps(n))
    asks, _ = caller(service, ledger=ledger)

    async def many() -> list[object]:
        return await asyncio.gather(*(asks.ask(ASKED) for _ in range(12)), return_exceptions=True)

    outcomes = asyncio.run(many())
    assert share(ledger.spent) <= n
    stopped = [outcome for outcome in outcomes if isinstance(outcome, ModelStopped)]
    assert len(stopped) == 12 - service.finished
    assert all("cap of this run is reached" in str(stop) for stop in stopped)
    if n == 0:
        assert service.asked == 0


@given(excess=st.integers(0, 5000), n=st.integers(1, 6))
def test_a_service_that_writes_more_than_it_was_asked_for_overruns_by_what_was_under_way(
    excess: int, n: int
) -> None:
    held = most(SPEC, ASKED).tokens
    told = Usage(40, 0, held - 40 + excess)
    service, ledger = (
        Service([Attempt(outcome=Reply(text="x", usage=told))]),
        Ledger(Caps(tokens=n * held)),
    )
    asks, _ = caller(service, ledger=ledger)

    async def many() -> None:
        await asyncio.gather(*(asks.ask(ASKED) for _ in range(12)), return_exceptions=True)

    asyncio.run(many())
    assert ledger.spent.tokens <= n * held + SPEC.at_once * excess
    assert service.most_at_once <= SPEC.at_once


def test_what_others_do_not_need_is_waited_for() -> None:
    """Set aside together, two requests exceed the cap; one after the other, they do not."""
    room = most(SPEC, ASKED).tokens + of(SPEC, Usage(10, 0, 5)).tokens
    service = Service([FINE], delay_s=0.01)
    asks, _ = caller(service, ledger=Ledger(Caps(tokens=room)))

    async def two() -> list[Reply | Failure]:
        return list(await asyncio.gather(asks.ask(ASKED), asks.ask(ASKED)))

    assert asyncio.run(two()) == [FINE.outcome, FINE.outcome]


@given(st.text(max_size=200), st.integers(1, 5000))
def test_what_is_set_aside_is_never_less_than_a_token_for_each_byte(text: str, tokens: int) -> None:
    request = Request(messages=(User(text),), max_tokens=tokens)
    assert most(SPEC, request).tokens >= len(text.encode("utf-8", "replace")) + tokens


def test_a_request_under_way_comes_in_when_the_run_ends_and_is_booked() -> None:
    service, ledger = Service([FINE], delay_s=0.05), Ledger(Caps())
    asks, _ = caller(service, ledger=ledger)

    async def ended() -> Reply | Failure:
        task = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        return await task

    assert asyncio.run(ended()) == FINE.outcome
    assert ledger.spent.calls == 1


def test_a_request_that_takes_too_long_to_come_in_is_given_up_and_may_be_on_the_bill() -> None:
    service, ledger = Service([FINE], delay_s=30), Ledger(Caps())
    asks, _ = caller(service, ledger=ledger, patience=Patience(grace_s=0.02))

    async def ended() -> Reply | Failure:
        task = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        return await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(ended())
    assert (service.finished, ledger.doubtful.calls) == (0, 1)


def test_what_only_waits_is_given_up_at_once_when_the_run_ends() -> None:
    service, times = Service([refusal(500)]), Times()
    never = structs.replace(times.clock(), sleep=lambda _: asyncio.sleep(60))
    ledger, tally = Ledger(Caps()), Tally(SPEC)
    asks = Caller(
        SPEC, lambda: service, ledger=ledger, tally=tally, patience=Patience(), clock=never
    )

    async def ended() -> Reply | Failure:
        task = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        return await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(ended())
    assert service.asked == 1


def test_a_failure_is_not_tried_again_when_the_run_ends() -> None:
    service = Service([refusal(500), FINE], delay_s=0.05)
    asks, _ = caller(service)

    async def ended() -> Reply | Failure:
        task = asyncio.ensure_future(asks.ask(ASKED))
        await asyncio.sleep(0.01)
        task.cancel()
        return await task

    assert isinstance(asyncio.run(ended()), Failure)
    assert service.asked == 1
