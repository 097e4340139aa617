"""When does a recomputed cell agree with a printed one?"""

import json
from pathlib import Path

import pytest

from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.cells import Cell, Computed, Origin, Study, Unit
from hallmark.bench.studies.compare import Agreement, Report, compare, tolerance
from hallmark.bench.studies.folder import Folder, open_folder
from hallmark.bench.studies.printed import Printed, printed_cells
from hallmark.bench.studies.reasons import reason_for, reasons
from hallmark.bench.studies.render import as_csv, as_json, as_markdown, as_text
from hallmark.errors import InputError


def report_of(tmp_path: Path, *cells: Cell, number: int = 3) -> Report:
    study = Study(number, "A table", lambda _: Computed(cells, notes=("a note",)))
    return compare(study, Folder(tmp_path))


def cell(value: float | None, row: str = "Mistral Large", column: str = "DR") -> Cell:
    return Cell(row, column, value, Origin.PREDICTIONS, "selective")


def test_a_cell_within_the_tolerance_agrees(tmp_path: Path) -> None:
    assert report_of(tmp_path, cell(0.7164)).cells[0].agreement == Agreement.AGREES


def test_a_cell_beyond_the_tolerance_fails_the_table(tmp_path: Path) -> None:
    report = report_of(tmp_path, cell(0.7167))
    assert report.cells[0].agreement == Agreement.DIFFERS
    assert not report.agrees


def test_a_documented_reason_covers_only_differences_up_to_its_limit(tmp_path: Path) -> None:
    def row(value: float) -> Cell:
        name = "Claude Opus 4.7"
        return Cell(f"{name} (recovered verdicts)", "DR", value, Origin.PREDICTIONS, against=name)

    assert report_of(tmp_path, row(0.76)).cells[0].agreement == Agreement.EXPLAINED
    assert report_of(tmp_path, row(0.90)).cells[0].agreement == Agreement.DIFFERS


def test_an_undefined_value_against_a_printed_number_needs_a_reason(tmp_path: Path) -> None:
    assert report_of(tmp_path, cell(None)).cells[0].agreement == Agreement.DIFFERS
    undefined = cell(None, "GPT-5.1", "FPR cutoff-aware")
    assert report_of(tmp_path, undefined, number=26).agrees


def test_a_cell_that_the_paper_does_not_print_is_shown_but_not_judged(tmp_path: Path) -> None:
    report = report_of(tmp_path, cell(0.5, "A new tool"))
    assert report.cells[0].agreement == Agreement.UNPRINTED
    assert report.agrees
    assert report.recomputed == 0


def test_fewer_printed_digits_widen_the_tolerance() -> None:
    assert tolerance(Unit.FRACTION, Printed(0.82, 2)) == pytest.approx(0.005)
    assert tolerance(Unit.FRACTION, Printed(0.865, 3)) == pytest.approx(0.0006, abs=1e-8)
    assert tolerance(Unit.PERCENT, Printed(17.6, 1)) == pytest.approx(0.1)
    assert tolerance(Unit.PERCENT, Printed(92, 0)) == pytest.approx(0.5)
    assert tolerance(Unit.COUNT, Printed(39, 0)) < 1


def test_every_reason_names_cells_that_are_printed() -> None:
    for reason in reasons():
        assert printed_cells(reason.table)
        assert reason.text.endswith(".")
        assert reason.at_most >= 0


def test_a_reason_speaks_of_its_own_table_only() -> None:
    assert reason_for(9, "wrong_venue", "n", 12) is not None
    assert reason_for(3, "wrong_venue", "n", 12) is None


def test_the_largest_difference_is_measured_in_tolerances(tmp_path: Path) -> None:
    percent = Cell("GPT-5.1", "PPV 2%", 4.05, Origin.DERIVED, unit=Unit.PERCENT)
    rate = Cell("GPT-5.1", "DR", 0.8375, Origin.PREDICTIONS)
    worst = report_of(tmp_path, percent, rate, number=21).worst
    assert worst is not None
    assert worst.cell.column == "DR"


def test_predictions_that_do_not_fit_fail_the_table_with_a_message(
    synthetic: Path, tmp_path: Path
) -> None:
    gold = (synthetic / "dev_public.jsonl").read_text(encoding="utf-8")
    (tmp_path / "dev_public.jsonl").write_text(gold, encoding="utf-8")
    stray = {"bibtex_key": "unknown", "label": "VALID", "confidence": 1.0}
    path = tmp_path / "predictions/dev_public/bibtex_updater_1_2_0_verdicts.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(stray) + "\n", encoding="utf-8")
    report = compare(study_of(33), Folder(tmp_path))
    assert not report.agrees
    assert "bibtex-updater" in report.problems[0]


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(InputError, match="no data folder at nowhere"):
        open_folder(Path("nowhere"))


def test_every_form_shows_recomputed_and_printed_values(tmp_path: Path) -> None:
    report = report_of(tmp_path, cell(0.7164), cell(0.9, "GPT-5.1"))
    for text in (as_text(report), as_markdown(report)):
        assert "0.7164 (0.716)" in text
        assert "0.9000! (0.837)" in text
        assert "Stance: selective" in text
        assert "a note" in text
    assert "Mistral Large,DR,0.7164,0.716" in as_csv(report)
    parsed = json.loads(as_json(report))
    assert parsed["counts"]["differs"] == 1
    assert parsed["largest_difference"]["row"] == "GPT-5.1"


def test_nothing_to_compare_is_said_plainly(tmp_path: Path) -> None:
    text = as_text(compare(study_of(41), Folder(tmp_path)))
    assert "0 of 14 printed cells recomputed" in text
    assert "none, as nothing could be compared" in text
    assert "- (0.238)" in text


def test_markdown_escapes_the_bar_in_column_names(tmp_path: Path) -> None:
    assert "P(V\\|recalled)" in as_markdown(compare(study_of(28), Folder(tmp_path)))
