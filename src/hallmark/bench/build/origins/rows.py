"""Which references, notes and codes does a list of cases hold, in CSV or in JSON Lines?"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from hallmark._files import read_text
from hallmark.bench.lines import printable, quoted, read_rows
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
    reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=mark, strict=True)
    start = 1
    try:
        names = _names(next(reader, []), path)
        start = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                _must_fit(cells, names, f"{printable(path, 300)}, line {start}")
                yield Row(start, dict(zip(names, cells, strict=False)))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(_unread(path, start, reader.line_num, error)) from None


def _names(cells: Sequence[str], path: Path) -> list[str]:
    """Return the columns' names; two of one name would hide each other."""
    names = [name.strip() for name in cells][:_MOST_COLUMNS]
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if twice:
        raise InputError(
            f"{printable(path, 300)} has several columns named {quoted(twice[0])}. Give each "
            "a name of its own."
        )
    return names


def _must_fit(cells: Sequence[str], names: Sequence[str], where: str) -> None:
    if any(cell.strip() for cell in cells[len(names) :]):
        raise InputError(
            f"{where}: {len(cells)} cells, where the header names {len(names)}. Put quotation "
            "marks around a cell that holds a separator."
        )


def _unread(path: Path, start: int, end: int, error: csv.Error) -> str:
    """Say in which row a table ends to be one: a mark that is not closed swallows what follows."""
    where = f"{printable(path, 300)}, line {start}"
    if "limit" in str(error):
        return f"{where}: a cell is longer than {_LONGEST_CELL:,} characters. Is it CSV?"
    swallowed = f", which swallows the lines up to {end}" if end > start else ""
    return (
        f"{where}: a quotation mark is not closed{swallowed}. Close it; inside of a cell, write "
        'two of them ("").'
    )


def _column(
    role: str, names: Sequence[str], given: Mapping[str, str], known: Mapping[str, Sequence[str]]
) -> str:
    if role in given:
        if given[role] not in names:
            raise InputError(
                f"There is no column {quoted(given[role])}; there are "
                f"{', '.join(printable(name, 40) for name in names[:20])}."
            )
        return given[role]
    for one in known[role]:
        like = [name for name in names if _folded(name) == _folded(one)]
        if len(like) > 1:
            raise InputError(
                f"Several columns may hold the {role}: "
                f"{', '.join(printable(name, 40) for name in like[:20])}. Name one: "
                f"--column {role}=NAME"
            )
        if like:
            return like[0]
    return ""


def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace(" ", "").replace("-", "")
