"""No host is asked more than it allows, by however many processes."""

import multiprocessing
import sqlite3
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark.errors import SourceProblem
from hallmark.sources.circuit import FAILURES, PAUSE_S, Circuit
from hallmark.sources.interface import Rate
from hallmark.sources.limits import MARGIN, SLOWEST, Limits, shared_folder

NOW = 1_800_000_000.0
_FASTER = 100.0


def _take(folder: str, count: int) -> list[float]:
    """Take turns on a clock that runs a hundred times faster than the real one."""
    limits, taken = Limits(Path(folder)), list[float]()
    while len(taken) < count:
        now = time.monotonic() * _FASTER
        wait_s = limits.take("made", Rate(4.0), now)
        if wait_s == 0.0:
            taken.append(now)
        else:
            time.sleep(wait_s / _FASTER)
    return taken


def test_four_processes_share_the_turns_of_a_host(tmp_path: Path) -> None:
    Limits(tmp_path)
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        lists = pool.starmap(_take, [(str(tmp_path), 25)] * 4)
    every = sorted(moment for one in lists for moment in one)
    assert len(every) == 100
    assert all(later - earlier >= 1 / 4 for earlier, later in pairwise(every))


@settings(deadline=None, max_examples=25)
@given(st.floats(0.1, 20), st.floats(0.5, 60), st.lists(st.floats(0, 5), min_size=2, max_size=8))
def test_turns_never_come_closer_than_allowed(
    requests: float, per_s: float, late_s: list[float]
) -> None:
    """However late one comes to its turn, the next one keeps its distance from it."""
    rate, now, taken = Rate(requests, per_s), NOW, list[float]()
    with tempfile.TemporaryDirectory() as folder:
        limits = Limits(Path(folder))
        for late in late_s:
            while wait_s := limits.take("made", rate, now):
                now += wait_s
            taken.append(now)
            now += late
    gaps = [later - earlier for earlier, later in pairwise(taken)]
    assert all(gap >= per_s / requests for gap in gaps)


def test_a_turn_that_has_not_begun_is_not_taken(tmp_path: Path) -> None:
    limits = Limits(tmp_path)
    rate = Rate(1.0)
    assert limits.take("made", rate, NOW) == 0.0
    assert limits.take("made", rate, NOW + 0.5) == pytest.approx(MARGIN - 0.5)
    assert limits.take("made", rate, NOW + 0.5) == pytest.approx(MARGIN - 0.5)
    assert limits.take("made", rate, NOW + 2.0) == 0.0


def test_complaints_slow_down_and_good_answers_speed_up_again(tmp_path: Path) -> None:
    limits = Limits(tmp_path)
    for _ in range(20):
        limits.complain("made", NOW, 0.0)
    assert limits.slowness("made", NOW) == SLOWEST
    for _ in range(500):
        limits.praise("made", NOW)
    assert limits.slowness("made", NOW) == 1.0
    assert limits.slowness("other", NOW) == 1.0


def test_a_pause_that_a_host_asks_for_holds_for_everybody(tmp_path: Path) -> None:
    Limits(tmp_path).complain("made", NOW, 30.0)
    assert Limits(tmp_path).take("made", Rate(1.0), NOW) == pytest.approx(30.0)
    assert Limits(tmp_path).take("made", Rate(1.0), NOW + 30.0) == 0.0


def test_a_clock_that_ran_ahead_blocks_nobody(tmp_path: Path) -> None:
    limits = Limits(tmp_path)
    limits.take("made", Rate(1.0), NOW + 1e7)
    assert limits.take("made", Rate(1.0), NOW) == 0.0


def test_connections_are_counted_and_given_back(tmp_path: Path) -> None:
    limits = Limits(tmp_path)
    rate = Rate(1.0, connections=2)
    first, second = limits.connection("made", rate), limits.connection("made", rate)
    assert first is not None
    assert second is not None
    assert limits.connection("made", rate) is None
    first.release()
    third = limits.connection("made", rate)
    assert third is not None
    second.release()
    third.release()


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "limits.sqlite").write_bytes(b"no database at all" * 100)
    assert Limits(tmp_path).take("made", Rate(1.0), NOW) == 0.0


def test_a_place_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceProblem, match="HALLMARK_CACHE"):
        Limits(tmp_path / "file" / "folder")


def test_the_folder_is_the_users(tmp_path: Path) -> None:
    assert shared_folder({"HALLMARK_CACHE": str(tmp_path)}) == tmp_path
    assert shared_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/hallmark")


def test_a_circuit_opens_and_lets_one_request_try() -> None:
    circuit = Circuit()
    for _ in range(FAILURES):
        assert circuit.allows(0.0)
        circuit.failed(0.0)
    assert not circuit.allows(PAUSE_S - 1)
    assert circuit.allows(PAUSE_S)
    assert not circuit.allows(PAUSE_S)
    circuit.failed(PAUSE_S)
    assert not circuit.allows(PAUSE_S + 1)
    assert circuit.allows(2 * PAUSE_S)
    circuit.succeeded()
    assert circuit.allows(2 * PAUSE_S)
    assert circuit.openings == 2


def test_the_file_holds_nothing_but_hosts_and_times(tmp_path: Path) -> None:
    Limits(tmp_path).take("made", Rate(1.0), NOW)
    with sqlite3.connect(tmp_path / "limits.sqlite") as table:
        assert table.execute("SELECT host FROM hosts").fetchall() == [("made",)]
    table.close()


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE hosts (x)",
        (
            "CREATE TABLE hosts (host TEXT PRIMARY KEY, free, slow, seen);"
            "INSERT INTO hosts VALUES ('made', 'soon', 'very', 'never')"
        ),
    ],
)
def test_a_file_of_another_form_is_healed(made: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "limits.sqlite") as table:
        table.executescript(made)
    table.close()
    assert Limits(tmp_path).take("made", Rate(1.0), NOW) == 0.0
