"""Was this asked lately, and what was the answer?

One SQLite file holds the answers of live sources, keyed by source, the address at which it was
asked (a mirror's or a test's answers are nobody else's) and normalised question. How
long an answer holds depends on what it is: records do not change for weeks, an absence may end
tomorrow, and a failure is never kept. The file is bounded: what was not used for longest goes.
Processes share it safely; a damaged one is replaced, for it holds nothing that cannot be asked
again.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import zstandard
from msgspec import Struct

from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.sources.interface import SourceSpec, Way
from hallmark.text import titles
from hallmark.text.names import family_key

DAY_S = 86_400.0
FOUND_S = 30 * DAY_S
"""Seconds for which records are kept: they are corrected now and then."""
ABSENT_S = DAY_S
"""Seconds for which an absence is kept: a record may appear any day."""
LARGEST = 512 * 2**20
"""Bytes of packed answers that are kept at the most."""
_BUSY_S = 5.0
_FORMAT = 2
_SHRINK = 0.9
_EVERY = 200
_MAX_ANSWER = 64 * 2**20

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, source TEXT NOT NULL, outcome TEXT NOT NULL, stored REAL NOT NULL,
    expires REAL NOT NULL, used REAL NOT NULL, size INTEGER NOT NULL, answer BLOB NOT NULL
) WITHOUT ROWID
"""
_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Found | Absent | Registered)


class Held(Struct, frozen=True):
    """How much the cache holds of one source, by outcome."""

    source: str
    outcome: str
    answers: int
    size: int
    oldest: float


class Cache:
    """The answers that were given lately.

    Args:
        path: the file; created where it is missing, replaced where it is damaged.
        largest: bytes of packed answers that are kept at the most.
    """

    def __init__(self, path: Path, *, largest: int = LARGEST) -> None:
        self._path = path
        self._largest = largest
        self._stored = 0
        self._table: sqlite3.Connection | None = None
        self.replaced = False
        self.usable = True
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._prepare(self._opened())
        except sqlite3.DatabaseError:
            self._begin_anew()
        except OSError:
            self.usable = False

    def get(self, spec: SourceSpec, way: Way, question: Question, now: float) -> Answer | None:
        """Return the answer to a question, None where none is kept that still holds."""
        key = key_of(spec, way, question)
        found = None
        with self._guarded() as table:
            if table is not None:
                found = table.execute(
                    "SELECT answer FROM answers WHERE key = ? AND stored <= ? AND expires > ?",
                    (key, now, now),
                ).fetchone()
                if found is not None:
                    table.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
        return None if found is None else _unpacked(found[0])

    def put(
        self, spec: SourceSpec, way: Way, question: Question, answer: Answer, now: float
    ) -> None:
        """Keep an answer as long as its kind holds; a failure is not kept."""
        holds_s = _holds_s(answer)
        if holds_s <= 0:
            return
        packed = zstandard.compress(_ENCODER.encode(answer))
        outcome = str(answer.__struct_config__.tag)
        with self._guarded() as table:
            if table is not None:
                table.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (key_of(spec, way, question), spec.name, outcome, now, now + holds_s, now,
                     len(packed), packed),
                )  # fmt: skip
        self._stored += 1
        if self._stored % _EVERY == 0:
            self.shrink(now)

    def shrink(self, now: float) -> None:
        """Drop what no longer holds, and what was not used for longest while there is too much."""
        with self._guarded() as table:
            if table is None:
                return
            table.execute("DELETE FROM answers WHERE expires <= ?", (now,))
            total = table.execute("SELECT coalesce(sum(size), 0) FROM answers").fetchone()[0]
            if total <= self._largest:
                return
            for key, size in table.execute(
                "SELECT key, size FROM answers ORDER BY used"
            ).fetchall():
                if total <= _SHRINK * self._largest:
                    break
                table.execute("DELETE FROM answers WHERE key = ?", (key,))
                total -= size

    def info(self) -> list[Held]:
        """Return what is held, by source and outcome."""
        rows: list[tuple[str, str, int, int, float]] = []
        with self._guarded() as table:
            if table is None:
                return []
            rows = table.execute(
                "SELECT source, outcome, count(*), sum(size), min(stored) FROM answers "
                "GROUP BY source, outcome ORDER BY source, outcome"
            ).fetchall()
        return [Held(*row) for row in rows]

    def clear(self, source: str | None = None) -> int:
        """Drop the answers of one source, or all; return how many there were."""
        dropped = 0
        with self._guarded() as table:
            if table is None:
                return 0
            dropped = table.execute(
                "DELETE FROM answers WHERE ?1 IS NULL OR source = ?1", (source,)
            ).rowcount
            table.execute("VACUUM")
        return int(dropped)

    def _prepare(self, table: sqlite3.Connection) -> None:
        version = table.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _FORMAT):
            table.execute("DROP TABLE IF EXISTS answers")
        table.execute("PRAGMA journal_mode = WAL")
        table.execute(_TABLE)
        table.execute(f"PRAGMA user_version = {_FORMAT}")

    def _begin_anew(self) -> None:
        """Replace a file that is no database of ours."""
        self.replaced = True
        self.close()
        try:
            for ending in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
            self._prepare(self._opened())
        except (OSError, sqlite3.Error):
            self.usable = False

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection | None]:
        """Yield the table, None where it cannot be used: a run goes on without its cache."""
        if not self.usable:
            yield None
            return
        try:
            yield self._opened()
        except sqlite3.OperationalError:
            return  # another process holds it, or the disk is full
        except sqlite3.DatabaseError:
            self._begin_anew()

    def _opened(self) -> sqlite3.Connection:
        """Return the file, opened once; what a power failure loses is asked again."""
        if self._table is None:
            self._table = sqlite3.connect(self._path, timeout=_BUSY_S, isolation_level=None)
            self._table.execute("PRAGMA synchronous = NORMAL")
        return self._table

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        table, self._table = self._table, None
        if table is not None:
            table.close()

    __del__ = close


def key_of(spec: SourceSpec, way: Way, question: Question) -> bytes:
    """Return the key of a question: who is asked, and by what, in its normal form."""
    match way:
        case Way.DOI:
            asked: tuple[object, ...] = (question.doi,)
        case Way.ARXIV:
            asked = (question.arxiv, question.doi)
        case Way.PMID:
            asked = (question.pmid,)
        case Way.ISBN:
            asked = (question.isbn,)
        case Way.TITLE:
            families = tuple(family_key(author) for author in question.authors)
            asked = (titles.key(question.title), families, question.venue, question.year)
    return hashlib.sha256(_ENCODER.encode((spec.name, spec.base, way.value, asked))).digest()


def _holds_s(answer: Answer) -> float:
    match answer:
        case Found() | Registered():
            return FOUND_S
        case Absent(searched=searched):
            return ABSENT_S if searched else 0.0
        case Unavailable():
            return 0.0


def _unpacked(packed: object) -> Answer | None:
    """Return a kept answer, None where it cannot be read."""
    if not isinstance(packed, bytes):
        return None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            return _DECODER.decode(reader.read(_MAX_ANSWER))
    except (zstandard.ZstdError, msgspec.DecodeError):
        return None
