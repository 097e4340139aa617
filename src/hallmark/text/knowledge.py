"""What do the tables of knowledge say, and what has the user added to them?

What is known about the world (venues, prefixes, short forms of names, stand-ins) lies in tables
beside the code, one `NAME.tsv` each in the folder `tables`: cells parted by tabs, a lone "." for
an empty cell, lines with "#" for comments; the first comments give title, provenance and date.

A user's folder may hold files of the same names and form. `use` reads them in: a row with the key
of a packaged row replaces it, any other is added. What is derived from tables is derived anew.
"""

import difflib
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from hallmark.errors import InputError
from hallmark.text.table_forms import TABLES, Table

Row = tuple[str, ...]

LARGEST_FILE = 50_000_000
"""Bytes of a user's table; a larger file is a mistake."""


class Origin(Struct, frozen=True):
    """What a packaged table says of itself in its first lines."""

    title: str
    provenance: str
    as_of: str


class _Derived(Protocol):
    def cache_clear(self) -> None: ...


_D = TypeVar("_D", bound=_Derived)
_derived: list[_Derived] = []
_chosen: list[Path] = []


def derived(function: _D) -> _D:
    """Mark a cached function as derived from tables: `use` makes it forget what it knows."""
    _derived.append(function)
    return function


def use(folder: Path | None) -> None:
    """Take a user's tables over the packaged ones from now on; None goes back to the packaged.

    It holds for the whole process: call it before an index is opened. Nothing changes where a
    file is not as it should be.

    Raises:
        InputError: the folder or a file in it cannot be used; the message names file and line.
    """
    if folder is not None:
        check(folder)
    _chosen[:] = [folder] if folder is not None else []
    for function in _derived:
        function.cache_clear()


def chosen() -> Path | None:
    """Return the user's folder that is in use, to hand it to another process."""
    return _chosen[0] if _chosen else None


def check(folder: Path) -> dict[str, int]:
    """Return how many rows each of a user's tables has.

    Raises:
        InputError: the folder is missing, or a file in it is no table of ours or has a bad row.
    """
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {folder} with tables. Name one that holds .tsv files."
        )
    counts = {}
    for path in sorted(folder.glob("*.tsv")):
        table = TABLES.get(path.stem)
        if table is None:
            raise InputError(f"{path} is no table that is known.{_meant(path.stem)}")
        counts[table.name] = sum(1 for _ in _of_user(table, path))
    if not counts:
        raise InputError(f"{folder} holds no table. Known ones: {', '.join(_files())}.")
    _check_ids(folder)
    return counts


def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of a table, the user's merged over the packaged ones; "." becomes ""."""
    return _rows(name)


@derived
@cache
def _rows(name: str) -> tuple[Row, ...]:
    table = TABLES[name]
    packaged = tuple(_packaged(table))
    folder = chosen()
    path = folder / table.file if folder else None
    if path is None or not path.exists():
        return packaged
    return _merged(table, packaged, tuple(_of_user(table, path)))


def _merged(table: Table, packaged: tuple[Row, ...], own: tuple[Row, ...]) -> tuple[Row, ...]:
    """Put the user's rows in the places of those that they replace, the others behind."""
    if not table.key:
        return packaged + own
    by_key = {row[: table.key]: row for row in packaged}
    by_key.update({row[: table.key]: row for row in own})
    return tuple(by_key.values())


def words(name: str, kind: str) -> frozenset[str]:
    """Return the first cells of the rows whose second cell is `kind`."""
    return frozenset(row[0] for row in rows(name) if row[1] == kind)


def origin(name: str) -> Origin:
    """Return title, provenance and date of a packaged table.

    Raises:
        ValueError: the file does not give them; a fault of the package.
    """
    found = dict(_HEADER.findall(_text(TABLES[name])))
    try:
        return Origin(found["Title"], found["Provenance"], found["As of"])
    except KeyError as missing:
        raise ValueError(f"{name}.tsv does not give its {missing}") from missing


