"""What do the commands about the paper's tables and figures print, write and return?"""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from hallmark.cli.bench import studies
from hallmark.errors import HallmarkError, InputError, UnknownName

app = typer.Typer()
for _command in (studies.table, studies.reproduce, studies.plot, studies.convert):
    app.command()(_command)


def run(*arguments: str) -> Result:
    """Run a command as its user would, without HALLMARK_DATA."""
    return CliRunner().invoke(app, list(arguments), env={"HALLMARK_DATA": ""})


def error_of(result: Result) -> HallmarkError:
    assert isinstance(result.exception, HallmarkError)
    return result.exception


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A folder whose one prediction file contradicts the printed Table 33."""
    gold = {
        "bibtex_key": "a",
        "label": "HALLUCINATED",
        "hallucination_type": "fabricated_doi",
        "difficulty_tier": 1,
        "fields": {"title": "A"},
    }
    said = {"bibtex_key": "a", "pred_label": "VALID", "pred_confidence": 0.5, "source": "tool"}
    (tmp_path / "dev_public.jsonl").write_text(json.dumps(gold) + "\n")
    folder = tmp_path / "predictions" / "dev_public"
    folder.mkdir(parents=True)
    (folder / "bibtex_updater_1_2_0_verdicts.jsonl").write_text(json.dumps(said) + "\n")
    return tmp_path


def test_a_table_without_any_input_still_shows_the_printed_cells(tmp_path: Path) -> None:
    result = run("table", "41", "--data", str(tmp_path))
    assert result.exit_code == 0
    assert "- (0.238)" in result.stdout
    assert "Missing: rater_gold.jsonl" in result.stdout


def test_a_table_that_differs_ends_with_one(wrong: Path) -> None:
    result = run("table", "33", "--data", str(wrong))
    assert result.exit_code == 1
    assert "0.0000! (1.000)" in result.stdout


def test_a_table_is_written_in_the_form_asked_for(wrong: Path, tmp_path: Path) -> None:
    target = tmp_path / "table.json"
    result = run("table", "33", "--data", str(wrong), "-f", "json", "-o", str(target))
    assert result.exit_code == 1
    assert json.loads(target.read_text())["table"] == 33
    for form in ("markdown", "csv"):
        assert "fabricated_doi" in run("table", "33", "--data", str(wrong), "-f", form).stdout


def test_without_a_number_the_tables_are_listed() -> None:
    result = run("table")
    assert result.exit_code == 0
    assert " 3  Main results on dev_public" in result.stdout


def test_an_unknown_table_is_an_error() -> None:
    assert isinstance(error_of(run("table", "5", "--data", ".")), UnknownName)


def test_the_folder_must_be_named() -> None:
    assert "--data DIR" in str(error_of(run("table", "3")))


def test_the_folder_may_come_from_the_environment(tmp_path: Path) -> None:
    env = {"HALLMARK_DATA": str(tmp_path)}
    assert CliRunner().invoke(app, ["table", "28"], env=env).exit_code == 0


def test_the_reproduction_ends_with_one_where_a_table_differs(wrong: Path, tmp_path: Path) -> None:
    report, tables = tmp_path / "report.md", tmp_path / "tables"
    result = run("reproduce", "--data", str(wrong), "-o", str(report), "--tables", str(tables))
    assert result.exit_code == 1
    assert "DIFFERS" in report.read_text()
    assert (tables / "table_33.csv").is_file()
    assert (tables / "figures.csv").is_file()


def test_one_finding_can_be_shown_alone(wrong: Path) -> None:
    result = run("reproduce", "--data", str(wrong), "--finding", "forced")
    assert result.exit_code == 0
    assert "bibtex-updater, forced: DR 0.0000" in result.stdout


def test_a_plot_of_own_predictions_needs_to_know_the_gold(wrong: Path) -> None:
    path = next((wrong / "predictions/dev_public").iterdir())
    assert "--gold" in str(error_of(run("plot", "pareto", str(path))))


def test_own_predictions_are_drawn(wrong: Path, tmp_path: Path) -> None:
    path = next((wrong / "predictions/dev_public").iterdir())
    target, gold = tmp_path / "tiers.svg", str(wrong / "dev_public.jsonl")
    result = run("plot", "tiers", str(path), "--gold", gold, "--only-mine", "-o", str(target))
    assert result.exit_code == 0
    assert target.stat().st_size > 1000


@pytest.fixture
def half(wrong: Path) -> Path:
    """The same folder, its prediction file only half written."""
    path = wrong / "predictions" / "dev_public" / "bibtex_updater_1_2_0_verdicts.jsonl"
    path.write_text(path.read_text()[:30])
    return wrong


def test_a_damaged_file_behind_a_finding_is_named(half: Path) -> None:
    result = run("reproduce", "--finding", "forced", "--data", str(half))
    assert result.exit_code == 1
    assert "(inputs missing)" in result.stdout
    assert "bibtex_updater_1_2_0_verdicts.jsonl cannot be used" in result.stderr


def test_a_damaged_file_behind_a_figure_is_named(half: Path, tmp_path: Path) -> None:
    mine, target = tmp_path / "mine.jsonl", tmp_path / "tiers.svg"
    mine.write_text('{"bibtex_key": "a", "label": "VALID", "confidence": 0.5}\n')
    gold = str(half / "dev_public.jsonl")
    command = ("plot", "tiers", str(mine), "--gold", gold, "-o", str(target))
    result = run(*command, "--data", str(half))
    assert result.exit_code == 1
    assert target.exists()
    assert "bibtex_updater_1_2_0_verdicts.jsonl cannot be used" in result.stderr


def test_a_damaged_file_is_named_where_nothing_is_left_to_draw(half: Path) -> None:
    result = run("plot", "tiers", "--data", str(half))
    assert "nothing to draw" in str(error_of(result))
    assert "bibtex_updater_1_2_0_verdicts.jsonl cannot be used" in result.stderr


def test_without_a_name_the_plots_are_listed() -> None:
    assert "pareto" in run("plot").stdout


def test_a_released_file_is_converted(wrong: Path, tmp_path: Path) -> None:
    path = next((wrong / "predictions/dev_public").iterdir())
    target = tmp_path / "out.jsonl"
    assert run("convert", str(path), "-o", str(target), "--checkpoint").exit_code == 0
    assert json.loads(target.read_text())["forced_label"] == "VALID"


def test_a_matrix_is_converted_one_column_at_a_time(wrong: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "matrix.csv", tmp_path / "out.jsonl"
    source.write_text("entry_key,tool\na,0.9\n")
    (wrong / "changed_keys_dev_public.json").write_text("[]")
    arguments = ["convert", str(source), "-o", str(target), "--data", str(wrong)]
    assert isinstance(error_of(run(*arguments)), InputError)
    assert run(*arguments, "--tool", "tool").exit_code == 0
    assert json.loads(target.read_text())["label"] == "HALLUCINATED"
