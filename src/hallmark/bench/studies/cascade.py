"""Table 4: what does the two-stage cascade reach, with residual doubts kept or flagged?"""

from hallmark.bench.align import Stance
from hallmark.bench.studies.cells import Computed, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of
from hallmark.bench.studies.results import from_aggregate, named, pairs_of, scored
from hallmark.bench.studies.roster import CASCADE

_COLUMNS = {
    "DR": "detection_rate",
    "FPR": "false_positive_rate",
    "F1": "f1",
    "TW-F1": "tier_weighted_f1",
    "T3-F1": "tier3_f1",
    "AUROC": "auroc",
}

Mode = tuple[Stance, str]
_MODES: dict[str, Mode] = {
    "cons": (Stance.SELECTIVE, "cascade_db_diagnosis"),
    "agg": (Stance.AGGRESSIVE, "cascade_db_diagnosis_aggressive"),
}


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    for split in ("stress_test", "test_public", "dev_public"):
        for mode in _MODES:
            _row(sheet, folder, split, mode)
    sheet.note("The rows called conservative leave the residual UNCERTAIN verdicts out.")
    return sheet.done()


def _row(sheet: Sheet, folder: Folder, split: str, mode: str) -> None:
    row = f"{split} {mode}"
    stance, tool = _MODES[mode]
    printed = columns_of(4, row)
    columns = {name: _COLUMNS[name] for name in printed}
    pairs = pairs_of(folder, CASCADE, split)
    aggregate = folder.aggregate(tool, split)
    if pairs is not None:
        found = scored(pairs, stance)
    elif aggregate is not None:
        found = from_aggregate(aggregate)
    else:
        sheet.lacks(row, printed, f"aggregates/{tool}_{split}.json")
        return
    sheet.row(row, named(found, columns), found.origin, stance=stance.value)


STUDIES = (Study(4, "Stage-2 diagnosis cascade", _table),)