_HEADER = re.compile(r"^# (Title|Provenance|As of): (.+)$", re.MULTILINE)


def _text(table: Table) -> str:
    return files("hallmark.text").joinpath("tables", table.file).read_text(encoding="utf-8")


def _packaged(table: Table) -> Iterator[Row]:
    for number, row in _cells(_text(table)):
        if len(row) != len(table.columns):
            raise ValueError(f"{table.file}, line {number}: {len(row)} cells")
        yield row


def _cells(text: str) -> Iterator[tuple[int, Row]]:
    """Yield line number and cells of every row."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            cells = (cell.strip() for cell in line.split("\t"))
            yield number, tuple("" if cell == "." else cell for cell in cells)


def _of_user(table: Table, path: Path) -> Iterator[Row]:
    """Yield the rows of a user's table; trailing empty cells may be left out."""
    seen: dict[Row, int] = {}
    for number, row in _cells(_read(path)):
        whole = row + ("",) * (len(table.columns) - len(row))
        place = f"{path}, line {number}"
        _check_row(table, whole, place)
        key = whole[: table.key]
        if key and key in seen:
            raise InputError(
                f"{place}: {' '.join(key)} stands in line {seen[key]} already. Keep one."
            )
        seen[key] = number
        yield whole


def _read(path: Path) -> str:
    try:
        if not path.is_file():
            raise InputError(f"{path} is no file. A table is a text file.")
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path} is larger than {LARGEST_FILE:,} bytes: it is no table.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not in UTF-8. Save it as UTF-8 text.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def _check_row(table: Table, row: Row, place: str) -> None:
    names = ", ".join(column.name for column in table.columns)
    if len(row) > len(table.columns):
        raise InputError(
            f"{place}: {len(row)} cells, where {table.file} has {len(table.columns)} "
            f"({names}). Part cells by one tab."
        )
    for column, cell in zip(table.columns, row, strict=True):
        if re.fullmatch(column.form, cell) is None:
            raise InputError(
                f"{place}: {column.name} is {cell[:80]!r}; expected {column.meaning}. "
                f"Cells, parted by tabs: {names}."
            )
    if table.name == "spellings" and row[0] == "rule":
        _check_pattern(row[1], row[2], place)


def _check_pattern(pattern: str, replacement: str, place: str) -> None:
    """Refuse a rule of spelling that cannot be applied, or that changes every word."""
    try:
        changed = re.compile(pattern).sub(replacement, "rule")
    except (re.error, RecursionError, IndexError) as error:
        raise InputError(
            f"{place}: {pattern[:80]!r} with {replacement[:80]!r} is no rule ({error})."
        ) from None
    if re.fullmatch(pattern, "") or changed != "rule":
        raise InputError(f"{place}: {pattern[:80]!r} would change words that it does not mean.")


_NAMING = {"venue_aliases": (0,), "venue_links": (0, 1), "anthology_letters": (1,)}
"""Cells of tables that hold an identity of a venue."""


def _check_ids(folder: Path) -> None:
    """Refuse rows that name a venue that neither the package nor the user's folder knows."""
    known = {row[0] for row in _packaged(TABLES["venues"])}
    own = folder / TABLES["venues"].file
    if own.exists():
        known |= {row[0] for row in _of_user(TABLES["venues"], own)}
    for name, cells in _NAMING.items():
        path = folder / TABLES[name].file
        for number, row in _cells(_read(path)) if path.exists() else ():
            for cell in cells:
                if row[cell] not in known and row[cell].rpartition("-")[0] not in known:
                    raise InputError(
                        f"{path}, line {number}: no venue has the id {row[cell]!r}."
                        f"{_close(row[cell], known)} Add it to venues.tsv in {folder}."
                    )


def _meant(name: str) -> str:
    return f"{_close(name, set(TABLES))} Known ones: {', '.join(_files())}."


def _close(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _files() -> list[str]:
    return [table.file for table in TABLES.values()]
