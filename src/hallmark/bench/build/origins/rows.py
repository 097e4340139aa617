"""Which references, notes and codes does a list of cases hold, in CSV or in JSON Lines?"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from hallmark._files import read_text
from hallmark.bench.lines import printable, read_rows
from hallmark.errors import InputError
from hallmark.parse.interface import parse_text
from hallmark.parse.plaintext.reader import read_reference
from hallmark.records.reference import FailedEntry, Location, Reference

COLUMNS: dict[str, tuple[str, ...]] = {
    "reference": (
        "reference", "citation", "raw", "raw_citation", "raw_reference", "reference_text",
        "citation_text", "bibliographic_reference", "full_reference", "bibtex", "text", "ref",
    ),
    "note": (
        "note", "notes", "comment", "comments", "explanation", "finding", "findings", "issue",
        "reason", "remark", "analysis", "details",
    ),
    "id": ("id", "case", "case_id", "key", "no", "number", "#"),
    "source": ("source", "paper", "paper_title", "found_in", "document", "submission"),
    "kind": ("kind", "type", "publication_type", "document_type", "genre"),
    "codes": ("codes", "code", "coding", "errors", "error", "error_type", "category"),
}  # fmt: skip
"""What a column may be called, by what it holds; case, blanks and underscores do not matter."""
_LONGEST_CELL = 200_000
_MOST_COLUMNS = 500


class Row(Struct, frozen=True):
    """A case as it stands: its line (from 1) and its cells by the column's name."""

    line: int
    cells: dict[str, str]


class Table(Struct, frozen=True):
    """The cases of a file, and which of its columns holds what."""

    rows: tuple[Row, ...]
    columns: dict[str, str]

    def cell(self, row: Row, role: str) -> str:
        """Return what a row says in a role ("note"), "" where there is no such column."""
        return row.cells.get(self.columns.get(role, ""), "").strip()


def read_table(
    path: Path,
    given: Mapping[str, str],
    needed: Sequence[str] = ("reference",),
    known: Mapping[str, Sequence[str]] = COLUMNS,
) -> Table:
    """Read a list of cases.

    Args:
        path: a CSV file with a header (comma, semicolon or tab), or JSON Lines.
        given: the columns' names by role, where the user says so.
        needed: the roles without which nothing can be done.
        known: the names by which columns are recognised, by role.

    Raises:
        InputError: it cannot be read, or a column that is needed was not recognised.
    """
    rows = tuple(_json_rows(path) if _is_json(path) else _csv_rows(path))
    if not rows:
        raise InputError(f"{printable(path, 300)} holds no case. Give one on each line.")
    names = list(dict.fromkeys(name for row in rows for name in row.cells))
    columns = {role: _column(role, names, given, known) for role in {*known, *given}}
    found = {role: name for role, name in columns.items() if name}
    lacking = [role for role in needed if role not in found]
    if lacking:
        raise InputError(
            f"{printable(path, 300)} has no column for the {' and '.join(lacking)}; it has "
            f"{', '.join(printable(name, 40) for name in names[:20])}. Name it: "
            f"--column {lacking[0]}=NAME"
        )
    return Table(rows, found)


def reference_of_cell(text: str, key: str, location: Location) -> Reference | FailedEntry:
    """Return the reference in a cell: BibTeX where it begins with "@", else plain text."""
    if not text.lstrip().startswith("@"):
        return read_reference(text, key, location)
    try:
        found = next(iter(parse_text(text)), None)
    except InputError:
        found = None
    return found or FailedEntry(location=location, reason="There is no entry.", key=key, raw=text)


def _is_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4096).lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"{", b"["))
    except OSError as error:
        raise InputError(f"{printable(path, 300)} cannot be read: {error.strerror}.") from None


def _json_rows(path: Path) -> Iterator[Row]:
    for line, row in read_rows(path):
        yield Row(line, {name: _text(value) for name, value in row.items()})


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case list():
            return "; ".join(map(_text, value))
        case _:
            return str(value)[:_LONGEST_CELL]


def _csv_rows(path: Path) -> Iterator[Row]:
    try:
        text = read_text(path, "utf-8-sig")
    except OSError as error:
        raise InputError(f"{printable(path, 300)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{printable(path, 300)} is no UTF-8 text. Save it as UTF-8.") from None
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=mark)
    try:
        names = [name.strip() for name in next(reader, [])][:_MOST_COLUMNS]
        start = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield Row(start, dict(zip(names, cells, strict=False)))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{printable(path, 300)}, line {reader.line_num}: {error}. Is it CSV with a header?"
        ) from None


def _column(
    role: str, names: Sequence[str], given: Mapping[str, str], known: Mapping[str, Sequence[str]]
) -> str:
    if role in given:
        if given[role] not in names:
            raise InputError(
                f"There is no column {printable(given[role])!r}; there are "
                f"{', '.join(printable(name, 40) for name in names[:20])}."
            )
        return given[role]
    folded = {_folded(name): name for name in reversed(names)}
    return next((folded[_folded(one)] for one in known[role] if _folded(one) in folded), "")


def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace(" ", "").replace("-", "")
