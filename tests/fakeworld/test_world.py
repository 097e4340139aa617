"""Do the knobs of the fake world do what they say, over sockets and without?"""

import asyncio
import gzip
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.interface import Rate, Way
from tests.fakeworld import faults, records
from tests.fakeworld.direct import ADDRESS, asking, source
from tests.fakeworld.knobs import Fault, Knobs, always
from tests.fakeworld.server import call_of, serving
from tests.fakeworld.transport import WorldTransport
from tests.fakeworld.wire import Call
from tests.fakeworld.world import World

PATH = "/crossref/works?filter=doi:10.5555/tides.2021.7&rows=100"
FAULTED = Question(records.JOURNAL.title, doi=records.JOURNAL.doi)


def get(world: World, path: str = PATH, **options: Any) -> httpx.Response:
    """Ask the world over a socket."""
    with serving(world, scale=10_000) as address, httpx.Client(**options) as client:
        return client.get(address + path)


def get_without(world: World, path: str = PATH) -> httpx.Response:
    """Ask the world without a socket."""

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=WorldTransport(world, sleep=_no_sleep)) as client:
            return await client.get(ADDRESS + path)

    return asyncio.run(ask())


async def _no_sleep(_: float) -> None:
    return None


WAYS: list[Callable[[World], httpx.Response]] = [get, get_without]


@pytest.mark.parametrize("way", WAYS)
def test_both_ways_give_the_same_answer(way: Callable[[World], httpx.Response]) -> None:
    found = way(World(records.VERSIONS))
    assert found.status_code == 200
    assert found.json()["message"]["items"][0]["DOI"] == records.JOURNAL.doi


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", [Fault.CLOSED, Fault.RESET])
def test_connections_end_early(way: Callable[[World], httpx.Response], fault: Fault) -> None:
    with pytest.raises(httpx.TransportError):
        way(World(records.VERSIONS, {"crossref": always(fault)}))


STATUSES = {
    Fault.TOO_MANY: 429,
    Fault.TOO_MANY_WAIT: 429,
    Fault.TOO_MANY_DATE: 429,
    Fault.SERVER_ERROR: 500,
    Fault.BAD_GATEWAY: 502,
    Fault.BUSY: 503,
    Fault.FORBIDDEN: 403,
    Fault.UNAUTHORISED: 401,
    Fault.BOT_200: 200,
    Fault.BOT_202: 202,
    Fault.ERROR_200: 200,
    Fault.EMPTY: 200,
    Fault.HOLDS_NOTHING: 200,
    Fault.ELSEWHERE: 302,
    Fault.PRIVATE: 302,
    Fault.PLAIN: 302,
    Fault.LOOP: 302,
    Fault.MOVED: 302,
}


@pytest.mark.parametrize(("fault", "status"), STATUSES.items())
def test_faults_have_the_status_that_they_name(fault: Fault, status: int) -> None:
    assert get_without(World(records.VERSIONS, {"crossref": always(fault)})).status_code == status


def test_waiting_is_told_in_seconds_and_as_a_date_of_the_services_clock() -> None:
    def answer(fault: Fault, skew_s: float = 0.0) -> httpx.Response:
        knobs = Knobs(faults=((fault, 1.0),), skew_s=skew_s)
        return get_without(World([], {"crossref": knobs}, clock=lambda: 1_000_000_000.0))

    assert answer(Fault.TOO_MANY_WAIT).headers["Retry-After"] == "2"
    assert answer(Fault.TOO_MANY_DATE).headers["Retry-After"] == "Sun, 09 Sep 2001 01:46:42 GMT"
    skewed = answer(Fault.TOO_MANY_DATE, skew_s=3600)
    assert skewed.headers["Retry-After"] == "Sun, 09 Sep 2001 02:46:42 GMT"
    assert skewed.headers["Date"] == "Sun, 09 Sep 2001 02:46:40 GMT"


def test_a_bomb_is_small_and_unpacks_to_much() -> None:
    answer, _ = World([], {"crossref": always(Fault.BOMB)}).handle(_call())
    assert len(answer.body) < 1 << 20
    assert dict(answer.headers)["Content-Encoding"] == "gzip"
    assert answer.body[:2] == gzip.compress(b"")[:2]


def _call() -> Call:
    return call_of("GET", PATH, {}, b"")


def test_a_service_that_moved_is_found_again() -> None:
    world = World(records.VERSIONS, {"crossref": always(Fault.MOVED)})
    assert get(world, follow_redirects=True).json()["message"]["total-results"] == 1


def test_a_loop_never_ends() -> None:
    with pytest.raises(httpx.TooManyRedirects):
        get(World([], {"crossref": always(Fault.LOOP)}), follow_redirects=True, max_redirects=3)


NO_ANSWER = [fault for fault in Fault if fault not in {Fault.HOLDS_NOTHING, Fault.SLOW, Fault.BOMB}]


