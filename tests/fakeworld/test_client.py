"""Does the client, over real sockets, take no fault of a service for an answer?"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from msgspec import structs

from hallmark._waiting import Clock
from hallmark.records.answer import Absent, Answer, Found, Unavailable
from hallmark.records.source import Question
from hallmark.sources.http import Client
from hallmark.sources.interface import LiveSource, Rate, Request, Way
from hallmark.sources.limits import Limits
from hallmark.sources.patience import Settings
from hallmark.sources.secrets import Secrets
from hallmark.sources.specs import SOURCES, relocated
from tests.fakeworld import records
from tests.fakeworld.knobs import Fault, Knobs, always
from tests.fakeworld.server import call_of, serving
from tests.fakeworld.wire import Answer as Wired
from tests.fakeworld.wire import Call
from tests.fakeworld.world import World

FAST = 1000.0
"""How much faster than the world's our waiting is."""
HARMLESS = {Fault.MOVED, Fault.HOLDS_NOTHING}
KEY = "k-7d21-never-shown"
CONTACT = "somebody@quay.example"
QUESTION = Question(records.JOURNAL.title, doi=records.JOURNAL.doi)


async def _sleep(seconds: float) -> None:
    await asyncio.sleep(seconds / FAST)


def moved(name: str, address: str) -> LiveSource:
    """Return a source at the fake world, which may be asked as fast as we like."""
    factory = SOURCES.get(name)
    spec = relocated(factory(None).spec, address)
    quick = Rate(10_000, connections=8)
    return factory(structs.replace(spec, rate=quick, keyed_rate=quick, contact_rate=quick))


def run(
    world: World,
    folder: Path,
    name: str,
    asking: Callable[[LiveSource, Client], Awaitable[Sequence[Answer]]],
    **more: object,
) -> Sequence[Answer]:
    """Ask one source over sockets, and return its answers."""

    async def go(address: str) -> Sequence[Answer]:
        source = moved(name, address)
        settings = Settings(attempts=2, read_s=0.3, connect_s=2.0, largest=1 << 20)
        client = Client(
            [source.spec],
            Limits(folder),
            settings=structs.replace(settings, **more.pop("settings", {})),  # type: ignore[arg-type]
            clock=Clock(sleep=_sleep),
            **more,  # type: ignore[arg-type]
        )
        try:
            return await asking(source, client)
        finally:
            await client.aclose()

    with serving(world) as address:
        return asyncio.run(go(address))


async def _one(source: LiveSource, client: Client) -> Sequence[Answer]:
    return await source.look_up(Way.DOI, [QUESTION], client.ask)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *(("crossref", fault) for fault in Fault if fault not in HARMLESS),
        *(("semanticscholar", fault) for fault in (Fault.CUT, Fault.DRIFT, Fault.LOOP)),
    ],
)
def test_no_fault_is_an_absence(name: str, fault: Fault, tmp_path: Path) -> None:
    world = World(records.VERSIONS, {name: always(fault)})
    began = time.monotonic()
    (answer,) = run(world, tmp_path, name, _one)
    assert isinstance(answer, Unavailable), answer
    assert answer.reason.endswith(".")
    assert len(world.log) <= 8
    assert time.monotonic() - began < 5


def test_a_good_service_is_read_over_sockets(tmp_path: Path) -> None:
    (answer,) = run(World(records.VERSIONS), tmp_path, "crossref", _one)
    assert isinstance(answer, Found)
    (answer,) = run(World([]), tmp_path, "crossref", _one)
    assert answer == Absent(("doi",))


def test_a_service_that_moved_within_its_host_is_followed(tmp_path: Path) -> None:
    world = World(records.VERSIONS, {"crossref": always(Fault.MOVED)})
    (answer,) = run(world, tmp_path, "crossref", _one)
    assert isinstance(answer, Found)


@pytest.mark.parametrize(
    "fault", [Fault.TOO_MANY, Fault.TOO_MANY_WAIT, Fault.SERVER_ERROR, Fault.RESET, Fault.BUSY]
)
def test_what_passes_is_tried_again(fault: Fault, tmp_path: Path) -> None:
    world = World(records.VERSIONS, {"crossref": Knobs(faults=((fault, 1.0),), until=1)})
    (answer,) = run(world, tmp_path, "crossref", _one)
    assert isinstance(answer, Found)
    assert [one.fault for one in world.log] == [fault, None]


