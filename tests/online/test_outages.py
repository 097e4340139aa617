"""A broken network turns no bibliography into fabrications."""

from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from hallmark.sources import specs
from hallmark.sources.patience import Settings
from tests.fakeworld.knobs import ALWAYS, Fault, Knobs
from tests.online.world import Run, bibliography, run, works

WORKS = works(200)
ENTRIES = bibliography(WORKS)
EVERY = [name for name, _ in specs.SOURCES.items()]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(ENTRIES, WORKS, tmp_path_factory.mktemp("sound"))


FEW = ENTRIES[:64]
"""Enough to see an accusation, few enough to try every fault."""


def broken(folder: Path, *faults: tuple[Fault, float], but: tuple[str, ...] = ()) -> Run:
    knobs = {name: Knobs(faults=faults) for name in EVERY if name not in but}
    small = Settings(largest=2**18)
    return run(FEW, WORKS[:64], folder, knobs=knobs, settings=small)


@cache
def expected() -> frozenset[str]:
    return frozenset(one.key for one in ENTRIES if not one.key.startswith("right"))


def test_without_faults_the_wrong_ones_are_found_and_nobody_else(sound: Run) -> None:
    assert sound.accused == expected()
    assert sound.count("verified") == len(ENTRIES) - len(expected())


@pytest.mark.parametrize(
    "fault",
    [
        Fault.SERVER_ERROR,
        Fault.FORBIDDEN,
        Fault.BOT_200,
        Fault.BOT_202,
        Fault.ERROR_200,
        Fault.EMPTY,
        Fault.HOLDS_NOTHING,
        Fault.CLOSED,
        Fault.RESET,
        Fault.CUT,
        Fault.MALFORMED,
        Fault.DRIFT,
        Fault.BOMB,
        Fault.ELSEWHERE,
        Fault.PRIVATE,
        Fault.LOOP,
        Fault.TOO_MANY,
    ],
)
def test_a_total_outage_of_any_kind_accuses_nobody(fault: Fault, tmp_path: Path) -> None:
    out = broken(tmp_path, (fault, ALWAYS))
    assert out.accused == set()
    assert len(out.results) == len(FEW)


@pytest.mark.parametrize("name", EVERY)
def test_one_source_down_makes_no_new_accusation(name: str, sound: Run, tmp_path: Path) -> None:
    knobs = {name: Knobs(faults=((Fault.SERVER_ERROR, ALWAYS),))}
    out = run(FEW, WORKS[:64], tmp_path, knobs=knobs)
    assert out.accused <= sound.accused


@pytest.mark.parametrize("name", ["crossref", "openalex", "semanticscholar", "dblp"])
def test_all_but_one_down_makes_no_new_accusation(name: str, sound: Run, tmp_path: Path) -> None:
    out = broken(tmp_path, (Fault.BUSY, ALWAYS), but=(name,))
    assert out.accused <= sound.accused


def test_random_failures_make_no_new_accusation(sound: Run, tmp_path: Path) -> None:
    faults = ((Fault.SERVER_ERROR, 0.1), (Fault.RESET, 0.1), (Fault.TOO_MANY_WAIT, 0.1))
    out = run(ENTRIES, WORKS, tmp_path, knobs={name: Knobs(faults=faults) for name in EVERY})
    assert out.accused <= sound.accused
    assert out.count("verified") > 0.9 * sound.count("verified")


@pytest.mark.parametrize("fault", [Fault.TOO_MANY_WAIT, Fault.TOO_MANY_DATE, Fault.BUSY])
def test_a_storm_that_passes_is_waited_for(fault: Fault, sound: Run, tmp_path: Path) -> None:
    knobs = {name: Knobs(faults=((fault, ALWAYS),), until=2) for name in EVERY}
    out = run(FEW, WORKS[:64], tmp_path, knobs=knobs)
    assert out.accused <= sound.accused
    assert out.count("verified") > 0.8 * 48


def test_a_source_that_finds_nothing_is_doubted_and_said_so(tmp_path: Path) -> None:
    out = broken(tmp_path, (Fault.HOLDS_NOTHING, ALWAYS))
    assert {"crossref", "openalex"} <= set(out.online.health.doubts())


def test_the_time_is_bounded_by_the_budget(tmp_path: Path) -> None:
    knobs = {name: Knobs(latency_s=5.0) for name in EVERY}
    out = run(ENTRIES, WORKS, tmp_path, knobs=knobs, settings=Settings(budget_s=30.0))
    assert out.passed_s <= 36.0
    assert out.accused <= expected()
    assert len(out.results) == len(ENTRIES)


def test_corrupt_records_of_one_source_are_outvoted(sound: Run, tmp_path: Path) -> None:
    out = run(ENTRIES, WORKS, tmp_path, knobs={"semanticscholar": Knobs(corrupt=0.5)})
    assert out.accused <= sound.accused


def test_stale_records_accuse_nobody(sound: Run, tmp_path: Path) -> None:
    knobs = {name: Knobs(stale=0.3) for name in ("openalex", "semanticscholar", "dblp")}
    assert run(ENTRIES, WORKS, tmp_path, knobs=knobs).accused <= sound.accused


def test_no_question_about_a_reference_is_sent_twice(sound: Run) -> None:
    """Only probes are put anew, for their answers may have changed."""
    calls = Counter(
        (one.call.service, one.call.path, f"{one.call.query} {one.call.body.decode()}")
        for one in sound.world.log
    )
    twice = [asked for (_, _, asked), times in calls.items() if times > 1]
    probed = ("nature14539", "1706.03762", "n19-1423", "s41586-021-03819-2")
    titled = ("attention", "programming")
    assert all(any(mark in query.lower() for mark in (*probed, *titled)) for query in twice)


def test_no_host_is_asked_above_its_limit(sound: Run) -> None:
    for name, factory in specs.SOURCES.items():
        rate = factory(None).spec.rate
        at = [one.at for one in sound.world.log if one.service == name]
        gaps = [later - earlier for earlier, later in pairwise(at)]
        assert all(gap >= rate.per_s / rate.requests for gap in gaps), name


def test_requests_are_few(sound: Run) -> None:
    assert len(sound.world.log) / len(ENTRIES) < 1.5
