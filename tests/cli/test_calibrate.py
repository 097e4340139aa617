"""Does `hallmark calibrate` write a model that `hallmark check` obeys?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.calibration_file import LARGEST, calibration_of
from hallmark.cli.main import main
from hallmark.errors import InputError
from tests.study import little

BIB = """\
@inproceedings{right, title = {%s}, author = {%s}, booktitle = {ICML}, year = {2021}}
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index, a gold file, a bibliography and a model."""
    folder = tmp_path_factory.mktemp("calibrate")
    little.built(folder, little.collections())
    little.gold(folder / "gold.jsonl")
    work = little.ICML[50]
    text = BIB % (work["title"], " and ".join(work["authors"]))
    (folder / "refs.bib").write_text(text, encoding="utf-8")
    made = ("--output", str(folder / "model.json"), "--plots", str(folder / "plots"))
    rows = ("--predictions", str(folder / "rows"))
    assert calibrate(folder, "--generated", "0", *made, *rows) == 0
    return folder


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return int(stopped.value.code or 0)


def calibrate(place: Path, *arguments: str) -> int:
    on = ["--gold", str(place / "gold.jsonl"), "--index", str(place / "index")]
    return run("calibrate", *on, "--folds", "3", "--today", "2026-01-01", *arguments)


def probability(place: Path, out: Path, *arguments: str) -> float:
    on = ["--index", str(place / "index"), "--format", "json", "-o", str(out), "--quiet"]
    run("check", str(place / "refs.bib"), *on, *arguments)
    (row,) = json.loads(out.read_text(encoding="utf-8"))["results"]
    return float(row["probability"])


def test_check_states_the_probabilities_of_the_given_model(place: Path, tmp_path: Path) -> None:
    model = json.loads((place / "model.json").read_text(encoding="utf-8"))
    surer = tmp_path / "surer.json"
    surer.write_text(json.dumps({**model, "intercept": -9.0}), encoding="utf-8")
    own = probability(place, tmp_path / "1.json", "--calibration", str(place / "model.json"))
    other = probability(place, tmp_path / "2.json", "--calibration", str(surer))
    assert other < own < 0.5
    assert other == pytest.approx(0.001, abs=1e-3)


def test_predictions_can_be_evaluated_and_plots_are_drawn(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (rows,) = (place / "rows").iterdir()
    gold = str(place / "gold.jsonl")
    only = ["--gold", gold, "--measure", "ece", "--resamples", "50"]
    assert run("bench", "evaluate", str(rows), *only) == 0
    shown = capsys.readouterr().out
    assert "ECE" in shown
    assert "forced" in shown
    drawn = sorted(path.name for path in (place / "plots").iterdir())
    assert drawn == ["calibration-reliability.svg", "calibration-risk-coverage.svg"]


def test_the_same_command_writes_the_same_bytes(place: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    assert calibrate(place, "--generated", "0", "-o", str(again)) == 0
    assert again.read_bytes() == (place / "model.json").read_bytes()


def test_a_gold_file_is_never_written_over(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (place / "gold.jsonl").read_bytes()
    assert (
        calibrate(place, "--generated", "0", "--whole-only", "-o", str(place / "gold.jsonl")) == 2
    )
    assert (place / "gold.jsonl").read_bytes() == before
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"no json", b"\x00\xff", b"[1, 2]", b"x" * (LARGEST + 1)]
)
def test_a_bad_model_is_one_message_and_exit_code_2(
    place: Path, tmp_path: Path, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(text)
    on = ["--index", str(place / "index"), "--calibration", str(bad)]
    for command in (
        ("check", str(place / "refs.bib")),
        ("explain", "right", str(place / "refs.bib")),
    ):
        assert run(*command, *on) == 2
        said = capsys.readouterr()
        assert "bad.json" in said.err
        assert "Traceback" not in said.err
        assert said.out == ""


def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        calibration_of(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        calibration_of(tmp_path)
    assert calibration_of(None) is None
