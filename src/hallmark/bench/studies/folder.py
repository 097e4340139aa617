"""What does a data folder hold of what a study needs?

Layout: `<split>.jsonl`, `predictions/<group>/<name>.jsonl` and `aggregates/<name>.json`. Nothing
but the entries of the splits at hand is needed; a study says what it lacks.
"""

import csv
import errno
import io
import json
import os
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from hallmark._files import read_text
from hallmark.bench.convert import labels_before, read_correctness_matrix, read_released
from hallmark.bench.entry import Entry, Label, Prediction, read_entries
from hallmark.bench.lines import read_rows
from hallmark.bench.studies.released import (
    Aggregate,
    BudgetCell,
    BudgetType,
    Changed,
    Coverage,
    Metadata,
    MethodResult,
)
from hallmark.errors import InputError

T = TypeVar("T")
BUDGET_FILES = ("thinking_budget.csv", "thinking_budget_per_type.csv")
"""Summaries of token budgets in `aggregates/`: by cell, and by type."""


class Folder(msgspec.Struct, frozen=True):
    """A folder in the layout of the released data.

    Attributes:
        root: Where it is.
        own: Where predictions of our own systems lie, if anywhere but under the root.
        problems: Inputs that are there but could not be used, noted by the studies.
        remarks: What a reader must know of inputs that were used, likewise.
    """

    root: Path
    own: Path | None = None
    problems: list[str] = []
    remarks: list[str] = []

    def entries(self, split: str) -> tuple[Entry, ...] | None:
        """Entries of a split, or None if the folder lacks it."""
        path = self.root / f"{split}.jsonl"
        return _entries(path, path.stat().st_mtime_ns) if _is_there(path) else None

    def predictions(self, group: str, names: Iterable[str]) -> tuple[Prediction, ...] | None:
        """Predictions under the first of `names` that `group` holds, in file order, or None.

        A failed call of a tool is returned as UNCERTAIN, as the paper counts it. A damaged file
        is noted in `problems` and counts as missing.
        """
        for name in names:
            path = self.root / "predictions" / group / f"{name}.jsonl"
            found = self._unless_damaged(partial(_predictions_at, path))
            if found is not None:
                return found
        return None

    def names(self, group: str) -> tuple[str, ...]:
        """Names of the prediction files of `group`, without `.jsonl`, in order."""
        at = self.root / "predictions" / group
        return tuple(sorted(path.stem for path in at.glob("*.jsonl") if path.is_file()))

    def own_predictions(self, name: str) -> tuple[Prediction, ...] | None:
        """Predictions of one of our own systems on the development split, or None."""
        found = None if self.own is None else _predictions_at(self.own / f"{name}.jsonl")
        return self.predictions("dev_public", [name]) if found is None else found

    def lines(self, name: str) -> list[dict[str, Any]] | None:
        """Rows of a JSON Lines file beside the splits, or None if there is none."""
        path = self.root / f"{name}.jsonl"
        return _rows_at(path)

    def rows(self, group: str, name: str) -> list[dict[str, Any]] | None:
        """Rows of another JSON Lines file of `group`, or None, as with `predictions`."""
        path = self.root / "predictions" / group / f"{name}.jsonl"
        return self._unless_damaged(partial(_rows_at, path))

    def matrix(self, column: str) -> list[Prediction] | None:
        """Verdicts on dev_public out of the correctness matrix, or None if inputs are missing."""
        path = self.root / "predictions" / "dev_public" / "results_matrix_opus_sonnet.csv"
        entries = self.entries("dev_public")
        changed = self.changed()
        if entries is None or changed is None or not _is_there(path):
            return None
        return read_correctness_matrix(path, labels_before(entries, changed)).get(column)

    def changed(self) -> dict[str, Label] | None:
        """Labels before the audit of the entries that it changed, or None."""
        rows = self._read("changed_keys_dev_public.json", tuple[Changed, ...])
        return None if rows is None else {row.bibtex_key: row.old_label for row in rows}

    def aggregate(self, tool: str, split: str) -> Aggregate | None:
        """The released result file of `tool` on `split`, or None."""
        return self._read(f"aggregates/{tool}_{split}.json", Aggregate)

    def coverage(self) -> Coverage:
        """The released coverage report; an empty one if there is none, or it is damaged."""
        name = "aggregates/coverage_reporting.json"
        return self._unless_damaged(partial(self._read, name, Coverage)) or Coverage()

    def methods(self) -> dict[str, dict[str, MethodResult]]:
        """Model -> generation method -> rate, as released; empty if there is none."""
        kind = dict[str, dict[str, MethodResult]]
        return self._read("aggregates/generation_method.json", kind) or {}

    def metadata(self) -> Metadata:
        """The description of the release; an empty one if there is none."""
        return self._read("metadata.json", Metadata) or Metadata()

    def budget(self) -> tuple[BudgetCell, ...] | None:
        """Cells of the smoke test of token budgets, or None."""
        return self._table(BUDGET_FILES[0], BudgetCell)

    def budget_types(self) -> tuple[BudgetType, ...] | None:
        """Types of that smoke test, each with its n and one detection rate for each cell."""
        rows = self._table(BUDGET_FILES[1], dict[str, str])
        if rows is None:
            return None
        path = self.root / "aggregates" / BUDGET_FILES[1]
        return tuple(_converted(_with_rates(row), BudgetType, path) for row in rows)

    def _unless_damaged(self, read: Callable[[], T | None]) -> T | None:
        """What `read` gives; None where its file is damaged, which is noted."""
        try:
            return read()
        except InputError as error:
            self.problems.append(str(error).replace(f"{self.root}{os.sep}", ""))
            return None

    def _table(self, name: str, kind: type[T]) -> tuple[T, ...] | None:
        path = self.root / "aggregates" / name
        if not _is_there(path):
            return None
        try:
            rows = list(csv.DictReader(io.StringIO(read_text(path))))
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not UTF-8: {error}.") from None
        except (OSError, csv.Error) as error:
            raise InputError(f"{path} cannot be read: {error}.") from None
        return tuple(_converted(_filled(row), kind, path) for row in rows)

    def _read(self, name: str, kind: type[T]) -> T | None:
        """A JSON file in a known shape (NaN is allowed, as released), or None."""
        path = self.root / name
        if not _is_there(path):
            return None
        try:
            value = json.loads(read_text(path))
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} is not JSON: {error}.") from None
        return _converted(value, kind, path)


