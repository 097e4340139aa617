"""Which of several tools is better on the same entries, by how much, and is that more than luck?"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from hallmark.bench.align import LABELS, Ints, Pairs, Stance
from hallmark.bench.measures import MEASURES, evaluate
from hallmark.bench.measures.deployment import (
    VENUE_PREVALENCE,
    Cost,
    Rates,
    Regime,
    pick,
    regime,
)
from hallmark.bench.measures.diagnosis import detect_at_k
from hallmark.bench.measures.labels import inverse_difficulty, tier_weighted_f1
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.measures.weighed import Weighed, ratio
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.agreement import cohen_kappa, fleiss_kappa
from hallmark.bench.statistics.paired import (
    Difference,
    Discordance,
    Equivalence,
    cohens_h,
    difference,
    equivalence,
    holm,
    mcnemar,
    resampled,
)
from hallmark.bench.statistics.power import minimum_detectable_effect
from hallmark.errors import InputError

DEFAULT_MEASURES = ("f1", "detection_rate", "false_positive_rate", "mcc")
SHARES = ("detection_rate", "false_positive_rate")


class Versus(Struct, frozen=True):
    """Two tools on the same entries.

    `holm_p` holds the p-values of `differences`, adjusted over all pairs of tools; `cohens_h` the
    effect sizes of measures that are shares; `kappa` the agreement of labels beyond chance;
    `equivalence` the test of whether the first measure's difference lies within the margin.
    """

    first: str
    second: str
    differences: dict[str, Difference]
    holm_p: dict[str, float | None]
    mcnemar: Discordance
    mcnemar_holm_p: float
    cohens_h: dict[str, float | None]
    kappa: float | None
    equivalence: Equivalence | None


class Setting(Struct, frozen=True):
    """Where tools would be used.

    `prevalence` is the share of bad references, `cost_ratio` what a miss costs in units of a false
    alarm, `capacity` the share of all entries that reviewers can look at.
    """

    prevalence: float = VENUE_PREVALENCE
    cost_ratio: float = 10.0
    capacity: float = 1.0

    @property
    def regime(self) -> Regime:
        """The row of Table 6 that this is."""
        return regime(self.prevalence, self.cost_ratio, self.capacity)


class Pick(Struct, frozen=True):
    """What a tool is expected to cost in a setting."""

    tool: str
    cost: Cost


class Comparison(Struct, frozen=True):
    """All pairs of tools, and what so many entries can show at all.

    `detect_at_k` is P(at least one of k tools flags a hallucinated entry). `detectable` is the
    smallest difference in a share that 80 % of such experiments would find. `fleiss_kappa` is the
    agreement of all tools' labels. `tier_weighted_f1_inverse` weighs tiers by how often these
    tools miss them (Table 10). `costs` holds the tools by expected cost, the cheapest first.
    """

    gold: str
    n: int
    stance: str
    setting: Setting
    tools: dict[str, dict[str, float | None]]
    pairs: list[Versus]
    detect_at_k: dict[str, float | None]
    detectable: dict[str, float | None]
    fleiss_kappa: float | None
    tier_weighted_f1_inverse: dict[str, float | None]
    costs: list[Pick]


def compare(
    gold: str,
    tools: Mapping[str, Pairs],
    stance: Stance,
    names: Sequence[str] = DEFAULT_MEASURES,
    plan: Plan | None = None,
    clusters: Ints | None = None,
    margin: float | None = None,
    setting: Setting | None = None,
) -> Comparison:
    """Compare every two of the tools.

    Args:
        gold: what to call the gold file.
        tools: the aligned pairs of each tool, at least two, all of the same entries.
        stance: what an abstention counts as.
        names: of measures; the first is the one that equivalence is tested on.
        plan: how to resample.
        clusters: entries to draw together; single entries by default.
        margin: the largest difference that does not matter, for the equivalence test.
        setting: where tools would be used, for their expected costs.

    Raises:
        InputError: with fewer than two tools, or no measure.
    """
    if len(tools) < 2 or not names:  # noqa: PLR2004
        raise InputError("A comparison needs at least two tools and one measure.")
    for name in names:
        MEASURES.get(name)
    plan = plan or Plan()
    first = next(iter(tools.values()))
    found = [
        _versus(a, b, tools, stance, names, plan, clusters, margin)
        for a, b in combinations(tools, 2)
    ]
    return Comparison(
        gold=gold,
        n=len(first),
        stance=str(stance),
        setting=setting or Setting(),
        tools={tool: evaluate(pairs, stance, names) for tool, pairs in tools.items()},
        pairs=_adjusted(found, names),
        detect_at_k={
            str(k): detect_at_k(list(tools.values()), k, stance) for k in range(1, len(tools) + 1)
        },
        detectable=_detectable(first),
        fleiss_kappa=_agreement(list(tools.values())),
        tier_weighted_f1_inverse=_inverse(tools, stance),
        costs=_costs(tools, stance, setting or Setting()),
    )


def _versus(
    a: str,
    b: str,
    tools: Mapping[str, Pairs],
    stance: Stance,
    names: Sequence[str],
    plan: Plan,
    clusters: Ints | None,
    margin: float | None,
) -> Versus:
    one, other = tools[a], tools[b]
    found = {name: difference(one, other, stance, name, plan, clusters) for name in names}
    rates = evaluate(one, stance, SHARES), evaluate(other, stance, SHARES)
    discordant = mcnemar(one, other, stance)
    same = None
    if margin is not None and found[names[0]].value is not None:
        same = equivalence(resampled(one, other, stance, names[0], plan, clusters), margin)
    return Versus(
        first=a,
        second=b,
        differences=found,
        holm_p={name: item.p for name, item in found.items()},
        mcnemar=discordant,
        mcnemar_holm_p=discordant.p,
        cohens_h={name: _effect(rates[0][name], rates[1][name]) for name in SHARES},
        kappa=cohen_kappa(_said(one), _said(other)),
        equivalence=same,
    )


def _effect(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else cohens_h(first, second)


def _said(pairs: Pairs) -> list[str]:
    return [str(LABELS[code]) for code in pairs.label.tolist()]


def _adjusted(found: list[Versus], names: Sequence[str]) -> list[Versus]:
    """Adjust the p-values of each measure for the number of pairs of tools."""
    by_measure = {
        name: _holm({str(i): v.differences[name].p for i, v in enumerate(found)}) for name in names
    }
    exact = holm({str(i): v.mcnemar.p for i, v in enumerate(found)})
    return [
        Versus(
            first=v.first,
            second=v.second,
            differences=v.differences,
            holm_p={name: by_measure[name].get(str(i)) for name in names},
            mcnemar=v.mcnemar,
            mcnemar_holm_p=exact[str(i)],
            cohens_h=v.cohens_h,
            kappa=v.kappa,
            equivalence=v.equivalence,
        )
        for i, v in enumerate(found)
    ]


def _holm(p_values: Mapping[str, float | None]) -> dict[str, float]:
    return holm({name: p for name, p in p_values.items() if p is not None})


def _detectable(pairs: Pairs) -> dict[str, float | None]:
    bad = int(np.count_nonzero(pairs.truth))
    sizes = {"detection_rate": bad, "false_positive_rate": len(pairs) - bad}
    return {name: minimum_detectable_effect(n) if n else None for name, n in sizes.items()}


def _agreement(tools: Sequence[Pairs]) -> float | None:
    counts = np.stack([[pairs.label == code for code in range(len(LABELS))] for pairs in tools])
    return fleiss_kappa(counts.sum(axis=0).T)


def _inverse(tools: Mapping[str, Pairs], stance: Stance) -> dict[str, float | None]:
    """Return tier-weighted F1 under weights from the tools' own misses; None: undefined."""
    weighed = {tool: _weighed(pairs, stance) for tool, pairs in tools.items()}
    rates = {
        tool: {
            tier: ratio(w.cells.caught[tier], w.cells.caught[tier] + w.cells.missed[tier])[0]
            for tier in (1, 2, 3)
        }
        for tool, w in weighed.items()
    }
    weights = inverse_difficulty(rates)
    found = {tool: float(tier_weighted_f1(w, weights)[0]) for tool, w in weighed.items()}
    return {tool: None if np.isnan(value) else value for tool, value in found.items()}


def _weighed(pairs: Pairs, stance: Stance) -> Weighed:
    o = outcome(pairs, stance)
    return Weighed(o, np.ones((len(o.truth), 1)))


def _costs(tools: Mapping[str, Pairs], stance: Stance, setting: Setting) -> list[Pick]:
    """Return the expected costs of the tools whose rates are both defined."""
    known: dict[str, Rates] = {}
    for tool, pairs in tools.items():
        found = evaluate(pairs, stance, SHARES)
        dr, fpr = found["detection_rate"], found["false_positive_rate"]
        if dr is not None and fpr is not None:
            known[tool] = Rates(dr, fpr)
    ranked = pick(known, setting.prevalence, setting.cost_ratio, setting.capacity)
    return [Pick(tool, cost) for tool, cost in ranked]
