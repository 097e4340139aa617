"""Which files does a source name, and how is each opened?

A source is a file, a folder, a tar archive, or `starter`; "format:path" names its format, else the
format is detected from the first bytes.
"""

import contextlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from msgspec import Struct

from hallmark.errors import InputError, SourceProblem
from hallmark.index.loaders.interface import LOADERS, Loader, Opened, Reopen, detect
from hallmark.index.loaders.stream import Meter, Readable, unpacked

HEAD = 1 << 16
"""Bytes by which a format is detected."""
_TAR_MAGIC = slice(257, 262)
_ENDINGS = frozenset(".gz .zst .jsonl .json .ndjson .bib .xml .tar .txt .whl".split())


class Place(Struct, frozen=True):
    """A source as the user named it: its path, and the loader where a format was named."""

    path: Path
    loader: Loader | None = None


class Watcher(Protocol):
    """Somebody who watches the reading; all methods return at once."""

    def begin(self, label: str, total: int) -> None:
        """A source of `total` bytes begins."""
        ...

    def more(self, size: int) -> None:
        """The source will read `size` bytes more than was said."""
        ...

    def advance(self, size: int) -> None:
        """`size` more bytes were read."""
        ...

    def records(self, count: int) -> None:
        """`count` more records were taken into the index."""
        ...


class Silent:
    """Watches without a word."""

    def begin(self, label: str, total: int) -> None:
        """Do nothing."""

    def more(self, size: int) -> None:
        """Do nothing."""

    def advance(self, size: int) -> None:
        """Do nothing."""

    def records(self, count: int) -> None:
        """Do nothing."""


class File(Struct, frozen=True):
    """One file that is ready to be read; `loader` is None where its format is not known.

    `finish()` of `meter` gives the digest of the whole file, after it was read.
    """

    opened: Opened
    loader: Loader | None
    meter: Meter


def find_place(source: str) -> Place:
    """Return the place that a source names.

    Raises:
        InputError: there is no such file or folder.
        UnknownName: a format was named that does not exist.
    """
    path = Path(source)
    name, colon, rest = source.partition(":")
    if colon and not path.exists() and (name in LOADERS or Path(rest).exists()):
        return Place(_existing(rest), LOADERS.get(name))
    return Place(_existing(source))


def _existing(source: str) -> Path:
    path = Path(source)
    if not path.exists():
        raise InputError(
            f"There is no file or folder `{source}`. A source is a file, a folder, FORMAT:PATH "
            f"or `starter`; formats: {', '.join(LOADERS.names())}."
        )
    return path


def paths_of(place: Place) -> list[Path]:
    """Return the files of a place, in order; hidden ones are left out."""
    if not place.path.is_dir():
        return [place.path]
    found = [path for path in place.path.rglob("*") if path.is_file()]
    return sorted(path for path in found if not _hidden(path, place.path))


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def files_of(place: Place, watcher: Watcher) -> Iterator[File]:
    """Open the files of a place one after the other; each is closed when the next is asked for.

    Raises:
        InputError: a single file is empty, or its format is not known.
        SourceProblem: a file cannot be read.
    """
    paths = paths_of(place)
    sizes = [path.stat().st_size for path in paths]
    watcher.begin(place.path.name, sum(sizes))
    if not any(sizes):
        raise InputError(f"`{place.path}` is empty. Give a file or folder with records.")
    for path in paths:
        label = path.relative_to(place.path).as_posix() if path != place.path else path.name
        yield from _files_at(path, label, place, watcher)


def _files_at(path: Path, label: str, place: Place, watcher: Watcher) -> Iterator[File]:
    with _raw(path) as raw:
        meter = Meter(raw, watcher.advance)
        stream = unpacked(meter, label)
        head = stream.peek(HEAD)[:HEAD]
        if head[_TAR_MAGIC] == b"ustar":
            yield from _members(stream, label, place)
            meter.finish()
            return
        loader = place.loader or detect(head, label.lower())
        if loader is None and path == place.path:
            raise InputError(_unknown(place.path, head))

        @contextlib.contextmanager
        def reopen() -> Iterator[io.BufferedReader]:
            watcher.more(path.stat().st_size)
            with _raw(path) as again:
                yield unpacked(Meter(again, watcher.advance), label)

        yield File(_opened(stream, label, loader, path.name, reopen), loader, meter)


def _members(stream: io.BufferedReader, label: str, place: Place) -> Iterator[File]:
    """Open the files inside a tar archive, which is read from front to back only."""
    try:
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None or Path(member.name).name.startswith("."):
                    continue
                meter = Meter(cast("Readable", content), _unwatched)
                inner = unpacked(meter, member.name)
                loader = place.loader or detect(inner.peek(HEAD)[:HEAD], member.name.lower())
                yield File(_opened(inner, member.name, loader, label), loader, meter)
    except tarfile.TarError as error:
        raise SourceProblem(f"The archive `{label}` is damaged ({error}).") from error


def _opened(
    stream: io.BufferedReader,
    label: str,
    loader: Loader | None,
    named_after: str,
    reopen: Reopen | None = None,
) -> Opened:
    collection = loader.collection if loader else ""
    return Opened(collection or collection_name(named_after), label, stream, reopen)


def collection_name(name: str) -> str:
    """Return the name of a file without the endings that tell its format."""
    name = Path(name).name
    while (ending := Path(name).suffix.lower()) in _ENDINGS:
        name = name[: -len(ending)]
    return name or "records"


def _raw(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceProblem(f"`{path}` cannot be read: {error.strerror}.") from error


def _unwatched(_: int) -> None:
    pass


def _unknown(path: Path, head: bytes) -> str:
    if head.startswith(b"%PDF"):
        what = "is a PDF file, not a collection of records"
    elif b"\0" in head:
        what = "is a binary file of no known format"
    else:
        what = "has no known format"
    return (
        f"`{path}` {what}. Formats: {', '.join(LOADERS.names())}; name one where it is not "
        f"recognised: FORMAT:{path}"
    )
