"""What is a benchmark entry, its blind view, and a tool's prediction for it?

Entries are read as HALLMARK releases them: optional keys may be absent or null, unknown keys are
kept, and an entry that is written back has the bytes it was read from.
"""

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, structs

from hallmark._files import read_bytes
from hallmark.bench import fields as check
from hallmark.bench.lines import Problems, lines_text, printable, read_rows, write_text
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError

ERROR_TAG = "[Error fallback]"
"""A reason that starts so marks, in released files, a row that a failed tool left behind."""


_NO_TYPE = "misc"
_URL_FIELD = re.compile(r"\burl\s*=", re.IGNORECASE)


class Label(StrEnum):
    """What an entry is, or what a tool says of it: UNCERTAIN abstains, ERROR is a failed tool."""

    VALID = "VALID"
    HALLUCINATED = "HALLUCINATED"
    UNCERTAIN = "UNCERTAIN"
    ERROR = "ERROR"


class BlindEntry(Struct, frozen=True):
    """What a tool may see of an entry."""

    bibtex_key: str
    bibtex_type: str = _NO_TYPE
    fields: dict[str, str] = {}
    raw_bibtex: str | None = None

    def blind(self) -> Self:
        """Return the entry itself: it is blind already."""
        return self


class Entry(Struct, frozen=True, kw_only=True):
    """A benchmark entry with its truth.

    `label` is VALID or HALLUCINATED. `hallucination_type` and `difficulty_tier` (1 to 3) are None
    for valid entries. `subtests` maps sub-test names to true, false or None (not applicable).
    `extra` keeps unknown keys. `line` is where it was read (0: made in code); `order` and
    `ascii_only` keep the spelling of that line.
    """

    bibtex_key: str
    label: Label
    bibtex_type: str = _NO_TYPE
    fields: dict[str, str] = {}
    hallucination_type: HallucinationType | None = None
    difficulty_tier: int | None = None
    explanation: str | None = None
    generation_method: str | None = None
    source_conference: str | None = None
    source: str | None = None
    publication_date: str | None = None
    added_to_benchmark: str | None = None
    subtests: dict[str, bool | None] = {}
    raw_bibtex: str | None = None
    schema_version: str | None = None
    extra: dict[str, Any] = {}
    line: int = 0
    order: tuple[str, ...] = ()
    ascii_only: bool = False

    def blind(self) -> BlindEntry:
        """Return the entry without its truth and without `url`, which gives some types away."""
        fields = {name: value for name, value in self.fields.items() if name != "url"}
        raw = None if _URL_FIELD.search(self.raw_bibtex or "") else self.raw_bibtex
        return BlindEntry(self.bibtex_key, self.bibtex_type, fields, raw)

    def row(self) -> dict[str, Any]:
        """Return the JSON object, in the key order it was read in."""
        values = {**{name: getattr(self, name) for name in ENTRY_KEYS}, **self.extra}
        new = [name for name in values if name not in self.order]
        if self.order:
            new = [name for name in new if values[name] not in (None, {}, _NO_TYPE)]
        return {name: values[name] for name in [*self.order, *new] if name in values}


ENTRY_KEYS = (
    "bibtex_key", "bibtex_type", "fields", "label", "hallucination_type", "difficulty_tier",
    "explanation", "generation_method", "source_conference", "source", "publication_date",
    "added_to_benchmark", "subtests", "raw_bibtex", "schema_version",
)  # fmt: skip
_TRUTHS = (Label.VALID, Label.HALLUCINATED)
_TEXT_KEYS = (
    "bibtex_type", "explanation", "generation_method", "source_conference", "source",
    "publication_date", "added_to_benchmark", "raw_bibtex", "schema_version",
)  # fmt: skip