def open_folder(root: Path, own: Path | None = None) -> Folder:
    """A data folder, with a folder of predictions of our own systems beside it if there is one.

    Raises:
        InputError: If there is none at `root`.
    """
    if not root.is_dir():
        raise InputError(
            f"There is no data folder at {root}. Give one with --data DIR or HALLMARK_DATA."
        )
    if own is not None and not own.is_dir():
        raise InputError(f"There is no folder {own} with predictions of own systems (--own DIR).")
    return Folder(root, own)


def _is_there(path: Path) -> bool:
    """Whether there is such a file; one whose name is too long for any file is not there."""
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def _rows_at(path: Path) -> list[dict[str, Any]] | None:
    return [row for _, row in read_rows(path)] if _is_there(path) else None


def _predictions_at(path: Path) -> tuple[Prediction, ...] | None:
    return _predictions(path, path.stat().st_mtime_ns) if _is_there(path) else None


@lru_cache(maxsize=16)
def _entries(path: Path, _stamp: int) -> tuple[Entry, ...]:
    """Entries of a file, read once for all studies; `_stamp` tells versions of it apart."""
    return tuple(read_entries(path))


@lru_cache(maxsize=64)
def _predictions(path: Path, _stamp: int) -> tuple[Prediction, ...]:
    return tuple(as_published(prediction) for prediction in read_released(path))


def as_published(prediction: Prediction) -> Prediction:
    """The prediction as the paper counts it: a failed call of a tool is UNCERTAIN."""
    if prediction.label is not Label.ERROR:
        return prediction
    return msgspec.structs.replace(prediction, label=Label.UNCERTAIN)


def _filled(row: dict[str, str]) -> dict[str, str]:
    """A row without its empty cells."""
    return {name: value for name, value in row.items() if value != ""}


def _with_rates(row: dict[str, str]) -> dict[str, Any]:
    """A row whose rates, one for each model and budget, stand together."""
    named = {name: row[name] for name in ("type", "n") if name in row}
    rates = {k: v for k, v in row.items() if v and k not in {"type", "n", "tier"}}
    return named | {"rates": rates}


def _converted(value: object, kind: type[T], path: Path) -> T:
    try:
        return msgspec.convert(value, kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(f"{path} has another shape than the released file: {error}.") from None