def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    import tracemalloc  # noqa: PLC0415 - it slows down everything else

    world = World(records.VERSIONS, {"crossref": always(Fault.BOMB)})
    world.handle(_call())
    tracemalloc.start()
    run(world, tmp_path, "crossref", _one)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 << 20


def _call() -> Call:
    return call_of("GET", "/crossref/works", {}, b"")


def test_a_storm_of_429_is_waited_out_politely(tmp_path: Path) -> None:
    """Of 20 requests every second one is refused; all are answered, and each is sent once more."""
    world = World(
        records.VERSIONS, {"crossref": Knobs(faults=((Fault.TOO_MANY, 0.5),), until=20)}, seed=3
    )

    async def many(source: LiveSource, client: Client) -> Sequence[Answer]:
        asked = [Question(f"Waves of kind {number} in harbours") for number in range(20)]
        return await source.look_up(Way.TITLE, asked, client.ask)

    answers = run(world, tmp_path, "crossref", many, settings={"attempts": 6})
    assert set(answers) == {Absent(("title",))}
    assert len({call.query for call in world.asked("crossref")}) == 20


def test_a_dead_key_is_left_out_and_the_question_asked_without(tmp_path: Path) -> None:
    refused: list[str] = []

    class Picky(World):
        def handle(self, call: Call) -> tuple[Wired, float]:
            if call.headers.get("x-api-key"):
                refused.append(call.path)
                self.turn("semanticscholar", always(Fault.FORBIDDEN))
            else:
                self.turn("semanticscholar", Knobs())
            return super().handle(call)

    secrets = Secrets({"semanticscholar": KEY})
    (answer,) = run(Picky(records.VERSIONS), tmp_path, "semanticscholar", _one, secrets=secrets)
    assert isinstance(answer, Found)
    assert len(refused) == 1


def test_keys_and_contact_reach_the_service_and_nothing_that_comes_back(tmp_path: Path) -> None:
    world = World(records.VERSIONS)
    secrets = Secrets({"pubmed": KEY}, CONTACT)

    async def ask(source: LiveSource, client: Client) -> Sequence[Answer]:
        found = await source.look_up(Way.DOI, [QUESTION], client.ask)
        reply = await client.ask(
            Request("pubmed", f"{source.spec.base}/esearch.fcgi", (("t", "x"),))
        )
        assert KEY not in repr(reply)
        assert CONTACT not in repr(reply)
        return found

    answers = run(world, tmp_path, "pubmed", ask, secrets=secrets)
    assert world.log[0].call.params["api_key"] == KEY
    assert world.log[0].call.params["email"] == CONTACT
    assert KEY not in repr(answers)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()
            assert b"quay.example" not in path.read_bytes()


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.TOO_MANY_WAIT, Fault.SLOW])
def test_the_budget_bounds_a_run(fault: Fault, tmp_path: Path) -> None:
    world = World(records.VERSIONS, {"crossref": always(fault)})

    async def many(source: LiveSource, client: Client) -> Sequence[Answer]:
        asked = [Question(f"Waves of kind {number}") for number in range(50)]
        return await source.look_up(Way.TITLE, asked, client.ask)

    began = time.monotonic()
    answers = run(world, tmp_path, "crossref", many, settings={"budget_s": 1.0, "read_s": 30.0})
    assert time.monotonic() - began < 4
    assert all(isinstance(one, Unavailable) for one in answers)


def test_the_requests_of_a_run_are_bounded(tmp_path: Path) -> None:
    world = World(records.VERSIONS)

    async def many(source: LiveSource, client: Client) -> Sequence[Answer]:
        asked = [Question(f"Waves of kind {number}") for number in range(9)]
        return await source.look_up(Way.TITLE, asked, client.ask)

    answers = run(world, tmp_path, "crossref", many, settings={"max_requests": 4})
    assert len(world.log) == 4
    assert sum(isinstance(one, Unavailable) for one in answers) == 5
