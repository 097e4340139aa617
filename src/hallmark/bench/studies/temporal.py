"""Tables 25, 26 and 27: what happens past a model's training cutoff?

Six of the released files hold 480 rows for 448 keys, because different papers share a key. Table
25 took the first row of each key, Table 27 the last; Table 26's default columns took the last and
counted it once for every row of its key.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.convert import first_wins, last_wins
from hallmark.bench.entry import Prediction
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, derived, minus, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.results import coverage, joined, needed, rate, result
from hallmark.bench.studies.roster import System, system

DEV, SUPPLEMENT = "dev_public", "temporal_supplement"
GROUP = "temporal"
_STANCE = Stance.SELECTIVE
_DR, _FPR = "detection_rate", "false_positive_rate"

Choice = Callable[[Sequence[Prediction]], list[Prediction]]


def supplement_pairs(folder: Folder, tool: System, choice: Choice) -> Pairs | None:
    """The temporal supplement with the predictions of `tool`, one row chosen for each key."""
    entries = folder.entries(SUPPLEMENT)
    predictions = folder.predictions(GROUP, [tool.temporal] if tool.temporal else [])
    chosen = None if predictions is None else choice(predictions)
    return joined(folder, entries, chosen, f"predictions/{GROUP} of {tool.name}")


def _table_25(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(25):
        tool = system(name)
        before, pairs = result(folder, tool, DEV), supplement_pairs(folder, tool, first_wins)
        if before is None or pairs is None:
            needs = [needed(tool, DEV)] if before is None else []
            needs += [_temporal_file(tool)] if pairs is None else []
            sheet.lacks(name, columns_of(25, name), *needs, stance=_STANCE)
            continue
        old = {"DR 21-23": before[_DR], "FPR 21-23": before[_FPR]}
        new = _after(pairs)
        shift = {
            "dDR": minus(new["DR 24-25"], old["DR 21-23"]),
            "dFPR": minus(new["FPR 24-25"], old["FPR 21-23"]),
        }
        sheet.row(name, old, before.origin, stance=before.stance)
        sheet.row(name, new, Origin.PREDICTIONS, stance=_STANCE)
        sheet.row(name, shift, derived(before.origin), stance=_STANCE)
    sheet.note("Where a key has several rows, the first one counts.")
    return sheet.done()


def _after(pairs: Pairs) -> dict[str, float | None]:
    measures = {"DR 24-25": _DR, "FPR 24-25": _FPR, "F1 24-25": "f1", "MCC 24-25": "mcc"}
    return {column: rate(pairs, _STANCE, name) for column, name in measures.items()}


def _temporal_file(tool: System) -> str:
    return f"predictions/{GROUP}/{tool.temporal}.jsonl"


_AWARE = {
    "GPT-5.1": ("llm_openai_temporal", "llm_openai_cutoff_aware_temporal", None),
    "Gemini 2.5 Flash": (
        "llm_openrouter_gemini_flash_temporal",
        "llm_openrouter_gemini_flash_cutoff_aware_temporal",
        None,
    ),
    "Qwen3-235B": (
        "llm_openrouter_qwen_temporal",
        "llm_openrouter_qwen_cutoff_aware_temporal",
        None,
    ),
    "Claude Sonnet 4.6": (
        "llm_openrouter_claude_sonnet_4_6_default_temporal",
        "llm_openrouter_claude_sonnet_4_6_cutoff_aware_temporal",
        "llm_openrouter_claude_sonnet_4_6_default_temporal",
    ),
}
"""Model -> default file, cutoff-aware file, default file on the pre-cutoff sample or None."""


def _table_26(folder: Folder) -> Computed:
    sheet = Sheet()
    for name, (default, aware, before) in _AWARE.items():
        unaware = _rows_counted(folder, default)
        after = _pairs(folder, SUPPLEMENT, "temporal_cutoff_aware", aware)
        _post_cutoff(sheet, name, unaware, after, default, aware)
        _pre_cutoff(sheet, folder, name, aware, before)
    sheet.note("Default columns: the last row of each key, counted once for every row of the key.")
    return sheet.done()


def _post_cutoff(
    sheet: Sheet, name: str, unaware: Pairs | None, aware: Pairs | None, *files: str
) -> None:
    if unaware is None or aware is None:
        columns = ("FPR default", "FPR cutoff-aware", "dFPR", "UNC cutoff-aware")
        needs = [f"predictions/{GROUP}*/{file}.jsonl" for file in files]
        sheet.lacks(name, columns, *needs, unit=Unit.PERCENT, stance=_STANCE)
        return
    old, new = rate(unaware, _STANCE, _FPR), rate(aware, _STANCE, _FPR)
    values = {
        "FPR default": times(old),
        "FPR cutoff-aware": times(new),
        "dFPR": times(minus(new, old)),
        "UNC cutoff-aware": times(1.0 - coverage(aware)),
    }
    sheet.row(name, values, Origin.PREDICTIONS, stance=_STANCE, unit=Unit.PERCENT)


def _pre_cutoff(sheet: Sheet, folder: Folder, name: str, aware: str, before: str | None) -> None:
    after = _pairs(folder, "precutoff_sample", "precutoff", aware)
    column = "UNC cutoff-aware (pre)"
    if after is None:
        sheet.lacks(name, [column], f"predictions/precutoff/{aware}.jsonl", unit=Unit.PERCENT)
    else:
        values = {column: times(1.0 - coverage(after))}
        sheet.row(name, values, Origin.PREDICTIONS, unit=Unit.PERCENT)
    _default_abstention(sheet, folder, name, before)


def _default_abstention(sheet: Sheet, folder: Folder, name: str, before: str | None) -> None:
    column = "UNC default (pre)"
    if before is not None:
        pairs = _pairs(folder, "precutoff_sample", "precutoff", before)
        covered, origin = None if pairs is None else coverage(pairs), Origin.PREDICTIONS
    else:
        found = result(folder, system(name), DEV)
        covered, origin = (
            (None, Origin.MISSING) if found is None else (found["coverage"], found.origin)
        )
    if covered is None:
        sheet.lacks(name, [column], needed(system(name), DEV), unit=Unit.PERCENT)
    else:
        sheet.row(name, {column: times(1.0 - covered)}, origin, unit=Unit.PERCENT)


def _pairs(folder: Folder, split: str, group: str, name: str) -> Pairs | None:
    entries, predictions = folder.entries(split), folder.predictions(group, [name])
    return joined(folder, entries, predictions, f"predictions/{group}/{name}.jsonl")


def _rows_counted(folder: Folder, name: str) -> Pairs | None:
    """Pairs of the last row of each key, repeated as often as the file has rows of that key."""
    pairs = _pairs(folder, SUPPLEMENT, GROUP, name)
    predictions = folder.predictions(GROUP, [name])
    if pairs is None or predictions is None:
        return None
    times_seen = Counter(prediction.bibtex_key for prediction in predictions)
    return pairs.select(np.repeat(np.arange(len(pairs)), [times_seen[key] for key in pairs.keys]))


_STRATA: dict[str, tuple[int, int]] = {
    "2024 & earlier": (0, 2024),
    "2025": (2025, 2025),
    "Future (2026+)": (2026, 9999),
    "All": (0, 9999),
}


def _table_27(folder: Folder) -> Computed:
    sheet = Sheet()
    names = ("GPT-5.1", "GPT-5.4")
    pairs = {name: supplement_pairs(folder, system(name), last_wins) for name in names}
    for row, (first, last) in _STRATA.items():
        rates = {
            name: _stratum(found, first, last) for name, found in pairs.items() if found is not None
        }
        _stratum_row(sheet, row, rates)
    sheet.note("Strata go by the year field; where a key has several rows, the last one counts.")
    return sheet.done()


def _stratum(pairs: Pairs, first: int, last: int) -> tuple[int, float | None, float | None]:
    chosen = pairs.select((pairs.year >= first) & (pairs.year <= last))
    return len(chosen), times(rate(chosen, _STANCE, _FPR)), times(rate(chosen, _STANCE, _DR))


def _stratum_row(
    sheet: Sheet, row: str, rates: dict[str, tuple[int, float | None, float | None]]
) -> None:
    columns = columns_of(27, row)
    values: dict[str, float | None] = {}
    for name, (n, fpr, dr) in rates.items():
        sheet.row(row, {"N": n}, Origin.GOLD, unit=Unit.COUNT)
        values |= {f"FPR {name}": fpr, f"DR {name}": dr}
    values["dFPR"] = minus(values.get("FPR GPT-5.4"), values.get("FPR GPT-5.1"))
    known = {column: value for column, value in values.items() if value is not None}
    sheet.row(row, known, Origin.PREDICTIONS, stance=_STANCE, unit=Unit.PERCENT)
    lacking = [c for c in columns if c not in known and not (c == "N" and rates)]
    if lacking:
        sheet.lacks(row, lacking, f"predictions/{GROUP}/...", unit=Unit.PERCENT)


STUDIES = (
    Study(25, "Temporal supplement (2024-2025)", _table_25),
    Study(26, "Cutoff-aware prompt", _table_26),
    Study(27, "GPT-5.1 and GPT-5.4 by year", _table_27),
)
