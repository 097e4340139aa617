"""Tables 30 and 31: what does the token budget do to models that think?

Only the authors' summaries of this smoke test are released. F1 and MCC are recomputed from their
rates and class sizes (70 hallucinated, 30 valid), saturation from tokens and cap, and the
detection rate from the 14 types of equal size.
"""

import math

from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.released import BudgetCell

HALLUCINATED, VALID = 70, 30
_CELLS, _TYPES = "thinking_budget.csv", "thinking_budget_per_type.csv"
_MODELS = {
    "gpt-5-5": "GPT-5.5",
    "gemini-3-1-pro": "Gemini 3.1 Pro",
    "deepseek-v4-pro": "DeepSeek-V4-Pro",
}
_STANCE = "conservative"


def _table_30(folder: Folder) -> Computed:
    sheet = Sheet()
    cells = folder.budget()
    if cells is None:
        for row in rows_of(30):
            sheet.lacks(row, columns_of(30, row), f"aggregates/{_CELLS}")
        return sheet.done()
    per_type = folder.budget_types()
    for cell in cells:
        row = f"{cell.display} {cell.budget}"
        copied = {"PF": cell.parse_failure, "DR": cell.dr, "FPR": cell.fpr}
        sheet.row(row, copied, Origin.AGGREGATE, stance=_STANCE)
        sheet.row(row, _derived(cell), Origin.AGGREGATE, stance=_STANCE)
        amounts = {
            "mean tok": cell.mean_tokens,
            "p95 tok": cell.p95_tokens,
            "USD": cell.cost_usd,
        }
        sheet.row(row, amounts, Origin.AGGREGATE, unit=Unit.TOKENS)
        rates = [line.rates[cell.cell] for line in per_type or () if cell.cell in line.rates]
        if rates:
            mean = sum(rates) / len(rates)
            name = f"{row} (mean of types)"
            sheet.row(name, {"DR": mean}, Origin.AGGREGATE, stance=_STANCE, against=row)
    return sheet.done()


def _derived(cell: BudgetCell) -> dict[str, float | None]:
    tp, fp = cell.dr * HALLUCINATED, cell.fpr * VALID
    fn, tn = HALLUCINATED - tp, VALID - fp
    spread = (tp + fp) * HALLUCINATED * VALID * (tn + fn)
    return {
        "p95/cap": cell.p95 / cell.cap if cell.cap else None,
        "F1": 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None,
        "MCC": (tp * tn - fp * fn) / math.sqrt(spread) if spread > 0 else None,
    }


def _table_31(folder: Folder) -> Computed:
    sheet = Sheet()
    lines = folder.budget_types()
    if lines is None:
        for row in rows_of(31):
            sheet.lacks(row, columns_of(31, row), f"aggregates/{_TYPES}")
        return sheet.done()
    for line in lines:
        sheet.row(line.type, {"n": line.n}, Origin.AGGREGATE, unit=Unit.COUNT)
        values: dict[str, float | None] = {
            f"{name} {regime.upper()}": line.rates.get(f"{key}_{regime}")
            for key, name in _MODELS.items()
            for regime in "abc"
        }
        sheet.row(line.type, values, Origin.AGGREGATE, stance=_STANCE)
    return sheet.done()


STUDIES = (
    Study(30, "Thinking budget: parse failures, saturation, accuracy", _table_30),
    Study(31, "Thinking budget: detection rate of each type", _table_31),
)
