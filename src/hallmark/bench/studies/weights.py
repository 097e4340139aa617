"""Table 10: does the order of the tools depend on how the tiers are weighted?

Tier-weighted F1 is not scale-invariant, because a false positive weighs 1 whatever the tiers
weigh. "Inverse difficulty" is printed without its scale and its set of tools; here it is the mean
miss rate of a tier over all systems of Table 3 at hand, scaled to a mean weight of 1.
"""

from collections.abc import Sequence

import numpy as np

from hallmark.bench.align import Pairs
from hallmark.bench.measures.labels import WEIGHTINGS, tier_weighted_f1
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.measures.weighed import Weighed
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import columns_of, rows_of
from hallmark.bench.studies.results import needed, pairs_of, result, stance_of
from hallmark.bench.studies.roster import SYSTEMS, System, system

SPLIT = "dev_public"
_SCHEMES = {name.capitalize(): name for name in ("uniform", "linear", "quadratic", "log")}
_INVERSE, _RANGE = "Inverse difficulty", "Range"
_TIERS = (1, 2, 3)


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    inverse = inverse_difficulty(folder)
    for name in columns_of(10):
        tool = system(name)
        pairs = pairs_of(folder, tool, SPLIT)
        if pairs is None:
            for row in rows_of(10, name):
                sheet.lacks(row, [name], needed(tool, SPLIT))
            _default_only(sheet, folder, tool)
        else:
            _swept(sheet, pairs, tool, inverse)
    more = further_systems(folder, SPLIT)
    for tool in more:
        pairs = pairs_of(folder, tool, SPLIT)
        if pairs is not None:
            _swept(sheet, pairs, tool, inverse)
    tell(sheet, more)
    return sheet.done()


def inverse_difficulty(folder: Folder) -> tuple[float, ...] | None:
    """Weights of tiers 1 to 3: mean miss rate over the systems at hand, scaled to mean 1."""
    found = [result(folder, tool, SPLIT) for tool in SYSTEMS]
    rates = [[r.per_tier.get(tier) for tier in _TIERS] for r in found if r is not None]
    complete = [[x for x in row if x is not None] for row in rates if None not in row]
    if not complete:
        return None
    missed = 1.0 - np.array(complete).mean(axis=0)
    return tuple((missed / missed.mean()).tolist()) if missed.any() else None


def _weighted(pairs: Pairs, tool: System, weights: Sequence[float]) -> float | None:
    kept = outcome(pairs, stance_of(tool))
    value = float(tier_weighted_f1(Weighed(kept, np.ones((len(kept.truth), 1))), weights)[0])
    return None if np.isnan(value) else value


def _swept(sheet: Sheet, pairs: Pairs, tool: System, inverse: Sequence[float] | None) -> None:
    values = {row: _weighted(pairs, tool, WEIGHTINGS[key]) for row, key in _SCHEMES.items()}
    if inverse is not None:
        values[_INVERSE] = _weighted(pairs, tool, inverse)
    known = [value for value in values.values() if value is not None]
    values[_RANGE] = max(known) - min(known) if known else None
    stance = stance_of(tool)
    for row, value in values.items():
        sheet.row(row, {tool.name: value}, Origin.PREDICTIONS, stance=stance)


def _default_only(sheet: Sheet, folder: Folder, tool: System) -> None:
    """Show the released default-weight value on the released labels, which Table 3 prints."""
    found = result(folder, tool, SPLIT)
    if found is not None:
        row = "Linear (released labels)"
        sheet.row(row, {tool.name: found["tier_weighted_f1"]}, found.origin, stance=found.stance)


STUDIES = (Study(10, "Tier-weighted F1 under five weightings", _table),)
