"""Where does one printed reference end and the next begin?

References stand behind labels ("[12]", "12."), in paragraphs, or one on a line. In a list with
labels, a heading behind a finished reference ends the list until another label comes.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

LONGEST = 20_000
"""Characters of one reference that are read."""

_LABEL = re.compile(
    r"\s*(?:\[(?P<square>\d{1,4}|[A-Za-z][\w+*-]{0,20}\d{2}[a-z]?)\]|(?P<dot>\d{1,3})[.)](?=\s)"
    r"|\((?P<round>\d{1,3})\)(?=\s)|(?P<bullet>[•▪◦*])(?=\s))\s*"
)
_HEADING = re.compile(
    r"\s*(?:\d{0,2}\.?\s*)?(?:references(?: cited)?|bibliography|literature(?: cited)?|"
    r"works cited|literatur(?:verzeichnis)?|références|bibliografía|参考文献)\s*:?\s*",
    re.IGNORECASE,
)
_OTHER_HEADING = re.compile(
    r"(?:[A-Z]|\d{1,2}(?:\.\d{1,2})*)\.?\s{2,}[A-Z]\w|(?:Appendix|Appendices|Supplementary|"
    r"Acknowledge?ments?|Checklist|Table \d|Figure \d)\b"
)
_FINISHED = re.compile(r"(?:[.)\]\d/]|https?://\S+|10\.\d{4,9}/\S+)\s*$")
_DATED = re.compile(
    r"(?<!\d)(?:1[5-9]|20|21)\d{2}(?!\d)|10\.\d{4,9}/|arxiv|https?://", re.IGNORECASE
)
_BEGINS = re.compile(r"[^\W\d_]|[“\"‘'«„]")


class Piece(Struct, frozen=True):
    """The text of one reference, the line it begins on (from 1), and its label ("" for none)."""

    text: str
    line: int
    label: str = ""


def begins_with_label(text: str) -> bool:
    """Whether the first line of a text that is not blank (or "References") bears a label."""
    lines = (line for line in text.splitlines() if line.strip() and not _HEADING.fullmatch(line))
    return _LABEL.match(next(lines, "")) is not None


def without_label(text: str) -> str:
    """Return a reference without the label in front."""
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def pieces(lines: Iterable[tuple[int, str]]) -> Iterator[Piece]:
    """Yield the references of numbered lines, in order.

    Args:
        lines: line numbers, from 1, and lines with their ends.
    """
    cutter = _Cutter()
    for number, line in lines:
        yield from cutter.take(number, line)
    yield from cutter.flush()


class _Cutter:
    """Gathers lines until a reference is whole."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._first, self._label, self._size = 0, "", 0
        self._kind: str | None = None
        self._seen = self._ended = False

    def take(self, number: int, line: str) -> Iterator[Piece]:
        if not line.strip():
            if not self._kind:
                yield from self.flush()
            return
        if _HEADING.fullmatch(line):
            yield from self.flush()
            self._ended = False
            return
        found = _LABEL.match(line)
        kind = found.lastgroup if found else None
        if not self._seen:
            self._seen, self._kind = True, kind
        if found and kind == self._kind:
            yield from self.flush()
            self._ended = False
            self._begin(number, found[found.lastgroup or 0], line[found.end() :])
        elif self._kind:
            if self._is_over(line):
                yield from self.flush()
                self._ended = True
            elif not self._ended:
                self._add(line)
        elif self._begins(line) or (kind == "square" and self._is_finished()):
            yield from self.flush()
            self._begin(number, found[kind] if found and kind else "", line)
        else:
            self._add(line)

    def flush(self) -> Iterator[Piece]:
        text = "".join(self._lines).strip()
        if text:
            yield Piece(text, self._first, self._label)
        self._lines, self._size = [], 0

    def _begin(self, number: int, label: str, line: str) -> None:
        self._first, self._label = number, "" if label in "•▪◦*" else label
        self._add(line)

    def _add(self, line: str) -> None:
        if self._size < LONGEST:
            self._lines.append(line[: LONGEST - self._size])
            self._size += len(line)

    def _is_over(self, line: str) -> bool:
        """Whether a line is a heading behind the last reference of a list with labels."""
        return self._ended or (bool(_OTHER_HEADING.match(line)) and self._is_finished())

    def _begins(self, line: str) -> bool:
        """Whether a line without a label begins a reference."""
        if not self._lines:
            return True
        return not line[:1].isspace() and bool(_BEGINS.match(line)) and self._is_finished()

    def _is_finished(self) -> bool:
        text = "".join(self._lines)
        return bool(_FINISHED.search(text[-400:]) and _DATED.search(text))
