"""What did a tool answer when it was last asked this?

One SQLite file keeps the results of tools, keyed by the SHA-256 of the tool's name and its
canonical arguments (the paper, B.2.4). Nothing expires, so that a run can be repeated to the letter
without a network. Failures are never kept, and a damaged file is told and left as it is: what
sources answered on that day cannot be asked again.
"""

import hashlib
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from hallmark.errors import InputError, ModelStopped
from hallmark.llm.cache import open_to_read
from hallmark.llm.tools import Told

FILE = "tools.sqlite"
_FORMAT = 1
_BUSY_S = 60.0
_LONGEST_TOLD = 200
_TABLE = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT NOT NULL, place TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL,
    result TEXT NOT NULL, asked TEXT NOT NULL, PRIMARY KEY (key, place)
) WITHOUT ROWID
"""
_RESULT: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class KeptResult(Struct, frozen=True):
    """One result: the tool, its canonical arguments, what it told, and when (YYYY-MM-DD)."""

    tool: str
    arguments: str
    data: Mapping[str, Any]
    asked: str


def key_of(tool: str, arguments: str) -> str:
    """Return the key of a call; `arguments` are in their canonical form."""
    return hashlib.sha256(f"{tool}::{arguments}".encode("utf-8", "surrogatepass")).hexdigest()


class ToolCache:
    """The results that are kept.

    Args:
        path: the file, created where it is missing; None keeps nothing.
        place: the address at which sources are asked, "" for their own: the answers of a mirror or
            a test are nobody else's. Offline, any place will do, this one first.
        today: the date that results are kept with.
        offline: whether only kept results count.

    Raises:
        InputError: the file is damaged, foreign or cannot be opened, or there is none offline.
    """

    def __init__(
        self, path: Path | None, *, place: str = "", today: str = "", offline: bool = False
    ) -> None:
        if offline and (path is None or not path.exists()):
            raise InputError(
                f"There are no kept results of tools at `{path or 'no --cache'}`. Name the --cache "
                "of the run that asked for them, or run without --offline."
            )
        self._path = path
        self._place = place
        self._today = today
        self._offline = offline
        self._table: sqlite3.Connection | None = None
        if path is not None:
            with self._translated():
                self._table = _opened(path, read_only=offline)
                self._prepare(self._table)

    async def through(self, tool: str, arguments: str, ask: Callable[[], Awaitable[Told]]) -> Told:
        """Return the kept result of a call, or ask for it and keep what was answered.

        Args:
            tool: its name.
            arguments: in their canonical form.
            ask: carries the call out.

        Raises:
            ModelStopped: nothing is kept and nothing may be asked, or it cannot be kept.
            InputError: the file is damaged.
        """
        kept = self.get(tool, arguments)
        if kept is not None:
            return Told(kept.data)
        if self._offline:
            shown = arguments[:_LONGEST_TOLD]
            raise ModelStopped(
                f"No result of the tool {tool} is kept in `{self._path}` for {shown}, and nothing "
                "may be asked anew. Run once without --offline to ask for it."
            )
        told = await ask()
        if told.answered and told.whole:
            self.put(tool, arguments, told)
        return told

    def get(self, tool: str, arguments: str) -> KeptResult | None:
        """Return the kept result of a call, None where there is none."""
        if self._table is None:
            return None
        with self._translated():
            row = self._table.execute(
                "SELECT tool, arguments, result, asked FROM results WHERE key = ?1 "
                "AND (?2 OR place = ?3) ORDER BY place = ?3 DESC, place LIMIT 1",
                (key_of(tool, arguments), self._offline, self._place),
            ).fetchone()
        return None if row is None else self._read(row)

    def put(self, tool: str, arguments: str, told: Told) -> None:
        """Keep a result; the first one stays.

        Raises:
            ModelStopped: it cannot be kept, so that the run could not be repeated.
        """
        if self._table is None:
            return
        row = (
            key_of(tool, arguments), self._place, tool, arguments,
            msgspec.json.encode(told.data).decode(), self._today,
        )  # fmt: skip
        try:
            self._table.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise ModelStopped(
                f"A result could not be kept in `{self._path}` ({error}). Make room, or the folder "
                "writable, and run the same command again."
            ) from error

    def rows(self) -> Iterator[KeptResult]:
        """Yield all results of this place, by tool and arguments."""
        if self._table is None:
            return
        with self._translated():
            yield from map(
                self._read,
                self._table.execute(
                    "SELECT tool, arguments, result, asked FROM results "
                    "WHERE ?1 OR place = ?2 ORDER BY tool, arguments, place",
                    (self._offline, self._place),
                ),
            )

    def close(self) -> None:
        """Close the file."""
        table, self._table = self._table, None
        if table is not None:
            table.close()

    def __del__(self) -> None:
        if hasattr(self, "_table"):
            self.close()

    def _prepare(self, table: sqlite3.Connection) -> None:
        version = table.execute("PRAGMA user_version").fetchone()[0]
        tables = table.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version not in (0, _FORMAT) or (version == 0 and (tables or self._offline)):
            raise sqlite3.DatabaseError(f"it holds something else, or format {version}")
        if not self._offline:
            table.execute("PRAGMA journal_mode = WAL")
            table.execute(_TABLE)
            table.execute(f"PRAGMA user_version = {_FORMAT}")

    def _read(self, row: tuple[object, ...]) -> KeptResult:
        tool, arguments, result, asked = map(str, row)
        try:
            return KeptResult(tool, arguments, _RESULT.decode(result), asked)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise InputError(self._damaged(f"a result of {tool} cannot be read")) from error

    def _damaged(self, why: str) -> str:
        return (
            f"The kept results of tools in `{self._path}` cannot be used ({why}). The file was "
            "left as it is. Move it away to ask everything anew, or restore it from a copy."
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = getattr(error, "strerror", "") or str(error)
            raise InputError(self._damaged(why)) from error


def _opened(path: Path, *, read_only: bool) -> sqlite3.Connection:
    if read_only:
        return open_to_read(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
