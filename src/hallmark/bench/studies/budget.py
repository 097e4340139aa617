"""Tables 30 and 31: what does the token budget do to models that think?

Only the authors' summaries of this smoke test are released; `bench live thinking-budget` writes
the same files. F1 and MCC are recomputed from rates and class sizes (70 hallucinated and 30 valid
in the release), saturation from tokens and cap, and the detection rate from those of the types.
"""

import math
import re
from collections.abc import Sequence

from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import BUDGET_FILES, Folder
from hallmark.bench.studies.others import MARK, marked, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.released import BudgetCell, BudgetType

HALLUCINATED, VALID = 70, 30
EXCLUDED_FROM = 0.3
"""Share of parse failures under regime A that keeps a model out of the main table (Table 29)."""
DISPLAYED = {
    "gpt-5.5": ("gpt-5-5", "GPT-5.5"),
    "gemini-3.1-pro": ("gemini-3-1-pro", "Gemini 3.1 Pro"),
    "deepseek-v4-pro": ("deepseek-v4-pro", "DeepSeek-V4-Pro"),
}
"""Name in the table of language models -> name in the keys of cells, and in the tables."""
_COLUMNS = {
    f"{key}_{regime}": f"{name} {regime.upper()}"
    for key, name in DISPLAYED.values()
    for regime in "abc"
}
"""Key of a cell -> name of its column in Table 31."""
_STANCE = "conservative"
_BUDGET = re.compile(rf" \d+( \+ \d+ reas\.|, effort=\w+)?( {re.escape(MARK)})?$")


def model_of(row: str) -> str:
    """The model that a row of Table 30 is about."""
    return _BUDGET.sub("", row)


def _table_30(folder: Folder) -> Computed:
    sheet = Sheet()
    cells = folder.budget()
    if cells is None:
        for row in rows_of(30):
            sheet.lacks(row, columns_of(30, row), f"aggregates/{BUDGET_FILES[0]}")
        return sheet.done()
    per_type = folder.budget_types()
    known = [cell for cell in cells if not _is_further(cell)]
    further = [cell for cell in cells if _is_further(cell)]
    for cell in known:
        row = f"{cell.display} {cell.budget}"
        _cell(sheet, row, cell)
        mean = _mean_of_types(cell, per_type or ())
        if mean is not None:
            name = f"{row} (mean of types)"
            sheet.row(name, {"DR": mean}, Origin.AGGREGATE, stance=_STANCE, against=row)
    there = {f"{cell.display} {cell.budget}" for cell in known}
    for row in rows_of(30):
        if row not in there:
            sheet.lacks(row, columns_of(30, row), f"row {row} of aggregates/{BUDGET_FILES[0]}")
    for cell in further:
        _cell(sheet, marked(f"{cell.display} {cell.budget}"), cell)
    _tell_rule(sheet, cells)
    tell(sheet, further)
    return sheet.done()


def _is_further(cell: BudgetCell) -> bool:
    return f"{cell.display} {cell.budget}" not in rows_of(30)


def _cell(sheet: Sheet, row: str, cell: BudgetCell) -> None:
    copied = {"PF": cell.parse_failure, "DR": cell.dr, "FPR": cell.fpr}
    sheet.row(row, copied, Origin.AGGREGATE, stance=_STANCE)
    sheet.row(row, _derived(cell), Origin.AGGREGATE, stance=_STANCE)
    amounts = {"mean tok": cell.mean_tokens, "p95 tok": cell.p95_tokens, "USD": cell.cost_usd}
    told = {column: value for column, value in amounts.items() if value is not None}
    sheet.row(row, told, Origin.AGGREGATE, unit=Unit.TOKENS)


def _mean_of_types(cell: BudgetCell, per_type: Sequence[BudgetType]) -> float | None:
    """Detection rate over all types, each weighing as much as it has entries."""
    lines = [line for line in per_type if cell.cell in line.rates]
    n = sum(line.n for line in lines)
    return sum(line.n * line.rates[cell.cell] for line in lines) / n if n else None


def _tell_rule(sheet: Sheet, cells: Sequence[BudgetCell]) -> None:
    """Note which models the paper's rule on parse failures keeps out of the main table."""
    for cell in cells:
        if cell.cell.endswith("_a") and cell.parse_failure >= EXCLUDED_FROM:
            name = marked(cell.display) if _is_further(cell) else cell.display
            sheet.note(
                f"{name}: {cell.parse_failure:.0%} of the replies under regime A could not be "
                f"read; from {EXCLUDED_FROM:.0%} on, Table 29 keeps a model out of the main table."
            )


def _derived(cell: BudgetCell) -> dict[str, float | None]:
    bad = HALLUCINATED if cell.hallucinated is None else cell.hallucinated
    good = VALID if cell.valid is None else cell.valid
    tp, fp = (cell.dr or 0.0) * bad, (cell.fpr or 0.0) * good
    fn, tn = bad - tp, good - fp
    spread = (tp + fp) * bad * good * (tn + fn)
    return {
        "p95/cap": cell.p95 / cell.cap if cell.cap and cell.p95 is not None else None,
        "F1": 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None,
        "MCC": (tp * tn - fp * fn) / math.sqrt(spread) if spread > 0 else None,
    }


def _table_31(folder: Folder) -> Computed:
    sheet = Sheet()
    lines = folder.budget_types()
    if lines is None:
        for row in rows_of(31):
            sheet.lacks(row, columns_of(31, row), f"aggregates/{BUDGET_FILES[1]}")
        return sheet.done()
    further = _further_columns(folder.budget() or ())
    columns = _COLUMNS | further
    for line in lines:
        sheet.row(line.type, {"n": line.n}, Origin.AGGREGATE, unit=Unit.COUNT)
        for key, name in columns.items():
            _type_cell(sheet, line, key, name)
    tell(sheet, further)
    return sheet.done()


def _type_cell(sheet: Sheet, line: BudgetType, key: str, column: str) -> None:
    if key in line.rates:
        sheet.row(line.type, {column: line.rates[key]}, Origin.AGGREGATE, stance=_STANCE)
    elif key in _COLUMNS:
        sheet.lacks(line.type, [column], f"column {key} of aggregates/{BUDGET_FILES[1]}")


def _further_columns(cells: Sequence[BudgetCell]) -> dict[str, str]:
    """Key of each cell of a model that the paper does not have -> name of its column."""
    return {
        cell.cell: marked(f"{cell.display} {cell.cell.rpartition('_')[2].upper()}")
        for cell in cells
        if cell.cell not in _COLUMNS
    }


STUDIES = (
    Study(30, "Thinking budget: parse failures, saturation, accuracy", _table_30),
    Study(31, "Thinking budget: detection rate of each type", _table_31),
)
