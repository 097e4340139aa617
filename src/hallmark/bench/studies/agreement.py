"""Tables 14 and 41: how far do models agree with each other, and raters with the truth?"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.entry import Label, Prediction
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.statistics.agreement import cohen_kappa, fleiss_kappa
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import printed_cells, rows_of
from hallmark.bench.studies.results import needed, pairs_of, recovered
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"
_STANCE = Stance.CONSERVATIVE

Flags = npt.NDArray[np.bool_]


def kappa(a: Flags, b: Flags) -> float | None:
    """Cohen's kappa of two sets of flags, undefined where both always say the same."""
    return cohen_kappa([str(flag) for flag in a], [str(flag) for flag in b])


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


RATERS = {
    "Claude Sonnet 4.6": "claude-sonnet-4-6",
    "DeepSeek-V3.2": "deepseek-v3-2",
    "Gemini 2.5 Pro": "gemini-2-5-pro",
}
_RATER_STANCE = "UNCERTAIN counts as HALLUCINATED"


def _table_41(folder: Folder) -> Computed:
    sheet = Sheet()
    gold = _rater_gold(folder)
    ratings = {name: folder.predictions("raters", [file]) for name, file in RATERS.items()}
    if gold is None or None in ratings.values():
        needs = ["rater_gold.jsonl"] if gold is None else []
        needs += [f"predictions/raters/{RATERS[n]}.jsonl" for n, r in ratings.items() if r is None]
        for row in rows_of(41):
            sheet.lacks(row, ["value"], *needs)
        return sheet.done()
    keys = list(gold)
    truth = np.array([label == Label.HALLUCINATED for label in gold.values()])
    flags = {name: _flags(rows or [], keys) for name, rows in ratings.items()}
    for row, value in _statistics(flags, truth).items():
        sheet.row(row, {"value": value}, Origin.PREDICTIONS, stance=_RATER_STANCE)
    return sheet.done()


def _rater_gold(folder: Folder) -> dict[str, str] | None:
    """Corrected label by key; the file lies beside the splits or beside the ratings."""
    rows = folder.rows("raters", "rater_gold") or folder.lines("rater_gold")
    if rows is None:
        return None
    return {str(row.get("bibtex_key")): str(row.get("gold_label")) for row in rows}


def _flags(rows: Sequence[Prediction], keys: Sequence[str]) -> Flags:
    labels = {row.bibtex_key: row.label for row in rows}
    return np.array([labels.get(key, Label.UNCERTAIN) is not Label.VALID for key in keys])


def _statistics(flags: dict[str, Flags], truth: Flags) -> dict[str, float | None]:
    """All cells of Table 41; the pool of recovered real papers is the one that is valid."""
    sonnet, deepseek, gemini = RATERS
    votes = np.stack(list(flags.values())).sum(axis=0)
    found = {"Fleiss kappa": fleiss_kappa(np.stack([votes, len(flags) - votes], axis=1))}
    for a, b in ((sonnet, deepseek), (sonnet, gemini), (deepseek, gemini)):
        found[f"Cohen kappa {a} and {b}"] = kappa(flags[a], flags[b])
    for name in (deepseek, sonnet, gemini):
        found[f"{name} kappa against gold"] = kappa(flags[name], truth)
        found[f"{name} accuracy"] = float((flags[name] == truth).mean())
    majority = votes * 2 > len(flags)
    right = majority == truth
    found["Majority kappa against gold"] = kappa(majority, truth)
    found["Majority accuracy"] = float(right.mean())
    pools = {"real-world hallucinations": truth, "recovered real papers": ~truth}
    for name, pool in pools.items():
        found[f"Majority accuracy on {name}"] = float(right[pool].mean()) if pool.any() else None
    return found


STUDIES = (
    Study(14, "Pairwise agreement of models", _table_14),
    Study(41, "Three LLM raters", _table_41),
)
