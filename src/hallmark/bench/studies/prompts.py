"""Tables 38 and 40: how much depends on the wording of the prompt and on single fields?"""

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.statistics.agreement import stability
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, minus, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_names, marked, tell
from hallmark.bench.studies.printed import columns_of
from hallmark.bench.studies.results import coverage, ece_in_file_order, joined, rate

_STANCE = Stance.SELECTIVE
_TRIPLE = {"DR": "detection_rate", "FPR": "false_positive_rate", "F1": "f1"}
_SOURCES = ("prompt_sample_150", "dev_public")

PROMPTED = {
    "Claude Sonnet 4.6": "sonnet-4.6",
    "GPT-5.1": "gpt-5.1",
    "DeepSeek-V3.2": "deepseek-v3.2",
    "Gemini 2.5 Flash": "gemini-2.5-flash",
}
VARIANTS = ("default", "notaxo", "uncertain", "terse")
LEFT_OUT = {"Gemini 2.5 Flash": "gemini-2.5-flash", "DeepSeek-V3.2": "deepseek-v3.2"}
CONDITIONS = ("full", "structured", "loo_title", "loo_author", "loo_venue", "loo_year", "loo_doi")
_BASE = "structured"
_SPEARMAN = "Mean pairwise Spearman"


def sample_pairs(folder: Folder, group: str, name: str) -> Pairs | None:
    """Predictions on a sample of the development split with the entries they are about."""
    predictions = folder.predictions(group, [name])
    if predictions is None:
        return None
    keys = {prediction.bibtex_key for prediction in predictions}
    for split in _SOURCES:
        chosen = [entry for entry in folder.entries(split) or () if entry.bibtex_key in keys]
        if len(chosen) == len(keys):
            return joined(folder, chosen, predictions, f"predictions/{group}/{name}.jsonl")
    return None


def _table_38(folder: Folder) -> Computed:
    sheet = Sheet()
    found: dict[tuple[str, str], dict[str, float | None]] = {}
    for name, model in PROMPTED.items():
        for variant in VARIANTS:
            pairs = sample_pairs(folder, "prompt_variants", f"{model}.{variant}")
            if pairs is not None:
                found[name, variant] = _triple(pairs)
            _variant(sheet, f"{name} {variant}", pairs, f"{model}.{variant}")
    _stability(sheet, found)
    known = {f"{model}.{variant}" for model in PROMPTED.values() for variant in VARIANTS}
    more = further_names(folder, "prompt_variants", known)
    for file in more:
        pairs = sample_pairs(folder, "prompt_variants", file)
        if pairs is not None:
            _variant(sheet, _row_of(file), pairs, file)
    tell(sheet, more)
    return sheet.done()


def _row_of(file: str) -> str:
    """Name of the row of a file MODEL.VARIANT that is not the paper's."""
    model, _, variant = file.rpartition(".")
    return marked(f"{model} {variant}".strip())


def _triple(pairs: Pairs) -> dict[str, float | None]:
    return {column: rate(pairs, _STANCE, name) for column, name in _TRIPLE.items()}


def _variant(sheet: Sheet, row: str, pairs: Pairs | None, file: str) -> None:
    if pairs is None:
        sheet.lacks(row, columns_of(38, row), f"predictions/prompt_variants/{file}.jsonl")
        return
    values = _triple(pairs) | {"ECE": ece_in_file_order(pairs, _STANCE)}
    sheet.row(row, values, Origin.PREDICTIONS, stance=_STANCE)
    unsure = {"UNC": times(1.0 - coverage(pairs))}
    sheet.row(row, unsure, Origin.PREDICTIONS, stance=_STANCE, unit=Unit.PERCENT)


def _stability(sheet: Sheet, found: dict[tuple[str, str], dict[str, float | None]]) -> None:
    """Add the mean rank correlation of the models over all pairs of variants."""
    if len(found) < len(PROMPTED) * len(VARIANTS):
        sheet.lacks(_SPEARMAN, _TRIPLE, "predictions/prompt_variants/ in full")
        return
    for column in _TRIPLE:
        by_variant = [[found[name, v][column] or 0.0 for name in PROMPTED] for v in VARIANTS]
        value = {column: stability(by_variant)}
        sheet.row(_SPEARMAN, value, Origin.DERIVED, stance=_STANCE)


def _table_40(folder: Folder) -> Computed:
    sheet = Sheet()
    for name, model in LEFT_OUT.items():
        base = sample_pairs(folder, "field_loo", f"{model}.{_BASE}")
        for condition in CONDITIONS:
            pairs = sample_pairs(folder, "field_loo", f"{model}.{condition}")
            _condition(sheet, f"{name} {condition}", pairs, base, f"{model}.{condition}")
    known = {f"{model}.{name}" for model in LEFT_OUT.values() for name in CONDITIONS}
    more = further_names(folder, "field_loo", known)
    for file in more:
        _further_condition(sheet, folder, file)
    tell(sheet, more)
    return sheet.done()


def _further_condition(sheet: Sheet, folder: Folder, file: str) -> None:
    """Add a row of a model that the paper does not have."""
    model, _, condition = file.rpartition(".")
    pairs = sample_pairs(folder, "field_loo", file)
    base = sample_pairs(folder, "field_loo", f"{model}.{_BASE}")
    if pairs is not None:
        shifted = condition.startswith("loo_")
        _measured(sheet, _row_of(file), pairs, base if shifted else None)


def _condition(sheet: Sheet, row: str, pairs: Pairs | None, base: Pairs | None, file: str) -> None:
    if pairs is None:
        sheet.lacks(row, columns_of(40, row), f"predictions/field_loo/{file}.jsonl")
        return
    _measured(sheet, row, pairs, base if "dFPR" in columns_of(40, row) else None)


def _measured(sheet: Sheet, row: str, pairs: Pairs, base: Pairs | None) -> None:
    values = _triple(pairs)
    sheet.row(row, values, Origin.PREDICTIONS, stance=_STANCE)
    if base is not None:
        shift = minus(values["FPR"], rate(base, _STANCE, "false_positive_rate"))
        sheet.row(row, {"dFPR": shift}, Origin.DERIVED, stance=_STANCE)


STUDIES = (
    Study(38, "Sensitivity to the prompt", _table_38),
    Study(40, "Leaving one field out", _table_40),
)
