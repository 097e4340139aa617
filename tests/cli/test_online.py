"""What do `check --online`, `--record` and `--replay` do, seen from outside?"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hallmark.online.session import chosen
from hallmark.sources.specs import SOURCES
from tests.cli.test_check import call
from tests.fakeworld.__main__ import main as fakeworld
from tests.fakeworld.knobs import Fault, Knobs
from tests.fakeworld.probes import probed_works
from tests.fakeworld.records import JOURNAL, MEETING, VERSIONS
from tests.fakeworld.server import serving
from tests.fakeworld.world import World

ROOT = Path(__file__).parent.parent.parent
PLANTED = {
    "OPENALEX_API_KEY": "planted-openalex-7c1d/+x",
    "SEMANTIC_SCHOLAR_API_KEY": "planted-scholar-99ab",
    "NCBI_API_KEY": "planted-ncbi-41ff",
    "GOOGLE_BOOKS_API_KEY": "planted-books-1e0c",
    "HALLMARK_CONTACT": "planted.person@quay.example",
}
BIB = f"""
@article{{right, title={{{JOURNAL.title.replace("&", chr(92) + "&")}}},
  author={{{" and ".join(JOURNAL.authors)}}}, journal={{{JOURNAL.venue_raw}}}, year={{2021}},
  doi={{{JOURNAL.doi}}}}}
@inproceedings{{meeting, title={{{MEETING.title}}}, author={{{" and ".join(MEETING.authors)}}},
  booktitle={{{MEETING.venue_raw}}}, year={{2024}}}}
@article{{invented, title={{A Theory of Clouds That Nobody Has Written Down}},
  author={{Wanda Quist}}, journal={{Journal of Tides}}, year={{2019}}}}
@article{{swapped, title={{{JOURNAL.title.replace("&", chr(92) + "&")}}},
  author={{Wanda Quist and Xeno Yule}}, journal={{{JOURNAL.venue_raw}}}, year={{2021}},
  doi={{{JOURNAL.doi}}}}}
"""


def world(**knobs: Knobs) -> World:
    return World([*VERSIONS, *probed_works()], knobs)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bibliography, from which everything is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HALLMARK_INDEX", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in PLANTED:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    return tmp_path


@pytest.fixture
def served(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world that plays all services."""
    played = world()
    with serving(played) as address:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", address)
        yield played


def statuses(report: Path) -> dict[str, str]:
    rows: list[dict[str, Any]] = json.loads(report.read_text())["results"]
    return {row["key"]: row["status"] for row in rows}


def test_references_are_judged_by_what_the_services_answer(served: World, place: Path) -> None:
    assert call("check", "refs.bib", "--online", "-f", "json", "-o", "report.json") == 1
    assert statuses(place / "report.json") == {
        "right": "verified",
        "meeting": "verified",
        "invented": "not_found",
        "swapped": "contradicted",
    }
    assert len(served.log) < 30


@pytest.mark.parametrize("form", ["json", "jsonl", "terminal", "markdown"])
def test_a_replay_reports_just_what_the_recorded_run_reported(
    form: str, served: World, place: Path
) -> None:
    first = call("check", "refs.bib", "--online", "--record", "run.rec", "-f", form, "-o", "one")
    sent = len(served.log)
    again = call("check", "refs.bib", "--replay", "run.rec", "-f", form, "-o", "two")
    assert (place / "one").read_bytes() == (place / "two").read_bytes()
    assert first == again == 1
    assert len(served.log) == sent


def test_the_evidence_of_a_replay_is_that_of_the_recorded_run(served: World, place: Path) -> None:
    call("check", "refs.bib", "--online", "--record", "run.rec", "--store-evidence", "one.jsonl")
    call("check", "refs.bib", "--replay", "run.rec", "--store-evidence", "two.jsonl")
    assert (place / "one.jsonl").read_bytes() == (place / "two.jsonl").read_bytes()


