"""How far can confidence be trusted, and what happens past the training cutoff?"""

import itertools
from collections.abc import Sequence

from matplotlib.figure import Figure

from hallmark.bench.measures.calibration import reliability
from hallmark.bench.measures.selective import risk_coverage
from hallmark.bench.plots.style import (
    CYCLE,
    canvas,
    legend_beside,
    note_omitted,
    rate_axis,
    strokes,
)
from hallmark.bench.plots.subjects import Subject, with_pairs
from hallmark.bench.studies.budget import model_of
from hallmark.bench.studies.cells import Computed


def reliability_diagram(subjects: Sequence[Subject]) -> Figure:
    """Accuracy against confidence in ten bins of equal width; the area of a mark is its share."""
    figure, axes = canvas(8.2, 4.8)
    axes.plot([0, 1], [0, 1], color="0.5", ls="--", lw=1, label="calibrated")
    for (subject, pairs), (colour, line) in zip(with_pairs(subjects), strokes(), strict=False):
        bars = [bar for bar in reliability(pairs, subject.stance) if bar.n]
        total = sum(bar.n for bar in bars)
        xs = [bar.confidence or 0.0 for bar in bars]
        ys = [bar.accuracy or 0.0 for bar in bars]
        ece = subject.result["ece"]
        name = subject.name if ece is None else f"{subject.name} (ECE {ece:.3f})"
        axes.plot(xs, ys, color=colour, ls=line, lw=1, alpha=0.7)
        sizes = [8 + 220 * bar.n / total for bar in bars]
        axes.scatter(xs, ys, s=sizes, color=colour, alpha=0.8, label=name)
    rate_axis(axes, "stated confidence", "share that was right")
    axes.set_title("Reliability (marks: share of entries)")
    _small_legend(legend_beside(axes))
    _note(figure, subjects)
    return figure


def risk_coverage_curves(subjects: Sequence[Subject]) -> Figure:
    """False-positive rate on the most certain entries against their share."""
    figure, axes = canvas(8.6, 4.6)
    for (subject, pairs), (colour, line) in zip(with_pairs(subjects), strokes(), strict=False):
        points = risk_coverage(pairs, subject.stance)
        points = [point for point in points if point.false_positive_rate is not None]
        xs = [point.coverage for point in points]
        ys = [point.false_positive_rate or 0.0 for point in points]
        axes.plot(xs, ys, color=colour, ls=line, marker=".", ms=4, lw=1.4, label=subject.name)
    axes.axvline(0.9, color="0.6", lw=0.8, ls=":")
    axes.set_xlim(0, 1.02)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of entries kept, the most certain first")
    axes.set_ylabel("false-positive rate on them")
    axes.set_title("Risk and coverage")
    legend_beside(axes)
    _note(figure, subjects)
    return figure


def _note(figure: Figure, subjects: Sequence[Subject]) -> None:
    absent = [subject.name for subject in subjects if subject.pairs is None]
    note_omitted(figure, absent, "no predictions of it are at hand")


def _small_legend(legend: object) -> None:
    """Draw all marks of a legend equally small: their size means something in the plot only."""
    for handle in getattr(legend, "legend_handles", []):
        if hasattr(handle, "set_sizes"):
            handle.set_sizes([24])


def temporal(table_25: Computed) -> Figure:
    """False-positive rate on papers of 2021-2023 and of 2024-2025, a line for each model."""
    cells = {(c.row, c.column): c.value for c in table_25.cells}
    names = list(dict.fromkeys(c.row for c in table_25.cells))
    pairs = {n: (cells.get((n, "FPR 21-23")), cells.get((n, "FPR 24-25"))) for n in names}
    known = [(n, a, b) for n, (a, b) in pairs.items() if a is not None and b is not None]
    known.sort(key=lambda row: row[2])
    figure, axes = canvas(7.2, 1.4 + 0.34 * max(len(known), 3))
    for i, (_, before, after) in enumerate(known):
        axes.plot([before, after], [i, i], color="0.7", lw=2, zorder=1)
    rows = range(len(known))
    for k, label in ((1, "2021-2023"), (2, "2024-2025")):
        values = [row[k] for row in known]
        axes.scatter(values, rows, c=CYCLE[k - 1], s=36, label=label, zorder=3)
    axes.set_yticks(rows, [row[0] for row in known])
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("false-positive rate")
    axes.set_title("False alarms before and after the training cutoff")
    axes.legend(loc="lower right")
    return figure


def budget(table_30: Computed) -> Figure:
    """F1 against how full answers left their token limit, low to high budgets (Figure 7)."""
    cells = {(c.row, c.column): c.value for c in table_30.cells}
    figure, axes = canvas(6.8, 4.6)
    axes.axvspan(0.95, 1.02, color="0.9", zorder=0, label="the cap bites")
    models: dict[str, list[tuple[float, float, float]]] = {}
    for row in dict.fromkeys(row for row, column in cells if column == "p95/cap"):
        x, y, failed = (cells.get((row, column)) for column in ("p95/cap", "F1", "PF"))
        if x is not None and y is not None:
            models.setdefault(model_of(row), []).append((x, y, failed or 0.0))
    for (model, points), colour in zip(models.items(), itertools.cycle(CYCLE), strict=False):
        for (x, y, _), (next_x, next_y, _) in itertools.pairwise(points):
            style = {"arrowstyle": "->", "color": colour, "alpha": 0.6}
            axes.annotate("", (next_x, next_y), (x, y), arrowprops=style)
        xs, ys, shares = zip(*points, strict=True)
        sizes = [30 + 300 * share for share in shares]
        axes.scatter(xs, ys, s=sizes, color=colour, label=model, zorder=3)
    axes.set_xlim(0, 1.02)
    axes.set_ylim(0, 1)
    axes.set_xlabel("95th percentile of output tokens, as a share of the cap")
    axes.set_ylabel("F1")
    axes.set_title("Thinking budget (marks: share of parse failures)")
    _small_legend(axes.legend(loc="lower left"))
    return figure
