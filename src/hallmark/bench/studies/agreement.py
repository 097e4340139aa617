"""Tables 14 and 41: how far do models agree with each other, and raters with the truth?"""

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.statistics.agreement import Flags, kappa
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import printed_cells
from hallmark.bench.studies.raters import table_41
from hallmark.bench.studies.results import needed, pairs_of, recovered
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"
_STANCE = Stance.CONSERVATIVE


def _table_14(folder: Folder) -> Computed:
    sheet = Sheet()
    flags: dict[str, Flags] = {}
    for row, column in printed_cells(14):
        for name in (row, column):
            pairs = _verdicts(folder, name)
            if name not in flags and pairs is not None:
                flags[name] = outcome(pairs, _STANCE).flagged
        lacking = [needed(system(name), SPLIT) for name in (row, column) if name not in flags]
        if lacking:
            sheet.lacks(row, [column], *lacking, stance=_STANCE)
        else:
            value = {column: kappa(flags[row], flags[column])}
            sheet.row(row, value, Origin.PREDICTIONS, stance=_STANCE)
    return sheet.done()


def _verdicts(folder: Folder, name: str) -> Pairs | None:
    found = pairs_of(folder, system(name), SPLIT)
    return recovered(folder, system(name)) if found is None else found


STUDIES = (
    Study(14, "Pairwise agreement of models", _table_14),
    Study(41, "Three LLM raters", table_41),
)
