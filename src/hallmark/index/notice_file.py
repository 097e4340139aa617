"""Which notices does a table of retractions hold?

The public Retraction Watch table (a CSV that Crossref distributes, twenty columns), or one reduced
to two columns: the DOI of the work, and the nature of the notice. Whatever the table holds, it is
read in bounded memory, and what cannot be read is counted or told in one sentence.
"""

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from hallmark.errors import InputError, SourceProblem
from hallmark.index.loaders.opening import Watcher
from hallmark.index.loaders.stream import Meter, unpacked
from hallmark.text import identifiers

NATURES = {
    "retraction": "retraction",
    "expression of concern": "concern",
    "correction": "correction",
    "reinstatement": "reinstatement",
}
"""The table's words for kinds of notices, and ours."""

_FULL = ("originalpaperdoi", "retractionnature")
_REDUCED = ("doi", "nature")
_WIDEST = 1 << 20
"""Characters of one field; the longest real ones (lists of authors) have some ten thousand."""
_MOST = 2_000_000
"""Rows of a table that are read; the real one has some 70,000."""
_LONGEST_ROW = 1000
"""Lines that a row may have; titles and notes hold a few line ends."""
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\b")
_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?\b")
_NOT_LETTERS = re.compile(r"[^a-z]")


class NoticeRow(Struct, frozen=True, order=True):
    """One notice: about the work `id` ("doi:10.1000/x", "pmid:123"), published under `doi`."""

    id: str
    date: str
    kind: str
    doi: str


class Table(Struct, frozen=True):
    """The notices of a table, each once, in order; and what was skipped, by reason."""

    rows: tuple[NoticeRow, ...]
    skipped: dict[str, int]
    sha256: str


def read_table(path: Path, watcher: Watcher) -> Table:
    """Read a table of retractions, plain or packed with gzip or Zstandard.

    Raises:
        InputError: there is no such file, it is no such table, or it holds no notice.
        SourceProblem: it cannot be read, or is cut or damaged.
    """
    skipped: Counter[str] = Counter()
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"There is no file `{path}`. Give the table of retractions.") from None
    except OSError as error:
        raise SourceProblem(f"`{path}` cannot be read: {error.strerror}.") from error
    with raw:
        watcher.begin(path.name, path.stat().st_size)
        meter = Meter(raw, watcher.advance)
        text = io.TextIOWrapper(
            unpacked(meter, path.name), "utf-8-sig", errors="replace", newline=""
        )
        rows = sorted(set(_rows(text, path.name, skipped)))
        digest = meter.finish()
    if not rows:
        raise InputError(f"`{path.name}` holds no notice about a work with a DOI or PubMed id.")
    return Table(tuple(rows), dict(skipped), digest)


def _rows(text: TextIO, name: str, skipped: Counter[str]) -> Iterator[NoticeRow]:
    reader = _records(text, name)
    head = next(reader, None)
    columns = [_NOT_LETTERS.sub("", cell.lower()) for cell in head or ()]
    if not all(one in columns for one in _FULL) and not all(one in columns for one in _REDUCED):
        raise InputError(
            f"`{name}` is no table of retractions: its first line must name the columns of "
            "Retraction Watch (OriginalPaperDOI, RetractionNature, ...), or `doi` and `nature`."
        )
    for count, cells in enumerate(reader):
        if count == _MOST:
            raise InputError(f"`{name}` has more than {_MOST:,} rows: it is no such table.")
        row = dict(zip(columns, cells, strict=False))
        found = list(_notices(row))
        if not found:
            skipped[_reason(row)] += 1
        yield from found


def _records(text: TextIO, name: str) -> Iterator[list[str]]:
    """Yield the rows of a CSV; empty ones are left out."""
    old = csv.field_size_limit(_WIDEST)
    open_lines = [0]
    reader = csv.reader(_lines(text, name, open_lines))
    try:
        for row in reader:
            open_lines[0] = 0
            if any(row):
                yield row
    except csv.Error as error:
        raise InputError(
            f"`{name}` is no sound CSV (line {reader.line_num:,}: {error}). Fetch it again."
        ) from error
    finally:
        csv.field_size_limit(old)


def _lines(text: TextIO, name: str, open_lines: list[int]) -> Iterator[str]:
    """Yield the lines; `open_lines` counts those of the row that is being read."""
    for number in itertools.count():
        line = text.readline(_WIDEST)
        if not line:
            return
        open_lines[0] += 1
        if number > _MOST or open_lines[0] > _LONGEST_ROW:
            raise InputError(
                f"`{name}` has too many lines, or a quotation that is never closed: it is no such "
                "table."
            )
        if "\0" in line:
            raise InputError(
                f"`{name}` is no text in UTF-8 (it holds NUL characters). Save it as CSV, UTF-8."
            )
        if len(line) == _WIDEST and not line.endswith("\n"):
            raise InputError(
                f"`{name}` has a line of more than {_WIDEST:,} characters: it is no such table."
            )
        yield line


def _notices(row: Mapping[str, str]) -> Iterator[NoticeRow]:
    """Yield the notices of a row, one for each identifier and kind."""
    nature = row.get("retractionnature") or row.get("nature") or ""
    kinds = [NATURES.get(one.strip().lower()) for one in nature.split(";")]
    day = _date(row.get("retractiondate", ""))
    own = identifiers.doi(row.get("retractiondoi", "")) or ""
    for work in _ids(row):
        for kind in kinds:
            if kind is not None:
                yield NoticeRow(work, day, kind, own)


def _ids(row: Mapping[str, str]) -> Iterator[str]:
    doi = identifiers.doi(row.get("originalpaperdoi") or row.get("doi") or "")
    if doi is not None:
        yield f"doi:{doi}"
    pmid = (row.get("originalpaperpubmedid") or "").strip()
    if pmid.isdecimal() and pmid.isascii() and pmid.strip("0") and len(pmid) < _LONGEST_PMID:
        yield f"pmid:{int(pmid)}"


_LONGEST_PMID = 10


def _reason(row: Mapping[str, str]) -> str:
    return "no notice of a known nature" if any(_ids(row)) else "no DOI or PubMed id of the work"


def _date(text: str) -> str:
    """Return a date as "2021-05-03"; the table writes month/day/year and a time behind it."""
    day, iso = _DAY.match(text.strip()), _ISO.match(text.strip())
    if day is not None:
        month, number, year = (int(part) for part in day.groups())
        if month > 12 >= number:  # noqa: PLR2004 - months of a year
            month, number = number, month
        return _checked(year, month, number)
    if iso is None:
        return ""
    return _checked(*(int(part) for part in iso.groups() if part))


def _checked(year: int, month: int = 0, number: int = 0) -> str:
    """Return as much of a date as there is, "" where there is no such day."""
    try:
        date(year, month or 1, number or 1)
    except ValueError:
        return ""
    parts = [f"{year:04}", *(f"{part:02}" for part in (month, number) if part)]
    return "-".join(parts)
