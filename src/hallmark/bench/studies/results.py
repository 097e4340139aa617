"""How does one system of the paper do on one split, by whatever was released of it?

Predictions are scored where the folder holds them; a row without released predictions comes from
the released result file and is marked so. The paper's rows leave abstentions out (our selective
stance), except that of bibtex-updater, which scores a label forced on every entry.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from hallmark.bench.align import Pairs, Stance, align
from hallmark.bench.convert import last_wins
from hallmark.bench.entry import Entry, Prediction
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.calibration import BINS
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.studies.cells import Origin
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import MARK
from hallmark.bench.studies.released import Aggregate
from hallmark.bench.studies.roster import System
from hallmark.errors import AlignmentError

MAIN = (
    "detection_rate",
    "false_positive_rate",
    "f1",
    "mcc",
    "tier_weighted_f1",
    "auroc",
    "tier3_f1",
    "ece",
)


class Result(msgspec.Struct, frozen=True):
    """Measures of one system on one split.

    Attributes:
        origin: Whether they were recomputed or read from a released result file.
        stance: How abstentions were counted.
        measures: Values by name of the measure; `coverage` among them.
        per_type: Detection rate by hallucination type.
        per_tier: Detection rate by tier, 1 to 3.
    """

    origin: Origin
    stance: str
    measures: dict[str, float | None]
    per_type: dict[str, float | None] = {}
    per_tier: dict[int, float | None] = {}

    def __getitem__(self, name: str) -> float | None:
        return self.measures.get(name)


def result(folder: Folder, system: System, split: str) -> Result | None:
    """What was released of `system` on `split`: scored predictions, else the result file."""
    pairs = pairs_of(folder, system, split)
    if pairs is not None:
        return scored(pairs, stance_of(system))
    aggregate = folder.aggregate(system.tool, split)
    if aggregate is not None:
        return from_aggregate(aggregate)
    return _from_coverage(folder, system, split)


def needed(system: System, split: str) -> str:
    """Names the input that `result` would need."""
    return f"predictions/{split}/{system.prediction_names[0]}.jsonl ({system.name})"


def stance_of(system: System) -> Stance:
    """The stance behind the printed row of a system."""
    return Stance.FORCED if system.forced else Stance.SELECTIVE


def pairs_of(folder: Folder, system: System, split: str) -> Pairs | None:
    """Entries of `split` with the predictions of `system`, or None if either is missing."""
    entries = folder.entries(split)
    predictions = folder.predictions(split, system.prediction_names)
    where = f"predictions/{split} of {system.name}"
    return joined(folder, entries, predictions, where)


def joined(
    folder: Folder,
    entries: Sequence[Entry] | None,
    predictions: Sequence[Prediction] | None,
    where: str,
) -> Pairs | None:
    """Align entries with predictions; None where either is missing or they do not fit.

    A repeated key is a retry, so that its last row counts; `folder.remarks` tells where rows of a
    system that the paper does not have contradict each other. What does not fit is noted in
    `folder.problems`. Both stand under the name `where`.
    """
    if entries is None or predictions is None:
        return None
    try:
        pairs = align(entries, last_wins(predictions))
    except AlignmentError as error:
        folder.problems.append(f"{where}: {error}")
        return None
    torn = contradicted(predictions) if MARK in where else 0
    if torn:
        keys = "1 key has" if torn == 1 else f"{torn} keys have"
        folder.remarks.append(f"{where}: {keys} rows with different labels; the last row counts.")
    return pairs


def contradicted(predictions: Sequence[Prediction]) -> int:
    """How many keys have rows with different labels."""
    said = {(prediction.bibtex_key, prediction.label) for prediction in predictions}
    labels = Counter(key for key, _ in said)
    return sum(count > 1 for count in labels.values())


def recovered(folder: Folder, system: System) -> Pairs | None:
    """Verdicts on dev_public out of the correctness matrix, or None."""
    entries = folder.entries("dev_public")
    predictions = folder.matrix(system.matrix) if system.matrix else None
    return joined(folder, entries, predictions, f"the correctness matrix, {system.name}")


def scored(pairs: Pairs, stance: Stance) -> Result:
    """Score pairs under one stance."""
    measures = dict(evaluate(pairs, stance, MAIN))
    measures["ece_paper"] = ece_in_file_order(pairs, stance)
    measures["coverage"] = coverage(pairs)
    types = sorted({str(name) for name in pairs.type[pairs.truth]})
    return Result(
        Origin.PREDICTIONS,
        stance.value,
        measures,
        {name: rate(pairs.select(pairs.type == name), stance) for name in types},
        {tier: rate(pairs.select(pairs.tier == tier), stance) for tier in (1, 2, 3)},
    )


def ece_in_file_order(pairs: Pairs, stance: Stance) -> float | None:
    """Calibration error as printed: ten bins of whole entries, stable order of the file.

    Where the entries do not divide by ten, the first bins hold one more.
    """
    kept = outcome(pairs, stance)
    order = np.argsort(kept.confidence, kind="stable")
    gaps = (kept.correct - kept.confidence)[order]
    if not len(gaps):
        return None
    return float(sum(abs(part.sum()) for part in np.array_split(gaps, BINS)) / len(gaps))


def coverage(pairs: Pairs) -> float:
    """Share of entries that the tool commits to, in [0, 1]."""
    return float(pairs.committed.mean())


def rate(pairs: Pairs, stance: Stance, name: str = "detection_rate") -> float | None:
    """One measure of some pairs; None where it is undefined or there are none."""
    return evaluate(pairs, stance, (name,))[name] if len(pairs) else None


def from_aggregate(aggregate: Aggregate) -> Result:
    """Measures out of a released result file.

    Older files lack MCC; it follows from the two rates and the two class sizes.
    """
    uncertain = aggregate.num_uncertain or 0
    return Result(
        Origin.AGGREGATE,
        Stance.SELECTIVE.value,
        {
            "detection_rate": aggregate.detection_rate,
            "false_positive_rate": aggregate.false_positive_rate,
            "f1": aggregate.f1_hallucination,
            "mcc": _mcc(aggregate) if aggregate.mcc is None else aggregate.mcc,
            "tier_weighted_f1": aggregate.tier_weighted_f1,
            "ece_paper": aggregate.ece,
            "auroc": aggregate.auroc,
            "tier3_f1": aggregate.tier3_f1,
            "coverage": 1.0 - uncertain / aggregate.num_entries,
        },
        {name: row.detection_rate for name, row in aggregate.per_type_metrics.items()},
        {int(name): row.detection_rate for name, row in aggregate.per_tier_metrics.items()},
    )


def _from_coverage(folder: Folder, system: System, split: str) -> Result | None:
    """DR, FPR, F1 and coverage out of `coverage_reporting.json` (rounded to four decimals).

    What that file calls conservative leaves abstentions out.
    """
    row = (
        folder.coverage().per_tool_coverage_dual.get(system.coverage or system.tool, {}).get(split)
    )
    if row is None or row.conservative is None or row.coverage is None:
        return None
    measures: dict[str, float | None] = {
        "detection_rate": row.conservative.DR,
        "false_positive_rate": row.conservative.FPR,
        "f1": row.conservative.F1,
        "coverage": row.coverage,
    }
    return Result(Origin.AGGREGATE, Stance.SELECTIVE.value, measures)


def named(found: Result, columns: Mapping[str, str]) -> dict[str, float | None]:
    """Measures under the names of a table's columns: {column: measure}."""
    return {column: found[measure] for column, measure in columns.items()}


def _mcc(aggregate: Aggregate) -> float | None:
    positives, negatives = aggregate.num_hallucinated, aggregate.num_valid
    tp = aggregate.detection_rate * positives
    fp = aggregate.false_positive_rate * negatives
    fn, tn = positives - tp, negatives - fp
    spread = (tp + fp) * positives * negatives * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(spread) if spread > 0 else None
