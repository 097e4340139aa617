"""In which encoding is a file written, and what does it say?

UTF-8 where the bytes are valid UTF-8, or nearly all of them; UTF-16 and UTF-32 by their mark or
their zeros; else what the file itself declares, Western Latin, or charset-normalizer's finding.
"""

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from charset_normalizer import from_bytes
from msgspec import Struct

_BLOCK = 2**20
_SAMPLE = 2**18
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"(?:encoding|coding|charset)\s*[:=]\s*([A-Za-z0-9_.-]+)", re.IGNORECASE)
_HIGH = re.compile(rb"[\x80-\xff]+")
_UTF8_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32), 127])
_ZEROS_OF_UTF16 = 0.3
"""Share of zero bytes at even or odd places from which text is taken for UTF-16."""
_TYPOGRAPHIC = frozenset("–—‘’“”„…«»·§©®°±²³¼½¾¡¿€£\u00a0")
_SIGN_IN_WORD = re.compile(r"[a-zà-ÿ][£¥¦§©®°±²³¶¹¼½¾¡¿][a-zà-ÿ]|[£¥¦¶¹³±¼¾][a-zà-ÿ]{2}")
_OTHERS = [
    "cp1250", "iso8859_2", "cp1251", "koi8_r", "cp1253", "cp1254", "cp932", "euc_jp", "gb18030",
    "big5", "cp949", "mac_roman",
]  # fmt: skip
"""Encodings beside UTF-8 and Windows-1252 in which bibliographies are met."""
_SENSIBLE = 0.97
"""Share of the characters beyond ASCII that must be letters or typographic marks."""

UTF8_LENIENT = "hallmark-lone-bytes"
"""Name of the error handler that reads bytes which are no UTF-8 as Windows-1252."""


def _lone_bytes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return wrong.decode("cp1252", errors="replace"), error.end


codecs.register_error(UTF8_LENIENT, _lone_bytes)


class Encoding(Struct, frozen=True):
    """A codec's name, how it treats errors, and whether it had to be guessed."""

    name: str
    errors: str = "strict"
    guessed: bool = False


def detect(file: BinaryIO) -> Encoding:
    """Return the encoding of a file, read from its start to its end in blocks."""
    file.seek(0)
    head = file.read(_SAMPLE)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return Encoding(name, errors="replace" if name != "utf-8-sig" else UTF8_LENIENT)
    wide = _wide(head[:4096])
    if wide:
        return Encoding(wide, errors="replace")
    high = _high_lines(file, head)
    return Encoding("utf-8") if high is None else _without_utf8(head, high)


def holds_controls(file: BinaryIO) -> bool:
    """Whether a file has any control character other than tabs and line ends."""
    file.seek(0)
    while block := file.read(_BLOCK):
        if len(block.translate(None, _CONTROLS)) < len(block):
            return True
    return False


def text_blocks(file: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """Yield the text in blocks that end at line ends; every line end is a line feed.

    A line longer than a block is split.
    """
    file.seek(0)
    reader = io.TextIOWrapper(file, encoding.name, errors=encoding.errors, newline=None)
    try:
        while block := reader.read(_BLOCK):
            yield block if block.endswith("\n") else block + reader.readline(_BLOCK)
    finally:
        if not file.closed:  # as it is where a signal ended the work before this was closed
            reader.detach()


def _wide(head: bytes) -> str:
    """Recognise UTF-16 without a mark by the zeros beside its ASCII letters."""
    half = len(head) // 2
    if half < 8:  # noqa: PLR2004 - too short to tell
        return ""
    for name, zeros, letters in (
        ("utf-16-le", head[1::2], head[::2]),
        ("utf-16-be", head[::2], head[1::2]),
    ):
        if zeros.count(0) > _ZEROS_OF_UTF16 * half and letters.count(0) < half // 20:
            return name
    return ""


def _high_lines(file: BinaryIO, head: bytes) -> bytes | None:
    """Return the lines with high bytes, up to a sample, or None where all is UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    block, valid = head, True
    sample = bytearray()
    while block and (valid or len(sample) < _SAMPLE):
        if valid:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                valid = False
        if not block.isascii() and len(sample) < _SAMPLE:
            sample += b"\n".join(line for line in block.splitlines() if not line.isascii())
        block = file.read(_BLOCK)
    if valid:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return bytes(sample)
        return None
    return bytes(sample)


def _without_utf8(head: bytes, sample: bytes) -> Encoding:
    """Choose for a file that is not UTF-8 throughout."""
    runs = _HIGH.findall(sample)
    total = sum(map(len, runs)) or 1
    as_utf8 = sum(len(found) for found in _UTF8_SEQUENCE.findall(sample))
    if as_utf8 > total // 2:
        return Encoding("utf-8", errors=UTF8_LENIENT, guessed=True)
    declared = _declared(head)
    if declared and _decodes(sample, declared):
        return Encoding(declared, errors="replace", guessed=True)
    if _is_western(sample):
        return Encoding("cp1252", errors="replace", guessed=True)
    found = [match.encoding for match in from_bytes(sample, cp_isolation=_OTHERS)]
    sensible = (name for name in [*found, *_OTHERS] if _decodes(sample, name))
    name = next((name for name in sensible if _makes_sense(sample.decode(name))), "cp1252")
    return Encoding(name, errors="replace", guessed=True)


def _declared(head: bytes) -> str:
    """Return the codec that a comment in the first lines declares, "" for none or UTF-8."""
    found = _DECLARED.search(head[:2000])
    if found is None:
        return ""
    try:
        name = codecs.lookup(found.group(1).decode("ascii")).name
    except LookupError:
        return ""
    return "" if name.startswith("utf") else name


def _decodes(sample: bytes, name: str) -> bool:
    try:
        sample.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _is_western(sample: bytes) -> bool:
    """Whether the bytes make sense as Windows-1252, in which hardly any byte is undefined."""
    text = sample.decode("cp1252", errors="replace")
    return _makes_sense(text) and sum(map(text.count, "ªºƒÞþÐð\ufffd")) * 30 <= _count_high(text)


def _makes_sense(text: str) -> bool:
    """Whether what is not ASCII are letters and typographic marks, and no signs inside words."""
    strange = len(_SIGN_IN_WORD.findall(text))
    sensible = sum(letter.isalpha() or letter in _TYPOGRAPHIC for letter in text if letter > "\x7f")
    return sensible - strange >= _SENSIBLE * _count_high(text)


def _count_high(text: str) -> int:
    return sum(letter > "\x7f" for letter in text)