@pytest.mark.parametrize("fault", NO_ANSWER)
@pytest.mark.parametrize("name", ["crossref", "arxiv", "openalex", "semanticscholar", "europepmc"])
def test_no_fault_is_read_as_an_absence_or_a_record(name: str, fault: Fault) -> None:
    if (name, fault) == ("arxiv", Fault.CHARSET):
        return  # XML in UTF-16 says so by its first bytes, and is read
    world = World(records.VERSIONS, {name: always(fault)})
    asked = [FAULTED, Question(records.PREPRINT.title, doi=records.PREPRINT.doi)]
    way = Way.TITLE if name == "arxiv" else Way.DOI
    for answer in asyncio.run(source(name).look_up(way, asked, asking(world))):
        assert isinstance(answer, Unavailable), answer


def test_a_service_that_holds_nothing_reads_as_absence() -> None:
    world = World(records.VERSIONS, {"crossref": always(Fault.HOLDS_NOTHING)})
    answers = asyncio.run(source("crossref").look_up(Way.DOI, [FAULTED], asking(world)))
    assert answers == [Absent(("doi",))]


def test_requests_above_the_limit_are_refused_and_logged() -> None:
    now = [0.0]
    limited = {"crossref": Knobs(rate=Rate(2))}
    world = World(records.VERSIONS, limited, clock=lambda: now[0])
    assert [world.handle(_call())[0].status for _ in range(3)] == [200, 200, 429]
    now[0] = 1.0
    answer = world.handle(_call())[0]
    assert answer.status == 200
    assert ("X-Rate-Limit-Limit", "2") in answer.headers
    assert len(world.over_limit()) == 1
    world.turn("crossref", Knobs(rate=Rate(2), tells_rate=False))
    world.handle(_call())
    refused = world.handle(_call())[0]
    assert refused.status == 429
    assert not {"Retry-After", "X-Rate-Limit-Limit"} & set(dict(refused.headers))


def test_a_share_of_requests_goes_wrong_the_same_ones_every_time() -> None:
    knobs = {"crossref": Knobs(faults=((Fault.SERVER_ERROR, 0.3),))}

    def statuses(seed: int) -> list[int]:
        world = World(records.VERSIONS, knobs, seed=seed)
        return [world.handle(_call())[0].status for _ in range(200)]

    assert statuses(1) == statuses(1) != statuses(2)
    assert 40 <= statuses(1).count(500) <= 80


def test_faults_end_after_a_number_of_requests() -> None:
    knobs = Knobs(faults=((Fault.SERVER_ERROR, 1.0),), until=2)
    world = World(records.VERSIONS, {"crossref": knobs})
    assert [world.handle(_call())[0].status for _ in range(3)] == [500, 500, 200]


def _many(count: int) -> list[Version]:
    return [
        Version(
            collection="world",
            title=f"Work number {number} about waves",
            authors=(f"Ada Writer{number}",),
            venue="J. Tides",
            year=2020,
            doi=f"10.5555/many.{number}",
        )
        for number in range(count)
    ]


def _held(knobs: Knobs, count: int = 400) -> list[Version]:
    versions = _many(count)
    questions = [Question("", doi=one.doi) for one in versions]
    world = World(versions, {"crossref": knobs})
    answers = asyncio.run(source("crossref").look_up(Way.DOI, questions, asking(world)))
    return [one.versions[0] for one in answers if isinstance(one, Found)]


def test_a_share_of_the_records_is_held() -> None:
    assert 280 <= len(_held(Knobs(share=0.8))) <= 350
    assert [one.doi for one in _held(Knobs(share=0.5))] == [
        one.doi for one in _held(Knobs(share=0.5))
    ]


def test_records_are_held_by_a_rule() -> None:
    held = _held(Knobs(holds=lambda version: version.title.endswith("7 about waves")))
    assert len(held) == 40


def test_corrupt_records_have_the_title_of_another_work() -> None:
    held = _held(Knobs(corrupt=0.1))
    wrong = [one for one in held if one.title.split()[2] != (one.doi or "").rpartition(".")[2]]
    assert 20 <= len(wrong) <= 60


def test_stale_records_have_lost_their_dois() -> None:
    assert 320 <= len(_held(Knobs(stale=0.1))) <= 380


def test_a_service_that_needs_a_key_refuses_those_without() -> None:
    world = World(records.VERSIONS, {"crossref": Knobs(needs_key="x-api-key")})
    assert get(world).status_code == 401
    assert get(world, headers={"X-API-Key": "secret"}).status_code == 200


def test_latencies_are_waited_for() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    world = World(records.VERSIONS, {"crossref": Knobs(latency_s=1.5)})

    async def ask() -> None:
        async with httpx.AsyncClient(transport=WorldTransport(world, sleep=sleep)) as client:
            await client.get(ADDRESS + PATH)

    asyncio.run(ask())
    assert waited[0] == 1.5


def test_a_slow_body_comes_in_parts_with_pauses() -> None:
    answer, _ = World(records.VERSIONS, {"crossref": always(Fault.SLOW)}).handle(_call())
    assert (answer.parts, answer.pause_s) == (faults.SLOW_PARTS, faults.SLOW_PAUSE_S)
    assert get(World(records.VERSIONS, {"crossref": always(Fault.SLOW)})).status_code == 200


def test_what_is_no_service_is_not_found() -> None:
    assert get(World([]), "/nobody/works").status_code == 404
