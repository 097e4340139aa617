"""A request leaves when it is its turn, however long it took to get ready."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark._waiting import Clock
from hallmark.records.answer import Unavailable
from hallmark.sources.http import Client
from hallmark.sources.interface import Rate, Reply
from hallmark.sources.limits import Limits
from hallmark.sources.patience import Settings
from hallmark.sources.turns import Announcing, Gate, Turn
from tests.online.warp import WarpLoop
from tests.sources.virtual import OTHER, SPEC, START, json_reply, request

STEP_S = SPEC.rate.per_s / SPEC.rate.requests


class Service:
    """Notes when requests arrive, on the clock of the loop."""

    def __init__(self) -> None:
        self.arrivals: list[float] = []

    def __call__(self, sent: httpx.Request) -> httpx.Response:
        self.arrivals.append(asyncio.get_running_loop().time())
        return json_reply()(sent)

    @property
    def closest_s(self) -> float:
        return min(later - earlier for earlier, later in pairwise(self.arrivals))


def process(service: Service, folder: Path, delays_s: Iterator[float]) -> Client:
    """A client with limits of its own over the shared file; connections take a while."""
    loop = asyncio.get_running_loop()

    async def connect() -> None:
        await asyncio.sleep(next(delays_s, 0.0))

    return Client(
        [SPEC, OTHER],
        Limits(folder),
        clock=Clock(now=loop.time, shared=lambda: START + loop.time(), dice=random.Random(1)),
        transport=Announcing(httpx.MockTransport(service), connect),
    )


async def ask_all(service: Service, folder: Path, delays_s: list[list[float]], each: int) -> None:
    clients = [process(service, folder, iter(one)) for one in delays_s]
    await asyncio.gather(
        *(
            one.ask(request(f"/{number}-{place}"))
            for number, one in enumerate(clients)
            for place in range(each)
        )
    )
    for one in clients:
        await one.aclose()


def run(service: Service, folder: Path, delays_s: list[list[float]], each: int = 4) -> None:
    with asyncio.Runner(loop_factory=WarpLoop) as runner:
        runner.run(ask_all(service, folder, delays_s, each))


def test_a_slow_first_connection_brings_no_two_requests_closer(tmp_path: Path) -> None:
    service = Service()
    run(service, tmp_path, [[0.9], [0.0, 0.3], [0.4], [1.7]])
    assert len(service.arrivals) == 16
    assert service.closest_s >= STEP_S


@settings(max_examples=15)
@given(st.lists(st.lists(st.floats(0, 3), max_size=4), min_size=2, max_size=4))
def test_no_delay_of_any_process_brings_two_requests_closer(
    tmp_path_factory: pytest.TempPathFactory, delays_s: list[list[float]]
) -> None:
    service = Service()
    run(service, tmp_path_factory.mktemp("turns"), delays_s, each=3)
    assert service.closest_s >= STEP_S


def test_nobody_takes_a_turn_before_the_headers_of_the_last_one_are_out(tmp_path: Path) -> None:
    taken: list[str] = []

    async def one(name: str, held_s: float) -> None:
        loop = asyncio.get_running_loop()
        clock = Clock(now=loop.time, shared=lambda: START + loop.time())
        turn = Turn(Gate(Limits(tmp_path), "made", clock), Rate(100.0), lambda: None)
        await turn.trace("http11.send_request_headers.started", {})
        taken.append(f"{name} begins")
        await asyncio.sleep(held_s)
        taken.append(f"{name} ends")
        await turn.trace("http11.send_request_headers.complete", {})

    async def both() -> None:
        await asyncio.gather(one("slow", 5.0), one("quick", 0.0))

    with asyncio.Runner(loop_factory=WarpLoop) as runner:
        runner.run(both())
    assert taken == ["slow begins", "slow ends", "quick begins", "quick ends"]


def test_the_headers_of_a_tunnel_take_no_turn(tmp_path: Path) -> None:
    async def go() -> bool:
        turn = Turn(Gate(Limits(tmp_path), "made", Clock()), Rate(1.0), lambda: None)
        connect = type("Tunnel", (), {"method": b"CONNECT"})()
        await turn.trace("http11.send_request_headers.started", {"request": connect})
        return turn.taken

    assert not asyncio.run(go())


def test_each_redirection_takes_a_turn_of_its_own(tmp_path: Path) -> None:
    class Moving(Service):
        def __call__(self, sent: httpx.Request) -> httpx.Response:
            super().__call__(sent)
            place = f"/hop{len(self.arrivals)}"
            return json_reply()(sent) if len(self.arrivals) > 2 else _moved(place)

    service = Moving()
    run(service, tmp_path, [[]], each=1)
    assert len(service.arrivals) == 3
    assert service.closest_s >= STEP_S


def _moved(place: str) -> httpx.Response:
    return httpx.Response(302, headers={"location": place})


def test_a_transport_that_tells_nothing_is_not_used_in_silence(tmp_path: Path) -> None:
    client = Client([SPEC], Limits(tmp_path), transport=httpx.MockTransport(Service()))
    with pytest.raises(RuntimeError, match="did not tell"):
        asyncio.run(client.ask(request()))


def test_limits_that_cannot_be_kept_are_no_answer(tmp_path: Path) -> None:
    service = Service()
    limits = Limits(tmp_path)
    client = Client([SPEC], limits, transport=Announcing(httpx.MockTransport(service)))
    limits.close()
    answer = asyncio.run(client.ask(request()))
    assert isinstance(answer, Unavailable)
    assert "HALLMARK_CACHE" in answer.reason
    assert answer.reason.endswith(".")
    assert service.arrivals == []


def test_limits_that_are_lost_as_a_request_leaves_are_no_answer(tmp_path: Path) -> None:
    service = Service()
    limits = Limits(tmp_path)

    async def break_it() -> None:
        with sqlite3.connect(tmp_path / "limits.sqlite") as table:
            table.execute("DROP TABLE hosts")
        table.close()

    async def go() -> list[Reply | Unavailable]:
        transport = Announcing(httpx.MockTransport(service), break_it)
        client = Client([SPEC], limits, settings=Settings(), transport=transport)
        return [await client.ask(request(f"/{number}")) for number in range(2)]

    first, second = asyncio.run(go())
    for answer in (first, second):
        assert isinstance(answer, Unavailable)
        assert "no such table" in answer.reason
    assert service.arrivals == []


def test_a_folder_for_locks_that_is_gone_is_no_answer(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    limits = Limits(folder)
    client = Client([SPEC], limits, transport=Announcing(httpx.MockTransport(Service())))
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    answer = asyncio.run(client.ask(request()))
    assert isinstance(answer, Unavailable)
    assert "cannot be kept" in answer.reason
