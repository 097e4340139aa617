"""Where does a report go, and how does it get there whole?"""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from hallmark import _files
from hallmark._files import draft_of, settle
from hallmark.errors import InputError, OutputError
from hallmark.report.escape import visible


@contextlib.contextmanager
def destination(path: Path | None, inputs: Sequence[str] = ()) -> Iterator[TextIO]:
    """Open standard output, or a file that appears whole or not at all.

    Args:
        path: the file to write, or None (or "-") for standard output.
        inputs: files that are read in the same run, which must not be written over.

    Raises:
        InputError: the file is one of the inputs.
        OutputError: it cannot be written.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    must_not_be_input(path, inputs)
    if path.is_dir():
        raise OutputError(f"`{path}` is a folder. Name a file in it.")
    with _whole_file(path) as stream:
        yield stream


def tell_written(path: Path | None, *, quiet: bool = False) -> None:
    """Say on standard error which file was written; nothing where it was standard output."""
    if path is not None and str(path) != "-" and not quiet:
        print(f"written to {visible(str(path))}", file=sys.stderr)  # noqa: T201 - the edge


@contextlib.contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    special = path.exists() and not path.is_file() and not path.is_dir()
    target = path if special else draft_of(path)
    try:
        with target.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield stream
            stream.flush()
        if not special:
            settle(target, path)
    except BaseException as error:
        if not special:
            with contextlib.suppress(OSError):
                target.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise _unwritable(path, error) from error
        raise


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"The file {path} cannot be written: {error.strerror or error}. "
        "Nothing was left behind. Choose another place, or make room."
    )


def write_whole(path: Path, data: bytes, inputs: Sequence[str] = ()) -> None:
    """Write bytes to a file that appears whole or not at all; see `destination` for the errors."""
    must_not_be_input(path, inputs)
    must_be_file(path)
    try:
        _files.write_whole(path, data)
    except OSError as error:
        raise _unwritable(path, error) from error


def must_be_file(path: Path) -> None:
    """Raise OutputError where a place is there already and is no file: a folder, a device."""
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "no file"
        raise OutputError(f"`{path}` is {kind}. Name a file that may be written.")


def must_differ(*places: Path | None) -> None:
    """Raise InputError where two results would go to one file, under whatever names."""
    given = [place for place in places if place is not None and str(place) != "-"]
    real = [place.resolve() for place in given]
    for place, target in zip(given, real, strict=True):
        if real.count(target) > 1:
            raise InputError(f"Two results cannot both go to {place}. Choose another name for one.")


def must_not_be_input(path: Path, inputs: Sequence[str]) -> None:
    """Raise InputError where a file to be written is one that is read, under whatever name."""
    for name in inputs:
        if name != "-" and path.exists() and Path(name).exists() and path.samefile(name):
            raise InputError(
                f"The output {path} is one of the inputs, which are never written over. "
                "Choose another name."
            )
