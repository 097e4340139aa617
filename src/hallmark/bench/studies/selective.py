"""Table 23: what does abstaining cost or buy?

The printed "conservative" cells are selective for the language models (abstentions left out) and
conservative for bibtex-updater. The risk-coverage curve drops the entries whose P(hallucinated)
is closest to 0.5 first, ties in the order of the file.
"""

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.released import Dual
from hallmark.bench.studies.results import coverage, needed, pairs_of, rate
from hallmark.bench.studies.roster import System, system

SPLIT = "dev_public"
_TRIPLE = {"DR": "detection_rate", "FPR": "false_positive_rate", "F1": "f1"}
_KEPT = 0.9


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(23, "Cons. DR"):
        _dual(sheet, folder, system(name))
    for name in rows_of(23, "AUROC"):
        _curve(sheet, folder, system(name))
    more = further_systems(folder, SPLIT)
    for tool in more:
        if pairs_of(folder, tool, SPLIT) is not None:
            _dual(sheet, folder, tool)
            _curve(sheet, folder, tool)
    tell(sheet, more)
    return sheet.done()


def _dual(sheet: Sheet, folder: Folder, tool: System) -> None:
    pairs = pairs_of(folder, tool, SPLIT)
    dual = folder.coverage().per_tool_coverage_dual
    row = dual.get(tool.coverage or tool.tool, {}).get(SPLIT)
    if pairs is not None:
        _dual_scored(sheet, pairs, tool)
    elif row is not None:
        _dual_reported(sheet, tool, row)
    else:
        columns = [c for c in columns_of(23, tool.name) if c not in _CURVE]
        sheet.lacks(tool.name, columns, needed(tool, SPLIT))


def _dual_scored(sheet: Sheet, pairs: Pairs, tool: System) -> None:
    plain = Stance.CONSERVATIVE if tool.forced else Stance.SELECTIVE
    sheet.row(tool.name, {"Cov.": coverage(pairs)}, Origin.PREDICTIONS)
    for prefix, stance in (("Cons.", plain), ("Aggr.", Stance.AGGRESSIVE)):
        values = {f"{prefix} {column}": rate(pairs, stance, m) for column, m in _TRIPLE.items()}
        sheet.row(tool.name, values, Origin.PREDICTIONS, stance=stance)


def _dual_reported(sheet: Sheet, tool: System, row: Dual) -> None:
    if row.coverage is not None:
        sheet.row(tool.name, {"Cov.": row.coverage}, Origin.AGGREGATE)
    stances = {
        "Cons.": (row.conservative, Stance.SELECTIVE),
        "Aggr.": (row.aggressive, Stance.AGGRESSIVE),
    }
    for prefix, (released, stance) in stances.items():
        if released is not None:
            values = {f"{prefix} {column}": getattr(released, column) for column in _TRIPLE}
            sheet.row(tool.name, values, Origin.AGGREGATE, stance=stance)


_CURVE = ("AUROC", "FPR@90%", "F1@90%")


def _curve(sheet: Sheet, folder: Folder, tool: System) -> None:
    pairs = pairs_of(folder, tool, SPLIT)
    curve = folder.coverage().risk_coverage.get(tool.coverage or tool.tool)
    if pairs is not None:
        values = _at_coverage(pairs)
        sheet.row(tool.name, values, Origin.PREDICTIONS, stance=Stance.SELECTIVE)
    elif curve is not None:
        released = (curve.auroc, curve.fpr_at_90_coverage, curve.f1_at_90_coverage)
        values = dict(zip(_CURVE, released, strict=True))
        sheet.row(tool.name, values, Origin.AGGREGATE, stance=Stance.SELECTIVE)
    else:
        sheet.lacks(tool.name, _CURVE, needed(tool, SPLIT))


def _at_coverage(pairs: Pairs) -> dict[str, float | None]:
    """AUROC, and FPR and F1 on the most certain 90 % of all entries, ties in file order."""
    committed = pairs.select(pairs.committed)
    certainty = np.abs(committed.p_hallucinated - 0.5)
    kept = min(round(_KEPT * len(pairs)), len(committed))
    order = np.argsort(-certainty, kind="stable")[:kept]
    chosen = committed.select(np.sort(order))
    return {
        "AUROC": rate(pairs, Stance.SELECTIVE, "auroc"),
        "FPR@90%": rate(chosen, Stance.SELECTIVE, "false_positive_rate"),
        "F1@90%": rate(chosen, Stance.SELECTIVE, "f1"),
    }


STUDIES = (Study(23, "Coverage and selective prediction", _table),)
