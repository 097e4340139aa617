"""What does a data folder hold of what a study needs?

Layout: `<split>.jsonl`, `predictions/<group>/<name>.jsonl` and `aggregates/<name>.json`. Nothing
but the entries of the splits at hand is needed; a study says what it lacks.
"""

import csv
import io
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from hallmark.bench.convert import labels_before, read_correctness_matrix, read_released
from hallmark.bench.entry import Entry, Label, Prediction, read_entries
from hallmark.bench.lines import read_rows
from hallmark.errors import InputError


class TierResult(msgspec.Struct, frozen=True):
    """Detection rate of one tier in a released result file."""

    detection_rate: float


class TypeResult(msgspec.Struct, frozen=True):
    """Detection rate of one type in a released result file."""

    detection_rate: float
    count: int = 0


class Aggregate(msgspec.Struct, frozen=True):
    """A released result file: what the authors computed from predictions they did not release.

    `cost_efficiency` is in entries a second.
    """

    num_entries: int
    num_hallucinated: int
    num_valid: int
    detection_rate: float
    false_positive_rate: float
    f1_hallucination: float
    tier_weighted_f1: float
    mcc: float | None = None
    ece: float | None = None
    auroc: float | None = None
    tier3_f1: float | None = None
    num_uncertain: int | None = None
    cost_efficiency: float | None = None
    per_tier_metrics: dict[str, TierResult] = {}
    per_type_metrics: dict[str, TypeResult] = {}


class Folder(msgspec.Struct, frozen=True):
    """A folder in the layout of the released data.

    Attributes:
        root: Where it is.
        problems: Inputs that are there but could not be used, noted by the studies.
    """

    root: Path
    problems: list[str] = []

    def entries(self, split: str) -> tuple[Entry, ...] | None:
        """Entries of a split, or None if the folder lacks it."""
        path = self.root / f"{split}.jsonl"
        return _entries(path, path.stat().st_mtime_ns) if path.is_file() else None

    def predictions(self, group: str, names: Iterable[str]) -> tuple[Prediction, ...] | None:
        """Predictions under the first of `names` that `group` holds, in file order, or None.

        A failed call of a tool is returned as UNCERTAIN, as the paper counts it.
        """
        for name in names:
            path = self.root / "predictions" / group / f"{name}.jsonl"
            if path.is_file():
                return _predictions(path, path.stat().st_mtime_ns)
        return None

    def lines(self, name: str) -> list[dict[str, Any]] | None:
        """Rows of a JSON Lines file beside the splits, or None if there is none."""
        path = self.root / f"{name}.jsonl"
        return [row for _, row in read_rows(path, ())] if path.is_file() else None

    def rows(self, group: str, name: str) -> list[dict[str, Any]] | None:
        """Rows of another JSON Lines file of `group`, or None if there is none."""
        path = self.root / "predictions" / group / f"{name}.jsonl"
        return [row for _, row in read_rows(path, ())] if path.is_file() else None

    def matrix(self, column: str) -> list[Prediction] | None:
        """Verdicts on dev_public out of the correctness matrix, or None if inputs are missing."""
        path = self.root / "predictions" / "dev_public" / "results_matrix_opus_sonnet.csv"
        entries = self.entries("dev_public")
        changed = self.json("changed_keys_dev_public.json")
        if entries is None or changed is None or not path.is_file():
            return None
        return read_correctness_matrix(path, labels_before(entries, changed)).get(column)

    def aggregate(self, tool: str, split: str) -> Aggregate | None:
        """The released result file of `tool` on `split`, or None."""
        value = self.json(f"aggregates/{tool}_{split}.json")
        return None if value is None else _converted(value, Aggregate, f"{tool}_{split}.json")

    def json(self, name: str) -> Any:
        """A JSON file of the folder (NaN is allowed, as released), or None if there is none."""
        path = self.root / name
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} is not JSON: {error}.") from None

    def table(self, name: str) -> list[dict[str, str]] | None:
        """Rows of a CSV file in `aggregates/`, or None if there is none."""
        path = self.root / "aggregates" / name
        if not path.is_file():
            return None
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def open_folder(root: Path) -> Folder:
    """A data folder.

    Raises:
        InputError: If there is none at `root`.
    """
    if not root.is_dir():
        raise InputError(
            f"There is no data folder at {root}. Give one with --data DIR or HALLMARK_DATA."
        )
    return Folder(root)


@lru_cache(maxsize=16)
def _entries(path: Path, _stamp: int) -> tuple[Entry, ...]:
    """Entries of a file, read once for all studies; `_stamp` tells versions of it apart."""
    return tuple(read_entries(path))


@lru_cache(maxsize=64)
def _predictions(path: Path, _stamp: int) -> tuple[Prediction, ...]:
    return tuple(_as_published(prediction) for prediction in read_released(path))


def _as_published(prediction: Prediction) -> Prediction:
    if prediction.label is not Label.ERROR:
        return prediction
    return msgspec.structs.replace(prediction, label=Label.UNCERTAIN)


def _converted(value: Any, kind: type[Aggregate], name: str) -> Aggregate:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"aggregates/{name} has another shape than expected: {error}.") from None
