import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hallmark.cli.main import main

ROOT = Path(__file__).parent.parent.parent
PAPER_BIB = ROOT / "examples" / "paper.bib"
TODAY = ["--today", "2026-01-31"]

FAULTS = {
    "false-title": ("contradicted", "near_miss_title"),
    "false-venue": ("contradicted", "wrong_venue"),
    "false-authors": ("contradicted", "swapped_authors"),
    "false-missing": ("contradicted", "partial_author_list"),
    "false-placeholder": ("contradicted", "placeholder_authors"),
    "false-future": ("contradicted", "future_date"),
    "false-year": ("contradicted", "arxiv_version_mismatch"),
    "false-doi": ("contradicted", "fabricated_doi"),
    "false-doi-other": ("contradicted", "hybrid_fabrication"),
    "false-venue-invented": ("contradicted", "nonexistent_venue"),
    "false-edition": ("contradicted", "wrong_venue"),
    "false-published": ("not_found", "plausible_fabrication"),
    "false-invented": ("not_found", "plausible_fabrication"),
}


def call(*arguments: "str | Path") -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert isinstance(stop.value.code, int)
    return stop.value.code


def lines(text: str) -> list[dict[str, Any]]:
    """Return the rows of JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def rows(path: Path) -> dict[str, Any]:
    return {row["key"]: row for row in json.loads(path.read_text())["results"]}


@pytest.fixture(autouse=True)
def _no_index_lies_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HALLMARK_INDEX", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def checked(paper_index: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("checked") / "report.json"
    code = call("check", PAPER_BIB, "--index", paper_index, "-f", "json", "-o", out, "-q", *TODAY)
    assert code == 1
    return rows(out)


def test_every_entry_of_the_example_has_a_row_in_order(checked: dict[str, Any]) -> None:
    lines = [row["line"] for row in checked.values()]
    assert len(checked) == 45
    assert lines == sorted(lines)


@pytest.mark.parametrize("key", FAULTS)
def test_every_fault_of_the_example_is_found(checked: dict[str, Any], key: str) -> None:
    assert (checked[key]["status"], checked[key]["type"]) == FAULTS[key]


def test_nothing_true_in_the_example_is_accused(checked: dict[str, Any]) -> None:
    accused = {
        key for key, row in checked.items() if row["status"] in {"contradicted", "not_found"}
    }
    assert accused == set(FAULTS)


def test_what_is_true_in_the_example_is_verified_or_left_open(checked: dict[str, Any]) -> None:
    others = {
        key: row["status"]
        for key, row in checked.items()
        if key not in FAULTS and row["status"] != "verified"
    }
    assert others == {
        "hamilton2017inductive": "unresolved",
        "chen2018neural": "unresolved",
        "goodfellow2016deep": "unresolved",
        "pytorchdocs": "not_checked",
    }


def test_without_an_index_all_is_unresolved_and_the_way_out_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@article{a, title={Attention is All you Need}, year=2017}\n")
    assert call("check", bib, "-f", "jsonl") == 3
    shown = capsys.readouterr()
    assert [row["status"] for row in lines(shown.out)] == ["unresolved"]
    assert "hallmark index build --out .hallmark/starter starter" in shown.err


def test_without_an_index_a_self_evident_fault_is_found_and_the_check_is_still_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text(
        "@article{a, title={Some Work of Ours}, year=2049}\n@article{b, title={Another Work}}\n"
    )
    assert call("check", bib, "-f", "jsonl", *TODAY) == 3
    statuses = [row["status"] for row in lines(capsys.readouterr().out)]
    assert statuses == ["contradicted", "unresolved"]


def test_an_index_that_was_named_must_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", PAPER_BIB, "--index", tmp_path / "none") == 2
    shown = capsys.readouterr().err
    assert "hallmark index build" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.bib", b""),
        ("blank.bib", b" \n\n"),
        ("text.bib", b"This is no bibliography.\n"),
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"),
        ("binary.bib", bytes(range(256)) * 64),
    ],
)
def test_what_holds_no_reference_is_refused(
    tmp_path: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert call("check", path) == 2
    shown = capsys.readouterr()
    assert name in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""


def test_a_missing_file_among_others_is_told_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", PAPER_BIB, tmp_path / "none.bib") == 2
    shown = capsys.readouterr()
    assert (shown.out, "none.bib" in shown.err) == ("", True)


def test_a_broken_entry_is_a_row_and_a_problem(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text(
        "@inproceedings{good, title={Mask R-CNN}, year=2017,\n  booktitle={ICCV},"
        " author={Kaiming He and others}}\n\n@article{broken, title = {never closed,\n"
    )
    assert call("check", bib, "--index", paper_index, "-f", "jsonl") == 1
    shown = lines(capsys.readouterr().out)
    assert [row["status"] for row in shown] == ["verified", "not_checked"]
    assert shown[1]["line"] == 4


def test_standard_input_is_a_dash(
    paper_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = b"@article{a, title={Mask R-CNN}, author={Kaiming He and others}, year=2017}"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert call("check", "-", "--index", paper_index, "-f", "jsonl") == 0
    assert [row["file"] for row in lines(capsys.readouterr().out)] == ["-"]


def test_an_unknown_input_format_is_told_with_what_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("check", PAPER_BIB, "--input-format", "bibtx") == 2
    assert "bibtex" in capsys.readouterr().err


def test_only_problems_leaves_the_counts_of_all(tmp_path: Path, paper_index: Path) -> None:
    out = tmp_path / "report.json"
    call("check", PAPER_BIB, "--index", paper_index, "-f", "json", "-o", out, "--only",
         "problems", *TODAY)  # fmt: skip
    document = json.loads(out.read_text())
    assert {row["key"] for row in document["results"]} == set(FAULTS)
    assert document["summary"]["references"] == 45


def test_several_workers_say_the_same(
    tmp_path: Path, paper_index: Path, checked: dict[str, Any]
) -> None:
    out = tmp_path / "report.json"
    call("check", PAPER_BIB, "--index", paper_index, "-f", "json", "-o", out, "--workers", "2",
         *TODAY)  # fmt: skip
    assert rows(out) == checked


def test_stored_evidence_gives_the_same_verdicts_again(
    tmp_path: Path, paper_index: Path, checked: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    kept, out = tmp_path / "evidence.jsonl", tmp_path / "report.json"
    call("check", PAPER_BIB, "--index", paper_index, "--store-evidence", kept, "-q", *TODAY)
    assert call("replay", kept, "-f", "json", "-o", out) == 1
    assert rows(out) == checked
    assert "0 of 45 verdicts differ" in capsys.readouterr().err


def test_evidence_that_is_none_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "evidence.jsonl"
    kept.write_text('{"schema": "hallmark.evidence/99"}\n')
    assert call("replay", kept) == 2
    assert "line 1" in capsys.readouterr().err


def test_an_explanation_shows_claim_records_and_verdict(
    paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("explain", "false-title", PAPER_BIB, "--index", paper_index, *TODAY) == 0
    shown = capsys.readouterr().out
    for words in ("Claimed", "Finding Small", "Finding Sparse", "HM301", "near_miss_title"):
        assert words in shown
    assert call("check", PAPER_BIB, "--explain", "false-title", "--index", paper_index, *TODAY) == 0
    assert capsys.readouterr().out == shown


def test_a_key_is_looked_for_in_all_files(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@article{elsewhere, title={X}}")
    assert call("check", bib, PAPER_BIB, "--explain", "false-year", "--index", paper_index) == 0
    assert "HM601" in capsys.readouterr().out


def test_a_key_that_is_not_there_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("explain", "false-titel", PAPER_BIB) == 2
    assert "Did you mean `false-title`?" in capsys.readouterr().err


def test_the_output_never_replaces_the_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@article{a, title={X}}")
    assert call("check", bib, "-o", bib) == 2
    assert bib.read_text() == "@article{a, title={X}}"
    assert "never written over" in capsys.readouterr().err


def test_terminal_escapes_in_an_entry_never_reach_the_terminal(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@article{a\x1b[2J, title={A \x1b]0;owned\x07 title}, year=2049}\n")
    for form in ("terminal", "markdown", "json", "jsonl"):
        call("check", bib, "--index", paper_index, "-f", form)
        shown = capsys.readouterr()
        assert "\x1b" not in shown.out + shown.err
        assert "\x07" not in shown.out + shown.err
