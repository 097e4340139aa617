"""Table 9: how small a difference in detection rate can the entries of one type show?"""

import math
from collections import Counter

from hallmark.bench.entry import Label
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import printed_cells, rows_of

_Z_ALPHA = 1.959963984540054  # two-sided 5 %
_Z_POWER = 0.8416212335729143  # 80 % power
_WITH_PRINTED_N = "(printed n)"


def detectable(n: int, rate: float = 0.5) -> float:
    """Minimum detectable effect of a one-sample z-test on a rate, in percent points.

    Args:
        n: Number of entries, at least 1.
        rate: Rate under the null hypothesis; 0.5 is the worst case.
    """
    return 100.0 * (_Z_ALPHA + _Z_POWER) * math.sqrt(rate * (1.0 - rate) / n)


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(9):
        n = int(printed_cells(9)[name, "n"].value)
        sheet.row(
            f"{name} {_WITH_PRINTED_N}",
            {"MDE": detectable(n)},
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
            sheet.row(name, {"MDE": detectable(n)}, Origin.GOLD, unit=Unit.PERCENT)
        else:
            sheet.lacks(name, ("n", "MDE"), "dev_public.jsonl")
    sheet.note("Rows with the printed n check the formula, the others the counts of the split.")
    return sheet.done()


STUDIES = (Study(9, "Minimum detectable effect of each type", _table),)
