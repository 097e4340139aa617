"""Which of several tools is better on the same entries, by how much, and is that more than luck?"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from hallmark.bench.align import LABELS, Ints, Pairs, Stance
from hallmark.bench.measures import MEASURES, evaluate
from hallmark.bench.measures.diagnosis import detect_at_k
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.agreement import cohen_kappa
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


class Comparison(Struct, frozen=True):
    """All pairs of tools, and what so many entries can show at all.

    `detect_at_k` is P(at least one of k tools flags a hallucinated entry). `detectable` is the
    smallest difference in a share that 80 % of such experiments would find.
    """

    gold: str
    n: int
    stance: str
    tools: dict[str, dict[str, float | None]]
    pairs: list[Versus]
    detect_at_k: dict[str, float | None]
    detectable: dict[str, float | None]


def compare(  # noqa: PLR0917 - one question with its settings
    gold: str,
    tools: Mapping[str, Pairs],
    stance: Stance,
    names: Sequence[str] = DEFAULT_MEASURES,
    plan: Plan | None = None,
    clusters: Ints | None = None,
    margin: float | None = None,
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
        tools={tool: evaluate(pairs, stance, names) for tool, pairs in tools.items()},
        pairs=_adjusted(found, names),
        detect_at_k={
            str(k): detect_at_k(list(tools.values()), k, stance) for k in range(1, len(tools) + 1)
        },
        detectable=_detectable(first),
    )


def _versus(  # noqa: PLR0917 - one pair with the settings of all
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
