"""In which order do tools stand where not all ran on all data, and how sure is that order?"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Floats, Ints
from hallmark.errors import InputError

WEAK_PRIOR = 0.01
"""Keeps the strength of a tool that won or lost everything finite."""


class RankInterval(Struct, frozen=True):
    """The place of a tool, 1 being the best, and the places it takes in most resamples."""

    rank: int
    low: int
    high: int


def plackett_luce(rankings: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return strengths of tools from partial rankings; they sum to 1.

    Args:
        rankings: each the tools that ran on some part of the data, the best first.

    Raises:
        InputError: where no ranking compares two tools.
    """
    import choix  # noqa: PLC0415 - slow to import, needed for leaderboards only

    compared = [ranking for ranking in rankings if len(ranking) > 1]
    if not compared:
        raise InputError("A ranking needs at least two tools on the same data.")
    tools = sorted({tool for ranking in rankings for tool in ranking})
    number = {tool: i for i, tool in enumerate(tools)}
    data = [tuple(number[tool] for tool in ranking) for ranking in compared]
    weights = np.exp(choix.ilsr_rankings(len(tools), data, alpha=WEAK_PRIOR))
    return {tool: float(weights[i] / weights.sum()) for tool, i in number.items()}


def rank_intervals(
    scores: Mapping[str, float], resampled: Mapping[str, Floats], level: float = 0.95
) -> dict[str, RankInterval]:
    """Return the place of each tool by its score, and the places it takes over resamples.

    Args:
        scores: of each tool, higher being better.
        resampled: scores of each tool over the same number of resamples.
        level: the share of resamples that an interval spans.
    """
    tools = list(scores)
    table = np.stack([resampled[tool] for tool in tools])
    places = _places(table)
    own = _places(np.array([[scores[tool]] for tool in tools]))[:, 0]
    tail = (1 - level) / 2
    low = np.quantile(places, tail, axis=1, method="lower")
    high = np.quantile(places, 1 - tail, axis=1, method="higher")
    return {
        tool: RankInterval(
            int(own[i]), min(int(low[i]), int(own[i])), max(int(high[i]), int(own[i]))
        )
        for i, tool in enumerate(tools)
    }


def _places(scores: Floats) -> Ints:
    """Return places in each column, equal scores sharing the best of theirs."""
    better = (scores[None, :, :] > scores[:, None, :]).sum(axis=1)
    places: Ints = better + 1
    return places
