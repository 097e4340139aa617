"""Where in a .bib file does one entry end and the next begin?

The text is cut before each "@word{" at the start of a line. So a broken entry cannot swallow the
next ones, and a file of any size is read entry by entry. A line that merely looks like a beginning
(code in an abstract, a commented-out entry) is joined again to the piece that it lies in.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

_BEGINNING = re.compile(r"@[ \t]*[^\W\d][\w.:+-]*\s*[{(]")
_ENTRY = re.compile(
    r"\s*\ufeff?@\s*(?:(?:string|preamble|comment|article|book|booklet|inbook|incollection|"
    r"inproceedings|conference|manual|mastersthesis|phdthesis|misc|proceedings|techreport|"
    r"unpublished|online|thesis|report)\s*[{(]"
    r"|[\w.:+-]+\s*[{(]\s*[^\s{}=\",]*\s*,\s*(?:[\w:+.-]+\s*=|[})%]))",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*@\s*comment\s*[{(]", re.IGNORECASE)
_LONGEST_COMMENT = 200
"""Pieces over which a comment that is not closed is followed."""

_DEEPEST_INDENT = 200
"""Characters before an "@" among which the start of its line is looked for."""

LONGEST_PIECE = 32 * 2**20
"""Characters of one piece that are kept; what is longer cannot be an entry."""


class Piece(Struct):
    """Some text of a file with the number of its first line; it holds about one entry.

    `lost` counts characters that were not kept.
    """

    line: int
    text: str
    lost: int = 0

    @property
    def open_braces(self) -> int:
        """How many braces are opened and not closed; negative for too many closed."""
        return self.text.count("{") - self.text.count("}")


def cut(blocks: Iterable[str]) -> Iterator[Piece]:
    """Yield the pieces of a text that comes in blocks which end at line ends."""
    waiting: deque[Piece] = deque()
    raw = _raw_pieces(blocks)
    while True:
        piece = waiting.popleft() if waiting else next(raw, None)
        if piece is None:
            return
        if piece.open_braces > 0:
            piece = _completed(piece, waiting, raw)
        yield piece


def _raw_pieces(blocks: Iterable[str]) -> Iterator[Piece]:
    """Cut before every line that looks like the beginning of an entry."""
    line, parts, kept, lost = 1, [""], 0, 0
    for block in blocks:
        start = 0
        for edge in _edges(block):
            parts.append(block[start:edge])
            start = edge
            text = "".join(parts)
            if text:
                yield Piece(line, text, lost)
                line += text.count("\n")
            parts, kept, lost = [], 0, 0
        rest = block[start:] if start else block
        if kept < LONGEST_PIECE:
            parts.append(rest)
            kept += len(rest)
        else:
            lost += len(rest)
    text = "".join(parts)
    if text:
        yield Piece(line, text, lost)


def _edges(block: str) -> Iterator[int]:
    """Yield the starts of the lines that look like the beginning of an entry."""
    for found in _BEGINNING.finditer(block):
        place = found.start()
        before = block[max(0, place - _DEEPEST_INDENT) : place]
        if not before.rpartition("\n")[2].strip(" \t\ufeff"):
            yield place - len(before.rpartition("\n")[2])


def _completed(piece: Piece, waiting: deque[Piece], raw: Iterator[Piece]) -> Piece:
    """Join to an open piece those that follow, as long as they do not begin an entry.

    An open comment is followed through entries too; if it never closes, it was none.
    """
    comment = _COMMENT.match(piece.text) is not None
    joined: list[Piece] = []
    depth = piece.open_braces
    while depth > 0 and (not comment or len(joined) < _LONGEST_COMMENT):
        following = waiting.popleft() if waiting else next(raw, None)
        if following is None:
            break
        if not comment and _ENTRY.match(following.text):
            waiting.appendleft(following)
            break
        joined.append(following)
        depth += following.open_braces
    if comment and depth > 0:
        waiting.extendleft(reversed(joined))
        return piece
    return _join(piece, joined) if joined else piece


def _join(piece: Piece, others: list[Piece]) -> Piece:
    """Join pieces into one; the line breaks between them would mislead the parser."""
    texts = [piece.text, *(other.text for other in others)]
    text = " ".join(text.rstrip("\n") for text in texts) + "\n"
    return Piece(piece.line, text, piece.lost + sum(other.lost for other in others))
