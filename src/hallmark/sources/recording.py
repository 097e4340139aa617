"""How is a run written down, and run again without a network?

A recording is a file of JSON lines: a head with the version and the date of the run, then one line
for each request with what came back. It holds neither keys nor contact. A replay answers each
request from the file; one that is not in it is `Unavailable`, so that nothing is made up.
"""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import msgspec
import zstandard
from msgspec import Struct

from hallmark._files import draft_of, settle
from hallmark.errors import InputError, OutputError
from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Ask, Reply, Request
from hallmark.sources.memo import digest

FORMAT = 1
LARGEST = 64 * 2**20
"""Bytes of one line, and of one unpacked body, that are read at the most."""


class Head(Struct, frozen=True):
    """The first line of a recording; `today` is the date that verdicts depend on."""

    hallmark_recording: int
    today: str


class Exchange(Struct, frozen=True, omit_defaults=True):
    """A request and what came back: a reply (its body packed), or why there is none."""

    key: str
    source: str
    url: str
    params: tuple[tuple[str, str], ...] = ()
    status: int = 0
    content_type: str = ""
    body: str = ""
    unavailable: str = ""


class Recorder:
    """Writes every exchange of a run to a file beside it, and moves that into place at the end.

    Args:
        path: the recording to write.
        today: the date of the run.
        ask: what really sends.

    Raises:
        OutputError: the file cannot be written.
    """

    def __init__(self, path: Path, today: str, ask: Ask) -> None:
        self._path = path
        self._part = draft_of(path)
        self._ask = ask
        self._written: set[str] = set()
        try:
            self._file: IO[bytes] = self._part.open("wb")
        except OSError as error:
            raise OutputError(f"`{path}` cannot be written ({error.strerror}).") from error
        self._write(Head(FORMAT, today))

    async def ask(self, request: Request) -> Reply | Unavailable:
        """Send a request, and write down what came of it, each request once."""
        reply = await self._ask(request)
        key = digest(request)
        if key not in self._written:
            self._written.add(key)
            self._write(_exchange(key, request, reply))
        return reply

    def close(self, *, complete: bool = True) -> None:
        """Finish the recording; one that is not complete is given up, and an older one stays.

        Raises:
            OutputError: it cannot be moved into place.
        """
        try:
            self._file.close()
            if complete:
                settle(self._part, self._path)
            else:
                self._part.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"`{self._path}` cannot be written ({error.strerror}).") from error

    def _write(self, line: Struct) -> None:
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
        except OSError as error:
            raise OutputError(f"`{self._path}` cannot be written ({error.strerror}).") from error


def _exchange(key: str, request: Request, reply: Reply | Unavailable) -> Exchange:
    about: dict[str, Any] = {
        "key": key,
        "source": request.source,
        "url": request.url,
        "params": request.params,
    }
    if isinstance(reply, Unavailable):
        return Exchange(**about, unavailable=reply.reason)
    packed = base64.b64encode(zstandard.compress(reply.body)).decode("ascii")
    return Exchange(**about, status=reply.status, content_type=reply.content_type, body=packed)


class Replay:
    """Answers requests from a recording.

    Raises:
        InputError: the file is missing, or is no recording.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.today, self._exchanges = _read(path)

    async def ask(self, request: Request) -> Reply | Unavailable:
        """Return what was recorded for a request."""
        found = self._exchanges.get(digest(request))
        if found is None:
            return Unavailable("This was not asked when the recording was made.")
        if found.unavailable:
            return Unavailable(found.unavailable)
        return Reply(found.status, _unpacked(found.body), found.content_type, request.url)


def _read(path: Path) -> tuple[str, Mapping[str, Exchange]]:
    exchanges: dict[str, Exchange] = {}
    today = ""
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LARGEST), b""), 1):
                if number == 1:
                    today = _head(path, line)
                    continue
                one = msgspec.json.decode(line, type=Exchange)
                exchanges[one.key] = one
    except OSError as error:
        raise InputError(f"The recording `{path}` cannot be read ({error.strerror}).") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"Line {number} of the recording `{path}` cannot be read ({error}). Was it cut off?"
        ) from error
    if not today:
        raise InputError(f"The recording `{path}` is empty.")
    return today, exchanges


def _head(path: Path, line: bytes) -> str:
    try:
        head = msgspec.json.decode(line, type=Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"`{path}` is no recording; make one: hallmark check --online --record FILE ..."
        ) from error
    if head.hallmark_recording != FORMAT:
        raise InputError(
            f"The recording `{path}` has format {head.hallmark_recording}; this version reads "
            f"{FORMAT}. Record it again."
        )
    return head.today


def _unpacked(body: str) -> bytes:
    """Return a recorded body; one that cannot be unpacked, or is too large, is empty."""
    try:
        packed = base64.b64decode(body, validate=True)
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            return reader.read(LARGEST)
    except (ValueError, zstandard.ZstdError):
        return b""
