"""Table 9: how small a difference in detection rate can the entries of one type show?"""

from collections import Counter

from hallmark.bench.entry import Label
from hallmark.bench.statistics.power import minimum_detectable_effect
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import printed_cells, rows_of

_WITH_PRINTED_N = "(printed n)"


def _detectable(n: int) -> float:
    """Minimum detectable effect of a one-sample test in percent points, at a rate of one half."""
    return 100.0 * minimum_detectable_effect(n)


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(9):
        n = int(printed_cells(9)[name, "n"].value)
        sheet.row(
            f"{name} {_WITH_PRINTED_N}",
            {"MDE": _detectable(n)},
            Origin.DERIVED,
            unit=Unit.PERCENT,
            against=name,
        )
    entries = folder.entries("dev_public")
    bad = [e for e in entries or () if e.label is Label.HALLUCINATED]
    counts = Counter(str(entry.hallucination_type) for entry in bad)
    for name in rows_of(9):
        n = counts[name]
        if n:
            sheet.row(name, {"n": n}, Origin.GOLD, unit=Unit.COUNT)
            sheet.row(name, {"MDE": _detectable(n)}, Origin.GOLD, unit=Unit.PERCENT)
        else:
            sheet.lacks(name, ("n", "MDE"), "dev_public.jsonl")
    sheet.note("Rows with the printed n check the formula, the others the counts of the split.")
    return sheet.done()


STUDIES = (Study(9, "Minimum detectable effect of each type", _table),)
