"""How is a number with its interval written, and which rows does a report show?"""

from collections.abc import Iterator

from msgspec import Struct

from hallmark.bench.evaluation import Evaluation
from hallmark.bench.measures.groups import Estimate, Group

UNDEFINED = "undefined"

HEADLINES = {
    "detection_rate": "Detection rate",
    "false_positive_rate": "False-positive rate",
    "precision": "Precision",
    "f1": "F1",
    "tier_weighted_f1": "Tier-weighted F1",
    "tier3_f1": "Tier-3 F1",
    "mcc": "MCC",
    "ppv": "Precision at 2 % bad",
    "auroc": "AUROC",
    "auprc": "AUPRC",
    "ece": "ECE (equal width)",
    "ece_equal_mass": "ECE (equal mass)",
    "ece_paper": "ECE (paper's order)",
    "brier": "Brier score",
    "aurc": "AURC",
    "fpr_at_90_coverage": "FPR at 90 % coverage",
}
"""The measures that people read, in their order; files hold all."""


class Row(Struct, frozen=True):
    """One measure under each stance."""

    name: str
    title: str
    estimates: dict[str, Estimate]


def headline_rows(evaluation: Evaluation) -> list[Row]:
    """Return the rows of the main table, without measures that were not computed."""
    rows = [
        Row(name, title, {s: m[name] for s, m in evaluation.stances.items() if name in m})
        for name, title in HEADLINES.items()
    ]
    return [row for row in rows if row.estimates]


def group_tables(evaluation: Evaluation) -> Iterator[tuple[str, dict[str, Group]]]:
    """Iterate over the titles and groups of the tables below the main one."""
    yield "Type", evaluation.per_type
    yield "Tier", evaluation.per_tier
    yield "Generation method", evaluation.per_method
    yield "Segment", evaluation.per_segment
    yield "Source", evaluation.per_source


def number(value: float | None, digits: int = 3) -> str:
    """Write a number, or that it is undefined."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def bounds(estimate: Estimate, digits: int = 3) -> str:
    """Write an interval as "[0.123, 0.456]", or nothing."""
    if estimate.ci is None:
        return ""
    return f"[{estimate.ci[0]:.{digits}f}, {estimate.ci[1]:.{digits}f}]"


def both(estimate: Estimate) -> str:
    """Write a number with its interval."""
    return f"{number(estimate.value)} {bounds(estimate)}".rstrip()
