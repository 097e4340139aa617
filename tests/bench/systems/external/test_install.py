import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hallmark.bench.systems.external.install import (
    folder_of,
    install,
    last_words,
    program_of,
    read_note,
    state_of,
    states,
)
from hallmark.bench.systems.external.rows import named, tools
from hallmark.errors import InputError, UnknownName
from tests.bench.systems.external.conftest import Install

NOW = "2026-12-02T10:00:00+00:00"


class Pip:
    """Pip that puts a script in the place of the tool's program."""

    def __init__(self, program: Path, code: str, exit_code: int = 0) -> None:
        self.asked = list[Sequence[str]]()
        self._program, self._code, self._exit_code = program, code, exit_code

    def __call__(self, command: Sequence[str]) -> tuple[int, str, str]:
        self.asked.append(command)
        if "freeze" in command:
            return 0, "harcx==0.2.0\nbibtexparser==1.4.3\n", ""
        self._program.write_text(f"#!{sys.executable}\n{self._code}", encoding="utf-8")
        self._program.chmod(0o755)
        return self._exit_code, "", "noise\nERROR: No matching distribution\nhint"


def harcx(root: Path, code: str, exit_code: int = 0) -> Pip:
    return Pip(program_of(folder_of(root, named("harcx")), "harcx"), code, exit_code)


@pytest.mark.slow
def test_an_installed_tool_is_pinned_noted_and_usable(tmp_path: Path) -> None:
    pip = harcx(tmp_path, "print('usage')")
    state = install("harcx", "", tmp_path, NOW, run=pip)
    assert state.usable
    assert pip.asked[0][-1] == "harcx==0.2.0"
    note = read_note(folder_of(tmp_path, named("harcx")))
    assert note is not None
    assert note.freeze == ("bibtexparser==1.4.3", "harcx==0.2.0")
    assert note.digest == hashlib.sha256(b"bibtexparser==1.4.3\nharcx==0.2.0").hexdigest()


@pytest.mark.slow
def test_a_tool_that_does_not_start_is_noted_with_its_words(tmp_path: Path) -> None:
    state = install("harcx", "", tmp_path, NOW, run=harcx(tmp_path, "import not_there"))
    assert not state.usable
    assert "not_there" in state.problem


@pytest.mark.slow
def test_what_pip_cannot_install_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No matching distribution"):
        install("harcx", "9.9", tmp_path, NOW, run=_fails)
    assert list(tmp_path.iterdir()) == []


def _fails(_: Sequence[str]) -> tuple[int, str, str]:
    return 1, "", "noise\nERROR: No matching distribution\nhint"


def test_a_tool_that_cannot_be_run_is_not_installed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="index does not hold it"):
        install("verify-citations", "", tmp_path, NOW, run=_fails)
    with pytest.raises(UnknownName):
        install("nonesuch", "", tmp_path, NOW, run=_fails)
    assert list(tmp_path.iterdir()) == []


def test_every_tool_is_listed_in_every_version_with_why_it_cannot_be_used(tmp_path: Path) -> None:
    listed = states(tmp_path, [tool for _, tool in tools().items()])
    names = [state.named.name for state in listed]
    assert {"bibtex-updater", "bibtex-updater@1.2.0", "verify-citations"} <= set(names)
    assert all(state.problem for state in listed)


def test_a_version_that_no_row_names_is_listed_where_it_is_installed(
    installed: Install,
) -> None:
    root = installed("harcx@0.1.1", "")
    listed = states(root, [named("harcx").tool])
    assert [(state.named.version, state.usable) for state in listed] == [
        ("0.2.0", False),
        ("0.1.1", True),
    ]


def test_a_tool_whose_program_is_gone_is_not_usable(installed: Install) -> None:
    root = installed("harcx", "")
    program_of(folder_of(root, named("harcx")), "harcx").unlink()
    assert "is gone" in state_of(root, named("harcx")).problem


def test_a_damaged_note_is_an_unfinished_installation(installed: Install) -> None:
    root = installed("harcx", "")
    (folder_of(root, named("harcx")) / "hallmark-tool.json").write_text("{", encoding="utf-8")
    assert "not installed" in state_of(root, named("harcx")).problem


def test_the_last_words_of_a_program_are_its_error() -> None:
    assert last_words("a\nValueError: bad\nhint: try again\n") == "ValueError: bad"
    assert last_words("a\nb\n") == "b"
    assert last_words("") == "it does not say why"
