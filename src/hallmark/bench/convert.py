"""How do the released shapes of verdicts become predictions?

Besides prediction files, results are released as verdicts of bibtex-updater (three shapes), as
verdicts beside the truth, as verdicts of raters, as checkpoints with retries, and as a matrix of
"was it right" confidences. `read_released` recognises the shape by the keys of the first row.
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import structs

from hallmark._files import read_text
from hallmark.bench.entry import Entry, Label, Prediction, read_predictions
from hallmark.bench.lines import Problems, printable, quoted, read_rows
from hallmark.errors import InputError

Row = dict[str, Any]

_FLAGGING = frozenset(
    {
        "doi_not_found",
        "future_date",
        "given_name_substitution",
        "hallucinated",
        "not_found",
        "partial_match",
    }
)
"""Statuses of bibtex-updater, beside every `*_mismatch`, that its wrapper reports as a flag."""


class Shape(StrEnum):
    """The released shapes of verdicts."""

    PREDICTIONS = "predictions"
    UPDATER_VERDICTS = "bibtex-updater verdicts"
    UPDATER_RAW = "bibtex-updater raw"
    VERDICTS = "verdicts beside the truth"
    RATER = "rater"


def shape_of(row: Mapping[str, Any]) -> Shape:
    """Recognise the shape of a file by the keys of one of its rows."""
    match row:
        case {"key": _, "status": _}:
            return Shape.UPDATER_RAW
        case {"pred_label": _, "btu_status": _} | {"pred_label": _, "source": _}:
            return Shape.UPDATER_VERDICTS
        case {"pred_label": _}:
            return Shape.VERDICTS
        case {"rater_id": _}:
            return Shape.RATER
        case _:
            return Shape.PREDICTIONS


def read_released(path: Path | str) -> list[Prediction]:
    """Read a released verdict file of any JSON Lines shape, in file order, repeated keys kept.

    Raises:
        InputError: naming every line that cannot be used.
    """
    path = Path(path)
    rows = read_rows(path)
    shape = shape_of(rows[0][1])
    if shape is Shape.PREDICTIONS:
        return read_predictions(path)
    convert = _CONVERTERS[shape]
    problems = Problems(path)
    converted = [_guarded(convert, row, line, problems) for line, row in rows]
    problems.raise_if_any()
    return [prediction for prediction in converted if prediction is not None]


def first_wins(predictions: Iterable[Prediction]) -> list[Prediction]:
    """Keep the first row of every key."""
    kept: dict[str, Prediction] = {}
    for prediction in predictions:
        kept.setdefault(prediction.bibtex_key, prediction)
    return list(kept.values())


def last_wins(predictions: Iterable[Prediction]) -> list[Prediction]:
    """Keep the last row of every key, at the place of its first: how a checkpoint is read."""
    return list({prediction.bibtex_key: prediction for prediction in predictions}.values())


def read_checkpoint(path: Path | str) -> list[Prediction]:
    """Read a checkpoint: rows are appended as a run goes on, so that a retry comes last.

    Raises:
        InputError: naming every line that cannot be used.
    """
    return last_wins(read_released(path))


def read_correctness_matrix(
    path: Path | str, truth: Mapping[str, Label]
) -> dict[str, list[Prediction]]:
    """Read a matrix of "how sure was the tool of the truth", one column for each tool.

    A cell holds the tool's confidence where its label was right, and one minus it where it was
    wrong. A cell above 0.5 thus means "right", and with the truth of that time it gives the label.

    Args:
        path: CSV with the column `entry_key` and one column for each tool.
        truth: Label of every key at the time the matrix was written.

    Raises:
        InputError: naming every line that cannot be used.
    """
    path = Path(path)
    problems = Problems(path)
    reader = csv.DictReader(io.StringIO(_text(path)), strict=True)
    try:
        return _of_matrix(reader, truth, path, problems)
    except csv.Error as error:
        raise InputError(
            f"{printable(path)}, line {reader.line_num}: {error}. Is a quotation mark not closed?"
        ) from None


def _of_matrix(
    reader: "csv.DictReader[str]", truth: Mapping[str, Label], path: Path, problems: Problems
) -> dict[str, list[Prediction]]:
    tools = [name for name in reader.fieldnames or [] if name != "entry_key"]
    if "entry_key" not in (reader.fieldnames or []) or not tools:
        raise InputError(
            f"{printable(path)}, line 1: needs the column `entry_key` and one for each tool."
        )
    if len(set(tools)) < len(tools) or list(reader.fieldnames or []).count("entry_key") > 1:
        raise InputError(f"{printable(path)}, line 1: two columns have the same name.")
    found: dict[str, list[Prediction]] = {tool: [] for tool in tools}
    for row in reader:
        for tool in tools:
            prediction = _from_matrix(row, tool, truth, reader.line_num, problems)
            if prediction is not None:
                found[tool].append(prediction)
    problems.raise_if_any()
    return found


def labels_before(entries: Iterable[Entry], old: Mapping[str, Label]) -> dict[str, Label]:
    """Labels as they were before a relabelling, for `read_correctness_matrix`.

    Args:
        entries: The split with its labels of today.
        old: Former labels of those entries that were relabelled.
    """
    return {entry.bibtex_key: entry.label for entry in entries} | dict(old)


def _guarded(
    convert: Callable[[Row], Prediction], row: Row, line: int, problems: Problems
) -> Prediction | None:
    try:
        return structs.replace(convert(row), line=line)
    except KeyError as error:
        problems.add(f"{error.args[0]!r} is missing", line)
    except (TypeError, ValueError) as error:
        problems.add(printable(error), line)
    return None


def _updater_verdict(row: Row) -> Prediction:
    forced = _label(row["pred_label"])
    abstains = bool(row.get("btu_abstained", row.get("abstained")))
    return Prediction(
        bibtex_key=_key(row["bibtex_key"]),
        label=Label.UNCERTAIN if abstains else forced,
        confidence=_confidence(row, forced),
        reason=f"{row.get('source') or 'tool'}: {row.get('btu_status') or 'no record'}",
        sources=tuple(row.get("btu_api_sources") or ()),
        forced_label=Label.VALID if forced is Label.UNCERTAIN else forced,
    )


def _updater_raw(row: Row) -> Prediction:
    status = str(row["status"])
    flags = status in _FLAGGING or status.endswith("_mismatch")
    forced = Label.HALLUCINATED if flags else Label.VALID
    return Prediction(
        bibtex_key=_key(row["key"]),
        label=Label.UNCERTAIN if row.get("abstained") else forced,
        confidence=_raw_confidence(row, forced),
        reason=f"tool: {status}",
        sources=tuple(row.get("api_sources") or ()),
        forced_label=forced,
    )


def _verdict(row: Row) -> Prediction:
    label = _label(row["pred_label"])
    return Prediction(
        bibtex_key=_key(row["bibtex_key"]),
        label=label,
        confidence=_confidence(row, label),
        reason=str(row.get("reason") or ""),
    )


def _rater(row: Row) -> Prediction:
    label = _label(row["label"]) if row.get("label") else Label.ERROR
    return Prediction(
        bibtex_key=_key(row["bibtex_key"]),
        label=label,
        confidence=_confidence(row, label),
        reason=str(row.get("reason") or ""),
        seconds=_number(row.get("elapsed_seconds")),
    )


_CONVERTERS: dict[Shape, Callable[[Row], Prediction]] = {
    Shape.UPDATER_VERDICTS: _updater_verdict,
    Shape.UPDATER_RAW: _updater_raw,
    Shape.VERDICTS: _verdict,
    Shape.RATER: _rater,
}


def _key(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise ValueError("the key is empty or no text")


def _label(value: object) -> Label:
    if isinstance(value, str) and value in tuple(Label):
        return Label(value)
    raise ValueError(f"label {quoted(value)} is none of {', '.join(Label)}")


def _confidence(row: Row, label: Label) -> float:
    """P(`label` is right), from whichever of the released keys holds it; 0.5 if none does."""
    p_valid = _number(row.get("p_valid"))
    if p_valid is not None:
        return 1.0 - p_valid if label is Label.HALLUCINATED else p_valid
    value = _number(row.get("pred_confidence", row.get("confidence")))
    return 0.5 if value is None else value


def _raw_confidence(row: Row, label: Label) -> float:
    """The same of a raw verdict, whose `confidence` can be a word beside `confidence_score`."""
    return _confidence({**row, "confidence": row.get("confidence_score")}, label)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{quoted(value)} is no number")
    return float(value)


def _from_matrix(
    row: Mapping[str, str | None],
    tool: str,
    truth: Mapping[str, Label],
    line: int,
    problems: Problems,
) -> Prediction | None:
    key, cell = row.get("entry_key") or "", row.get(tool) or ""
    if key not in truth:
        problems.add(f"key {quoted(key)} is not in the split", line)
        return None
    try:
        sure = float(cell)
    except ValueError:
        problems.add(f"`{printable(tool)}` holds no number", line)
        return None
    if not 0.0 <= sure <= 1.0:
        problems.add(f"`{printable(tool)}` is outside 0 to 1", line)
        return None
    label = truth[key] if sure > 0.5 else _other(truth[key])  # noqa: PLR2004 - "more right than not"
    confidence = round(max(sure, 1.0 - sure), 12)
    return Prediction(bibtex_key=key, label=label, confidence=confidence, line=line)


def _other(label: Label) -> Label:
    return Label.VALID if label is Label.HALLUCINATED else Label.HALLUCINATED


def _text(path: Path) -> str:
    try:
        return read_text(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{printable(path)} cannot be read: {printable(reason)}.") from None
