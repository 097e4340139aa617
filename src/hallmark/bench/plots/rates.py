"""How do systems trade detection against false alarms, difficulty and time?

The figures are those of the paper: 2 (Pareto front), 4 (heat map), 5 (cost) and 6 (tiers).
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hallmark.bench.plots.style import (
    COLOURS,
    CYCLE,
    MARKS,
    canvas,
    label_points,
    legend_beside,
    note_omitted,
    rate_axis,
)
from hallmark.bench.plots.subjects import Subject
from hallmark.bench.taxonomy import TAXONOMY
from hallmark.errors import InputError

_TIERS = (1, 2, 3)
_DR, _FPR = "detection_rate", "false_positive_rate"


def front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points (FPR, DR) that no other point beats in both rates, by rising FPR."""
    best: list[tuple[float, float]] = []
    for fpr, dr in sorted(points, key=lambda p: (p[0], -p[1])):
        if not best or dr > best[-1][1]:
            best.append((fpr, dr))
    return best


def pareto(subjects: Sequence[Subject]) -> Figure:
    """Detection rate against false-positive rate, with the Pareto front."""
    drawn = [s for s in subjects if None not in (s.result[_DR], s.result[_FPR])]
    _require(drawn, "both a detection and a false-positive rate")
    points = [(s.result[_FPR] or 0.0, s.result[_DR] or 0.0) for s in drawn]
    figure, axes = canvas(7.2, 5.2)
    _scatter(axes, drawn, points)
    best = front(points)
    axes.plot(*zip(*best, strict=True), ls=":", color="0.4", zorder=1, label="Pareto front")
    rate_axis(axes, "false-positive rate (lower is better)", "detection rate (higher is better)")
    axes.set_title("Detection against false alarms")
    axes.legend(loc="lower right")
    _note(figure, subjects, drawn, "one of the rates is undefined")
    label_points(axes, points, [s.name for s in drawn])
    return figure


def cost(subjects: Sequence[Subject]) -> Figure:
    """F1 against the mean time for one entry, which is what was recorded of the cost."""
    drawn = [s for s in subjects if s.seconds is not None and s.result["f1"] is not None]
    _require(drawn, "a recorded time and F1")
    points = [(s.seconds or 0.0, s.result["f1"] or 0.0) for s in drawn]
    figure, axes = canvas(8.4, 4.8)
    _scatter(axes, drawn, points)
    axes.set_xscale("log")
    axes.set_xlabel("seconds for one entry (log scale)")
    axes.set_ylabel("F1 of the hallucinated class")
    axes.set_ylim(max(0.0, min((y for _, y in points), default=0.0) - 0.08), 1)
    axes.margins(x=0.3)
    axes.set_title("Cost against accuracy")
    axes.legend(loc="lower right")
    _note(figure, subjects, drawn, "no time was recorded")
    label_points(axes, points, [s.name for s in drawn])
    return figure


def _note(figure: Figure, subjects: Sequence[Subject], drawn: Sequence[Subject], why: str) -> None:
    shown = {subject.name for subject in drawn}
    note_omitted(figure, [s.name for s in subjects if s.name not in shown], why)


def _require(subjects: Sequence[Subject], what: str) -> None:
    if not subjects:
        raise InputError(f"There is nothing to draw: no system at hand has {what}.")


def _scatter(
    axes: Axes, subjects: Sequence[Subject], points: Sequence[tuple[float, float]]
) -> None:
    """One mark for each system; groups share colour, mark and entry in the legend."""
    for group in COLOURS:
        chosen = [p for s, p in zip(subjects, points, strict=True) if s.group == group]
        if chosen:
            size = 120 if group == "yours" else 36
            xs, ys = zip(*chosen, strict=True)
            axes.scatter(
                xs,
                ys,
                c=COLOURS[group],
                marker=MARKS[group],
                s=size,
                label=group,
                zorder=3,
            )


def heat_map(subjects: Sequence[Subject]) -> Figure:
    """Detection rate of each type (rows) and system (columns)."""
    drawn = [s for s in subjects if s.result.per_type]
    _require(drawn, "an entry of a known type")
    kinds = [str(kind) for kind in TAXONOMY]
    rates = [[s.result.per_type.get(kind) for s in drawn] for kind in kinds]
    grid = np.array(rates, dtype=np.float64)
    figure, axes = canvas(max(5.0, 2.4 + 0.55 * len(drawn)), 6.4)
    image = axes.imshow(grid, vmin=0, vmax=1, cmap="cividis", aspect="auto")
    axes.set_xticks(range(len(drawn)), [s.name for s in drawn], rotation=55, ha="right")
    axes.set_yticks(range(len(kinds)), [_with_tier(kind) for kind in kinds])
    axes.grid(visible=False)
    for i, j in np.ndindex(grid.shape):
        if not np.isnan(grid[i, j]):
            dark = grid[i, j] < 0.6  # noqa: PLR2004 - where white text reads better
            colour = "white" if dark else "black"
            axes.text(j, i, f"{grid[i, j]:.2f}", ha="center", va="center", color=colour, size=6)
    axes.set_title("Detection rate of each type (tier)")
    _note(figure, subjects, drawn, "no type was recorded")
    figure.colorbar(image, ax=axes, shrink=0.6, label="detection rate")
    return figure


def _with_tier(kind: str) -> str:
    info = next(info for name, info in TAXONOMY.items() if name == kind)
    mark = ", stress" if info.stress else ""
    return f"{kind.replace('_', ' ')} ({int(info.tier)}{mark})"


def tiers(subjects: Sequence[Subject]) -> Figure:
    """Detection rate by tier, one line for each system, ordered by tier 3."""
    drawn = [s for s in subjects if any(t in s.result.per_tier for t in _TIERS)]
    _require(drawn, "an entry of a known tier")
    drawn.sort(key=lambda s: s.result.per_tier.get(3) or 0.0)
    height = 1.2 + 0.3 * len(drawn)
    figure, axes = canvas(8.0, max(2.6, height))
    for tier, colour, mark in zip(_TIERS, CYCLE, "osD", strict=False):
        known = [(s.result.per_tier.get(tier), i) for i, s in enumerate(drawn)]
        xs = [x for x, _ in known if x is not None]
        ys = [i for x, i in known if x is not None]
        axes.scatter(xs, ys, c=colour, marker=mark, s=30, label=f"tier {tier}", zorder=3)
    for i, subject in enumerate(drawn):
        values = [subject.result.per_tier.get(tier) for tier in _TIERS]
        known_values = [value for value in values if value is not None]
        if known_values:
            axes.plot([min(known_values), max(known_values)], [i, i], color="0.75", zorder=1)
    axes.set_yticks(range(len(drawn)), [s.name for s in drawn])
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("detection rate")
    axes.set_title("Detection rate by tier")
    _note(figure, subjects, drawn, "no tier was recorded")
    legend_beside(axes)
    return figure
