"""How do probabilities and the share of errors look in a figure?

An abstention counts with the label that its P(hallucinated) speaks for.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures.calibration import BINS, width_bins
from hallmark.bench.measures.outcome import Outcome, outcome
from hallmark.bench.plots.style import canvas, rate_axis, strokes
from hallmark.bench.statistics.intervals import wilson


def reliability(sets: Sequence[tuple[str, Pairs]]) -> Figure:
    """Draw the share of hallucinated entries against the stated P, in ten bins of equal width.

    Bars are 95 % intervals after Wilson; numbers say how many entries a bin holds.
    """
    figure, axes = canvas(5.6, 5.0)
    axes.plot([0, 1], [0, 1], color="0.5", ls="--", lw=1, label="calibrated")
    for (name, pairs), (colour, _) in zip(sets, strokes(), strict=False):
        held = outcome(pairs, Stance.FORCED)
        points = np.array(list(_bins(held)))
        stated, observed, low, high, count = points.T
        around = np.clip([observed - low, high - observed], 0, 1)
        style: dict[str, Any] = {
            "color": colour,
            "ls": "none",
            "elinewidth": 1,
            "marker": "o",
            "ms": 4,
            "capsize": 2,
        }
        axes.errorbar(stated, observed, around, label=f"{name} (n = {len(pairs):,})", **style)
        for x, y, n in zip(stated, observed, count, strict=True):
            axes.annotate(
                f"{n:.0f}", (x, y), (4, -9), textcoords="offset points", fontsize=6, color=colour
            )
    rate_axis(axes, "stated P(hallucinated)", "share that was hallucinated")
    axes.set_title("Reliability (numbers: entries in a bin)")
    axes.legend(loc="upper left", fontsize=7)
    return figure


def _bins(held: Outcome) -> Iterator[tuple[float, float, float, float, int]]:
    """Yield mean P, share of hallucinated entries, its interval and size of each filled bin."""
    place = width_bins(held.p)
    for number in range(BINS):
        inside = place == number
        count, bad = int(inside.sum()), int(held.truth[inside].sum())
        if count:
            low, high = wilson(bad, count)
            yield float(held.p[inside].mean()), bad / count, low, high, count


def risk_coverage(sets: Sequence[tuple[str, Pairs]]) -> Figure:
    """Draw the share of wrong labels among the most certain entries against their share."""
    figure, axes = canvas(5.6, 3.8)
    for (name, pairs), (colour, line) in zip(sets, strokes(), strict=False):
        kept, wrong = risks(outcome(pairs, Stance.FORCED))
        axes.step(kept, wrong, where="post", color=colour, ls=line, lw=1.4, label=name)
        _mark_committed(axes, pairs, colour)
    axes.set_xlim(0, 1.02)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of entries kept, the most certain first")
    axes.set_ylabel("share of wrong labels among them")
    axes.set_title("Risk and coverage (dotted: share committed)")
    axes.legend(loc="upper left", fontsize=7)
    return figure


def _mark_committed(axes: Axes, pairs: Pairs, colour: str) -> None:
    axes.axvline(float(pairs.committed.mean()), color=colour, lw=0.8, ls=":")


def risks(held: Outcome) -> tuple[list[float], list[float]]:
    """Return coverage and risk at every level of confidence, the highest first.

    Both in [0, 1]. Entries of equal confidence come together, so that their order cannot matter.
    """
    order = np.argsort(-held.confidence, kind="stable")
    wrong = np.cumsum(~held.correct[order])
    sure = held.confidence[order]
    last = [at for at, (one, other) in enumerate(pairwise(sure)) if one != other]
    ends = [*last, len(sure) - 1]
    return [(at + 1) / len(sure) for at in ends], [float(wrong[at] / (at + 1)) for at in ends]
