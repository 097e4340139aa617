"""Does every study keep the promises that all of them make?"""

from pathlib import Path

import pytest

from hallmark.bench.studies.catalogue import STUDIES, study_of
from hallmark.bench.studies.cells import Origin, Study
from hallmark.bench.studies.compare import Agreement, compare
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of, printed_cells, rows_of
from hallmark.errors import UnknownName

TABLES = (
    2, 3, 4, 9, 10, 12, 13, 14, 15, 16, 18, 20, 21, 22, 23, 25, 26, 27, 28, 30, 31, 33, 34, 35,
    36, 37, 38, 39, 40, 41,
)  # fmt: skip
NEVER_RELEASED = {
    2: set(),
    20: {"any-no-match", "majority", "consensus"},
    30: set(rows_of(30)),
    31: set(rows_of(31)),
    39: {"field-level: any-miss", "field-level: two-fields"},
}
"""Rows that no prediction file can fill: only summaries of them exist, or nothing."""

every_study = pytest.mark.parametrize("study", STUDIES.values(), ids=lambda s: f"table-{s.number}")


def test_the_catalogue_holds_the_promised_tables() -> None:
    assert tuple(STUDIES) == TABLES


def test_an_unknown_table_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no study of table 6\. There are: 2, 3"):
        study_of(6)


@every_study
def test_a_study_covers_every_printed_cell_even_without_any_input(
    study: Study, tmp_path: Path
) -> None:
    report = compare(study, Folder(tmp_path))
    covered = {(c.cell.printed_row, c.cell.column) for c in report.cells}
    assert covered >= set(printed_cells(study.number))
    assert report.agrees


@every_study
def test_a_study_names_what_it_lacks(study: Study, tmp_path: Path) -> None:
    report = compare(study, Folder(tmp_path))
    assert report.missing
    assert not report.problems


@every_study
def test_a_full_folder_leaves_nothing_missing(study: Study, synthetic: Path) -> None:
    report = compare(study, Folder(synthetic))
    lacking = {c.cell.row for c in report.of(Agreement.MISSING)}
    assert lacking == NEVER_RELEASED.get(study.number, set())
    assert not report.problems


@every_study
def test_a_full_folder_needs_no_released_summary(study: Study, synthetic: Path) -> None:
    report = compare(study, Folder(synthetic))
    assert Origin.AGGREGATE not in {c.cell.origin for c in report.cells}


@every_study
def test_rates_are_rates(study: Study, synthetic: Path) -> None:
    for compared in compare(study, Folder(synthetic)).cells:
        if "Spearman" in compared.cell.row:
            continue
        if compared.cell.column in {"DR", "FPR", "F1", "AUROC", "Cov."}:
            value = compared.cell.value
            assert value is None or 0.0 <= value <= 1.0


@every_study
def test_a_study_gives_the_same_cells_twice(study: Study, synthetic: Path) -> None:
    assert study.compute(Folder(synthetic)) == study.compute(Folder(synthetic))


def test_printed_names_are_known_to_the_study_in_order() -> None:
    assert rows_of(38)[-1] == "Mean pairwise Spearman"
    assert columns_of(27, "Future (2026+)") == ["N", "DR GPT-5.1", "DR GPT-5.4"]


def test_printed_cells_keep_their_number_of_decimals() -> None:
    assert printed_cells(3)["DOI-only", "Cov."].decimals == 2
    assert printed_cells(21)["DOI-only", "PPV 2%"].half_unit == pytest.approx(0.05)
    assert printed_cells(2)["dev_public", "Total"].value == 1119


RECOMPUTED = {
    2: 53, 3: 132, 4: 12, 9: 22, 10: 6, 12: 114, 13: 15, 14: 1, 15: 143, 16: 7, 18: 12, 20: 2,
    21: 44, 22: 36, 23: 62, 25: 88, 26: 24, 27: 21, 28: 11, 30: 81, 31: 140, 33: 14, 34: 4,
    35: 21, 36: 12, 37: 22, 38: 83, 39: 27, 40: 52, 41: 0,
}  # fmt: skip
"""Cells that the data at hand allows."""


@pytest.mark.shared_data
@every_study
def test_the_released_data_reproduces_the_printed_table(study: Study, shared: Path) -> None:
    report = compare(study, Folder(shared / "data" / "hallmark"))
    differing = [(c.cell.row, c.cell.column, c.cell.value) for c in report.of(Agreement.DIFFERS)]
    assert not differing
    assert not report.problems
    assert report.recomputed >= RECOMPUTED[study.number]
