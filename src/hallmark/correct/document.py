"""How are a file's bytes turned into text and back without changing any?"""

import codecs
import difflib
import re

from msgspec import Struct

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LONE = "surrogateescape"
"""Bytes that are no text in the file's encoding pass through unseen."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Document(Struct, frozen=True):
    """A file as text that can be written back byte by byte; `mark` is its byte-order mark."""

    text: str
    encoding: str
    mark: bytes = b""

    def write(self, text: str) -> bytes | None:
        """Return a changed text as the file's bytes, None where its encoding lacks a letter."""
        try:
            return self.mark + text.encode(self.encoding, _LONE)
        except UnicodeEncodeError:
            return None


def opened(data: bytes, encoding: str) -> Document | None:
    """Return the text of a file's bytes, None where they would not come back the same.

    Args:
        data: the whole file.
        encoding: the codec that it is read with.
    """
    mark, name = next(
        ((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", encoding)
    )
    try:
        text = data[len(mark) :].decode(name, _LONE)
    except (UnicodeDecodeError, LookupError):
        return None
    document = Document(text, name, mark)
    return document if document.write(text) == data else None


def difference(before: str, after: str, old: str, new: str) -> str:
    """Return the unified diff of two texts, "" where they are the same.

    Line ends stand as they are, so that the diff can be applied to the file.
    """
    lines = difflib.unified_diff(_LINE.findall(before), _LINE.findall(after), old, new)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
