"""Where in the source text of a .bib file does an entry stand, and where each of its fields?

The scan is strict: an entry that does not obey BibTeX's rules to the letter has no spans, and is
left for a person to correct. Braces are counted as BibTeX counts them.
"""

import re
from bisect import bisect_left
from itertools import accumulate

from msgspec import Struct

_HEAD = re.compile(r"@[ \t]*([^\W\d][\w.:+-]*)\s*([{(])\s*([^\s,={}\"()]+)\s*,")
_NAME = re.compile(r"\s*([A-Za-z][\w:+.-]*)(\s*=\s*)")
_WORD = re.compile(r"[^\s#{}\",=()]+")
_JOINT = re.compile(r"\s*#\s*")
_COMMA = re.compile(r"\s*,")
_END = re.compile(r"\s*([})])")
_MARK = re.compile(r'["{}]')
_LINE = re.compile(r"\r\n|\r|\n")
_CLOSING = {"{": "}", "(": ")"}
_ABOVE = 3
"""Lines above the reported one at which an entry may begin (its head can be broken over lines)."""


class FieldSpan(Struct, frozen=True):
    """A field as written: `text[name_start:name_end]` is its name, `text[start:end]` its value.

    `next` is the place behind its comma, or `end` where it has none.
    """

    name: str
    name_start: int
    name_end: int
    start: int
    end: int
    next: int

    @property
    def has_comma(self) -> bool:
        """Whether a comma follows."""
        return self.next > self.end


class EntrySpan(Struct, frozen=True):
    """An entry as written: `text[start:end]`; `body` is the place behind the key's comma."""

    key: str
    start: int
    body: int
    end: int
    fields: tuple[FieldSpan, ...]

    def field(self, name: str) -> FieldSpan | None:
        """Return the first field of this lower-case name, which is the one that counts."""
        return next((one for one in self.fields if one.name == name), None)


class Lines:
    """The lines of a text, by number; line ends are LF, CR LF or CR."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in _LINE.finditer(text))]

    def start(self, line: int) -> int | None:
        """Return where a line starts, counted from 1; None where there is no such line."""
        return self._starts[line - 1] if 0 < line <= len(self._starts) else None

    def number(self, place: int) -> int:
        """Return the number of the line that holds a place, from 1."""
        return bisect_left(self._starts, place + 1)


def find_entry(text: str, lines: Lines, key: str, line: int) -> EntrySpan | None:
    """Return the spans of the entry of this key that begins on this line, or None.

    None says that there is no such entry, or that it breaks a rule of BibTeX.
    """
    start = lines.start(line)
    if start is None:
        return None
    end = lines.start(line + 1 + _ABOVE) or len(text)
    head = _HEAD.search(text, start, end)
    if head is None or head[3] != key or lines.number(head.start()) > line + _ABOVE:
        return None
    return _entry(text, head)


def _entry(text: str, head: re.Match[str]) -> EntrySpan | None:
    fields: list[FieldSpan] = []
    place = head.end()
    while name := _NAME.match(text, place):
        end = _value_end(text, name.end())
        if end is None:
            return None
        comma = _COMMA.match(text, end)
        after = comma.end() if comma else end
        fields.append(
            FieldSpan(name[1].lower(), name.start(1), name.end(1), name.end(), end, after)
        )
        place = after
        if comma is None:
            break
    closing = _END.match(text, place)
    if closing is None or closing[1] != _CLOSING[head[2]] or not fields:
        return None
    return EntrySpan(head[3], head.start(), head.end(), closing.end(), tuple(fields))


def _value_end(text: str, place: int) -> int | None:
    """Return where a value ends, which may be several pieces joined by "#"."""
    while True:
        end = _piece_end(text, place)
        if end is None:
            return None
        joint = _JOINT.match(text, end)
        if joint is None:
            return end
        place = joint.end()


def _piece_end(text: str, place: int) -> int | None:
    letter = text[place : place + 1]
    if letter == "{":
        return _closed(text, place, quoted=False)
    if letter == '"':
        return _closed(text, place, quoted=True)
    found = _WORD.match(text, place)
    return found.end() if found else None


def _closed(text: str, place: int, *, quoted: bool) -> int | None:
    """Return the place behind the mark that closes the one at `place`."""
    depth = 0
    for found in _MARK.finditer(text, place + quoted):
        mark = found[0]
        if mark == '"':
            if quoted and depth == 0:
                return found.end()
            continue
        depth += 1 if mark == "{" else -1
        if depth < 0:
            return None
        if depth == 0 and not quoted:
            return found.end()
    return None


def is_literal(source: str) -> bool:
    """Whether a value's source is one piece in braces or quotes, and no macro or joined text."""
    return source[:1] in {"{", '"'} and _piece_end(source, 0) == len(source)


def pieces(text: str, separator: re.Pattern[str]) -> list[str]:
    """Cut a text at separators outside of braces; the separators stand between the pieces.

    Joined again, the pieces are the text: names at even places, separators at odd ones.
    """
    depths = list(accumulate((letter == "{") - (letter == "}") for letter in text))
    cut: list[str] = []
    start = 0
    for found in separator.finditer(text):
        if found.start() == 0 or depths[found.start() - 1] == 0:
            cut += [text[start : found.start()], found[0]]
            start = found.end()
    return [*cut, text[start:]]
