"""How well can labels be guessed from metadata alone, with no look at what is cited?

A logistic regression and boosted trees over marks of form, cross-validated in five folds that keep
twins together. The paper's own analysis (appendix C.4.2) is the regression on the eight features of
`PAPER`; ours adds the shape of the key and the order of the fields, and trees, which also find what
only several marks tell together.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, assert_never

from hallmark.bench.audit.leak import LIMITS, Leak, Limits
from hallmark.bench.audit.marks import year_of
from hallmark.bench.dataset import Split
from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.taxonomy import HallucinationType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FOLDS = 5
POWER = 0.8
"""The chance, by convention of studies' planning, with which an effect is to be found."""
_SEED = 42
_TREES = 60
"""Rounds of boosting; more learn the folds by heart and find less."""
_AND = re.compile(r"\s+and\s+")

Feature = Callable[[BlindEntry], float | str]

PAPER: dict[str, Feature] = {
    "has_doi": lambda e: "doi" in e.fields,
    "fields": lambda e: len(e.fields),
    "authors": lambda e: len(_AND.split(e.fields.get("author", ""))),
    "title_characters": lambda e: len(e.fields.get("title", "")),
    "title_words": lambda e: len(e.fields.get("title", "").split()),
    "year": lambda e: year_of(e) or 0,
    "type": lambda e: e.bibtex_type,
    "has_booktitle": lambda e: "booktitle" in e.fields,
}
ALL: dict[str, Feature] = {
    **PAPER,
    "key_start": lambda e: _character_kind(e.bibtex_key[:1]),
    "key_length": lambda e: len(e.bibtex_key),
    "order": lambda e: " ".join(e.fields),
    "has_journal": lambda e: "journal" in e.fields,
}


def _character_kind(character: str) -> str:
    return "digit" if character.isdigit() else "letter" if character.isalpha() else "sign"


class Model(StrEnum):
    """What learns to guess labels; the value is the name of its check."""

    REGRESSION = "metadata-regression"
    TREES = "metadata-trees"


_NAMES = {Model.REGRESSION: "a logistic regression", Model.TREES: "boosted trees"}


def shortcut_leaks(split: Split, limits: Limits = LIMITS) -> Iterator[Leak]:
    """Yield what each model reaches: a leak where it beats the majority by `margin`."""
    if min(split.valid, split.hallucinated) < limits.least:
        message = f"not fitted: fewer than {limits.least} entries of one label"
        for model in Model:
            yield Leak(check=str(model), where=split.name, message=message, note=True)
        return
    for model in Model:
        for name, features in (("the paper's eight features", PAPER), ("all marks of form", ALL)):
            yield _leak_of(split, model, name, features, limits)


def _leak_of(
    split: Split, model: Model, name: str, features: dict[str, Feature], limits: Limits
) -> Leak:
    import numpy as np  # noqa: PLC0415 - bench extra
    from scipy.stats import binomtest  # noqa: PLC0415 - takes a second to load

    truth, scores = cross_validated(split, features, model)
    majority = float(max(truth.mean(), 1.0 - truth.mean()))
    right = int(np.sum((scores >= 0.5) == truth))  # noqa: PLR2004 - the likelier label
    accuracy = right / len(truth)
    p_value = float(binomtest(right, len(truth), majority, alternative="greater").pvalue)
    leaks = accuracy - majority >= limits.margin and p_value < limits.alpha
    auroc, error = _auroc(truth, scores), sampling_error(accuracy, len(truth))
    detectable = detectable_gain(majority, len(truth), limits)
    return Leak(
        check=str(model),
        where=split.name,
        message=(
            f"{_NAMES[model]} on {name}: right on {accuracy:.1%} ± {error:.1%} ({majority:.1%} by "
            f"always guessing the larger class), AUROC {auroc:.3f}, {FOLDS}-fold; of "
            f"{len(truth):,} entries a gain of {detectable:.1%} would be found in {POWER:.0%} of "
            "the cases" + _caution(error, limits, leaks=leaks)
        ),
        figures={
            "accuracy": accuracy,
            "sampling_error": error,
            "detectable": detectable,
            "majority": majority,
            "auroc": auroc,
            "p_value": p_value,
            "n": len(truth),
        },
        note=not leaks,
    )


def sampling_error(accuracy: float, n: int) -> float:
    """Return half the width of the 95 % interval of an accuracy over `n` entries (Wald)."""
    return 1.96 * math.sqrt(accuracy * (1 - accuracy) / n)


def detectable_gain(majority: float, n: int, limits: Limits = LIMITS) -> float:
    """Return the smallest gain over the majority class that counts as a leak with chance `POWER`.

    In [0, 1]. The fewest right guesses that count are those of the test and of the margin; the
    accuracy that reaches them so often follows from the binomial distribution exactly.

    Args:
        majority: accuracy of always guessing the larger class, in [0, 1].
        n: entries.
        limits: from which size on something counts.
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - bench extra
    from scipy.stats import binom  # noqa: PLC0415 - takes a second to load

    by_test = int(binom.isf(limits.alpha, n, majority)) + 1
    fewest = max(by_test, math.ceil((majority + limits.margin) * n))
    if fewest > n:
        return 1.0 - majority
    return float(betaincinv(fewest, n - fewest + 1, POWER)) - majority


def _caution(error: float, limits: Limits, *, leaks: bool) -> str:
    """Say that a split is too small for the margin, so that nothing found proves little."""
    if leaks or error <= limits.margin:
        return ""
    return (
        f" (too few entries: the sampling error exceeds the margin of {limits.margin:.0%}, so that "
        "nothing found is no proof that nothing is there)"
    )


def cross_validated(
    split: Split, features: dict[str, Feature], model: Model = Model.REGRESSION
) -> "tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]":
    """Return truth and out-of-fold P(hallucinated), one element for each entry used.

    Entries of type future_date are left out: their year shows by design. Twins (the same title)
    stay in one fold.
    """
    import numpy as np  # noqa: PLC0415 - bench extra
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - comes with scikit-learn

    from hallmark.bench.twins import clusters  # noqa: PLC0415 - loads numpy

    used = [e for e in split.entries if e.hallucination_type is not HallucinationType.FUTURE_DATE]
    truth = np.array([e.label is Label.HALLUCINATED for e in used])
    rows = _rows([e.blind() for e in used], features)
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=_SEED)
    # The tables are small: threads wait for each other longer than they work.
    with threadpool_limits(1):
        scores = cross_val_predict(
            _estimator(model), rows, truth, groups=clusters(used), cv=folds, method="predict_proba"
        )
    return truth, np.asarray(scores[:, 1], dtype=np.float64)


def _estimator(model: Model) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - bench extra
    from sklearn.feature_extraction import DictVectorizer  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    match model:
        case Model.REGRESSION:
            steps = [StandardScaler(), LogisticRegression(max_iter=2000)]
        case Model.TREES:
            steps = [HistGradientBoostingClassifier(max_iter=_TREES, random_state=_SEED)]
        case _ as never:
            assert_never(never)
    return make_pipeline(DictVectorizer(sparse=False), *steps)


def _rows(
    entries: Sequence[BlindEntry], features: dict[str, Feature]
) -> list[dict[str, float | str]]:
    def value(feature: Feature, entry: BlindEntry) -> float | str:
        found = feature(entry)
        return found if isinstance(found, str) else float(found)

    return [{name: value(f, entry) for name, f in features.items()} for entry in entries]


def _auroc(truth: "npt.NDArray[np.bool_]", scores: "npt.NDArray[np.float64]") -> float:
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415 - bench extra

    return float(roc_auc_score(truth, scores))
