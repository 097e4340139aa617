"""Table 18: do verifiers catch what ChatGPT really made up, outside machine learning?"""

from hallmark.bench.align import Pairs
from hallmark.bench.studies.cells import Computed, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import rows_of
from hallmark.bench.studies.results import joined, named, needed, result, scored, stance_of
from hallmark.bench.studies.roster import System, system

DEV, SUPPLEMENT = "dev_public", "supplement_chatgpt_citations"

_DEV = {"DR dev": "detection_rate", "FPR dev": "false_positive_rate"}
_SUPPLEMENT = {"DR suppl.": "detection_rate", "FPR suppl.": "false_positive_rate", "F1": "f1"}
_TYPES = {"Fab.": "plausible_fabrication", "Swap.": "swapped_authors"}


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    more = further_systems(folder, SUPPLEMENT)
    for tool in (*map(system, rows_of(18)), *more):
        dev = result(folder, tool, DEV)
        if dev is None:
            sheet.lacks(tool.name, _DEV, needed(tool, DEV))
        else:
            sheet.row(tool.name, named(dev, _DEV), dev.origin, stance=dev.stance)
        _supplement(sheet, folder, tool)
    tell(sheet, more)
    return sheet.done()


def _supplement(sheet: Sheet, folder: Folder, tool: System) -> None:
    pairs = _pairs(folder, tool)
    if pairs is None:
        need = f"predictions/{SUPPLEMENT}/{tool.chatgpt}.jsonl"
        sheet.lacks(tool.name, (*_SUPPLEMENT, *_TYPES, "Cov."), need)
        return
    found = scored(pairs, stance_of(tool))
    values = named(found, _SUPPLEMENT)
    values |= {column: found.per_type.get(kind) for column, kind in _TYPES.items()}
    values["Cov."] = 1.0 if tool.forced else found["coverage"]
    sheet.row(tool.name, values, found.origin, stance=found.stance)
    if tool.forced:
        sheet.note(f"{tool.name} commits to {found['coverage']:.3f} of the supplement unforced.")


def _pairs(folder: Folder, tool: System) -> Pairs | None:
    entries = folder.entries(SUPPLEMENT)
    predictions = folder.predictions(SUPPLEMENT, [tool.chatgpt or tool.tool])
    return joined(folder, entries, predictions, f"predictions/{SUPPLEMENT} of {tool.name}")


STUDIES = (Study(18, "Authentic ChatGPT citations (Walters and Wilder)", _table),)
