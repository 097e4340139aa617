"""Tables 21 and 22: how many flags are true where few references are bad?"""

from hallmark.bench.align import Stance
from hallmark.bench.measures.deployment import Rates, ppv
from hallmark.bench.studies.cells import Computed, Sheet, Study, Unit, derived, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.main_results import RECOVERED
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.results import Result, named, needed, recovered, result, scored
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"
_RATES = {"DR": "detection_rate", "FPR": "false_positive_rate"}


def prevalence_of(column: str) -> float:
    """Prevalence in [0, 1] that a column such as "PPV 2%" or "0.5%" stands for."""
    return float(column.removeprefix("PPV ").removesuffix("%")) / 100.0


def _table(number: int, folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(number):
        tool = system(name)
        found = result(folder, tool, SPLIT)
        if found is None:
            sheet.lacks(name, columns_of(number, name), needed(tool, SPLIT))
            continue
        _row(sheet, number, name, found)
        pairs = recovered(folder, tool)
        if pairs is not None:
            _row(sheet, number, f"{name} {RECOVERED}", scored(pairs, Stance.SELECTIVE), name)
    more = further_systems(folder, SPLIT)
    for tool in more:
        found = result(folder, tool, SPLIT)
        if found is not None:
            _row(sheet, number, tool.name, found)
    tell(sheet, more)
    return sheet.done()


def _row(sheet: Sheet, number: int, row: str, found: Result, against: str | None = None) -> None:
    rates = named(found, _RATES)
    sheet.row(row, rates, found.origin, stance=found.stance, against=against)
    values = {
        column: times(_ppv(rates["DR"], rates["FPR"], prevalence_of(column)))
        for column in columns_of(number)
        if column not in _RATES
    }
    sheet.row(
        row, values, derived(found.origin), stance=found.stance, unit=Unit.PERCENT, against=against
    )


def _ppv(dr: float | None, fpr: float | None, prevalence: float) -> float | None:
    return None if dr is None or fpr is None else ppv(Rates(dr, fpr), prevalence)


def _table_21(folder: Folder) -> Computed:
    return _table(21, folder)


def _table_22(folder: Folder) -> Computed:
    return _table(22, folder)


STUDIES = (
    Study(21, "Positive predictive value at 2 % and 5 % bad references", _table_21),
    Study(22, "Positive predictive value by prevalence", _table_22),
)
