"""Can a newcomer run a verifier, stop it, go on and read what came of it?"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hallmark.bench.entry import Label, read_predictions
from hallmark.cli.main import main

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "bench"
GOLD = str(EXAMPLES / "gold.jsonl")
PAGE = (ROOT / "docs" / "write-a-verifier.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (hallmark bench .*)$", PAGE, re.MULTILINE)


def run(*arguments: str) -> int:
    """Run `hallmark bench ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    return int(stopped.value.code or 0)


def test_every_command_of_the_newcomers_page_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) >= 7
    for command in COMMANDS:
        arguments = shlex.split(command)[2:]
        if "node" in command and shutil.which("node") is None:
            continue
        assert run(*arguments) == 0, command
    assert "Detection rate" in capsys.readouterr().out
    assert len(read_predictions(tmp_path / "mine.jsonl")) == 20


def test_the_newcomers_page_shows_the_example_as_it_is() -> None:
    code = (EXAMPLES / "my_verifier.py").read_text(encoding="utf-8")
    assert f"```python\n{code}```" in PAGE
    assert code.count("\n") <= 25


def test_a_second_call_of_a_finished_run_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    command = ["run", "random", "--gold", GOLD, "--out", str(out)]
    assert run(*command) == 0
    first = out.stat().st_mtime_ns
    assert run(*command) == 0
    assert out.stat().st_mtime_ns == first
    assert "finished already" in capsys.readouterr().err
    assert run(*command, "--seed", "7") == 2
    assert "--fresh" in capsys.readouterr().err
    assert run(*command, "--seed", "7", "--fresh") == 0
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] == 7
    assert manifest["gold"]["n"] == 20


def test_failures_of_the_tool_have_their_own_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text("def check(entry):\n    raise OSError('no net')\n", "utf-8")
    out = tmp_path / "out.jsonl"
    assert run("run", f"{tmp_path}/bad.py:check", "--gold", GOLD, "--out", str(out)) == 3
    assert "OSError: no net" in capsys.readouterr().err
    assert {row.label for row in read_predictions(out)} == {Label.ERROR}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_stopped_says_one_thing_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: int, code: int
) -> None:
    stop = tmp_path / "stop"
    stop.touch()
    (tmp_path / "own.py").write_text(
        "import os, pathlib\nasked = []\ndef check(entry):\n    asked.append(entry)\n"
        f"    if len(asked) == 3 and pathlib.Path({str(stop)!r}).exists():\n"
        f"        os.kill(os.getpid(), {int(number)})\n    return 0.5\n",
        "utf-8",
    )
    out = tmp_path / "out.jsonl"
    command = ["run", f"{tmp_path}/own.py:check", "--gold", GOLD, "--out", str(out), "--quiet"]
    assert run(*command) == code
    told = capsys.readouterr().err.splitlines()
    kept = f"Stopped; what was answered is kept in {out}.journal. "
    assert told == [f"{kept}Give the same command again to go on."]
    stop.unlink()
    assert run(*command) == 0
    assert len(read_predictions(out)) == 20


def test_cheats_are_marked_in_the_manifest(tmp_path: Path) -> None:
    for name in ("title-oracle", "format-tell"):
        out = tmp_path / f"{name}.jsonl"
        assert run("run", name, "--gold", GOLD, "--out", str(out), "--quiet") == 0
        manifest = json.loads(Path(f"{out}.manifest.json").read_text(encoding="utf-8"))
        assert manifest["cheat"] is True


def test_ensembles_and_replay_read_prediction_files(tmp_path: Path) -> None:
    files = []
    for name in ("doi-presence", "always-valid", "always-hallucinated"):
        files += ["--from", str(tmp_path / f"{name}.jsonl")]
        assert run("run", name, "--gold", GOLD, "--out", files[-1]) == 0
    for name, rows in (("majority", 12), ("any-vote", 20)):
        out = tmp_path / f"{name}.jsonl"
        assert run("run", name, *files, "--gold", GOLD, "--out", str(out)) == 0
        flagged = [row for row in read_predictions(out) if row.label is Label.HALLUCINATED]
        assert len(flagged) == rows
    again = tmp_path / "again.jsonl"
    assert run("run", "replay", *files[:2], "--gold", GOLD, "--out", str(again)) == 0
    assert again.read_bytes() == Path(files[1]).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["randm"], "Did you mean `random`?"),
        (["random", "--option", "rate"], "NAME=VALUE"),
        (["random", "--option", "rate=1", "--option", "rate=0"], "given twice"),
        (["majority"], "needs --from"),
        (["./nowhere.py:check"], "There is no file"),
    ],
)
def test_misuse_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run("run", *arguments, "--gold", GOLD, "--out", str(tmp_path / "o.jsonl")) == 2
    assert message in capsys.readouterr().err


def test_systems_are_listed_for_people_and_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("systems") == 0
    assert "title-oracle" in capsys.readouterr().out
    assert run("systems", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"hallmark", "random", "resolver-consensus"} <= {row["name"] for row in rows}


@pytest.mark.slow
def test_ctrl_c_keeps_every_answer_and_the_same_command_goes_on(tmp_path: Path) -> None:
    slow = "import time\ndef check(entry):\n    time.sleep(0.1)\n    return 0.5\n"
    (tmp_path / "slow.py").write_text(slow, encoding="utf-8")
    out = tmp_path / "out.jsonl"
    journal = tmp_path / "out.jsonl.journal"
    code = "from hallmark.cli.main import main; main()"
    arguments = ["bench", "run", f"{tmp_path}/slow.py:check", "--gold", GOLD, "--out", str(out)]
    command = [sys.executable, "-c", code, *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ), text=True)
    deadline = time.monotonic() + 30
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Give the same command again" in told
    assert "Traceback" not in told
    assert not out.exists()
    kept = journal.read_bytes().count(b"\n") - 1
    assert run(*arguments[1:]) == 0
    assert len(read_predictions(out)) == 20
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert manifest["resumed_rows"] == kept


def test_a_run_over_the_blind_file_gives_the_same_predictions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blind, ours, theirs = (tmp_path / name for name in ("test_hidden_blind.jsonl", "a", "b"))
    assert run("blind", GOLD, "--out", str(blind)) == 0
    assert run("run", "doi-presence", "--gold", str(blind), "--out", str(ours)) == 0
    by_name = ["--gold", "test_hidden_blind", "--data", str(tmp_path)]
    assert run("run", "doi-presence", *by_name, "--out", str(ours)) == 0
    assert "finished already" in capsys.readouterr().err
    assert run("run", "doi-presence", "--gold", GOLD, "--out", str(theirs)) == 0
    assert ours.read_bytes() == theirs.read_bytes()
    assert run("run", "title-oracle", "--gold", str(blind), "--out", str(tmp_path / "c")) == 2
    assert "needs labels" in capsys.readouterr().err


def test_a_folder_as_output_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("run", "always-valid", "--gold", GOLD, "--out", str(tmp_path)) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize("more", [(), ("--fresh",)])
def test_a_pipe_is_never_taken_away(tmp_path: Path, more: tuple[str, ...]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run("run", "always-valid", "--gold", GOLD, "--out", str(pipe), *more) == 2
    assert pipe.is_fifo()


def test_a_run_that_finds_no_room_says_which_file_and_goes_on_later(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    code = "from hallmark.cli.main import main; main()"
    command = [sys.executable, "-c", code, "bench", "run", "always-valid", "--gold", GOLD]
    tight = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command, "--out", str(out)]
    stopped = subprocess.run(tight, capture_output=True, text=True, check=False)
    assert stopped.returncode == 2
    assert "out.jsonl.journal: File too large" in stopped.stderr
    assert "give the same command again" in stopped.stderr
    assert run("run", "always-valid", "--gold", GOLD, "--out", str(out)) == 0
    assert len(read_predictions(out)) == 20


def test_a_quick_run_asks_about_a_sample_and_is_evaluated_over_it_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other = tmp_path / "few.jsonl", tmp_path / "other.jsonl"
    command = ["run", "random", "--gold", GOLD, "--limit", "7"]
    assert run(*command, "--out", str(out)) == 0
    assert len(read_predictions(out)) == 7
    manifest = json.loads((tmp_path / "few.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["gold"]["n"], manifest["gold"]["drawn_from"]) == (7, 20)
    capsys.readouterr()
    assert run("evaluate", str(out), "--gold", GOLD, "--by-source") == 0
    told = capsys.readouterr().out
    assert "gold: 7 entries" in told
    assert "note: These are 7 of the 20 entries of gold, drawn by bench run --limit" in told

    assert run(*command, "--out", str(other), "--seed", "7") == 0
    assert run("compare", str(out), str(other), "--gold", GOLD) == 2
    assert "different parts of gold (entries: few.jsonl 7, other.jsonl 7)" in (
        capsys.readouterr().err
    )
    assert run(*command, "--out", str(other), "--fresh", "--option", "rate=0.9") == 0
    assert run("compare", str(out), str(other), "--gold", GOLD) == 0
    assert run(*command[:-1], "8", "--out", str(out)) == 2
    assert "was not made by this run" in capsys.readouterr().err


def test_a_whole_run_has_no_sample_in_its_manifest(tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    assert run("run", "random", "--gold", GOLD, "--limit", "20", "--out", str(out)) == 0
    manifest = json.loads((tmp_path / "all.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["gold"]["n"], manifest["gold"]["drawn_from"]) == (20, None)
