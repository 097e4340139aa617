"""Tables 3, 12 and 36: how good is each system on the development and the public test split?"""

from hallmark.bench.align import Stance
from hallmark.bench.studies.cells import Computed, Sheet, Study, derived, minus
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import rows_of
from hallmark.bench.studies.results import Result, named, needed, recovered, result, scored
from hallmark.bench.studies.roster import System, system

DEV, TEST = "dev_public", "test_public"
RECOVERED = "(recovered verdicts)"

_MAIN = {
    "DR": "detection_rate",
    "FPR": "false_positive_rate",
    "F1": "f1",
    "MCC": "mcc",
    "TW-F1": "tier_weighted_f1",
    "ECE": "ece_paper",
}
_SHORT = {name: _MAIN[name] for name in ("DR", "FPR", "F1")}
_SHIFT = "dFPR"


def _table_3(folder: Folder) -> Computed:
    sheet = Sheet()
    columns = _MAIN | {"Cov.": "coverage"}
    for name in rows_of(3):
        tool = system(name)
        dev, test = result(folder, tool, DEV), result(folder, tool, TEST)
        _measured(sheet, name, dev, columns, needed(tool, DEV))
        _shift(sheet, name, dev, test, tool)
        _recovered(sheet, folder, tool, columns)
    more = further_systems(folder, DEV)
    for tool in more:
        dev, test = result(folder, tool, DEV), result(folder, tool, TEST)
        _further(sheet, tool.name, dev, columns)
        _further_shift(sheet, tool.name, dev, test)
    tell(sheet, more)
    return sheet.done()


def _table_12(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(12):
        tool = system(name)
        dev, test = result(folder, tool, DEV), result(folder, tool, TEST)
        for found, split in ((dev, DEV), (test, TEST)):
            _measured(sheet, name, found, _on(split), needed(tool, split))
        _shift(sheet, name, dev, test, tool)
    more = further_systems(folder, DEV, TEST)
    for tool in more:
        dev, test = result(folder, tool, DEV), result(folder, tool, TEST)
        for found, split in ((dev, DEV), (test, TEST)):
            _further(sheet, tool.name, found, _on(split))
        _further_shift(sheet, tool.name, dev, test)
    tell(sheet, more)
    return sheet.done()


def _on(split: str) -> dict[str, str]:
    """Columns of Table 12 that are about one split."""
    return {f"{column} {split.partition('_')[0]}": measure for column, measure in _SHORT.items()}


def _table_36(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(36):
        tool = system(name)
        _measured(sheet, name, result(folder, tool, DEV), _MAIN, needed(tool, DEV))
    return sheet.done()


def _measured(
    sheet: Sheet, row: str, found: Result | None, columns: dict[str, str], need: str
) -> None:
    """Add the measures of one result; those that its released file lacks count as missing."""
    values = {} if found is None else named(found, columns)
    known = {column: value for column, value in values.items() if value is not None}
    if found is not None:
        sheet.row(row, known, found.origin, stance=found.stance)
    lacking = [column for column in columns if column not in known]
    if lacking:
        sheet.lacks(row, lacking, need)


def _further(sheet: Sheet, row: str, found: Result | None, columns: dict[str, str]) -> None:
    """Add what there is of a system that the paper does not have."""
    if found is not None:
        sheet.row(row, named(found, columns), found.origin, stance=found.stance)


def _shift(sheet: Sheet, row: str, dev: Result | None, test: Result | None, tool: System) -> None:
    if dev is None or test is None:
        needs = [
            needed(tool, split) for split, found in ((DEV, dev), (TEST, test)) if found is None
        ]
        sheet.lacks(row, [_SHIFT], *needs)
        return
    _further_shift(sheet, row, dev, test)


def _further_shift(sheet: Sheet, row: str, dev: Result | None, test: Result | None) -> None:
    """Add how false alarms change from one split to the other, where both are known."""
    if dev is None or test is None:
        return
    shift = minus(test["false_positive_rate"], dev["false_positive_rate"])
    origin = derived(dev.origin, test.origin)
    sheet.row(row, {_SHIFT: shift}, origin, stance=dev.stance)


def _recovered(sheet: Sheet, folder: Folder, tool: System, columns: dict[str, str]) -> None:
    """Add a second row for a system whose verdicts the correctness matrix holds."""
    pairs = recovered(folder, tool)
    if pairs is None:
        return
    found = scored(pairs, Stance.SELECTIVE)
    row = f"{tool.name} {RECOVERED}"
    sheet.row(row, named(found, columns), found.origin, stance=found.stance, against=tool.name)
    sheet.note(
        f"{row}: entry by entry, out of the correctness matrix, which the paper calls "
        "unrecoverable; compared with the printed row of the same model."
    )


STUDIES = (
    Study(3, "Main results on dev_public", _table_3),
    Study(12, "dev_public against test_public", _table_12),
    Study(36, "GPT-5.1 with the output of bibtex-updater in the prompt", _table_36),
)
