"""Which measures are there, and what do they say of a tool?

A measure is a value: a name, a range, and a function from weighed outcomes to one number for each
row of weights. `evaluate` weighs every entry once; intervals come from the same functions over
resampled weights (`bench/resample.py`).
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from msgspec import Struct

from hallmark._registry import Registry
from hallmark.bench.align import Pairs, Stance
from hallmark.bench.measures import calibration, deployment, labels, ranking, selective
from hallmark.bench.measures.outcome import Array, outcome
from hallmark.bench.measures.weighed import Weighed


class Measure(Struct, frozen=True):
    """A number that says how good a tool is.

    `compute` maps weighed outcomes to an array of shape (resamples,), NaN where it is undefined.
    `low` and `high` bound its values. `better` is "higher" or "lower". `ordered` marks the one
    measure that depends on the order of the file; `biased` those that resampling inflates.
    """

    name: str
    description: str
    compute: Callable[[Weighed], Array]
    better: str = "higher"
    low: float = 0.0
    high: float = 1.0
    ordered: bool = False
    biased: bool = False


def _lower(name: str, compute: Callable[[Weighed], Array], description: str) -> Measure:
    return Measure(name, description, compute, better="lower")


MEASURES: Registry[Measure] = Registry("measure")
for _measure in (
    Measure("detection_rate", "share of hallucinated entries flagged", labels.detection_rate),
    _lower("false_positive_rate", labels.false_positive_rate, "share of valid entries flagged"),
    _lower(
        "false_negative_rate", labels.false_negative_rate, "share of hallucinated entries missed"
    ),
    Measure("precision", "share of flags that are right", labels.precision),
    Measure("f1", "F1 of the hallucinated class", labels.f1),
    Measure("macro_f1", "mean F1 of both classes", labels.macro_f1),
    Measure("tier_weighted_f1", "F1, tiers weighing 1, 2, 3", labels.tier_weighted_f1),
    *(
        Measure(
            f"tier_weighted_f1_{scheme}",
            f"F1, tiers weighted {scheme}",
            partial(labels.tier_weighted_f1, weights=labels.WEIGHTINGS[scheme]),
        )
        for scheme in ("uniform", "quadratic", "log")
    ),
    *(
        Measure(f"tier{t}_f1", f"F1 of tier {t} against all valid", partial(labels.tier_f1, tier=t))
        for t in (1, 2, 3)
    ),
    Measure("mcc", "Matthews correlation coefficient", labels.mcc, low=-1.0),
    Measure("balanced_accuracy", "mean accuracy of both classes", labels.balanced_accuracy),
    Measure("accuracy", "share of right labels", labels.accuracy),
    *(
        Measure(name, f"calibration error, {bins}", compute, "lower", ordered=paper, biased=True)
        for name, compute, bins, paper in (
            ("ece", calibration.ece, "10 bins of equal width", False),
            ("ece_equal_mass", calibration.ece_equal_mass, "equal mass, ties pooled", False),
            ("ece_paper", calibration.ece_paper, "equal mass in file order", True),
        )
    ),
    _lower("brier", calibration.brier, "mean squared error of P(hallucinated)"),
    Measure(
        "log_loss", "mean log loss in nats", calibration.log_loss, better="lower", high=float("inf")
    ),
    Measure("auroc", "area under the ROC curve", ranking.auroc),
    Measure("auprc", "average precision", ranking.auprc),
    _lower("aurc", selective.aurc, "area under the risk-coverage curve"),
    _lower("fpr_at_90_coverage", selective.fpr_at_coverage, "FPR of the 90 % most certain"),
    Measure("ppv", "precision where 2 % are hallucinated", deployment.ppv_at),
):
    MEASURES.add(_measure.name, _measure)


def evaluate(
    pairs: Pairs, stance: Stance, names: Iterable[str] | None = None
) -> dict[str, float | None]:
    """Return the measures of a tool under a stance; None where a measure is undefined.

    Args:
        pairs: the aligned pairs.
        stance: what an abstention counts as.
        names: of measures in `MEASURES`; all of them by default.

    Raises:
        UnknownName: where there is no such measure.
    """
    kept = outcome(pairs, stance)
    weighed = Weighed(kept, np.ones((len(kept.truth), 1)))
    chosen = MEASURES.names() if names is None else list(names)
    return {name: _value(MEASURES.get(name).compute(weighed)) for name in chosen}


def _value(result: Array) -> float | None:
    value = float(result[0])
    return None if np.isnan(value) else value
