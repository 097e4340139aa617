"""How do all figures look?

Colours are those of Okabe and Ito, which people with colour-blindness can tell apart; every group
has its own mark as well, so that a figure survives greyscale.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle
from textwrap import fill

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

Box = tuple[float, float, float, float]

COLOURS = {
    "database": "#009E73",
    "zero-shot": "#0072B2",
    "agentic": "#D55E00",
    "yours": "#CC79A7",
}
MARKS = {"database": "s", "zero-shot": "o", "agentic": "^", "yours": "*"}
CYCLE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of this size in inches with one set of axes."""
    mpl.rc("font", size=9)
    mpl.rc("text", parse_math=False)  # names of systems are no formulas
    mpl.rc("axes", **{"grid": True, "spines.top": False, "spines.right": False})
    mpl.rc("grid", alpha=0.3)
    mpl.rc("legend", frameon=False)
    mpl.rc("svg", hashsalt="hallmark")
    figure = Figure(figsize=(width, height), layout="constrained", dpi=150)
    return figure, figure.add_subplot()


def strokes() -> Iterator[tuple[str, str]]:
    """Colours with line styles, endlessly: the style changes where the colours begin again."""
    for style in cycle(("-", "--", ":", "-.")):
        for colour in CYCLE:
            yield colour, style


def rate_axis(axes: Axes, x: str, y: str) -> None:
    """Name both axes and let them span rates from 0 to 1."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)


def label_points(
    axes: Axes, points: Sequence[tuple[float, float]], names: Sequence[str], size: float = 7
) -> None:
    """Write a name beside each point, moved down until it overlaps none written before.

    Args:
        axes: Where to write; its limits must be final.
        points: Data coordinates.
        names: One for each point.
        size: Font size in points.
    """
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    scale = axes.figure.dpi / 72
    spots = [tuple(axes.transData.transform(point)) for point in points]
    placed = [_around(x, y, 5 * scale) for x, y in spots]
    window = axes.get_window_extent()
    inside = (window.x0, window.y0, window.x1, window.y1)
    order = sorted(range(len(points)), key=lambda i: (-points[i][1], points[i][0]))
    for i in order:
        x, y = spots[i]
        width, height = len(names[i]) * size * 0.6 * scale, size * 1.25 * scale
        box = _free_place((x, y), (width, height), placed, inside)
        placed.append(box)
        axes.annotate(
            names[i],
            points[i],
            xytext=((box[0] - x) / scale, ((box[1] + box[3]) / 2 - y) / scale),
            textcoords="offset points",
            fontsize=size,
            va="center",
            arrowprops={"arrowstyle": "-", "lw": 0.4, "color": "0.6", "shrinkB": 2},
        )


def note_omitted(figure: Figure, names: Sequence[str], why: str) -> None:
    """Say below a figure which systems it does not show, so that none vanishes silently."""
    if names:
        text = fill(f"Not shown, as {why}: {', '.join(names)}.", 130)
        figure.supxlabel(text, fontsize=6, color="0.35", x=0.01, ha="left")


def legend_beside(axes: Axes, size: float = 7) -> Legend:
    """Put the legend to the right of the axes, where it hides nothing."""
    return axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=size)


def _around(x: float, y: float, reach: float) -> Box:
    return (x - reach, y - reach, x + reach, y + reach)


def _free_place(
    point: tuple[float, float], extent: tuple[float, float], placed: Sequence[Box], inside: Box
) -> Box:
    """The first of some places around a point that overlaps nothing placed before.

    Args:
        point: Where the mark is, in pixels.
        extent: Width and height of the text, in pixels.
        placed: Left, bottom, right and top of what is there already.
        inside: The box that the text must not leave.
    """
    (x, y), (width, height) = point, extent
    for step in range(24):
        for sign in (-1, 1):
            bottom = y - height / 2 + sign * step * height * 0.5
            for left in (x + height * 0.8, x - height * 0.8 - width):
                box = (left, bottom, left + width, bottom + height)
                if _within(box, inside) and not any(_overlap(box, other) for other in placed):
                    return box
    return (x + height, y, x + height + width, y + height)


def _within(box: Box, outer: Box) -> bool:
    return box[0] >= outer[0] and box[1] >= outer[1] and box[2] <= outer[2] and box[3] <= outer[3]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
