"""How do a model's rates differ before and after the end of its training data?

Strata go by the year field, as in Table 27 of the paper. A year counts as before the cutoff where
the training data reach its end; the year of the cutoff itself counts as after. Abstentions and
failures are left out of the rates.
"""

from collections.abc import Iterator

import numpy as np

from hallmark.bench.align import Bools, Pairs, Stance, align
from hallmark.bench.entry import read_predictions
from hallmark.bench.live.cells import Cell
from hallmark.bench.studies.results import rate
from hallmark.llm.interface import ModelSpec


def is_before(year: int, cutoff: str) -> bool:
    """Tell whether training data that end in the month `cutoff` (YYYY-MM) reach a year's end."""
    return f"{year:04d}-12" <= cutoff


def in_words(cell: Cell) -> str:
    """Return the rates of a finished cell by year, and before and after the cutoff, as one line.

    Raises:
        InputError: its file cannot be read.
    """
    pairs = align(cell.split.entries, read_predictions(cell.out))
    return f"{cell.name} by year ({_cutoff(cell.model)}): {'; '.join(_parts(pairs, cell.model))}."


def _parts(pairs: Pairs, spec: ModelSpec) -> Iterator[str]:
    with_valid = np.unique(pairs.year[~pairs.truth])
    for year in with_valid:
        yield _stratum(str(year), pairs, pairs.year == year)
    others = ~np.isin(pairs.year, with_valid)
    if others.any():
        yield _stratum("years without a valid entry", pairs, others)
    if spec.cutoff:
        before = np.array([is_before(int(year), spec.cutoff) for year in pairs.year], dtype=bool)
        yield _stratum("all before the cutoff", pairs, before)
        yield _stratum("all after it", pairs, ~before)


def _stratum(name: str, pairs: Pairs, chosen: Bools) -> str:
    part = pairs.select(chosen)
    if not len(part):
        return f"{name} none"
    rates = [
        f"{short} {'0/0' if value is None else f'{value:.3f}'}"
        for short, measure in (("FPR", "false_positive_rate"), ("DR", "detection_rate"))
        for value in (rate(part, Stance.SELECTIVE, measure),)
    ]
    return f"{name} n {len(part):,} {' '.join(rates)}"


def _cutoff(spec: ModelSpec) -> str:
    if not spec.cutoff:
        return "cutoff not known"
    return f"cutoff {'' if spec.cutoff_disclosed else 'not after '}{spec.cutoff}"
