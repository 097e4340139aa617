"""What do the studies print, write and return?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.main import main
from tests.study import little


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index and a gold file."""
    folder = tmp_path_factory.mktemp("studies")
    little.built(folder, little.collections())
    little.gold(folder / "gold.jsonl")
    return folder


def run(command: str, place: Path, *arguments: str) -> int:
    """Run a study as its user would; return the exit code."""
    on = ["--gold", str(place / "gold.jsonl"), "--index", str(place / "index")]
    with pytest.raises(SystemExit) as stopped:
        main(["study", command, *on, "--today", "2026-01-01", *arguments])
    return int(stopped.value.code or 0)


def test_errors_go_to_the_terminal(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("errors", place) == 0
    shown = capsys.readouterr().out
    assert "False alarms: 1" in shown
    assert "alarm: HM401 foreign-authors" in shown


def test_the_form_follows_the_name_of_the_file(place: Path, tmp_path: Path) -> None:
    page, data = tmp_path / "errors.md", tmp_path / "errors.json"
    assert run("errors", place, "-o", str(page)) == 0
    assert page.read_text(encoding="utf-8").startswith("# Errors on gold")
    assert run("errors", place, "-o", str(data)) == 0
    assert json.loads(data.read_text(encoding="utf-8"))["schema"] == "hallmark-errors/1"
    assert run("errors", place, "-f", "json", "-o", str(page)) == 0
    assert json.loads(page.read_text(encoding="utf-8"))["cases"]


def test_a_gold_file_is_never_written_over(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (place / "gold.jsonl").read_bytes()
    assert run("errors", place, "-o", str(place / "gold.jsonl")) == 2
    assert run("labels", place, "--ledger", str(place / "gold.jsonl")) == 2
    assert (place / "gold.jsonl").read_bytes() == before
    assert "Traceback" not in capsys.readouterr().err


def test_an_ablation_reports_broken_bounds_by_its_exit_code(place: Path, tmp_path: Path) -> None:
    assert run("ablation", place, "--group", "rules", "-o", str(tmp_path / "r.json")) == 0
    assert run("ablation", place, "--group", "only", "-o", str(tmp_path / "o.json")) == 1
    tried = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["tried"]
    assert tried[0]["group"] == "whole"


def test_a_ledger_keeps_what_a_reviewer_wrote(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    assert run("labels", place, "--ledger", str(ledger)) == 0
    rows = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
    assert [row["key"] for row in rows] == ["alarm", "confirmed"]
    rows[1] |= {"reviewer": "A person", "decision": "accept", "note": "seen in print"}
    ledger.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    capsys.readouterr()
    assert run("labels", place, "--ledger", str(ledger)) == 0
    assert "accept by A person (seen in print)" in capsys.readouterr().out
    again = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()]
    assert again[1]["note"] == "seen in print"


def test_a_report_reuses_an_ablation_of_the_same_and_refuses_another(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, page = tmp_path / "kept.json", tmp_path / "accuracy.md"
    assert run("ablation", place, "--group", "rules", "-o", str(kept)) == 0
    assert run("report", place, "--ablation", str(kept), "-o", str(page)) == 0
    assert "Without rules of a kind" in page.read_text(encoding="utf-8")
    assert run("report", place, "--policy", "strict", "--ablation", str(kept)) == 2
    assert "None of the ablations is of gold with policy strict" in capsys.readouterr().err
    kept.write_text("{}", encoding="utf-8")
    assert run("report", place, "--ablation", str(kept)) == 2
    assert "is no ablation" in capsys.readouterr().err


def test_misuse_is_told_in_one_message(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (
        ["--policy", "lenient"],
        ["--today", "tomorrow"],
        ["--gold", str(tmp_path / "none.jsonl")],
        ["--index", str(tmp_path)],
    ):
        assert run("errors", place, *arguments) == 2
        told = capsys.readouterr().err
        assert told.startswith("hallmark: ")
        assert "Traceback" not in told


def test_the_help_lists_the_studies(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["study", "--help"])
    shown = capsys.readouterr().out
    for name in ("errors", "ablation", "labels", "report"):
        assert name in shown


def test_queues_are_compared_with_the_labels(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("triage", place, "--prevalence", "0.1", "-q") == 0
    assert "Queues at a prevalence of 10 %" in capsys.readouterr().out
    assert run("triage", place, "--prevalence", "1") == 2
    assert "strictly between 0 and 1" in capsys.readouterr().err