def test_a_recorded_outage_replays_as_an_outage(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = {name: Knobs(faults=((Fault.FORBIDDEN, 1.0),)) for name, _ in SOURCES.items()}
    with serving(world(**down)) as address:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", address)
        record = ["--record", "run.rec", "-f", "json", "-o", "one"]
        assert call("check", "refs.bib", "--online", *record) == 3
    assert call("check", "refs.bib", "--replay", "run.rec", "-f", "json", "-o", "two") == 3
    assert (place / "one").read_bytes() == (place / "two").read_bytes()
    assert set(statuses(place / "one").values()) == {"unresolved"}


def test_a_thorough_run_asks_every_source_about_every_reference(served: World, place: Path) -> None:
    call("check", "refs.bib", "--online", "--thorough", "--store-evidence", "kept.jsonl")
    titled = {name for name, one in SOURCES.items() if "title" in one(None).spec.ways}
    for line in (place / "kept.jsonl").read_text().splitlines():
        answers = json.loads(line)["evidence"]["answers"]
        assert titled <= {one["source"] for one in answers}


def test_no_artefact_holds_a_key_or_the_contact(
    served: World, place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    served.turn("pubmed", Knobs(needs_key="api_key"))
    served.turn("europepmc", Knobs(faults=((Fault.CLOSED, 1.0),)))
    kept = ["--record", "run.rec", "--store-evidence", "kept.jsonl"]
    call("check", "refs.bib", "--online", "--thorough", *kept, "-o", "report")
    call("check", "refs.bib", "--online", "-f", "json", "-o", "report.json")
    call("sources")
    call("cache", "info")
    sent = " ".join(f"{one.call.query} {one.call.headers}" for one in served.log)
    assert all(value.replace("/+", "%2F%2B") in sent or value in sent for value in PLANTED.values())
    printed = "".join(capfd.readouterr())
    for value in PLANTED.values():
        assert value not in printed
        for path in place.rglob("*"):
            assert path.is_dir() or value.encode() not in path.read_bytes(), path
    assert (place / "cache" / "answers.sqlite").exists()


@pytest.fixture
def slow_world(place: Path) -> Iterator[str]:
    """The address of slow services, beside a bibliography whose first row is soon there."""
    held = f"""@article{{k0, title={{{MEETING.title}}}, author={{{" and ".join(MEETING.authors)}}},
      booktitle={{{MEETING.venue_raw}}}, year={{2024}}}}"""
    made = [
        f"@article{{k{number}, title={{The {number}th Theory of Unwritten Clouds}},"
        f" author={{Wanda Quist}}, journal={{Journal of Tides}}, year={{2019}}}}"
        for number in range(1, 300)
    ]
    (place / "many.bib").write_text("\n".join([held, *made]), encoding="utf-8")
    slow = Knobs(latency_s=0.05)
    with serving(world(**{name: slow for name, _ in SOURCES.items()})) as address:
        yield address


@contextmanager
def checking(address: str, *more: str) -> Iterator["subprocess.Popen[str]"]:
    """A run with live sources of which the first rows are there, and others are under way."""
    code = "from hallmark.cli.main import main; main()"
    command = [sys.executable, "-c", code, "check", "many.bib", "--online", "-f", "jsonl"]
    with subprocess.Popen(
        [*command, "--no-cache", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HALLMARK_SOURCES_AT": address},
    ) as process:
        yield process
        process.kill()


def interrupted(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Interrupt a run once its first row is there; return what it wrote, and what it told."""
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    rest, told = process.communicate(timeout=30)
    return first + rest, told


def test_ctrl_c_gives_the_rows_that_are_there(slow_world: str, place: Path) -> None:
    with checking(slow_world, "--record", "run.rec") as process:
        written, told = interrupted(process)
    assert process.returncode == 130
    rows = [json.loads(line) for line in written.splitlines()]
    assert [row["key"] for row in rows] == [f"k{number}" for number in range(len(rows))]
    assert 0 < len(rows) < 300
    assert "Interrupted: the references after the last one reported were not checked" in told
    assert "no recording was written" in told
    assert "Traceback" not in told
    assert not (place / "run.rec").exists()
    assert not (place / "run.rec.part").exists()


def test_an_interrupted_run_speaks_of_a_recording_only_where_one_was_asked_for(
    slow_world: str,
) -> None:
    with checking(slow_world) as process:
        told = interrupted(process)[1]
    assert "Interrupted: the references after the last one reported were not checked." in told
    assert "recording" not in told


def test_a_service_that_cannot_be_reached_is_told_as_such(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HALLMARK_SOURCES_AT", "http://127.0.0.1:9")
    assert call("check", "refs.bib", "--online", "--sources", "crossref", "-o", "report") == 3
    told = capsys.readouterr().err
    assert re.search(r"Requests: crossref could not be reached \(\d+ attempts?\)\.", told)


def test_services_of_this_machine_are_asked_without_limits_and_no_others() -> None:
    here = chosen(("crossref",), {"HALLMARK_SOURCES_AT": "http://127.0.0.1:8000"})
    there = chosen(("crossref",), {"HALLMARK_SOURCES_AT": "https://mirror.example"})
    real = SOURCES.get("crossref")(None).spec
    assert here["crossref"].spec.rate.requests > real.rate.requests
    assert there["crossref"].spec.rate == real.rate
    assert chosen(("crossref",), {})["crossref"].spec == real


def test_the_demonstration_needs_neither_network_nor_index(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What `make demo-online` runs: each fault of examples/paper.bib that needs no list is found."""
    records = [
        str(ROOT / "tests/fixtures/paper" / f"{name}.jsonl") for name in ("dblp", "acl", "arxiv")
    ]
    program = [sys.executable, "-c", "from hallmark.cli.main import main; main()"]
    check = [*program, "check", str(ROOT / "examples" / "paper.bib"), "--online", "-f", "json"]
    assert fakeworld(["--records", *records, "--", *check]) == 1
    rows = {row["key"]: row["status"] for row in json.loads(capfd.readouterr().out)["results"]}
    flagged = {key for key, status in rows.items() if status in {"contradicted", "not_found"}}
    assert flagged == {key for key in rows if key.startswith("false-")} - {
        "false-title",
        "false-published",
    }


def test_a_recording_never_takes_the_place_of_the_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "refs.bib"
    bib.write_text("@misc{k, title={A Title}}")
    assert call("check", bib, "--online", "--max-requests", "0", "--record", bib) == 2
    assert "inputs" in capsys.readouterr().err
    assert bib.read_text() == "@misc{k, title={A Title}}"


def test_two_results_never_go_to_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "refs.bib"
    bib.write_text("@misc{k, title={A Title}}")
    out = str(tmp_path / "out")
    assert call("check", bib, "--online", "--max-requests", "0", "--record", out, "-o", out) == 2
    assert "Two results" in capsys.readouterr().err
