"""Does `hallmark replay` judge only by what the file of evidence holds?"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_check import PAPER_BIB, TODAY, call


@pytest.fixture
def kept(tmp_path: Path, paper_index: Path) -> Path:
    """Evidence of a check in which some entries are verified."""
    out = tmp_path / "evidence.jsonl"
    report: list[str | Path] = ["-f", "jsonl", "-o", tmp_path / "rows.jsonl"]
    call("check", PAPER_BIB, "--index", paper_index, *TODAY, *report, "--store-evidence", out)
    return out


def _without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update({name: None})


def _dated(day: str) -> Callable[[dict[str, Any]], None]:
    return lambda line: line["evidence"].update(today=day)


def _buried(line: dict[str, Any]) -> None:
    line["more"] = "DEEP"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_without("evidence"), "the evidence for its reference is missing"),
        (_without("reference"), "either a reference or an entry"),
        (_dated("9999-99-99"), "month must be in"),
        (_dated("\x1b[2J"), "Invalid isoformat"),
        (_buried, "recursion"),
    ],
)
def test_a_line_that_rests_on_nothing_is_refused(
    kept: Path,
    spoil: Callable[[dict[str, Any]], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = json.loads(kept.read_text(encoding="utf-8").splitlines()[0])
    spoil(line)
    deep = "[" * 100_000 + "]" * 100_000
    kept.write_text(json.dumps(line).replace('"DEEP"', deep) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert call("replay", kept) == 2
    told = capsys.readouterr()
    assert "line 1 is no evidence of this version" in told.err
    assert said in told.err
    assert told.out == ""


def test_a_stored_verdict_that_claims_a_crash_cannot_verify(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = json.loads(kept.read_text(encoding="utf-8").splitlines()[0])
    finding = {"code": "HM902", "severity": "warning", "message": "made up"}
    line["evidence"] = None
    line["result"]["verdict"]["findings"] = [finding]
    kept.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert call("replay", kept) == 2
    assert "evidence for its reference is missing" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["terminal", "json", "markdown"])
def test_nothing_is_reported_of_a_file_that_cannot_be_read(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("replay", tmp_path / "missing", "-f", form) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "cannot be read" in told.err


def test_report_and_evidence_need_two_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("check", PAPER_BIB, "-o", "x", "--store-evidence", tmp_path / "x") == 2
    assert "cannot both go to x" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_process_without_standard_input_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert call("check", "-") == 2
    assert "Standard input is not at hand" in capsys.readouterr().err
