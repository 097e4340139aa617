"""Which rows of a run are already answered, even after a crash?

A run appends each row (a prediction, a page of records) to a journal before it counts it as done.
The first line names the run by all that decides its rows (`Identity` for systems). A journal of
the same run is continued, one of another run refused, and a last line that was cut off by a crash
is dropped.
"""

import contextlib
import fcntl
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Generic, Self, TypeVar

import msgspec

from hallmark._files import read_open, write_whole
from hallmark.errors import InputError, OutputError

SYNC_EVERY_S = 1.0

Row = TypeVar("Row", bound=msgspec.Struct)


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What makes two runs the same: their predictions must agree row by row.

    `sha256` is the gold file's digest, `n` the number of its rows.
    """

    system: str
    settings: Mapping[str, str | int | float | bool | None]
    seed: int
    gold: str
    sha256: str
    n: int
    version: str


class Journal(Generic[Row]):
    """The rows answered so far, in order; use as a context manager.

    Args:
        path: the journal's file; created where there is none.
        identity: the run that it belongs to; a struct with only plain values.
        clock: seconds; decides when rows are forced to the disk.
        kind: what a row is.

    Raises:
        InputError: it belongs to another run, is damaged, or another process is writing to it.
        OutputError: it cannot be written.
    """

    def __init__(
        self, path: Path, identity: msgspec.Struct, clock: Callable[[], float], kind: type[Row]
    ) -> None:
        self.path = path
        self._identity = identity
        self._kind = kind
        self._clock = clock
        self._synced_at = clock()
        self._file = _open_locked(path)
        try:
            self.rows: list[Row] = self._recover(identity)
        except BaseException:
            self._file.close()
            raise

    def append(self, row: Row) -> None:
        """Store the next row before it counts as answered."""
        self._write(row)
        self.rows.append(row)
        now = self._clock()
        if now - self._synced_at >= SYNC_EVERY_S:
            os.fsync(self._file.fileno())
            self._synced_at = now

    def rewrite(self, rows: Sequence[Row]) -> None:
        """Store these rows in the place of those before, all or none of them."""
        lines = [msgspec.json.encode(one) + b"\n" for one in (self._identity, *rows)]
        try:
            write_whole(self.path, b"".join(lines))
        except OSError as problem:
            raise OutputError(f"Cannot write {self.path}: {problem.strerror}.") from problem
        self._file.close()
        self._file = _open_locked(self.path)
        self._file.seek(0, os.SEEK_END)
        self.rows = list(rows)

    def remove(self) -> None:
        """Delete the journal: its rows are stored elsewhere now."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # What could not be written was reported when it was tried.
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())
        with contextlib.suppress(OSError):
            self._file.close()

    def _recover(self, identity: msgspec.Struct) -> list[Row]:
        data = read_open(self._file, self.path)
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if not lines:
            self._file.truncate(0)
            self._file.seek(0)
            self._write(identity)
            return []
        _check_same(self.path, lines[0], identity)
        rows = [
            _decode_row(self.path, number, line, self._kind)
            for number, line in enumerate(lines[1:], 2)
        ]
        self._file.truncate(whole)
        self._file.seek(whole)
        return rows

    def _write(self, row: msgspec.Struct) -> None:
        try:
            self._file.write(msgspec.json.encode(row) + b"\n")
            self._file.flush()
        except OSError as problem:
            raise OutputError(
                f"Cannot write {self.path}: {problem.strerror}. The answers before are kept; put "
                "this right and give the same command again to go on."
            ) from problem


def holds(path: Path, identity: msgspec.Struct) -> bool:
    """Whether a journal of this very run lies at `path`; changes nothing."""
    try:
        with path.open("rb") as file:
            stored = msgspec.json.decode(file.readline(_LONGEST_IDENTITY), type=type(identity))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bool(msgspec.to_builtins(stored) == msgspec.to_builtins(identity))


_LONGEST_IDENTITY = 1 << 20
"""Bytes of a journal's first line that are read to tell whose it is."""


def _open_locked(path: Path) -> IO[bytes]:
    try:
        path.touch(exist_ok=True)
        file = path.open("r+b")
    except OSError as problem:
        raise OutputError(f"Cannot write {path}: {problem.strerror}.") from problem
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(f"Another run is writing to {path}; let it end first.") from None
    return file


def _check_same(path: Path, line: bytes, identity: msgspec.Struct) -> None:
    try:
        stored = msgspec.json.decode(line, type=type(identity))
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise InputError(
            f"{path} is no journal of a run ({problem}); delete it, or choose another --out."
        ) from problem
    then, now = msgspec.to_builtins(stored), msgspec.to_builtins(identity)
    differing = [f"{k} was {then[k]!r}, is {now[k]!r}" for k in then if then[k] != now[k]]
    if differing:
        raise InputError(
            f"{path} holds answers of a run of another kind: {'; '.join(differing)}. "
            "Repeat that run to finish it, add --fresh to start anew, or choose another --out."
        )


def _decode_row(path: Path, number: int, line: bytes, kind: type[Row]) -> Row:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise InputError(
            f"Line {number} of {path} is damaged ({problem}); add --fresh to start anew."
        ) from problem
