import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.bench.systems.external.conftest import Install

SLEEPER = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open({pids!r} + ".new", "w") as file:
    file.write(f"{{os.getpid()}} {{child.pid}}")
os.rename({pids!r} + ".new", {pids!r})
time.sleep(60)
"""
ENTRY = {
    "bibtex_key": "a",
    "bibtex_type": "misc",
    "fields": {"title": "A Title"},
    "label": "VALID",
    "explanation": "",
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stopped_run_leaves_neither_the_tool_nor_its_children_nor_its_folder(
    number: signal.Signals, installed: Install, tmp_path: Path
) -> None:
    pids, scratch, gold = tmp_path / "pids", tmp_path / "scratch", tmp_path / "gold.jsonl"
    scratch.mkdir()
    gold.write_text(json.dumps(ENTRY) + "\n", encoding="utf-8")
    root = installed("citation-checker", SLEEPER.format(pids=str(pids)))
    command = [sys.executable, "-m", "hallmark", "bench", "run", "tool:citation-checker"]
    run = subprocess.Popen(
        [*command, "--gold", str(gold), "--out", str(tmp_path / "out.jsonl")],
        env={**os.environ, "HALLMARK_TOOLS": str(root), "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
    )
    _until(pids.exists)
    run.send_signal(number)
    _, errors = run.communicate(timeout=20)
    assert run.returncode == 128 + number
    assert b"Traceback" not in errors
    for pid in map(int, pids.read_text().split()):
        _until(partial(_is_gone, pid))
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "out.jsonl").exists()


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return stat.exists() and ") Z " in stat.read_text()
    except (ProcessLookupError, FileNotFoundError):
        return True
