"""Which lines of a JSON Lines file can be used, and what is wrong with all the others?

A file that is no JSON Lines at all (CSV, a JSON array, another encoding, empty) is named as what
it is. In one that is, every broken line is found before anything is reported; equal problems
share one message that lists their lines.
"""

import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from hallmark._files import read_bytes, write_whole
from hallmark.errors import InputError, OutputError

_BOMS = {
    b"\xef\xbb\xbf": "a byte order mark (UTF-8 with BOM)",
    b"\xff\xfe\x00\x00": "a byte order mark (UTF-32)",
    b"\x00\x00\xfe\xff": "a byte order mark (UTF-32)",
    b"\xff\xfe": "a byte order mark (UTF-16)",
    b"\xfe\xff": "a byte order mark (UTF-16)",
}
_GZIP = b"\x1f\x8b"
_COLUMNS = (b",", b"\t", b";")
_ESCAPED = b"\\u00"
"""ASCII letters of a key can be written as escapes too."""


class Problems:
    """Collects what is wrong, by message, with the lines on which it occurs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: dict[str, list[int]] = {}

    def add(self, message: str, line: int) -> None:
        """Note that `line` (counted from 1) suffers from `message`."""
        self._lines.setdefault(message, []).append(line)

    def raise_if_any(self, error: type[InputError] = InputError) -> None:
        """Raise one error that lists every problem with all its lines, if there is one."""
        if self._lines:
            raise error(self._text())

    def _text(self) -> str:
        found = [f"  {lines_text(lines)}: {message}" for message, lines in self._lines.items()]
        return "\n".join([f"{printable(self._path, 300)} cannot be used:", *found])


def lines_text(lines: Iterable[int]) -> str:
    """Return "line 4" or "lines 1-3, 7" for line numbers in any order."""
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in runs]
    plural = len(parts) > 1 or "-" in parts[0]
    return f"{'lines' if plural else 'line'} {', '.join(parts)}"


def printable(value: object, limit: int = 80) -> str:
    """Return a value from outside as one printable line of at most `limit` characters."""
    text = str(value)
    text = text if len(text) <= limit else text[: limit - 3] + "..."
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(value: object, limit: int = 80) -> str:
    """Return what `printable` does, in quotation marks; a message escapes nothing twice."""
    return f"'{printable(value, limit)}'"


def no_formula(text: str) -> str:
    """Return a name from outside as a cell of CSV that a spreadsheet takes for no formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text


def read_rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a JSON Lines file with their line numbers (from 1).

    Blank lines are skipped. No key may occur twice in an object, or in an object that it holds.

    Raises:
        InputError: where the file cannot be read or any line is no JSON object.
    """
    data = _read(path)
    _refuse_other_formats(path, data)
    problems = Problems(path)
    rows = list(_rows(data, problems))
    problems.raise_if_any()
    if not rows:
        raise InputError(f"{printable(path, 300)} is empty: give one JSON object on each line.")
    return rows


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise InputError(f"{printable(path, 300)} cannot be read: {error.strerror}.") from None


def _refuse_other_formats(path: Path, data: bytes) -> None:
    for mark, name in _BOMS.items():
        if data.startswith(mark):
            raise InputError(f"{printable(path, 300)}, line 1: {name}; save it as plain UTF-8.")
    start = data[:4096].lstrip()
    first = start.split(b"\n", 1)[0]
    if b"\x00" in start or start.startswith(_GZIP):
        raise InputError(
            f"{printable(path, 300)} is no UTF-8 text (it is binary, compressed or UTF-16); give "
            "one JSON object on each line, as plain UTF-8."
        )
    if start.startswith(b"["):
        raise InputError(
            f"{printable(path, 300)}, line 1: this is a JSON array; write one object on each line "
            "instead (jq -c '.[]' turns one into the other)."
        )
    if start and not start.startswith(b"{") and any(mark in first for mark in _COLUMNS):
        raise InputError(
            f"{printable(path, 300)}, line 1: this looks like CSV, not JSON Lines: "
            f"{quoted(first.decode('utf-8', 'replace'))}. Write one JSON object on each line."
        )


def _rows(data: bytes, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        row = _decode(line, number, problems)
        if row is None:
            continue
        if _may_repeat(line, row):
            for name in _repeated(line):
                problems.add(f"`{printable(name)}` is given more than once in one object", number)
        yield number, row


def _decode(line: bytes, number: int, problems: Problems) -> dict[str, Any] | None:
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problems.add(_why_not_json(line, error), number)
        return None
    if isinstance(row, dict):
        return row
    problems.add("not a JSON object", number)
    return None


def _why_not_json(line: bytes, error: Exception) -> str:
    """Name the number that JSON does not know, where this is what is wrong."""
    bad: list[str] = []
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(line, parse_constant=bad.append)
    if bad:
        return f"{bad[0]} is no JSON number; a confidence is a number from 0 to 1"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return f"not JSON ({printable(error)})"


def _may_repeat(line: bytes, row: dict[str, Any]) -> bool:
    """Tell quickly whether a key may occur twice in the object or in one that it holds."""
    inner = (value for value in row.values() if isinstance(value, dict))
    names = {name for one in (row, *inner) for name in one}
    return _ESCAPED in line or any(line.count(f'"{name}"'.encode()) > 1 for name in names)


def _repeated(line: bytes) -> list[str]:
    """Return the keys that stand twice in the object or in one that it holds."""
    again: dict[str, None] = {}

    def note(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(name for name, _ in pairs)
        again.update((name, None) for name, count in counts.items() if count > 1)

    with contextlib.suppress(ValueError, RecursionError):
        json.loads(line, object_pairs_hook=note)
    return list(again)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        OutputError: where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise OutputError(f"{printable(path, 300)} cannot be written: {error.strerror}.") from None
