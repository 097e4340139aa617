"""The page on corrections shows what the commands print."""

import re
from pathlib import Path

import pytest

from tests.cli.test_check import ROOT, TODAY, call

PAGE = ROOT / "docs" / "corrections.md"


def block(command: str) -> str:
    """Return what the page shows beneath a command."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(f"$ hallmark {command}\n") + len(f"$ hallmark {command}\n")
    return text[start : text.index("\n```", start)]


def printed(
    command: str, index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.chdir(ROOT)
    call(*command.split(), "--index", index, *TODAY)
    return capsys.readouterr().out


def test_the_diff_is_real(
    paper_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "check examples/paper.bib --diff --unsafe-fixes"
    real = printed(command, paper_index, monkeypatch, capsys)
    hunks = re.split(r"(?m)^(?=@@)", block(command) + "\n")
    assert len(hunks) == 3
    assert all(hunk in real for hunk in hunks)


def test_the_letter_is_real(
    paper_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "explain false-authors examples/paper.bib --letter"
    assert block(command).strip() == printed(command, paper_index, monkeypatch, capsys).strip()
