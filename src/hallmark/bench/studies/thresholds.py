"""Table 39: do the decision threshold or the rule that joins checks or voters matter?

The "structured" rules count failed sub-tests of the gold entries themselves: they show what the
labels were made from, not what a tool could know. The field-level resolver's evidence was not
released.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hallmark.bench.align import Pairs, Stance, align
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, minus, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.released import Curve
from hallmark.bench.studies.results import needed, pairs_of, rate, result
from hallmark.bench.studies.roster import System, system

SPLIT = "dev_public"
_FOUR = ("doi_resolves", "title_exists", "authors_match", "venue_correct")
_RATES = {"DR": "detection_rate", "FPR": "false_positive_rate", "F1": "f1", "MCC": "mcc"}
_CIRCULAR = "gold sub-tests"
_GAP = "gap (pp)"
_SELECTIVE = Stance.SELECTIVE.value


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    tools = [system(name) for name in rows_of(39, "AUROC")]
    for tool in tools:
        _threshold(sheet, folder, tool)
    _structured(sheet, folder.entries(SPLIT))
    for row in ("field-level: any-miss", "field-level: two-fields"):
        sheet.lacks(row, _RATES, "the authors' evidence of the field-level resolver")
    _ensemble(sheet, folder, tools)
    return sheet.done()


def _threshold(sheet: Sheet, folder: Folder, tool: System) -> None:
    pairs = pairs_of(folder, tool, SPLIT)
    if pairs is not None:
        _swept(sheet, pairs, tool)
        return
    values, stance = _released(folder, tool)
    sheet.row(tool.name, values, Origin.AGGREGATE, stance=stance)
    for column in columns_of(39, tool.name):
        unit = Unit.PERCENT if column == _GAP else Unit.FRACTION
        if column not in values:
            sheet.lacks(tool.name, [column], needed(tool, SPLIT), stance=stance, unit=unit)


def _released(folder: Folder, tool: System) -> tuple[dict[str, float | None], str]:
    """AUROC and F1 of the snapshot that the table used, as far as they are released.

    The Anthropic models were run again for it, so that their main result files do not apply.
    """
    reported = folder.coverage().risk_coverage
    curve = reported.get(tool.coverage or tool.tool, Curve())
    found = None if curve.caveat else result(folder, tool, SPLIT)
    auroc, f1 = (None, None) if found is None else (found["auroc"], found["f1"])
    full = [point.F1 for point in curve.curve if point.coverage == 1.0]
    values = {"AUROC": curve.auroc or auroc, "F1@0.5": full[0] if full else f1}
    return {column: value for column, value in values.items() if value is not None}, _SELECTIVE


def _swept(sheet: Sheet, pairs: Pairs, tool: System) -> None:
    default, best = rate(pairs, Stance.SELECTIVE, "f1"), best_f1(pairs)
    values = {
        "AUROC": rate(pairs, Stance.SELECTIVE, "auroc"),
        "F1@0.5": default,
        "best F1": best,
    }
    sheet.row(tool.name, values, Origin.PREDICTIONS, stance=Stance.SELECTIVE)
    gap = {_GAP: times(minus(best, default))}
    sheet.row(tool.name, gap, Origin.PREDICTIONS, stance=Stance.SELECTIVE, unit=Unit.PERCENT)


def best_f1(pairs: Pairs) -> float | None:
    """Largest F1 over all thresholds on P(hallucinated), abstentions left out."""
    kept = outcome(pairs, Stance.SELECTIVE)
    if not kept.truth.any():
        return None
    thresholds = np.unique(kept.p)
    flagged = kept.p[None, :] >= thresholds[:, None]
    tp = (flagged & kept.truth).sum(axis=1)
    return float((2 * tp / (flagged.sum(axis=1) + kept.truth.sum())).max())


_STRUCTURED: dict[str, tuple[tuple[str, ...], int]] = {
    "structured: any-miss": (_FOUR, 1),
    "structured: cross-DB-agreement only": (("cross_db_agreement",), 1),
    "structured: majority": (_FOUR, 3),
}
"""Rule -> gold sub-tests that it reads, and how many of them must fail."""


def structured_pairs(entries: Sequence[Entry], rule: str) -> Pairs:
    """Entries flagged where enough of their own gold sub-tests fail."""
    subtests, least = _STRUCTURED[rule]
    flags = [sum(e.subtests.get(s) is False for s in subtests) >= least for e in entries]
    return align(entries, _flagged(entries, np.array(flags)))


def _structured(sheet: Sheet, entries: Sequence[Entry] | None) -> None:
    for rule in _STRUCTURED:
        if entries is None:
            sheet.lacks(rule, _RATES, f"{SPLIT}.jsonl")
        else:
            values = _rates(structured_pairs(entries, rule))
            sheet.row(rule, values, Origin.GOLD, stance=_CIRCULAR)


def _ensemble(sheet: Sheet, folder: Folder, tools: Sequence[System]) -> None:
    pairs = {tool.name: pairs_of(folder, tool, SPLIT) for tool in tools}
    entries = folder.entries(SPLIT)
    needs = [needed(tool, SPLIT) for tool in tools if pairs[tool.name] is None]
    for row, least in {"ensemble: majority": 5, "ensemble: supermajority": 7}.items():
        if entries is None or needs:
            sheet.lacks(row, _RATES, *needs)
            continue
        votes = sum(
            outcome(p, Stance.CONSERVATIVE).flagged.astype(int) for p in pairs.values() if p
        )
        joined = align(entries, _flagged(entries, np.asarray(votes >= least)))
        sheet.row(row, _rates(joined), Origin.PREDICTIONS, stance=Stance.CONSERVATIVE)


def _flagged(entries: Sequence[Entry], flags: npt.NDArray[np.bool_]) -> list[Prediction]:
    return [
        Prediction(
            bibtex_key=entry.bibtex_key,
            label=Label.HALLUCINATED if flag else Label.VALID,
            confidence=1.0,
        )
        for entry, flag in zip(entries, flags, strict=True)
    ]


def _rates(pairs: Pairs) -> dict[str, float | None]:
    return {column: rate(pairs, Stance.SELECTIVE, name) for column, name in _RATES.items()}


STUDIES = (Study(39, "Decision threshold and aggregation rule", _table),)
