"""How is a dump read without trusting it?

Bytes go from disk through a meter (size, digest, progress) and a decompressor that is recognised
by its magic number, past a guard against decompression bombs, to lines or blocks of bounded size.
"""

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol, cast

import zstandard

from hallmark.errors import SourceProblem

MAX_LINE = 16 << 20
"""Bytes of the longest line that is taken for a record; real ones stay far below 1 MB."""
BOMB_FLOOR = 256 << 20
"""Decompressed bytes up to which no ratio is suspicious."""
BOMB_RATIO = 200
"""Decompressed bytes for each compressed one that no bibliographic dump reaches (about 20)."""
_BLOCK = 1 << 20

Advance = Callable[[int], None]
"""Called with the number of bytes that were read from disk since the last call."""


class Readable(Protocol):
    """Anything that gives bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes, b"" at the end."""
        ...


class Meter(io.RawIOBase):
    """Counts and digests the bytes that pass through, and tells `advance` about them."""

    def __init__(self, raw: Readable, advance: Advance) -> None:
        super().__init__()
        self._raw = raw
        self._advance = advance
        self._sha256 = hashlib.sha256()
        self.count = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes."""
        data = self._raw.read(size)
        self._sha256.update(data)
        self.count += len(data)
        self._advance(len(data))
        return data

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill `buffer`; returns the number of bytes."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def finish(self) -> str:
        """Read what is left and return the digest of the whole."""
        while self.read(_BLOCK):
            pass
        return self._sha256.hexdigest()


class Guard(io.RawIOBase):
    """Passes decompressed bytes on, and stops a decompression bomb.

    Raises SourceProblem for a bomb and for damaged data.
    """

    def __init__(self, inner: Readable, meter: Meter, label: str) -> None:
        super().__init__()
        self._inner = inner
        self._meter = meter
        self._label = label
        self._count = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill `buffer`; returns the number of bytes."""
        try:
            data = self._inner.read(len(buffer))
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            raise SourceProblem(
                f"`{self._label}` is cut or damaged ({error}). Fetch it again, or leave it out."
            ) from error
        self._count += len(data)
        if self._count > max(BOMB_FLOOR, BOMB_RATIO * self._meter.count):
            raise SourceProblem(
                f"`{self._label}` unpacks to more than {BOMB_RATIO} times its size "
                f"({self._count >> 20} MB so far): it looks like a decompression bomb. If it is "
                "a good file, unpack it yourself and give the unpacked file."
            )
        buffer[: len(data)] = data
        return len(data)


def unpacked(meter: Meter, label: str) -> io.BufferedReader:
    """Return the plain content of what `meter` reads: gzip, Zstandard or uncompressed."""
    packed = io.BufferedReader(meter, _BLOCK)
    magic = packed.peek(4)[:4]
    inner: Readable = packed
    if magic[:2] == b"\x1f\x8b":
        inner = cast("Readable", gzip.GzipFile(fileobj=packed))
    elif magic == b"\x28\xb5\x2f\xfd":
        inner = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    return io.BufferedReader(Guard(inner, meter, label), _BLOCK)


def lines(stream: BinaryIO | io.BufferedReader) -> Iterator[bytes | None]:
    """Yield lines without blanks around them; None for one that is longer than `MAX_LINE`."""
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            _skip_line(stream)
            yield None
        elif stripped := line.strip():
            yield stripped


def _skip_line(stream: BinaryIO | io.BufferedReader) -> None:
    while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
        pass


def blocks(stream: Readable, size: int = _BLOCK) -> Iterator[bytes]:
    """Yield the content in blocks of up to `size` bytes."""
    while block := stream.read(size):
        yield block
