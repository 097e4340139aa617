"""Which errors say that an index is damaged, and how are they told?"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hallmark.errors import IndexDamaged
from hallmark.index import storage

_PANICS = "pyo3_runtime"
"""The module of the exception that stands for a panic in Rust; it derives from BaseException."""


def is_damage(error: BaseException) -> bool:
    """Whether an error is one that tantivy or a decoder raises over damaged files."""
    known = (ValueError, OSError, msgspec.MsgspecError, RecursionError)
    return isinstance(error, known) or type(error).__module__ == _PANICS


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Raise IndexDamaged for the index at `path` in place of errors that say so."""
    try:
        yield
    except BaseException as error:
        if not is_damage(error):
            raise
        reason = str(error).rstrip(".")
        raise IndexDamaged(storage.damaged(path, reason)) from error
