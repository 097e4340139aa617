"""Was this very question asked before, and what was the reply?

One SQLite file keeps every reply that was paid for, as JSON, under the digest of all that can
change it. Nothing is dropped or replaced: the first reply to a question is the reply. Failures are
not kept. Several processes may use the file, and each may be killed at any time.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from hallmark.errors import InputError, ModelStopped
from hallmark.llm.interface import ModelSpec, Reply, Request

FILE = "replies.sqlite"
_FORMAT = 1
_BUSY_S = 60.0
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, asked REAL NOT NULL, reply TEXT NOT NULL
) WITHOUT ROWID
"""
_DECODER = msgspec.json.Decoder(Reply)


def digest(spec: ModelSpec, base_url: str, request: Request) -> str:
    """Return the digest of a question: who is asked, how, and what, in canonical JSON.

    Prices, limits and names of ours do not matter to a reply, and neither does the SDK.

    Raises:
        UnicodeEncodeError: the question holds half a character (a lone surrogate).
    """
    asked: dict[str, Any] = {
        "provider": spec.provider,
        "base_url": base_url,
        "id": spec.id,
        "temperature": spec.temperature,
        "seed": request.seed if spec.seeded else None,
        "max_tokens": request.max_tokens or spec.max_tokens,
        "effort": request.effort or spec.effort,
        "structured": spec.structured if request.schema is not None else "none",
        "schema": request.schema,
        "system": request.system,
        "messages": request.messages,
        "tools": request.tools,
        "sample": request.sample,
    }
    if spec.thinking_share:  # left out elsewhere, so that digests are those of earlier versions
        asked["thinking_share"] = spec.thinking_share
    return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()


class Cache:
    """The replies that are kept.

    Args:
        path: the file; created where it is missing.
        read_only: whether it is only read, and must be there.

    Raises:
        InputError: it is missing, damaged, foreign, or cannot be opened.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        if read_only and not path.exists():
            raise InputError(
                f"There are no kept replies at `{path}`. Name the folder of the run that asked "
                "them, or ask anew."
            )
        with self._translated():
            self._table = open_to_read(path) if read_only else _opened(path)
            self._prepare(read_only=read_only)

    def get(self, key: str) -> Reply | None:
        """Return the kept reply to a question, None where there is none.

        Raises:
            InputError: the file is damaged.
        """
        with self._translated():
            row = self._table.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._decoded(key, row[0])

    def put(self, key: str, model: str, reply: Reply, now: float) -> Reply:
        """Keep a reply, and return what is kept: another process may have been first.

        Args:
            key: the digest of the question.
            model: the name of the model, for people who look into the file.
            reply: what to keep.
            now: seconds since 1970.

        Raises:
            ModelStopped: it could not be kept, so that nothing more should be paid for.
        """
        text = msgspec.json.encode(structs.replace(reply, kept=False)).decode()
        try:
            self._table.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", (key, model, now, text)
            )
            kept = self.get(key)
        except sqlite3.Error as error:
            raise ModelStopped(
                f"A reply could not be kept in `{self._path}` ({error}), so nothing more was "
                "asked. Make room, or the folder writable, and run the same command again."
            ) from error
        return reply if kept is None or kept == reply else kept

    def close(self) -> None:
        """Close the file."""
        self._table.close()

    def __del__(self) -> None:
        if hasattr(self, "_table"):
            self._table.close()

    def _prepare(self, *, read_only: bool) -> None:
        """Look what the file is, and make it one of replies where it is new.

        In one transaction: another process may be making it at the same time.
        """
        self._table.execute("BEGIN" if read_only else "BEGIN IMMEDIATE")
        version = self._table.execute("PRAGMA user_version").fetchone()[0]
        tables = self._table.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if (version == 0 and tables) or version not in (0, _FORMAT) or (read_only and not version):
            raise sqlite3.DatabaseError(f"it holds something else, or format {version}")
        if not read_only:
            self._table.execute(_TABLE)
            self._table.execute(f"PRAGMA user_version = {_FORMAT}")
        self._table.execute("COMMIT")
        if not read_only:
            with suppress(sqlite3.OperationalError):  # locked: another process is doing the same
                self._table.execute("PRAGMA journal_mode = WAL")
            self._table.execute("PRAGMA synchronous = FULL")  # each reply costs more than a write

    def _decoded(self, key: str, text: object) -> Reply:
        try:
            return _DECODER.decode(text if isinstance(text, str | bytes) else b"")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(self._damaged(f"the reply {key[:12]} cannot be read")) from error

    def _unusable(self, why: str) -> str:
        """Return what to say of a place that cannot be written or read, whatever lies there."""
        return (
            f"The kept replies in `{self._path}` cannot be used ({why}). Nothing was asked, and "
            "what is kept is as it was. Make room, or the folder readable and writable; or name "
            "another folder ($HALLMARK_CACHE, or --cache where there is one)."
        )

    def _damaged(self, why: str) -> str:
        return (
            f"The kept replies in `{self._path}` cannot be used ({why}). The file was left as it "
            "is. Move it away to ask everything anew, or restore it from a copy."
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            why = getattr(error, "strerror", "") or str(error)
            whole = isinstance(error, sqlite3.OperationalError | OSError)
            raise InputError((self._unusable if whole else self._damaged)(why)) from error


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that is only read; it may lie where nothing can be written."""
    address = path.resolve().as_uri()
    for mode in ("mode=ro", "immutable=1"):
        table = sqlite3.connect(f"{address}?{mode}", uri=True, check_same_thread=False)
        try:
            table.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            table.close()
            if mode == "immutable=1" or path.with_name(path.name + "-wal").exists():
                raise
        else:
            return table
    raise sqlite3.OperationalError("it cannot be opened")
