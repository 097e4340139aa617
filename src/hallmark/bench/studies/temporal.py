"""Tables 25, 26 and 27: what happens past a model's training cutoff?

Six of the released files hold 480 rows for 448 keys, because different papers share a key. Table
25 took the first row of each key, Table 27 the last; Table 26's default columns took the last and
counted it once for every row of its key.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.convert import first_wins, last_wins
from hallmark.bench.entry import Prediction
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, derived, minus, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import MARK, further_names, further_temporal, marked, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.results import Result, coverage, joined, needed, rate, result
from hallmark.bench.studies.roster import SYSTEMS, System, system

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


def further(folder: Folder) -> tuple[System, ...]:
    """Systems with predictions on the temporal supplement that the paper does not have."""
    released = {tool.temporal for tool in SYSTEMS if tool.temporal}
    return further_temporal(folder, released | {aware.default for aware in _AWARE.values()})


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
        _past(sheet, name, before, pairs)
    more = further(folder)
    for tool in more:
        pairs = supplement_pairs(folder, tool, first_wins)
        if pairs is not None:
            _past(sheet, tool.name, result(folder, tool, DEV), pairs)
    sheet.note("Where a key has several rows, the first one counts.")
    tell(sheet, more)
    return sheet.done()


def _past(sheet: Sheet, row: str, before: Result | None, pairs: Pairs) -> None:
    new = _after(pairs)
    if before is None:
        sheet.row(row, new, Origin.PREDICTIONS, stance=_STANCE)
        return
    old = {"DR 21-23": before[_DR], "FPR 21-23": before[_FPR]}
    shift = {
        "dDR": minus(new["DR 24-25"], old["DR 21-23"]),
        "dFPR": minus(new["FPR 24-25"], old["FPR 21-23"]),
    }
    sheet.row(row, old, before.origin, stance=before.stance)
    sheet.row(row, new, Origin.PREDICTIONS, stance=_STANCE)
    sheet.row(row, shift, derived(before.origin), stance=_STANCE)


def _after(pairs: Pairs) -> dict[str, float | None]:
    measures = {"DR 24-25": _DR, "FPR 24-25": _FPR, "F1 24-25": "f1", "MCC 24-25": "mcc"}
    return {column: rate(pairs, _STANCE, name) for column, name in measures.items()}


def _temporal_file(tool: System) -> str:
    return f"predictions/{GROUP}/{tool.temporal}.jsonl"


class _Aware(NamedTuple):
    """The files of one model in Table 26.

    Attributes:
        default: In `temporal`, by the default prompt.
        aware: In `temporal_cutoff_aware` and `precutoff`, by the prompt that names the cutoff.
        before: In `precutoff`, by the default prompt.
        on_dev: Whether the paper took that from the model's run on dev_public instead.
    """

    default: str
    aware: str
    before: str
    on_dev: bool = False


def _aware(name: str, ending: str = "", *, on_dev: bool = False) -> _Aware:
    before = f"{name}_default{_TEMPORAL}"
    return _Aware(f"{name}{ending}{_TEMPORAL}", f"{name}{_CUTOFF_AWARE}", before, on_dev)


_TEMPORAL, _CUTOFF_AWARE = "_temporal", "_cutoff_aware_temporal"
_AWARE = {
    "GPT-5.1": _aware("llm_openai", on_dev=True),
    "Gemini 2.5 Flash": _aware("llm_openrouter_gemini_flash", on_dev=True),
    "Qwen3-235B": _aware("llm_openrouter_qwen", on_dev=True),
    "Claude Sonnet 4.6": _aware("llm_openrouter_claude_sonnet_4_6", "_default"),
}


def _table_26(folder: Folder) -> Computed:
    sheet = Sheet()
    more = {marked(name): _aware(name) for name in _further_aware(folder)}
    for name, files in (_AWARE | more).items():
        unaware = _rows_counted(folder, files.default)
        after = _pairs(folder, SUPPLEMENT, "temporal_cutoff_aware", files.aware)
        _post_cutoff(sheet, name, unaware, after, files.default, files.aware)
        _pre_cutoff(sheet, folder, name, files)
    sheet.note("Default columns: the last row of each key, counted once for every row of the key.")
    tell(sheet, more)
    return sheet.done()


def _further_aware(folder: Folder) -> list[str]:
    known = {files.aware for files in _AWARE.values()}
    groups = ("temporal_cutoff_aware", "precutoff")
    found = [further_names(folder, group, known, suffix=_CUTOFF_AWARE) for group in groups]
    return sorted({name for names in found for name in names})


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


def _pre_cutoff(sheet: Sheet, folder: Folder, name: str, files: _Aware) -> None:
    after = _pairs(folder, "precutoff_sample", "precutoff", files.aware)
    column = "UNC cutoff-aware (pre)"
    if after is None:
        need = f"predictions/precutoff/{files.aware}.jsonl"
        sheet.lacks(name, [column], need, unit=Unit.PERCENT)
    else:
        values = {column: times(1.0 - coverage(after))}
        sheet.row(name, values, Origin.PREDICTIONS, unit=Unit.PERCENT)
    _default_abstention(sheet, folder, name, files)


def _default_abstention(sheet: Sheet, folder: Folder, name: str, files: _Aware) -> None:
    """Add the abstentions by the default prompt, of the same run where it asked with both."""
    column = "UNC default (pre)"
    pairs = _pairs(folder, "precutoff_sample", "precutoff", files.before)
    if pairs is not None:
        values = {column: times(1.0 - coverage(pairs))}
        sheet.row(name, values, Origin.PREDICTIONS, unit=Unit.PERCENT)
        if files.on_dev:
            sheet.note(f"{column} of {name}: on precutoff_sample; the paper took dev_public.")
        return
    need = f"predictions/precutoff/{files.before}.jsonl"
    found = None
    if files.on_dev:
        need, found = needed(system(name), DEV), result(folder, system(name), DEV)
    covered = None if found is None else found["coverage"]
    if found is None or covered is None:
        sheet.lacks(name, [column], need, unit=Unit.PERCENT)
    else:
        sheet.row(name, {column: times(1.0 - covered)}, found.origin, unit=Unit.PERCENT)


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
    more = further(folder)
    tools = (system("GPT-5.1"), system("GPT-5.4"), *more)
    pairs = {tool.name: supplement_pairs(folder, tool, last_wins) for tool in tools}
    for row, (first, last) in _STRATA.items():
        rates = {
            name: _stratum(found, first, last) for name, found in pairs.items() if found is not None
        }
        _stratum_row(sheet, row, rates)
    sheet.note("Strata go by the year field; where a key has several rows, the last one counts.")
    tell(sheet, more)
    return sheet.done()


def _stratum(pairs: Pairs, first: int, last: int) -> tuple[int, float | None, float | None]:
    chosen = pairs.select((pairs.year >= first) & (pairs.year <= last))
    return len(chosen), times(rate(chosen, _STANCE, _FPR)), times(rate(chosen, _STANCE, _DR))


def _stratum_row(
    sheet: Sheet, row: str, rates: dict[str, tuple[int, float | None, float | None]]
) -> None:
    columns = columns_of(27, row)
    values: dict[str, float | None] = {}
    counted = [name for name in rates if MARK not in name] or list(rates)[:1]
    for name, (n, fpr, dr) in rates.items():
        if name in counted:
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
