"""Table 41: how far do models that rate references agree with each other, and with the truth?

The paper's three raters get the printed rows. Whatever other rater files the folder holds get rows
of their own below, for which all raters of the folder count together.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from hallmark.bench.entry import Label, Prediction
from hallmark.bench.statistics.agreement import Flags, fleiss_kappa, kappa
from hallmark.bench.studies.cells import Computed, Origin, Sheet
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_names, marked, tell
from hallmark.bench.studies.printed import rows_of

GROUP = "raters"
GOLD = "rater_gold"
RATERS = {
    "Claude Sonnet 4.6": "claude-sonnet-4-6",
    "DeepSeek-V3.2": "deepseek-v3-2",
    "Gemini 2.5 Pro": "gemini-2-5-pro",
}
POOLS = ("real-world hallucinations", "recovered real papers")
"""What is rated: entries that are hallucinated, and entries that are valid."""
_STANCE = "UNCERTAIN counts as HALLUCINATED"
_TWO = 2


def table_41(folder: Folder) -> Computed:
    """Return what the folder's raters and their gold labels come to."""
    sheet = Sheet()
    gold = _gold(folder)
    further = further_names(folder, GROUP, {*RATERS.values(), GOLD})
    files = RATERS | {marked(name): name for name in further}
    ratings = {
        name: rows
        for name, file in files.items()
        if (rows := folder.predictions(GROUP, [file])) is not None
    }
    flags = {name: _flags(rows, list(gold or ())) for name, rows in ratings.items()}
    truth = np.array([label == Label.HALLUCINATED for label in (gold or {}).values()])
    _printed(sheet, flags if gold else {}, truth, _needs(gold, ratings))
    if gold and flags and flags.keys() != RATERS.keys():
        _all(sheet, flags, truth)
    for name in flags:
        _note_gaps(sheet, name, folder.rows(GROUP, files[name]) or [], list(gold or ()))
    tell(sheet, further)
    return sheet.done()


def statistics(flags: Mapping[str, Flags], truth: Flags) -> dict[str, float | None]:
    """Return agreement of raters, and their accuracy, by name of the statistic.

    Args:
        flags: by rater, whether each entry was called hallucinated.
        truth: whether each entry is hallucinated.
    """
    found = {}
    if len(flags) >= _TWO:
        votes = _votes(flags)
        table = np.stack([votes, len(flags) - votes], axis=1)
        found["Fleiss kappa"] = fleiss_kappa(table)
    for a, b in combinations(flags, _TWO):
        found[f"Cohen kappa {a} and {b}"] = kappa(flags[a], flags[b])
    for name, one in flags.items():
        found |= _against(name, one, truth)
    if len(flags) > _TWO:
        majority = _votes(flags) * 2 > len(flags)
        found |= _against("Majority", majority, truth) | by_pool("Majority", majority, truth)
    return found


def by_pool(name: str, flags: Flags, truth: Flags) -> dict[str, float | None]:
    """Return the accuracy on each pool: what is hallucinated, and what is valid."""
    right = flags == truth
    return {
        f"{name} accuracy on {pool}": float(right[there].mean()) if there.any() else None
        for pool, there in zip(POOLS, (truth, ~truth), strict=True)
    }


def _against(name: str, flags: Flags, truth: Flags) -> dict[str, float | None]:
    return {
        f"{name} kappa against gold": kappa(flags, truth),
        f"{name} accuracy": float((flags == truth).mean()),
    }


def _votes(flags: Mapping[str, Flags]) -> npt.NDArray[np.int64]:
    votes: npt.NDArray[np.int64] = np.stack(list(flags.values())).sum(axis=0)
    return votes


def _printed(sheet: Sheet, flags: Mapping[str, Flags], truth: Flags, needs: list[str]) -> None:
    """Add the printed rows for which the paper's raters are there."""
    known = {name: flags[name] for name in RATERS if name in flags}
    found = statistics(known, truth) if known else {}
    whole = len(known) == len(RATERS)
    for row in rows_of(41):
        of_all = row.startswith(("Fleiss", "Majority"))
        if row in found and (whole or not of_all):
            sheet.row(row, {"value": found[row]}, Origin.PREDICTIONS, stance=_STANCE)
        else:
            sheet.lacks(row, ["value"], *needs)


def _all(sheet: Sheet, flags: Mapping[str, Flags], truth: Flags) -> None:
    """Add the statistics of all raters together, but for those that stand in printed rows."""
    printed = rows_of(41)
    of_all = f"of all {len(flags)} raters"
    for row, value in statistics(flags, truth).items():
        if row.startswith(("Fleiss", "Majority")):
            sheet.row(f"{row} {of_all}", {"value": value}, Origin.PREDICTIONS, stance=_STANCE)
        elif row not in printed:
            sheet.row(row, {"value": value}, Origin.PREDICTIONS, stance=_STANCE)
    for name, one in flags.items():
        for row, value in by_pool(name, one, truth).items():
            sheet.row(row, {"value": value}, Origin.PREDICTIONS, stance=_STANCE)
    if len(flags) % 2 == 0:
        sheet.note("A tie of an even number of raters is no majority, and counts as VALID.")


def _needs(gold: Mapping[str, str] | None, ratings: Mapping[str, object]) -> list[str]:
    lacking = [file for name, file in RATERS.items() if name not in ratings]
    needs = [] if gold else [f"{GOLD}.jsonl"]
    return needs + [f"predictions/{GROUP}/{file}.jsonl" for file in lacking]


def _gold(folder: Folder) -> dict[str, str] | None:
    """Corrected label by key; the file lies beside the splits or beside the ratings."""
    rows = folder.rows(GROUP, GOLD) or folder.lines(GOLD)
    if rows is None:
        return None
    return {str(row.get("bibtex_key")): str(row.get("gold_label")) for row in rows}


def _flags(rows: Sequence[Prediction], keys: Sequence[str]) -> Flags:
    """Return what a rater flags; an entry that it did not rate is flagged, as the paper does."""
    labels = {row.bibtex_key: row.label for row in rows}
    return np.array([labels.get(key, Label.UNCERTAIN) is not Label.VALID for key in keys])


def _note_gaps(sheet: Sheet, name: str, rows: Sequence[dict[str, Any]], keys: list[str]) -> None:
    """Note for how many entries there is no rating, and for how many the rater failed."""
    labels = {row.get("bibtex_key"): row.get("label") for row in rows}
    rated = sum(key in labels for key in keys)
    failed = sum(labels.get(key, Label.VALID) in (None, Label.ERROR) for key in keys)
    if rated < len(keys):
        sheet.note(f"{name} rated {rated:,} of {len(keys):,}; the others count as flagged.")
    if failed:
        sheet.note(f"{name} failed on {failed:,} of {len(keys):,}, which count as flagged.")
