"""What was published later about a work: retractions, expressions of concern, corrections?

A small SQLite table in the index's folder, looked up by DOI or PubMed id. Notices that were taken
back (the work was reinstated) do not stand.
"""

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from msgspec import structs

from hallmark.index.notice_file import NoticeRow
from hallmark.records.work import Notice, Version

SOURCE = "retraction-watch"
"""Who is named as having published the table."""

RETRACTING = frozenset({"retraction", "withdrawal"})
REINSTATED = "reinstatement"

_CREATE = """
CREATE TABLE notices (id TEXT NOT NULL, kind TEXT NOT NULL, date TEXT NOT NULL, doi TEXT NOT NULL);
CREATE INDEX by_id ON notices (id);
CREATE INDEX by_doi ON notices (doi);
"""
_INSERT = "INSERT INTO notices VALUES (?, ?, ?, ?)"
_BY_ID = "SELECT kind, date, doi FROM notices WHERE id = ? ORDER BY date, kind, doi"
_BY_DOI = "SELECT kind, date FROM notices WHERE doi = ? AND id <> ? ORDER BY date, kind LIMIT 1"


def write_notices(path: Path, rows: Iterable[NoticeRow]) -> None:
    """Write the notices that stand to a new table."""
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_CREATE)
        connection.executemany(
            _INSERT, ((one.id, one.kind, one.date, one.doi) for one in standing(rows))
        )
        connection.commit()
    finally:
        connection.close()


def standing(rows: Iterable[NoticeRow]) -> Iterator[NoticeRow]:
    """Yield the notices that were not taken back, and the notes of reinstatement.

    A reinstatement takes back the retractions and concerns up to its date; where a date is not
    known, it takes back all of them.
    """
    for _, group in groupby(sorted(rows), key=attrgetter("id")):
        notices = list(group)
        back = [one.date for one in notices if one.kind == REINSTATED]
        for one in notices:
            if one.kind in {"correction", REINSTATED} or not _taken_back(one, back):
                yield one


def _taken_back(notice: NoticeRow, reinstated: Sequence[str]) -> bool:
    return any(not day or notice.date <= day for day in reinstated)


class Notices:
    """The notices of an index; one without a table knows of none.

    Args:
        path: the table.
    """

    def __init__(self, path: Path) -> None:
        self._connection: sqlite3.Connection | None = None
        if path.is_file():
            place = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(place, uri=True, check_same_thread=False)
            weakref.finalize(self, self._connection.close)

    def about(self, *, doi: str | None = None, pmid: str | None = None) -> tuple[Notice, ...]:
        """Return what was published about the work of an identifier, the oldest first.

        Raises:
            ValueError: the table is damaged.
        """
        ids = [f"doi:{doi}" if doi else "", f"pmid:{pmid}" if pmid else ""]
        found = (row for one in ids if one for row in self._rows(_BY_ID, one))
        notices = (Notice(str(kind), str(day), str(own), SOURCE) for kind, day, own in found)
        return tuple(dict.fromkeys(notices))

    def that_is(self, doi: str | None) -> Notice | None:
        """Return the notice that is itself published under a DOI, about another work.

        Raises:
            ValueError: the table is damaged.
        """
        for kind, day in self._rows(_BY_DOI, doi, f"doi:{doi}") if doi else ():
            return Notice(str(kind), str(day), doi or "", SOURCE)
        return None

    def attached(self, version: Version) -> Version:
        """Return a record with the notices about it, or about its published version.

        Raises:
            ValueError: the table is damaged.
        """
        if self._connection is None or not (version.doi or version.published_as):
            return version
        found = (*self.about(doi=version.doi), *self.about(doi=version.published_as))
        if not found:
            return version
        retracted = any(one.kind in RETRACTING for one in found)
        back = any(one.kind == REINSTATED for one in found)
        return structs.replace(
            version,
            notices=tuple(dict.fromkeys((*version.notices, *found))),
            retracted=retracted or (version.retracted and not back),
        )

    def _rows(self, query: str, *values: str) -> list[tuple[object, ...]]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise ValueError(f"its table of retractions cannot be read: {error}") from error
