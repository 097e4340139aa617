"""Tables 15, 33 and 37: which types does each system detect?"""

from hallmark.bench.align import Stance
from hallmark.bench.studies.cells import Computed, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.main_results import RECOVERED
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.results import Result, needed, recovered, result, scored
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"


def _table(number: int, folder: Folder) -> Computed:
    sheet = Sheet()
    for name in columns_of(number):
        tool = system(name)
        found = result(folder, tool, SPLIT)
        if found is None or not found.per_type:
            for row in rows_of(number, name):
                sheet.lacks(row, [name], needed(tool, SPLIT))
        else:
            _column(sheet, rows_of(number, name), name, found)
    return sheet.done()


def _column(sheet: Sheet, rows: list[str], column: str, found: Result) -> None:
    for row in rows:
        sheet.row(row, {column: found.per_type.get(row)}, found.origin, stance=found.stance)


def _table_15(folder: Folder) -> Computed:
    plain = _table(15, folder)
    sheet = Sheet()
    for name in columns_of(15):
        pairs = recovered(folder, system(name))
        if pairs is None:
            continue
        found = scored(pairs, Stance.SELECTIVE)
        for row in rows_of(15, name):
            sheet.row(
                f"{row} {RECOVERED}",
                {name: found.per_type.get(row)},
                found.origin,
                stance=found.stance,
                against=row,
            )
    _further(sheet, folder)
    extra = sheet.done()
    return Computed(plain.cells + extra.cells, plain.missing, plain.notes + extra.notes)


def _further(sheet: Sheet, folder: Folder) -> None:
    """Add a column for each system that the paper does not have."""
    more = further_systems(folder, SPLIT)
    for tool in more:
        found = result(folder, tool, SPLIT)
        if found is not None:
            _column(sheet, rows_of(15), tool.name, found)
    tell(sheet, more)


def _table_33(folder: Folder) -> Computed:
    return _table(33, folder)


def _table_37(folder: Folder) -> Computed:
    return _table(37, folder)


STUDIES = (
    Study(15, "Detection rate of each type", _table_15),
    Study(33, "Detection rate of each type, bibtex-updater", _table_33),
    Study(37, "Detection rate of each type, tool output in the prompt", _table_37),
)
