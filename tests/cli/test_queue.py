"""What does `check --queue` print, and which wishes does it refuse?"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hallmark.judge.calibrate import packaged
from hallmark.report.holdings import MISFIT
from hallmark.study.triage_guide import COMMAND
from tests.cli.test_check import FAULTS, PAPER_BIB, TODAY, call

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.fixture(autouse=True)
def _no_index_lies_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HALLMARK_INDEX", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def document(folder: Path, *arguments: "str | Path", code: int = 1) -> dict[str, Any]:
    out = folder / "report.json"
    assert call("check", PAPER_BIB, "-f", "json", "-o", out, "-q", *TODAY, *arguments) == code
    loaded: dict[str, Any] = json.loads(out.read_text())
    return loaded


def test_the_queue_of_the_example_holds_its_faults_first(tmp_path: Path, paper_index: Path) -> None:
    queue = document(tmp_path, "--index", paper_index, "--queue", "30")["queue"]
    order = [pick["key"] for pick in queue["picks"]]
    assert set(order[: len(FAULTS)]) == set(FAULTS)
    assert len(order) == queue["open"] == 16
    assert (queue["confirmed"], queue["out_of_scope"]) == (28, 1)


def test_without_the_option_there_is_no_queue(tmp_path: Path, paper_index: Path) -> None:
    assert "queue" not in document(tmp_path, "--index", paper_index)


def test_the_prevalence_that_is_named_counts(tmp_path: Path, paper_index: Path) -> None:
    on: list[str | Path] = ["--index", paper_index, "--queue", "5"]
    rare = document(tmp_path, *on, "--prevalence", "0.001")["queue"]
    common = document(tmp_path, *on, "--prevalence", "0.3")["queue"]
    assert document(tmp_path, *on)["queue"]["prevalence"] == 0.02
    assert rare["precision"] < document(tmp_path, *on)["queue"]["precision"] < common["precision"]


def test_probabilities_are_those_of_the_calibration_that_is_named(
    tmp_path: Path, paper_index: Path
) -> None:
    model = tmp_path / "model.json"
    text = json.dumps(json.loads(_encoded()) | {"prevalence": 0.02})
    model.write_text(text)
    on: list[str | Path] = ["--index", paper_index, "--queue", "30", "--calibration", model]
    loaded = document(tmp_path, *on)
    stated = {row["key"]: row["probability"] for row in loaded["results"]}
    for pick in loaded["queue"]["picks"]:
        if pick["status"] == "contradicted":
            assert pick["probability"] == pytest.approx(stated[pick["key"]], abs=1e-5)


def _encoded() -> bytes:
    import msgspec  # noqa: PLC0415 - used here only

    return msgspec.json.encode(packaged().model)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (["--queue", "0"], "Ask for 1 or more"),
        (["--queue", "-3"], "Ask for 1 or more"),
        (["--queue", "many"], "--queue"),
        (["--queue", "5", "--prevalence", "0"], "strictly between 0 and 1"),
        (["--queue", "5", "--prevalence", "1"], "strictly between 0 and 1"),
        (["--queue", "5", "--prevalence", "2"], "strictly between 0 and 1"),
        (["--queue", "5", "--prevalence", "nan"], "strictly between 0 and 1"),
        (["--prevalence", "0.1"], "--queue"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_before_any_work(
    wish: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", PAPER_BIB, *wish) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""


def test_exit_codes_are_those_of_a_check_without_queue(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    bib.write_text("@article{a, title={Mask R-CNN}, author={Kaiming He and others}, year=2017}")
    assert call("check", bib, "--index", paper_index, "--queue", "5") == 0
    assert "Nothing is open" in capsys.readouterr().out
    assert call("check", bib, "--queue", "5") == 3


def test_json_lines_end_with_the_summary_and_the_queue(
    paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call("check", PAPER_BIB, "--index", paper_index, "-f", "jsonl", "--queue", "4", *TODAY)
    *results, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert len(results) == last["summary"]["references"] == 45
    assert len(last["queue"]["picks"]) == 4
    assert last["summary"]["holdings"]["fits"]


def test_quiet_json_lines_are_results_only(
    paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call("check", PAPER_BIB, "--index", paper_index, "-f", "jsonl", "-q", *TODAY)
    assert all("key" in json.loads(line) for line in capsys.readouterr().out.splitlines())


def test_stored_evidence_gives_the_same_queue_again(tmp_path: Path, paper_index: Path) -> None:
    kept, out = tmp_path / "evidence.jsonl", tmp_path / "again.json"
    on: list[str | Path] = ["--index", paper_index, "--queue", "8"]
    first = document(tmp_path, *on, "--store-evidence", kept)
    assert call("replay", kept, "-f", "json", "-o", out, "-q", "--queue", "8") == 1
    again = json.loads(out.read_text())
    assert again["queue"] == first["queue"]
    assert again["summary"]["holdings"] == first["summary"]["holdings"]


def test_several_workers_give_the_same_queue(tmp_path: Path, paper_index: Path) -> None:
    bib = tmp_path / "many.bib"
    entry = "@article{{k{0}, title={{A Study of Number {0}}}, journal={{Gut}}, year={{2019}}}}\n"
    bib.write_text("".join(entry.format(number) for number in range(1200)) + PAPER_BIB.read_text())
    queues = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.json"
        on: list[str | Path] = [
            "--index",
            paper_index,
            "--queue",
            "20",
            "--workers",
            workers,
            "-q",
            *TODAY,
        ]
        assert call("check", bib, "-f", "json", "-o", out, *on) == 1
        loaded = json.loads(out.read_text())
        queues.append((loaded["queue"], loaded["summary"]["holdings"]))
    assert queues[0] == queues[1]


def test_a_bibliography_of_another_field_is_told_in_every_report(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib = tmp_path / "a.bib"
    entry = "@article{{k{0}, title={{A Study of Number {0}}}, journal={{Gut}}, year={{2019}}}}\n"
    bib.write_text("".join(entry.format(number) for number in range(9)))
    for form in ("terminal", "markdown"):
        assert call("check", bib, "--index", paper_index, "-f", form) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert MISFIT in shown
        assert "lacks most of Gut (9 of 9)" in shown
    assert call("check", bib, "--index", paper_index, "-f", "json") == 0
    holdings = json.loads(capsys.readouterr().out)["summary"]["holdings"]
    assert (holdings["known"], holdings["references"], holdings["fits"]) == (0, 9, False)


def test_without_an_index_nothing_is_said_of_what_it_knows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call("check", PAPER_BIB, "-f", "json", *TODAY)
    assert json.loads(capsys.readouterr().out)["summary"]["holdings"] is None


def test_the_page_shows_what_the_command_prints(
    paper_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(DOCS.parent)
    call(*COMMAND.split()[1:], "--index", paper_index)
    printed = capsys.readouterr().out
    block = printed[printed.index("Worth a look first") :]
    path = DOCS / "data" / "queue.txt"
    if os.environ.get("HALLMARK_GOLDEN") == "write":
        path.write_text(block, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == block, "run with HALLMARK_GOLDEN=write, make docs"
    assert block.strip() in (DOCS / "triage.md").read_text(encoding="utf-8"), "run: make docs"
