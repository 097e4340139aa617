"""How are the plots of the HTML report drawn, without any other file or program?"""

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 360, 260, 48, 36, 14


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - 12), 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP), 1)


def frame(title: str, x_title: str, y_title: str, body: Sequence[str], top: float = 1.0) -> str:
    """Return a plot of the unit square with axes; the y axis ends at `top`."""
    ticks = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        ticks.append(_text(_x(share), HEIGHT - BOTTOM + 14, f"{share:g}", "middle"))
        ticks.append(_text(LEFT - 6, _y(share) + 4, f"{share * top:.3g}", "end"))
    box = (
        f'<path class="axis" d="M{_x(0)} {_y(1)}V{_y(0)}H{_x(1)}"/>'
        + _text(_x(0.5), HEIGHT - 4, x_title, "middle")
        + _text(_x(0), TOP - 3, y_title, "start")
    )
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">{"".join([box, *ticks, *body])}</svg>'
    )


def line(points: Sequence[tuple[float, float]], kind: str = "line") -> str:
    """Return a line through points of the unit square."""
    where = " ".join(f"{_x(x)},{_y(y)}" for x, y in points)
    return f'<polyline class="{kind}" points="{where}"/>'


def dot(x: float, y: float, note: str) -> str:
    """Return a dot with a note that shows under the pointer."""
    return f'<circle cx="{_x(x)}" cy="{_y(y)}" r="3.5"><title>{escape(note)}</title></circle>'


def bars(rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Return horizontal bars with intervals: (name, value, low, high), all in [0, 1]."""
    left, width, step = 180, 300, 20
    parts = []
    for i, (name, value, low, high) in enumerate(rows):
        y = 6 + i * step
        start, end = left + low * width, left + high * width
        parts.append(_text(left - 6, y + 11, name, "end"))
        parts.append(f'<rect x="{left}" y="{y}" width="{value * width:.1f}" height="13"/>')
        parts.append(f'<path class="ci" d="M{start:.1f} {y + 6.5}H{end:.1f}"/>')
        parts.append(_text(left + width + 8, y + 11, f"{value:.2f}", "start"))
    height = 12 + len(rows) * step
    return (
        f'<svg role="img" aria-label="Detection rate by type" viewBox="0 0 530 {height}" '
        f'width="530" height="{height}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