class Prediction(Struct, frozen=True, kw_only=True):
    """A tool's answer for one entry.

    `confidence` is P(`label` is right) in [0, 1]; for UNCERTAIN it is P(`forced_label` is right)
    where a tool gives one. `seconds`, `calls` and `cost` (US dollars) are what the answer took.
    `subtest_results` maps sub-test names to true, false or None (unknown).
    """

    bibtex_key: str
    label: Label
    confidence: float = 0.5
    predicted_hallucination_type: HallucinationType | None = None
    reason: str = ""
    subtest_results: dict[str, bool | None] = {}
    sources: tuple[str, ...] = ()
    seconds: float | None = None
    calls: int | None = None
    cost: float | None = None
    forced_label: Label | None = None
    extra: dict[str, Any] = {}
    line: int = 0

    @property
    def p_hallucinated(self) -> float:
        """P(hallucinated) in [0, 1]; 0.5 where the tool abstains or failed."""
        return chance(self.label, self.confidence)

    def row(self) -> dict[str, Any]:
        """Return the JSON object, without values that say nothing."""
        kept = {k: v for k, v in structs.asdict(self).items() if k not in {"extra", "line"}}
        always = ("bibtex_key", "label", "confidence")
        row = {k: v for k, v in kept.items() if k in always or v not in (None, "", {}, ())}
        return {**row, **self.extra}


def chance(label: Label, confidence: float) -> float:
    """Return P(hallucinated) for a label that is right with probability `confidence`.

    The complement is rounded to 12 decimals, so that VALID at 0.95 and HALLUCINATED at 0.05 tie.
    """
    match label:
        case Label.HALLUCINATED:
            return confidence
        case Label.VALID:
            return round(1.0 - confidence, 12)
        case Label.UNCERTAIN | Label.ERROR:
            return 0.5


def read_entries(path: Path | str) -> list[Entry]:
    """Read a gold file (JSON Lines).

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
    path = Path(path)
    rows = read_rows(path)
    _refuse_unlabelled(path, rows, "it is a blind file; only run, template and audit take one")
    _refuse_predictions(path, rows)
    entries = entries_of(rows, path)
    spelled = _ascii_lines(path)
    return [
        structs.replace(entry, ascii_only=True) if entry.line in spelled else entry
        for entry in entries
    ]


def entries_of(rows: Iterable[tuple[int, dict[str, Any]]], path: Path) -> list[Entry]:
    """Return the entries of gold rows, each given with its line; `path` is named in messages.

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
    problems = Problems(path)
    entries = [_entry(row, line, problems) for line, row in rows]
    problems.raise_if_any()
    return entries


def read_blind(path: Path | str) -> list[BlindEntry]:
    """Read the entries of a blind or a gold file as a tool may see them.

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
    path = Path(path)
    problems = Problems(path)
    rows = read_rows(path)
    shown = ("bibtex_key", "bibtex_type", "fields", "raw_bibtex")
    entries = [
        _entry({k: row[k] for k in shown if k in row} | {"label": "VALID"}, line, problems)
        for line, row in rows
    ]
    problems.raise_if_any()
    return [entry.blind() for entry in entries]


def read_predictions(path: Path | str) -> list[Prediction]:
    """Read a prediction file (JSON Lines); a repeated key is left for `align` to refuse.

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
    path = Path(path)
    problems = Problems(path)
    rows = read_rows(path)
    _refuse_unlabelled(
        path, rows, "`hallmark bench convert` reads the other shapes of released files"
    )
    predictions = [_prediction(row, line, problems) for line, row in rows]
    problems.raise_if_any()
    return predictions


def _refuse_unlabelled(path: Path, rows: list[tuple[int, dict[str, Any]]], hint: str) -> None:
    if len(rows) == 1 or any("label" in row for _, row in rows):
        return
    raise InputError(
        f"{printable(path, 300)} cannot be used:\n  {lines_text(line for line, _ in rows)}: "
        f"`label` is missing in every row; {hint}"
    )


def _refuse_predictions(path: Path, rows: list[tuple[int, dict[str, Any]]]) -> None:
    """Refuse a tool's answers given as truth: no row describes an entry, but they are confident."""
    described = any(_ENTRY_ONLY & row.keys() for _, row in rows)
    if described or not any("confidence" in row for _, row in rows):
        return
    raise InputError(
        f"{printable(path, 300)} cannot be used as gold: it holds predictions (`confidence`, "
        "but no `fields`). Give the split that they were made for."
    )


_ENTRY_ONLY = frozenset({"fields", "bibtex_type", "hallucination_type", "generation_method"})
"""Keys of a gold row that no prediction has."""


