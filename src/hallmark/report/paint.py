"""How is text laid out on a terminal: styles, wrapping, underlining?

Small on purpose: a block of a report is painted in well under a millisecond, which a general
layout engine is not, and a run may have thousands.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby

from msgspec import Struct
from rich.cells import cell_len, get_character_cell_size


class Style(StrEnum):
    """How a stretch of text looks; the value is the terminal's attribute code."""

    PLAIN = ""
    DIM = "2"
    BOLD = "1"
    BAD = "1;31"
    GOOD = "32"
    UNSURE = "33"
    WRONG = "1;4;31"
    RIGHT = "1;4;32"


class Span(Struct, frozen=True):
    """A stretch of one line, harmless already.

    `caret` marks it where there is no colour; `whole` keeps it on one line.
    """

    text: str
    style: Style = Style.PLAIN
    caret: bool = False
    whole: bool = False


Line = Sequence[Span]


def width_of(text: str) -> int:
    """Return the width of a text in terminal cells."""
    return cell_len(text)


def line_text(line: Line, *, colour: bool) -> str:
    """Return one line as text, with the terminal's codes where colour is on."""
    if not colour:
        return "".join(span.text for span in line).rstrip()
    runs = groupby(line, key=lambda span: span.style)
    return "".join(
        _coded(style, "".join(span.text for span in run)) for style, run in runs
    ).rstrip()


def _coded(style: Style, text: str) -> str:
    return f"\x1b[{style.value}m{text}\x1b[0m" if style.value else text


def lines_text(lines: Iterable[Line], *, colour: bool) -> str:
    """Return lines as text; without colour, marked spans get a line of carets beneath."""
    out: list[str] = []
    for line in lines:
        out.append(line_text(line, colour=colour))
        if not colour and any(span.caret for span in line):
            out.append(_carets(line))
    return "".join(f"{one}\n" for one in out)


def wrap(line: Line, width: int, indent: int) -> Iterator[Line]:
    """Yield the line in lines of at most `width` cells, all but the first indented.

    Breaks between words, and inside of words that are wider than a line.
    """
    room = max(width, indent + 8)
    current: list[Span] = []
    used = 0
    for word in _words(line, room - indent):
        size = cell_len(word.text)
        if used + size > room and used > indent:
            yield _without_last_blanks(current)
            current, used = [Span(" " * indent)], indent
            if word.text.isspace():
                continue
        current.append(word)
        used += size
    yield _without_last_blanks(current)


def fit(text: str, width: int) -> str:
    """Return the text, cut with an ellipsis to at most `width` cells."""
    if cell_len(text) <= width:
        return text
    kept: list[str] = []
    used = 1
    for char in text:
        used += get_character_cell_size(char)
        if used > width:
            break
        kept.append(char)
    return f"{''.join(kept).rstrip()}…"


def _words(line: Line, room: int) -> Iterator[Span]:
    """Yield words and the blanks between them as spans of their own, none wider than `room`."""
    for span in line:
        if span.whole and cell_len(span.text) <= room:
            yield span
            continue
        for at, part in enumerate(span.text.split(" ")):
            if at:
                yield Span(" ", span.style, span.caret)
            for piece in _cut(part, room):
                yield Span(piece, span.style, span.caret)


def _cut(word: str, room: int) -> Iterator[str]:
    if cell_len(word) <= room:
        yield word
        return
    start, used = 0, 0
    for at, char in enumerate(word):
        size = get_character_cell_size(char)
        if used + size > room:
            yield word[start:at]
            start, used = at, 0
        used += size
    yield word[start:]


def _without_last_blanks(line: list[Span]) -> Line:
    end = len(line)
    while end > 1 and line[end - 1].text.isspace():
        end -= 1
    return tuple(line[:end])


def _carets(line: Line) -> str:
    return "".join(("^" if span.caret else " ") * cell_len(span.text) for span in line).rstrip()
