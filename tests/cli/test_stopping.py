"""What happens when a check is stopped half-way?"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENTRY = (
    "@inproceedings{{key{0}, title={{Mask R-CNN}}, author={{Kaiming He and others}},"
    " booktitle={{ICCV}}, year={{2017}}, note={{{0}}}}}\n"
)


@pytest.fixture
def checking(tmp_path: Path, paper_index: Path) -> Iterator["subprocess.Popen[str]"]:
    """A check of many entries that has begun to write JSON lines."""
    bib = tmp_path / "many.bib"
    bib.write_text("".join(ENTRY.format(number) for number in range(20_000)))
    code = "from hallmark.cli.main import main; main()"
    arguments = ["check", str(bib), "--index", str(paper_index), "-f", "jsonl", "--workers", "1"]
    kept = ["--store-evidence", str(tmp_path / "evidence.jsonl")]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments, *kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "key0" in process.stdout.readline()
        yield process
        process.kill()


def test_ctrl_c_is_one_line_and_leaves_nothing_behind(
    checking: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    checking.send_signal(signal.SIGINT)
    _, told = checking.communicate(timeout=30)
    assert checking.returncode == 130
    assert told == "Interrupted; nothing half-done was left behind.\n"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["many.bib"]


def test_a_reader_that_goes_away_is_no_error(
    checking: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    assert checking.stdout is not None
    assert checking.stderr is not None
    checking.stdout.close()
    assert checking.wait(timeout=30) == 141
    assert checking.stderr.read() == ""
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["many.bib"]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_check_that_is_told_to_end_leaves_nothing_behind(
    checking: "subprocess.Popen[str]", tmp_path: Path, name: str
) -> None:
    number = getattr(signal, name)
    checking.send_signal(number)
    _, told = checking.communicate(timeout=30)
    assert checking.returncode == 128 + number
    assert told == ""
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["many.bib"]


WORKER = """
import multiprocessing, time
from hallmark._processes import follow_parent

def work(out):
    follow_parent()
    out.send("ready")
    time.sleep(60)

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=work, args=(there,)).start()
    print(here.recv(), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_a_worker_ends_when_its_parent_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(WORKER, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        # The worker holds the pipe's other end: this returns only when it has ended, too.
        parent.communicate(timeout=20)
    assert parent.returncode == -signal.SIGKILL
