"""Which model of P(hallucinated) fits the gold files, and how good is it on entries not seen?

The figures of training data are cross-fitted: every entry's probability comes from a model that has
not seen the entry, nor any other of the same title. All of them are the benchmark's own measures.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec import Struct, structs

from hallmark.bench.align import Pairs, Stance, pair
from hallmark.bench.dataset import Split
from hallmark.bench.measures import evaluate
from hallmark.bench.systems.verifier import prediction_of
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.judge.calibrate import Calibration, Measured, Model, Training, Weight
from hallmark.judge.patterns import ATOMS
from hallmark.study.context import Setting
from hallmark.study.fitting import (
    Array,
    Row,
    best_ridge,
    cross_fitted,
    fitted,
    folds_of,
    with_isotonic,
)
from hallmark.study.reduced import take_census
from hallmark.study.training import (
    NO_INDEX,
    WHOLE,
    Condition,
    Judgement,
    digest,
    generated,
    generated_conditions,
    generated_weight,
    gold_conditions,
    gold_weight,
    judged_in,
    rows_of,
    training,
)

GENERATED = "generated"
_MEASURES = ("ece", "ece_equal_mass", "brier", "log_loss", "auroc")
_NAMES = dict(zip(_MEASURES, (*_MEASURES[:-1], "ranking"), strict=True))


class Plan(Struct, frozen=True, kw_only=True):
    """How a model is fitted.

    Attributes:
        folds: parts into which the training entries are dealt, 2 or more.
        seed: of the dice that deal them out and draw generated entries.
        generated: entries to generate from the index, 0 for none.
        reduced: whether entries are also judged where less is held; else only the whole index.
    """

    folds: int = 5
    seed: int = 8042
    generated: int = 2000
    reduced: bool = True


class Calibrated(Struct, frozen=True, kw_only=True):
    """A fitted model with the pairs behind its figures, by name, for plots."""

    model: Model
    pairs: dict[str, Pairs]


def calibrate(
    settings: Sequence[Setting],
    reports: Sequence[Split],
    plan: Plan,
    version: str,
    step: Callable[[str], None] = lambda _: None,
) -> Calibrated:
    """Fit a model and measure it.

    Args:
        settings: the gold files to train on, with one index, policy and date in common.
        reports: gold files that are only reported on.
        plan: how to fit.
        version: of the program, for the file.
        step: called with what is done next.

    Raises:
        InputError: a file is to be trained and reported on; or only one class is there.
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    _refuse_overlap([one.split for one in settings], reports)
    judgements, data = _judgements(settings, plan, step)
    policy = settings[0].policy
    rows = [row for one in judgements for row in rows_of(one, policy)]
    _refuse_one_class(rows)
    step("fitting")
    fold = folds_of([row.group for row in rows], plan.folds, plan.seed)
    whole = np.concatenate(
        [
            np.full(len(one.judged), one.condition == WHOLE and one.name != GENERATED)
            for one in judgements
        ]
    )
    ridge = best_ridge(rows, fold, whole)
    chances = cross_fitted(rows, fold, ridge)
    model = fitted(rows, ridge)
    seen = list(_seen(judgements, chances, fold))
    iso = with_isotonic(rows, fold, ridge)
    seen += [
        (f"{name}, with an isotonic step", pairs, stance)
        for name, pairs, stance in _seen(judgements, iso, fold)
        if name.endswith(ALL_CROSS_FITTED)
    ]
    seen += list(_unseen(reports, settings[0], Calibration(model), step))
    return Calibrated(
        model=structs.replace(
            model,
            name="+".join(one.name for one in data),
            fitted=settings[0].today.isoformat(),
            version=version,
            policy=policy.name,
            index=_index_told(settings[0]),
            atoms=_explained(model.atoms),
            settings={"folds": plan.folds, "seed": plan.seed, "ridge": ridge},
            data=data,
            figures=tuple(measured(name, pairs, stance) for name, pairs, stance in seen),
        ),
        pairs={name: pairs for name, pairs, _ in seen},
    )


ALL_CROSS_FITTED = f"{WHOLE}, all entries, cross-fitted"
"""How the name of the figures of a training file ends, that tell most."""


def _refuse_overlap(training_splits: Sequence[Split], reports: Sequence[Split]) -> None:
    trained = {one.sha256: one for one in training_splits}
    for report in reports:
        if report.sha256 in trained:
            raise InputError(
                f"{report.path} is to be trained on and reported on. What a model was fitted on "
                "tells nothing of how good it is; leave one of the two out."
            )


