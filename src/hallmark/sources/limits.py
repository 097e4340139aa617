"""When may the next request to a host start?

The turns of a host are kept in one small SQLite file, shared by all processes of the machine: each
request takes the moment at which it is sent, and notes when it is out, so that together they never
exceed what is allowed. Until then a lock file keeps all others from taking a turn.
A host that answers "too many requests" is asked more slowly, and slowly trusted again. How many
requests are under way at once is limited by lock files, one for each connection.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

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
MARGIN = 1.05
"""Times longer than demanded that two requests lie apart: the network carries some faster."""
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
            self._table = self._opened_or_anew()
        except (OSError, sqlite3.Error) as error:
            raise SourceProblem(
                f"The limits of live sources cannot be kept at `{folder}` "
                f"({getattr(error, 'strerror', None) or error}). Name another folder: "
                "HALLMARK_CACHE."
            ) from error

    def take(self, host: str, rate: Rate, now: float) -> float:
        """Take the turn of this moment, or return the seconds until the next one may begin.

        A turn is taken when it begins, never before: a process that comes late to its turn thus
        moves the next one, and no two requests ever follow each other closer than is allowed.

        Args:
            host: whose turn.
            rate: what the host allows.
            now: the time in seconds, on a clock that all processes share.

        Returns:
            0.0 where the turn is taken, else seconds.

        Raises:
            SourceProblem: the file cannot be used; so do all methods below.
        """
        with self._changing() as table:
            free, slow = self._row(table, host, now)
            if free > now:
                return free - now
            self._write(table, host, now + _step_s(rate, slow), slow, now)
        return 0.0

    def wait_s(self, host: str, now: float) -> float:
        """Return the seconds until a turn may be taken, without taking it."""
        return max(0.0, self._looked_up(host, now)[0] - now)

    def sent(self, host: str, rate: Rate, now: float) -> None:
        """Note that the request of the last turn went out only now: the next one follows later."""
        with self._changing() as table:
            free, slow = self._row(table, host, now)
            self._write(table, host, max(free, now + _step_s(rate, slow)), slow, now)

    def gate(self, host: str) -> "Connection | None":
        """Return the right to take the next turn, None while another is about to use one."""
        return self._lock(f"{_safe(host)}.turn.lock")

    def complain(self, host: str, now: float, pause_s: float) -> None:
        """Note that a host asked to be asked less: not before `pause_s`, and more slowly then."""
        with self._changing() as table:
            free, slow = self._row(table, host, now)
            later = max(free, now + pause_s)
            self._write(table, host, later, min(SLOWEST, slow * SLOWER), now)

    def praise(self, host: str, now: float) -> None:
        """Note a good answer: a host that was slowed down is asked a little faster again."""
        if self.slowness(host, now) <= 1.0:
            return
        with self._changing() as table:
            free, slow = self._row(table, host, now)
            self._write(table, host, free, max(1.0, slow * FASTER), now)

    def slowness(self, host: str, now: float) -> float:
        """Return how many times slower than allowed a host is asked, from 1 on."""
        return self._looked_up(host, now)[1]

    def connection(self, host: str, rate: Rate) -> "Connection | None":
        """Return one of the connections that a host allows, or None while all are in use."""
        for number in range(rate.connections):
            held = self._lock(f"{_safe(host)}.{number}.lock")
            if held is not None:
                return held
        return None

    def _lock(self, name: str) -> "Connection | None":
        try:
            return Connection.take(self._folder / name)
        except OSError as error:
            raise SourceProblem(self._lost(error.strerror or "")) from error

    def _lost(self, why: str) -> str:
        return (
            f"The limits of live sources in `{self._folder}` cannot be kept ({why}), so nothing "
            "was asked. Make the folder writable, or name another one: HALLMARK_CACHE."
        )

    def _looked_up(self, host: str, now: float) -> tuple[float, float]:
        try:
            return self._row(self._table, host, now)
        except sqlite3.Error as error:
            raise SourceProblem(self._lost(str(error))) from error

    def _row(self, table: sqlite3.Connection, host: str, now: float) -> tuple[float, float]:
        found = table.execute(
            "SELECT free, slow, seen FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        if found is None:
            return now, 1.0
        if not all(isinstance(value, float | int) for value in found):
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

    def close(self) -> None:
        """Close the file."""
        self._table.close()

    def __del__(self) -> None:
        if hasattr(self, "_table"):
            self._table.close()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Hold the file for a change that no other process sees by halves."""
        try:
            self._table.execute("BEGIN IMMEDIATE")
            try:
                yield self._table
            finally:
                self._table.execute("COMMIT")
        except sqlite3.Error as error:
            raise SourceProblem(self._lost(str(error))) from error

    def _opened_or_anew(self) -> sqlite3.Connection:
        """Open the file; one that is no table of ours is replaced, for it holds minutes only."""
        try:
            return self._opened()
        except sqlite3.OperationalError as error:
            if "no such column" not in str(error):
                raise  # busy, or no room: not the file's fault
        except sqlite3.DatabaseError:
            pass
        self._path.unlink(missing_ok=True)
        return self._opened()

    def _opened(self) -> sqlite3.Connection:
        """Open the file; a power failure may lose what it knows, which costs nothing."""
        table = sqlite3.connect(
            self._path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
        table.execute("PRAGMA journal_mode = WAL")
        table.execute("PRAGMA synchronous = OFF")
        table.execute(_TABLE)
        table.execute("SELECT host, free, slow, seen FROM hosts LIMIT 1")
        return table


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


def _step_s(rate: Rate, slow: float) -> float:
    """Return the seconds between two requests."""
    return MARGIN * slow * rate.per_s / rate.requests


def _safe(host: str) -> str:
    """Return a name for a file: hosts come from our tables or the user, not from data."""
    return "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in host)[:100]


def shared_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder that all processes of a user share: HALLMARK_CACHE, or the usual one."""
    if environ.get("HALLMARK_CACHE"):
        return Path(environ["HALLMARK_CACHE"])
    base = environ.get("XDG_CACHE_HOME") or environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "hallmark"
