"""Which bytes did the user give us, and can they be a bibliography at all?

A file is read in place, standard input and pipes through a temporary file, since references may
point forwards in it. What cannot be a bibliography is refused here, in one sentence each.
"""

import re
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from hallmark._files import MAX_BYTES
from hallmark.errors import InputError
from hallmark.parse.encoding import Encoding, detect, holds_controls, text_blocks

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEAD = 2**16
_SPOOL = 8 * 2**20
_COPIED = 2**20
_FOREIGN = (
    (b"%PDF-", "is a PDF. Give the .bib file that it was made from"),
    (b"PK\x03\x04", "is a ZIP archive or an office document. Export the references as BibTeX"),
    (b"\x1f\x8b", "is compressed with gzip. Unpack it first: gunzip -k FILE"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd. Unpack it first: unzstd FILE"),
    (b"BZh", "is compressed with bzip2. Unpack it first: bunzip2 -k FILE"),
    (b"\xfd7zXZ\x00", "is compressed with xz. Unpack it first: unxz -k FILE"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive. Unpack it first"),
    (b"SQLite format 3\x00", "is a database. Export the references as BibTeX"),
    (b"\x89PNG", "is a picture. Give a bibliography"),
    (b"\xff\xd8\xff", "is a picture. Give a bibliography"),
    (b"\x7fELF", "is a program. Give a bibliography"),
    (b"{\\rtf", "is a word processor's file. Export the references as BibTeX"),
)
_PAGE_STARTS = (b"<!doctype html", b"<html")
_CONTROL = bytes(set(range(32)) - {0, 8, 9, 10, 11, 12, 13, 26, 27})
_BINARY = 0.02
"""Share of control characters (without NUL, tab and line ends) from which a file is binary."""
_FEW = 32
"""Control characters that any file may hold."""
_ZEROS = 0.1
"""Share of NUL characters from which a file that is no UTF-16 is binary."""


class Input:
    """A file that can be read several times.

    `name` is what the user calls it; `is_clean` says that no byte of it is a control character.
    """

    def __init__(self, name: str, file: BinaryIO) -> None:
        self.name = name
        self._file = file
        self.head = _head(file)
        _must_be_text(name, self.head)
        self.encoding: Encoding = detect(file)
        self.is_clean = not holds_controls(file)

    def blocks(self) -> Iterator[str]:
        """Yield the text from its start in blocks that end at line ends."""
        return text_blocks(self._file, self.encoding)

    def mentions(self, words: Sequence[bytes]) -> bool:
        """Whether one of the words, in lower-case ASCII, may occur in any case; a quick look."""
        if self.encoding.name.startswith(("utf-16", "utf-32")):
            return True
        self._file.seek(0)
        while block := self._file.read(_COPIED):
            block += self._file.readline(_COPIED)
            lower = block.lower()
            if any(word in lower for word in words):
                return True
        return False

    def lines(self, longest: int) -> Iterator[tuple[int, str]]:
        """Yield the lines with their numbers, from 1; what is longer than `longest` is cut."""
        number, parts, size = 1, [], 0
        for block in self.blocks():
            for line in _LINE.findall(block):
                if size < longest:
                    parts.append(line)
                    size += len(line)
                if line.endswith("\n"):
                    yield number, "".join(parts)
                    number, parts, size = number + 1, [], 0
        if parts:
            yield number, "".join(parts)

    def opening(self) -> str:
        """Return the first characters as text, to recognise the format by."""
        return self.head.decode(self.encoding.name, errors="replace").lstrip("\ufeff")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_input(path: str, stdin: BinaryIO | None = None) -> Input:
    """Return the input of a path, or of `stdin` for "-".

    Raises:
        InputError: there is no such file, it cannot be read, is empty or no text.
    """
    if path == "-":
        if stdin is None:
            raise InputError("Standard input is not at hand. Name a file instead of -.")
        return _checked("-", _spooled(stdin, "-"))
    return _checked(path, _opened(Path(path)))


def _checked(name: str, file: BinaryIO) -> Input:
    """Return the input of an open file; one that is refused is closed again."""
    try:
        return Input(name, file)
    except BaseException:
        file.close()
        raise


def _opened(path: Path) -> BinaryIO:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(f"{path} is a folder. Name the files in it.")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            raise InputError(f"{path} is no file. Name a bibliography, or use - for input.")
        file = path.open("rb")
    except FileNotFoundError:
        raise InputError(
            f"There is no file {path}. Check the name, or use - for standard input."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read ({reason}). Check its name and rights.") from None
    if stat.S_ISREG(mode):
        return file
    with file:
        return _spooled(file, str(path))


def _spooled(stream: BinaryIO, name: str) -> BinaryIO:
    """Copy a stream that cannot be read twice; a small one stays in memory.

    What is no text is refused by its beginning, since such a stream need not end.
    """
    called = "standard input" if name == "-" else name
    spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL)  # noqa: SIM115 - closed with the Input
    try:
        while block := stream.read(_COPIED):
            if not spool.tell():
                _must_be_text(name, block[:_HEAD])
            spool.write(block)
            _must_fit(called, spool.tell())
    except (OSError, InputError) as error:
        spool.close()
        if isinstance(error, InputError):
            raise
        raise InputError(f"The input from {called} could not be kept ({error}).") from None
    return spool  # type: ignore[return-value] # it is one but for its declaration


def _must_fit(called: str, size: int) -> None:
    if size > MAX_BYTES:
        raise InputError(f"The input from {called} is larger than one GiB. Give it in parts.")


def _head(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read(_HEAD)


def _must_be_text(name: str, head: bytes) -> None:
    called = "Standard input" if name == "-" else name
    for magic, what in _FOREIGN:
        if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(magic):
            raise InputError(f"{called} {what.replace('FILE', name)}.")
    if head.lstrip()[:20].lower().startswith(_PAGE_STARTS):
        raise InputError(f"{called} is a web page. Save the BibTeX itself, not the page around it.")
    if not head.strip(b"\xef\xbb\xbf \r\n\t\x00\x1a"):
        raise InputError(f"{called} is empty. Give a file with at least one reference.")
    if _is_binary(head):
        raise InputError(f"{called} is no text file. Give a .bib, .ris, .json or .jsonl file.")


def _is_binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return False
    control = len(head) - len(head.translate(None, _CONTROL))
    zeros = head.count(0)
    wide = abs(head[::2].count(0) - head[1::2].count(0)) > _ZEROS * len(head)
    return control > max(_FEW, _BINARY * len(head)) or (
        zeros > max(_FEW, _ZEROS * len(head)) and not wide
    )
