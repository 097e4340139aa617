"""When may the next request to a host start?

The turns of a host are kept in one small SQLite file, shared by all processes of the machine: each
request reserves the next free moment, so that together they never exceed what the service allows.
A host that answers "too many requests" is asked more slowly, and slowly trusted again. How many
requests are under way at once is limited by lock files, one for each connection.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from msgspec import Struct

from hallmark.errors import SourceProblem
from hallmark.sources.interface import Rate

_LOCKS = find_spec("fcntl") is not None
"""Whether the platform has lock files; elsewhere connections are counted in no process."""

SLOWEST = 32.0
"""Times slower than allowed that a host is asked at the most, after repeated complaints."""
SLOWER = 2.0
"""Factor by which a complaint slows the requests to a host down."""
FASTER = 0.97
"""Factor by which each good answer speeds them up again: from twice as slow in 23 answers."""
FORGET_S = 3600.0
"""Seconds after which a complaint no longer counts."""
AHEAD_S = 86_400.0
"""Seconds in the future beyond which a turn was written by a clock that ran ahead."""
BUSY_S = 10.0
"""Seconds that one process waits for another that holds the file."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS hosts (host TEXT PRIMARY KEY, free REAL NOT NULL, "
    "slow REAL NOT NULL, seen REAL NOT NULL)"
)


class Turn(Struct, frozen=True):
    """A reserved moment: it begins in `wait_s` seconds."""

    wait_s: float


class Limits:
    """The turns of all hosts.

    Args:
        folder: where the file and the lock files lie; created where it is missing.

    Raises:
        SourceProblem: the folder or the file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / "limits.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with self._open() as table:
                table.execute(_TABLE)
        except sqlite3.DatabaseError:
            self._begin_anew()
        except OSError as error:
            raise SourceProblem(
                f"There is no place for the limits of live sources at `{folder}` "
                f"({error.strerror}). Name another folder: HALLMARK_CACHE."
            ) from error

    def reserve(self, host: str, rate: Rate, now: float, most_s: float) -> Turn | None:
        """Reserve the next turn, or None if it would begin in more than `most_s` seconds.

        Args:
            host: whose turn.
            rate: what the host allows.
            now: the time in seconds, on a clock that all processes share.
            most_s: how long the caller would wait.
        """
        with self._open() as table:
            table.execute("BEGIN IMMEDIATE")
            free, slow = self._row(table, host, now)
            start = max(now, free)
            if start - now > most_s:
                table.execute("ROLLBACK")
                return None
            step = rate.per_s / rate.requests * slow
            self._write(table, host, start + step, slow, now)
            table.execute("COMMIT")
        return Turn(start - now)

    def complain(self, host: str, now: float, pause_s: float) -> None:
        """Note that a host asked to be asked less: not before `pause_s`, and more slowly then."""
        with self._open() as table:
            table.execute("BEGIN IMMEDIATE")
            free, slow = self._row(table, host, now)
            later = max(free, now + pause_s)
            self._write(table, host, later, min(SLOWEST, slow * SLOWER), now)
            table.execute("COMMIT")

    def praise(self, host: str, now: float) -> None:
        """Note a good answer: a host that was slowed down is asked a little faster again."""
        with self._open() as table:
            table.execute("BEGIN IMMEDIATE")
            free, slow = self._row(table, host, now)
            if slow > 1.0:
                self._write(table, host, free, max(1.0, slow * FASTER), now)
            table.execute("COMMIT")

    def slowness(self, host: str, now: float) -> float:
        """Return how many times slower than allowed a host is asked, from 1 on."""
        with self._open() as table:
            return self._row(table, host, now)[1]

    def connection(self, host: str, rate: Rate) -> "Connection | None":
        """Return one of the connections that a host allows, or None while all are in use."""
        for number in range(rate.connections):
            held = Connection.take(self._folder / f"{_safe(host)}.{number}.lock")
            if held is not None:
                return held
        return None

    def _row(self, table: sqlite3.Connection, host: str, now: float) -> tuple[float, float]:
        found = table.execute(
            "SELECT free, slow, seen FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        if found is None:
            return now, 1.0
        free, slow, seen = found
        if now - seen > FORGET_S or free - now > AHEAD_S:
            return now, 1.0  # long ago, or written by a clock that ran ahead
        return float(free), float(slow)

    def _write(
        self, table: sqlite3.Connection, host: str, free: float, slow: float, now: float
    ) -> None:
        table.execute(
            "INSERT INTO hosts VALUES (?, ?, ?, ?) ON CONFLICT (host) DO UPDATE "
            "SET free = excluded.free, slow = excluded.slow, seen = excluded.seen",
            (host, free, slow, now),
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)) as table:
            yield table

    def _begin_anew(self) -> None:
        """Replace a file that is no database; what it knew was for minutes only."""
        self._path.unlink(missing_ok=True)
        with self._open() as table:
            table.execute(_TABLE)


class Connection:
    """One of the connections to a host, held by a lock file; released by `release`."""

    def __init__(self, held: IO[bytes]) -> None:
        self._held = held

    @classmethod
    def take(cls, path: Path) -> "Connection | None":
        """Take the connection of a lock file, or None while another holds it."""
        held = path.open("ab")
        if not _LOCKS:
            return cls(held)
        import fcntl  # noqa: PLC0415 - not on every platform

        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            return None
        return cls(held)

    def release(self) -> None:
        """Let others have the connection."""
        self._held.close()


def _safe(host: str) -> str:
    """Return a name for a file: hosts come from our tables or the user, not from data."""
    return "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in host)[:100]


def shared_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder that all processes of a user share: HALLMARK_CACHE, or the usual one."""
    if environ.get("HALLMARK_CACHE"):
        return Path(environ["HALLMARK_CACHE"])
    base = environ.get("XDG_CACHE_HOME") or environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "hallmark"