def write_jsonl(
    path: Path | str, rows: Iterable[Entry | Prediction | Struct | dict[str, Any]]
) -> None:
    """Write rows as JSON Lines, the file whole or not at all.

    Raises:
        OutputError: where it cannot be written.
    """
    write_text(Path(path), "".join(_line(row) + "\n" for row in rows))


def _line(row: Entry | Prediction | Struct | dict[str, Any]) -> str:
    match row:
        case Entry():
            return json.dumps(row.row(), ensure_ascii=row.ascii_only)
        case Prediction():
            return json.dumps(row.row(), ensure_ascii=False)
        case Struct():
            return json.dumps(structs.asdict(row), ensure_ascii=False)
        case _:
            return json.dumps(row, ensure_ascii=False)


def _ascii_lines(path: Path) -> set[int]:
    lines = read_bytes(path).split(b"\n")
    return {n for n, line in enumerate(lines, 1) if b"\\u" in line and line.isascii()}


def _entry(row: dict[str, Any], line: int, problems: Problems) -> Entry:
    texts = {name: check.text(row, name, line, problems) for name in _TEXT_KEYS}
    label = check.choice(row.get("label"), "label", _TRUTHS, line, problems)
    return Entry(
        **{**texts, "bibtex_type": texts["bibtex_type"] or _NO_TYPE},  # type: ignore[arg-type]
        bibtex_key=check.key(row, line, problems),
        label=Label(label or Label.VALID),
        fields=check.bibtex_fields(row.get("fields"), line, problems),
        hallucination_type=check.hallucination_type(row.get("hallucination_type"), line, problems),
        difficulty_tier=check.tier(row.get("difficulty_tier"), line, problems),
        subtests=check.subtests(row.get("subtests"), line, problems),
        extra={name: value for name, value in row.items() if name not in ENTRY_KEYS},
        line=line,
        order=tuple(row),
    )


_PREDICTION_KEYS = frozenset(
    {
        "bibtex_key", "label", "confidence", "predicted_hallucination_type", "reason",
        "subtest_results", "sources", "seconds", "calls", "cost", "forced_label",
        "api_sources_queried", "wall_clock_seconds", "api_calls",
    }
)  # fmt: skip


def _prediction(row: dict[str, Any], line: int, problems: Problems) -> Prediction:
    reason = check.text(row, "reason", line, problems) or ""
    label = _said(row, reason, line, problems)
    kind = row.get("predicted_hallucination_type")
    sources = check.either(row, "sources", "api_sources_queried")
    seconds = check.either(row, "seconds", "wall_clock_seconds")
    calls = check.count(check.either(row, "calls", "api_calls"), "calls", line, problems)
    return Prediction(
        bibtex_key=check.key(row, line, problems),
        label=label,
        confidence=_confidence(row, label, line, problems),
        predicted_hallucination_type=check.hallucination_type(kind, line, problems),
        reason=reason,
        subtest_results=check.subtests(row.get("subtest_results"), line, problems),
        sources=check.texts(sources, "sources", line, problems),
        seconds=check.number(seconds, "seconds", line, problems),
        calls=calls,
        cost=check.number(row.get("cost"), "cost", line, problems),
        forced_label=_forced(row, line, problems),
        extra={k: v for k, v in row.items() if k not in _PREDICTION_KEYS and v is not None},
        line=line,
    )


def _said(row: dict[str, Any], reason: str, line: int, problems: Problems) -> Label:
    label = check.choice(row.get("label"), "label", Label, line, problems)
    return Label.ERROR if reason.startswith(ERROR_TAG) else Label(label or Label.ERROR)


def _confidence(row: dict[str, Any], label: Label, line: int, problems: Problems) -> float:
    value = row.get("confidence")
    if value is None and label is Label.ERROR:
        return 0.5
    return check.confidence(value, line, problems)


def _forced(row: dict[str, Any], line: int, problems: Problems) -> Label | None:
    value = row.get("forced_label")
    label = None if value is None else check.choice(value, "forced_label", _TRUTHS, line, problems)
    return None if label is None else Label(label)
