import errno
import subprocess
import sys
from pathlib import Path

import pytest

from hallmark.cli import main as command
from hallmark.errors import HallmarkError, IndexMissing


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    code = "from hallmark.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_help_names_every_command() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    for name, lazy in command.COMMANDS.items():
        assert name in shown.stdout
        assert lazy.help in shown.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from hallmark.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(sorted(sys.modules), file=sys.stderr)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(shown.stderr.strip("[]\n").replace("'", "").split(", "))
    heavy = {"tantivy", "lxml", "rich", "numpy", "rapidfuzz", "pylatexenc", "bibtexparser"}
    assert "hallmark.cli.main" in loaded
    assert not loaded & heavy


def test_the_version_is_told() -> None:
    assert run("--version").stdout.startswith("hallmark 0.")


def test_an_unknown_command_is_misuse() -> None:
    shown = run("chekc")
    assert shown.returncode == 2
    assert "chekc" in shown.stderr
    assert "Traceback" not in shown.stderr


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (HallmarkError("No."), 2, "hallmark: No."),
        (IndexMissing("There is no index at x."), 2, "no index at x"),
        (MemoryError(), 2, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "out"), 2, "out: No space left"),
        (KeyError("x"), 70, "a fault of hallmark (KeyError"),
    ],
)
def test_an_error_is_one_message_and_a_code(
    error: Exception, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command._told(error) == code
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown


def test_a_message_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    command._told(HallmarkError("bad \x1b[2J name\nsecond line"))
    assert capsys.readouterr().err == "hallmark: bad \\x1b[2J name\nsecond line\n"


def test_a_missing_extra_is_named() -> None:
    lazy = command.Lazy("surely_not_installed.cli", "x", needs="bench")
    with pytest.raises(HallmarkError, match=r"pip install '\.\[bench\]'"):
        command._load(lazy)


def test_a_fault_inside_of_the_package_is_not_taken_for_a_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError):
        command._load(command.Lazy("hallmark.surely_not_there", "x", needs="bench"))


def test_every_command_that_is_listed_can_be_loaded() -> None:
    for name in command.COMMANDS:
        shown = run(name, "--help")
        assert shown.returncode == 0, shown.stderr
        assert "Usage: hallmark" in shown.stdout


def test_the_last_guard_never_shows_a_traceback(tmp_path: Path) -> None:
    shown = run("check", str(tmp_path / "none.bib"))
    assert shown.returncode == 2
    assert "There is no file" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_closed_standard_output_is_no_fault() -> None:
    command_line = f"{sys.executable} -m hallmark --version >&-"
    done = subprocess.run(command_line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