def _refuse_one_class(rows: Sequence[Row]) -> None:
    if len({row.hallucinated for row in rows}) < 2:  # noqa: PLR2004 - the two classes
        raise InputError(
            "The gold files hold entries of one label only. A model needs valid and hallucinated "
            "entries."
        )


def _judgements(
    settings: Sequence[Setting], plan: Plan, step: Callable[[str], None]
) -> tuple[list[Judgement], tuple[Training, ...]]:
    """Judge all training entries in all conditions."""
    index = open_index(settings[0].index)
    census = None
    if plan.reduced or plan.generated:
        step("reading the index")
        census = take_census(settings[0].index)
    conditions = gold_conditions(index) if plan.reduced else [Condition(WHOLE)]
    judgements: list[Judgement] = []
    data = []
    for setting in settings:
        split = setting.split
        step(f"judging {split.name}")
        found = list(judged_in(split.name, split.entries, conditions, setting, census, gold_weight))
        judgements += found
        data.append(training(found, split.sha256))
    if plan.generated:
        step("judging generated entries")
        bad = sum(one.split.hallucinated for one in settings)
        share = bad / sum(len(one.split.entries) for one in settings)
        entries = generated(index, plan.generated, share, plan.seed)
        found = list(
            judged_in(
                GENERATED,
                entries,
                generated_conditions(index),
                settings[0],
                census,
                generated_weight,
            )
        )
        judgements += found
        data.append(training(found, digest(entries)))
    return judgements, tuple(data)


def _seen(
    judgements: Sequence[Judgement], chances: Array, fold: Array
) -> Iterator[tuple[str, Pairs, Stance]]:
    """Yield the cross-fitted pairs of every set and condition; of whole indexes in more detail."""
    start = 0
    for one in judgements:
        part = slice(start, start + len(one.judged))
        start += len(one.judged)
        if one.condition == NO_INDEX:
            continue
        pairs = paired(one, chances[part])
        name = f"{one.name}, {one.condition}"
        yield f"{name}, all entries, cross-fitted", pairs, Stance.FORCED
        if one.condition == WHOLE:
            yield f"{name}, committed entries, cross-fitted", pairs, Stance.SELECTIVE
            for number in np.unique(fold):
                of_fold = pairs.select(fold[part] == number)
                yield f"{name}, fold {number + 1:.0f}", of_fold, Stance.FORCED


def _unseen(
    reports: Sequence[Split],
    setting: Setting,
    calibration: Calibration,
    step: Callable[[str], None],
) -> Iterator[tuple[str, Pairs, Stance]]:
    """Yield the pairs of the gold files that were not trained on, judged with the whole index."""
    for split in reports:
        step(f"judging {split.name}")
        own = structs.replace(setting, split=split)
        (found,) = judged_in(
            split.name, split.entries, [Condition(WHOLE)], own, None, lambda _: 1.0
        )
        rows = rows_of(found, setting.policy)
        chances = np.array([calibration.probability(row.pattern) for row in rows])
        pairs = paired(found, chances)
        yield f"{split.name}, {WHOLE}, all entries, not trained on", pairs, Stance.FORCED
        yield f"{split.name}, {WHOLE}, committed entries, not trained on", pairs, Stance.SELECTIVE


def paired(judgement: Judgement, chances: Array) -> Pairs:
    """Return judged entries with other probabilities than the verifier's, as measures take them."""
    entries = [one.entry for one in judgement.judged]
    predictions = []
    for one, chance in zip(judgement.judged, chances, strict=True):
        verdict = structs.replace(one.result.verdict, probability=float(chance))
        result = structs.replace(one.result, verdict=verdict)
        predictions.append(prediction_of(one.entry.blind(), result))
    return pair(entries, predictions)


def measured(name: str, pairs: Pairs, stance: Stance) -> Measured:
    """Return how good the probabilities are; abstentions count with the label they are likelier."""
    values = evaluate(pairs, stance, _MEASURES)
    n = int(pairs.committed.sum()) if stance is Stance.SELECTIVE else len(pairs)
    rounded = {
        _NAMES[key]: value if value is None else round(value, 5) for key, value in values.items()
    }
    return Measured(of=name, n=n, **rounded)


def _explained(weights: Sequence[Weight]) -> tuple[Weight, ...]:
    meanings = {atom.name: atom.meaning for atom in ATOMS}
    return tuple(structs.replace(one, meaning=meanings[one.atom]) for one in weights)


def _index_told(setting: Setting) -> str:
    about = open_index(setting.index).info()
    return f"{about.records:,} records, digest {about.digest[:12]}"
