"""Table 28: does a model accept recent papers because it recalls them?"""

from typing import Any

from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, times
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_names, marked, tell
from hallmark.bench.studies.printed import columns_of

GROUP = "recall_probe"
MODELS = {
    "GPT-5.1": "gpt-5.1",
    "Claude Sonnet 4.6": "anthropic_claude-sonnet-4.6",
    "Claude Opus 4.7": "anthropic_claude-opus-4.7",
}
_MIXED = "abstentions: not flagged in FPR, not valid in P(V|.)"


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    further = _further(folder)
    for name, model in (MODELS | {marked(model): model for model in further}).items():
        verdicts = folder.predictions(GROUP, [f"verify.{model}"])
        recalls = folder.rows(GROUP, f"recall.{model}")
        if verdicts is None or recalls is None:
            need = f"predictions/{GROUP}/(verify|recall).{model}.jsonl"
            sheet.lacks(name, columns_of(28, name), need, unit=Unit.PERCENT)
            continue
        labels = {verdict.bibtex_key: str(verdict.label) for verdict in verdicts}
        if labels.keys() != {str(row.get("bibtex_key")) for row in recalls}:
            folder.problems.append(
                f"predictions/{GROUP}: verify and recall of {name} differ in keys"
            )
            continue
        answered = [row for row in recalls if _is_answered(row)]
        values = _shares(labels, answered)
        sheet.row(name, values, Origin.PREDICTIONS, stance=_MIXED, unit=Unit.PERCENT)
        if len(answered) < len(recalls):
            sheet.note(
                f"{name} gave no answer on recall for {len(recalls) - len(answered):,} of "
                f"{len(recalls):,} works; Recall and P(V|.) leave them out."
            )
    sheet.note("The FPR counts an abstention as not flagged, P(V|.) as not valid.")
    tell(sheet, further)
    return sheet.done()


def _further(folder: Folder) -> tuple[str, ...]:
    """Models with both files that the paper does not have."""
    recall, verify = (
        further_names(folder, GROUP, {f"{kind}{model}" for model in MODELS.values()}, prefix=kind)
        for kind in ("recall.", "verify.")
    )
    return tuple(name for name in recall if name in verify)


def _is_answered(row: dict[str, Any]) -> bool:
    """Whether the model answered; a failed call says nothing of what it recalls."""
    return row.get("parse_status", "ok") == "ok" and not row.get("error")


def _shares(labels: dict[str, str], recalls: list[dict[str, Any]]) -> dict[str, float | None]:
    recalled = {str(row["bibtex_key"]): bool(row.get("recalled")) for row in recalls}
    known = [labels[key] for key, told in recalled.items() if told]
    unknown = [labels[key] for key, told in recalled.items() if not told]
    return {
        "Recall": times(_share(list(recalled.values()), wanted=True)),
        "Verify FPR": times(_share(list(labels.values()), "HALLUCINATED")),
        "P(V|recalled)": times(_share(known, "VALID")),
        "P(V|not recalled)": times(_share(unknown, "VALID")),
    }


def _share(values: list[Any], wanted: Any) -> float | None:
    return values.count(wanted) / len(values) if values else None


STUDIES = (Study(28, "Recall probe on valid 2024-2025 papers", _table),)
