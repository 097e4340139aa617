"""Do `bench evaluate`, `compare` and `leaderboard` exit and speak as they should?"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bench.made import gold_row, said_row, write

from hallmark.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["bench", *map(str, arguments)])
        out, err = capsys.readouterr()
        code = stopped.value.code
        return (code if isinstance(code, int) else 0), out, err

    return run


@pytest.fixture(name="files")
def _files(tmp_path: Path) -> tuple[Path, Path]:
    gold = [gold_row(f"b{i}", "wrong_venue") for i in range(6)] + [
        gold_row(f"g{i}") for i in range(6)
    ]
    answers = [said_row(row["bibtex_key"], row["label"]) for row in gold]
    return write(tmp_path / "gold.jsonl", gold), write(tmp_path / "tool.jsonl", answers)


FEW = ("--resamples", 50)


def test_evaluate_prints_a_report_and_exits_0(run: Run, files: tuple[Path, Path]) -> None:
    gold, tool = files
    code, out, err = run("evaluate", tool, "--gold", gold, *FEW)
    assert (code, err) == (0, "")
    assert "Detection rate" in out
    assert "1.000" in out


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "markdown", "html"])
def test_every_format_can_be_written_to_a_file(
    run: Run, files: tuple[Path, Path], tmp_path: Path, form: str
) -> None:
    gold, tool = files
    target = tmp_path / f"report.{form}"
    code, out, _ = run("evaluate", tool, "--gold", gold, "--format", form, "-o", target, *FEW)
    assert (code, out) == (0, "")
    assert "1.0" in target.read_text(encoding="utf-8")


def test_the_report_never_replaces_its_input(run: Run, files: tuple[Path, Path]) -> None:
    gold, tool = files
    before = gold.read_bytes()
    assert run("evaluate", tool, "--gold", gold, "-o", gold, *FEW)[0] == 2
    assert gold.read_bytes() == before


def test_json_on_standard_output_is_json_and_nothing_else(
    run: Run, files: tuple[Path, Path]
) -> None:
    gold, tool = files
    _, out, _ = run("evaluate", tool, "--gold", gold, "--format", "json", *FEW, "--by-source")
    record = json.loads(out)
    assert record["provenance"]["intervals"] == "cluster bootstrap by source paper"
    assert record["provenance"]["date"].endswith("+00:00")


BAD = {
    "lower case": '{"bibtex_key": "b0", "label": "valid", "confidence": 1}\n',
    "percent": '{"bibtex_key": "b0", "label": "VALID", "confidence": 99}\n',
    "no confidence": '{"bibtex_key": "b0", "label": "VALID"}\n',
    "NaN": '{"bibtex_key": "b0", "label": "VALID", "confidence": NaN}\n',
    "CSV": "bibtex_key,label,confidence\nb0,VALID,0.5\n",
    "array": '[{"bibtex_key": "b0", "label": "VALID", "confidence": 1}]\n',
    "BOM": '\ufeff{"bibtex_key": "b0", "label": "VALID", "confidence": 1}\n',
    "empty": "",
    "all keys wrong": '{"bibtex_key": "zzz", "label": "VALID", "confidence": 1}\n',
    "missing": '{"bibtex_key": "b0", "label": "VALID", "confidence": 1}\n',
    "unknown": '{"bibtex_key": "b0", "label": "VALID", "confidence": 1}\n'
    '{"bibtex_key": "zzz", "label": "VALID", "confidence": 1}\n',
    "duplicate": '{"bibtex_key": "b0", "label": "VALID", "confidence": 1}\n' * 2,
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_bad_input_is_one_clear_error_and_exit_code_2(
    run: Run, files: tuple[Path, Path], tmp_path: Path, name: str, command: str
) -> None:
    gold, tool = files
    bad = tmp_path / "bad.jsonl"
    bad.write_text(BAD[name], encoding="utf-8")
    inputs = [bad] if command == "evaluate" else [tool, bad]
    code, out, err = run(command, *inputs, "--gold", gold)
    assert (code, out) == (2, "")
    assert err.startswith("hallmark: ")
    assert "Traceback" not in err
    assert "line" in err or name == "empty"


def test_missing_predictions_can_be_allowed_explicitly(
    run: Run, files: tuple[Path, Path], tmp_path: Path
) -> None:
    gold, _ = files
    some = write(tmp_path / "some.jsonl", [said_row("b0", "HALLUCINATED")])
    code, out, _ = run(
        "evaluate", some, "--gold", gold, "--missing", "abstain", "--format", "json", *FEW
    )
    assert code == 0
    assert json.loads(out)["coverage"]["value"] == pytest.approx(1 / 12)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--gold", "dev_publik"],
        ["--gold", "nowhere.jsonl"],
        ["--level", "2"],
        ["--measure", "f2"],
        ["--format", "pdf"],
    ],
)
def test_misuse_exits_2_without_a_traceback(
    run: Run, files: tuple[Path, Path], wrong: list[str]
) -> None:
    gold, tool = files
    code, _, err = run("evaluate", tool, "--gold", gold, *wrong)
    assert code == 2
    assert "Traceback" not in err


def test_compare_shows_every_pair(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, tool = files
    rows = [json.loads(line) for line in tool.read_text().splitlines()]
    other = write(tmp_path / "other.jsonl", [row | {"label": "VALID"} for row in rows])
    code, out, _ = run("compare", tool, other, "--gold", gold, *FEW)
    assert code == 0
    assert "tool minus other" in out
    assert run("compare", tool, "--gold", gold)[0] == 2
    assert run("compare", tool, tool, "--gold", gold)[0] == 2


def test_leaderboard_ranks_a_folder_of_results(
    run: Run, files: tuple[Path, Path], tmp_path: Path
) -> None:
    gold, tool = files
    folder = tmp_path / "results"
    target = folder / "tool.json"
    folder.mkdir()
    run("evaluate", tool, "--gold", gold, "--format", "json", "-o", target, *FEW)
    code, out, _ = run("leaderboard", folder, *FEW)
    assert code == 0
    assert "tool" in out
    assert json.loads(run("leaderboard", folder, "--format", "json", *FEW)[1])["boards"]
    assert run("leaderboard", folder, "--stance", "selective")[0] == 2


def test_help_names_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for name in ("evaluate", "compare", "leaderboard", "run", "stats", "audit", "table"):
        assert name in out
