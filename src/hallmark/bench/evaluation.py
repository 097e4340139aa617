"""How good is a tool on a split, where does it break, and how sure is that?

Everything `hallmark bench evaluate` reports, in one value that goes to a file as it is.
"""

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Ints, Missing, Pairs, Stance, align
from hallmark.bench.dataset import Split, departures, digest, load_split
from hallmark.bench.edges import at_edge
from hallmark.bench.entry import Prediction, read_predictions
from hallmark.bench.limit import asked, told
from hallmark.bench.measures import MEASURES
from hallmark.bench.measures import evaluate as measure
from hallmark.bench.measures.calibration import ReliabilityBin, reliability
from hallmark.bench.measures.deployment import Rates, ppv_sweep
from hallmark.bench.measures.diagnosis import (
    SubtestAccuracy,
    subtest_accuracy,
    three_way,
    type_accuracy,
    type_confusion,
)
from hallmark.bench.measures.effort import Effort, effort
from hallmark.bench.measures.groups import (
    Estimate,
    Group,
    by,
    chronological,
    in_taxonomy_order,
    segments,
    share,
    sources,
    tiers,
    years,
)
from hallmark.bench.measures.labels import cells_of
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.measures.selective import RiskPoint, risk_coverage
from hallmark.bench.measures.weighed import Weighed
from hallmark.bench.resample import Plan, draws, interval
from hallmark.bench.usage import outage_in_words, usage_of

SCHEMA = "hallmark-evaluation/1"


class Gold(Struct, frozen=True):
    """The gold file: name, digest and counts."""

    name: str
    sha256: str
    n: int
    valid: int
    hallucinated: int


class Evaluation(Struct, frozen=True, kw_only=True):
    """What is known about one tool on one gold file.

    `stances` maps each stance to its measures; `counts` to its confusion matrix. `coverage` is the
    share of entries that the tool committed on, `error_rate` that on which it failed, `missing`
    the number it gave no prediction for. The `per_...` groups hold rates with Wilson intervals.
    """

    schema: str = SCHEMA
    system: str
    gold: Gold
    coverage: Estimate
    error_rate: Estimate
    missing: int
    stances: dict[str, dict[str, Estimate]]
    counts: dict[str, dict[str, int]]
    per_type: dict[str, Group]
    per_tier: dict[str, Group]
    per_method: dict[str, Group]
    per_segment: dict[str, Group]
    per_year: dict[str, Group]
    per_source: dict[str, Group]
    subtests: dict[str, SubtestAccuracy]
    type_accuracy: float | None
    type_confusion: dict[str, dict[str, int]]
    three_way: dict[str, dict[str, int]]
    ppv: dict[str, dict[str, float | None]]
    reliability: list[ReliabilityBin]
    risk_coverage: list[RiskPoint]
    effort: Effort
    notes: list[str]
    provenance: dict[str, Any]


def evaluate(
    predictions: Path | str | Sequence[Prediction],
    gold: Split | Path | str,
    *,
    system: str | None = None,
    missing: Missing = "error",
    names: Iterable[str] | None = None,
    plan: Plan | None = None,
    clusters: Ints | None = None,
    data: Path | None = None,
    date: str = "",
) -> Evaluation:
    """Evaluate a tool's predictions against a gold file.

    Args:
        predictions: a prediction file, or predictions.
        gold: a split, its name in the catalogue, or a gold file.
        system: what to call the tool; by default the prediction file's stem.
        missing: what an entry without prediction is: an error, VALID, or an abstention.
        names: of measures; all by default.
        plan: how to resample for the intervals; 10,000 times with seed 42 by default.
        clusters: entries to draw together (`hallmark.bench.twins`); single entries by default.
        data: the folder that holds the splits; by default the one HALLMARK_DATA names.
        date: when this is done, for the record.

    Raises:
        InputError: where a file cannot be used.
        AlignmentError: where gold and predictions do not belong together.
        UnknownName: where there is no such split or measure.
    """
    split = gold if isinstance(gold, Split) else load_split(gold, data)
    path = Path(predictions) if isinstance(predictions, str | Path) else None
    part = asked(split, path) if path else split
    rows = _rows(predictions)
    pairs = align(part.entries, rows, missing)
    if clusters is not None and part is not split:
        clusters = clusters[_places(part, split)]
    plan = plan or Plan()
    record = _provenance(path, missing, plan, clusters is not None, date)
    notes = (told(part, split), outage_in_words(usage_of(rows)))
    return _report(
        pairs,
        split,
        [note for note in notes if note],
        system or (path.stem if path else "predictions"),
        names,
        plan,
        clusters,
        record,
    )


def _rows(predictions: Path | str | Sequence[Prediction]) -> Sequence[Prediction]:
    match predictions:
        case Path() | str():
            return read_predictions(predictions)
        case _:
            return predictions


