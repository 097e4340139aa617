"""Tables 13 and 16: does detection depend on how an entry was made?"""

from collections.abc import Mapping, Sequence

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.entry import Entry, Label
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.released import MethodResult
from hallmark.bench.studies.results import needed, pairs_of, rate
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"
METHODS = {
    "Adversarial": "adversarial",
    "Perturbation": "perturbation",
    "Real-world": "real_world",
    "LLM-generated": "llm_generated",
}
_ALL_VALID = "Scraped (FPR)"
_SCRAPED = "Scraped (valid)"
_STANCE = Stance.SELECTIVE


def _table_13(folder: Folder) -> Computed:
    sheet = Sheet()
    entries = folder.entries(SPLIT)
    for row in (*METHODS, _ALL_VALID):
        _size(sheet, entries, row)
    for name in ("Qwen3-235B", "DeepSeek-V3.2"):
        tool = system(name)
        pairs = pairs_of(folder, tool, SPLIT)
        released = folder.methods().get(name)
        if pairs is not None:
            _from_pairs(sheet, name, pairs)
        elif released is not None:
            _from_released(sheet, name, released)
        else:
            for row in (*METHODS, _ALL_VALID):
                sheet.lacks(row, [name], "aggregates/generation_method.json")
    more = further_systems(folder, SPLIT)
    for tool in more:
        pairs = pairs_of(folder, tool, SPLIT)
        if pairs is not None:
            _from_pairs(sheet, tool.name, pairs)
    tell(sheet, more)
    return sheet.done()


def _size(sheet: Sheet, entries: Sequence[Entry] | None, row: str) -> None:
    if entries is None:
        sheet.lacks(row, ["n"], f"{SPLIT}.jsonl", unit=Unit.COUNT)
    elif row == _ALL_VALID:
        sheet.row(row, {"n": _count(entries, Label.VALID)}, Origin.GOLD, unit=Unit.COUNT)
    else:
        n = _count(entries, Label.HALLUCINATED, METHODS[row])
        sheet.row(row, {"n": n}, Origin.GOLD, unit=Unit.COUNT)


def _count(entries: Sequence[Entry], label: Label, method: str | None = None) -> int:
    return sum(e.label is label and method in (None, e.generation_method) for e in entries)


def _from_pairs(sheet: Sheet, column: str, pairs: Pairs) -> None:
    for row, method in METHODS.items():
        value = rate(pairs.select(pairs.truth & (pairs.method == method)), _STANCE)
        sheet.row(row, {column: value}, Origin.PREDICTIONS, stance=_STANCE)
    value = rate(pairs.select(~pairs.truth), _STANCE, "false_positive_rate")
    sheet.row(_ALL_VALID, {column: value}, Origin.PREDICTIONS, stance=_STANCE)


def _from_released(sheet: Sheet, column: str, released: Mapping[str, MethodResult]) -> None:
    for row in (*METHODS, _ALL_VALID):
        found = released.get(row)
        if found is None:
            sheet.lacks(row, [column], "aggregates/generation_method.json")
        else:
            sheet.row(row, {column: found.value}, Origin.AGGREGATE, stance=_STANCE)


def _table_16(folder: Folder) -> Computed:
    sheet = Sheet()
    entries = folder.entries(SPLIT)
    pairs = pairs_of(folder, system("GPT-5.1"), SPLIT)
    for row, method in (*METHODS.items(), (_SCRAPED, "scraped")):
        _sizes(sheet, entries, row, method)
        _rates(sheet, pairs, row, method)
    return sheet.done()


def _sizes(sheet: Sheet, entries: Sequence[Entry] | None, row: str, method: str) -> None:
    columns = {"n hallucinated": Label.HALLUCINATED, "n valid": Label.VALID}
    if entries is None:
        sheet.lacks(row, columns, f"{SPLIT}.jsonl", unit=Unit.COUNT)
        return
    counts = {column: _count(entries, label, method) for column, label in columns.items()}
    filled = {column: n for column, n in counts.items() if n}
    sheet.row(row, filled, Origin.GOLD, unit=Unit.COUNT)


def _rates(sheet: Sheet, pairs: Pairs | None, row: str, method: str) -> None:
    columns = {"DR": "detection_rate", "FPR": "false_positive_rate"}
    if pairs is None:
        sheet.lacks(row, columns, needed(system("GPT-5.1"), SPLIT), stance=_STANCE)
        return
    chosen = pairs.select(np.asarray(pairs.method == method))
    values = {column: rate(chosen, _STANCE, name) for column, name in columns.items()}
    known = {column: value for column, value in values.items() if value is not None}
    sheet.row(row, known, Origin.PREDICTIONS, stance=_STANCE)


STUDIES = (
    Study(13, "Detection by generation method, two open-weight models", _table_13),
    Study(16, "Detection of GPT-5.1 by generation method", _table_16),
)