def _report(
    pairs: Pairs,
    split: Split,
    notes: Sequence[str],
    system: str,
    names: Iterable[str] | None,
    plan: Plan,
    clusters: Ints | None,
    record: dict[str, Any],
) -> Evaluation:
    stances = stances_of(pairs)
    estimates = estimate(pairs, stances, names, plan, clusters)
    conservative = Stance.CONSERVATIVE
    return Evaluation(
        system=system,
        gold=Gold(
            split.name,
            split.sha256,
            len(pairs),
            int((~pairs.truth).sum()),
            int(pairs.truth.sum()),
        ),
        coverage=share(int(pairs.committed.sum()), len(pairs), plan.level),
        error_rate=share(int(pairs.failed.sum()), len(pairs), plan.level),
        missing=int(pairs.missing.sum()),
        stances=estimates,
        counts={str(stance): _counts(pairs, stance) for stance in stances},
        per_type=in_taxonomy_order(by(pairs.type, pairs, stances)),
        per_tier=_with_f1(by(tiers(pairs), pairs, stances), estimates),
        per_method=by(pairs.method, pairs, stances),
        per_segment=chronological(by(segments(pairs), pairs, stances)),
        per_year=by(years(pairs), pairs, stances),
        per_source=by(sources(pairs), pairs, stances),
        subtests=subtest_accuracy(pairs),
        type_accuracy=type_accuracy(pairs),
        type_confusion=type_confusion(pairs),
        three_way=three_way(pairs),
        ppv={stance: _sweep(measures) for stance, measures in estimates.items()},
        reliability=reliability(pairs, conservative),
        risk_coverage=risk_coverage(pairs, conservative),
        effort=effort(pairs),
        notes=[*_notes(pairs, split), *notes],
        provenance=record,
    )


def stances_of(pairs: Pairs) -> list[Stance]:
    """Return the stances to report: the forced one only where the tool gave forced labels."""
    return [stance for stance in Stance if stance is not Stance.FORCED or pairs.has_forced]


def estimate(
    pairs: Pairs,
    stances: Sequence[Stance],
    names: Iterable[str] | None = None,
    plan: Plan | None = None,
    clusters: Ints | None = None,
) -> dict[str, dict[str, Estimate]]:
    """Return the measures under each stance with their intervals.

    They are bootstrap intervals, but for shares of 0 or 1 (`bench/edges.py`).
    """
    plan = plan or Plan()
    chosen = MEASURES.names() if names is None else list(names)
    values = {stance: measure(pairs, stance, chosen) for stance in stances}
    resampled = draws(pairs, stances, chosen, plan, clusters)
    found: dict[str, dict[str, Estimate]] = {}
    for stance, measures in values.items():
        found[str(stance)] = {}
        for name, value in measures.items():
            ci = at_edge(pairs, stance, name, value, plan.level) or interval(
                resampled[stance, name], value, MEASURES.get(name), plan.level
            )
            found[str(stance)][name] = Estimate(value, (ci.low, ci.high) if ci else None)
    return found


def _places(part: Split, whole: Split) -> Ints:
    """Return where in a split the entries of a part of it stand."""
    at = {id(entry): place for place, entry in enumerate(whole.entries)}
    return np.array([at[id(entry)] for entry in part.entries], dtype=np.int64)


def _counts(pairs: Pairs, stance: Stance) -> dict[str, int]:
    o = outcome(pairs, stance)
    return cells_of(Weighed(o, np.ones((len(o.truth), 1))))


def _with_f1(
    groups: dict[str, Group], estimates: dict[str, dict[str, Estimate]]
) -> dict[str, Group]:
    """Add to each tier its F1 against all valid entries, where it was computed."""
    for tier, group in groups.items():
        for stance, rates in group.stances.items():
            f1 = estimates[stance].get(f"tier{tier}_f1")
            if f1 is not None:
                rates["f1"] = f1
    return groups


def _sweep(measures: dict[str, Estimate]) -> dict[str, float | None]:
    dr, fpr = measures.get("detection_rate"), measures.get("false_positive_rate")
    if dr is None or fpr is None or dr.value is None or fpr.value is None:
        return {}
    sweep = ppv_sweep(Rates(dr.value, fpr.value))
    return {f"{prevalence:g}": value for prevalence, value in sweep.items()}


def _notes(pairs: Pairs, split: Split) -> list[str]:
    notes = departures(split)
    if not pairs.truth.any():
        notes.append("The gold file has no hallucinated entry: the detection rate is undefined.")
    if pairs.truth.all():
        notes.append("The gold file has no valid entry: the false-positive rate is undefined.")
    if pairs.failed.any():
        notes.append(
            f"The tool failed on {int(pairs.failed.sum())} entries: misses where the entry is "
            "hallucinated, never cleared where it is valid; the selective stance leaves them out."
        )
    return notes


def _provenance(
    path: Path | None, missing: Missing, plan: Plan, clustered: bool, date: str
) -> dict[str, Any]:
    return {
        "predictions": path.name if path else None,
        "predictions_sha256": digest(path) if path else None,
        "missing": missing,
        "intervals": "cluster bootstrap by source paper" if clustered else "stratified bootstrap",
        "intervals_of_0_and_1": "Wilson",
        "resamples": plan.resamples,
        "seed": plan.seed,
        "level": plan.level,
        "date": date,
        "versions": {
            "hallmark": _version("hallmark"),
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
