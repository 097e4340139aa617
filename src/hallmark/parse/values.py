"""What is the value of a BibTeX field, given the macros?

A value is a braced group, a quoted text, a number or a macro, or several of them joined by "#".
bibtexparser tells where a value ends; here it is evaluated, and what follows it without a comma
is given back as the further field that it is.
"""

import re
from collections.abc import Callable

from msgspec import Struct

from hallmark.records.reference import ParseNote

MacroTable = Callable[[str], str | None]
"""Gives a macro's text for its lower-case name, None where it is not defined."""

_BRACES = re.compile(r"(?<!\\)[{}]")
_QUOTE_OR_BRACES = re.compile(r'(?<!\\)["{}]')
_WORD = re.compile(r"[^\s#{}\",=]+")
_NEXT_FIELD = re.compile(r"\s*([A-Za-z][\w:+.-]*)\s*=(?!=)\s*(?=\S)", re.DOTALL)
_JOINT = re.compile(r"\s*#\s*")
_MANY = 500
"""Pieces of one value that are evaluated."""


class Value(Struct, frozen=True):
    """An evaluated field.

    `undefined` says that the value is nothing but a macro that is not defined; `text` then holds
    its name. `rest` is what follows the value without a comma.
    """

    text: str
    undefined: bool = False
    rest: str = ""
    notes: tuple[ParseNote, ...] = ()


def evaluate(name: str, source: str, macros: MacroTable) -> Value:
    """Return the value of the field `name`, whose source text is `source`."""
    if len(source) > 1:
        first, last = source[0], source[-1]
        inner = source[1:-1]
        if first == "{" and last == "}" and "{" not in inner and "}" not in inner:
            return Value(inner) if not inner.endswith("\\") else Value(inner + "}")
        if first == '"' and last == '"' and '"' not in inner:
            return Value(inner)
    if source.isdecimal() or not source:
        return Value(source)
    return _joined(name, source, macros)


def next_field(rest: str) -> tuple[str, str] | None:
    """Return name and source of a field that follows a value without a comma, or None."""
    found = _NEXT_FIELD.match(rest)
    return (found.group(1), rest[found.end() :].strip()) if found else None


def _joined(name: str, source: str, macros: MacroTable) -> Value:
    """Evaluate pieces joined by "#"."""
    texts: list[str] = []
    notes: list[ParseNote] = []
    place, undefined = 0, 0
    for _ in range(_MANY):
        piece, end = _piece(source, place)
        if end == place:
            break
        if piece is None:
            piece, known = _of_word(source[place:end], macros)
            if not known:
                undefined += 1
                notes.append(_not_defined(name, piece))
        texts.append(piece)
        place = end
        joint = _JOINT.match(source, place)
        if joint is None:
            break
        place = joint.end()
    rest = source[place:].strip()
    if rest and next_field(rest) is None:
        return _as_it_stands(name, source)
    return Value("".join(texts), undefined > 0 and len(texts) == undefined, rest, tuple(notes))


def _piece(source: str, place: int) -> tuple[str | None, int]:
    """Return one piece and its end; the piece is None for a word, whose meaning is looked up.

    The end is `place` itself where no piece begins.
    """
    letter = source[place : place + 1]
    if letter == "{":
        end = _closing_brace(source, place)
    elif letter == '"':
        end = _closing_quote(source, place)
    else:
        found = _WORD.match(source, place)
        return None, found.end() if found else place
    return (source[place + 1 : end], end + 1) if end else ("", place)


def _closing_brace(source: str, place: int) -> int:
    """Return where the group that opens at `place` closes, 0 if it does not."""
    depth = 0
    for found in _BRACES.finditer(source, place):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.start()
    return 0


def _closing_quote(source: str, place: int) -> int:
    """Return where the quoted text that opens at `place` closes, 0 if it does not."""
    depth = 0
    for found in _QUOTE_OR_BRACES.finditer(source, place + 1):
        match found.group():
            case "{":
                depth += 1
            case "}":
                depth = max(0, depth - 1)
            case _ if depth == 0:
                return found.start()
    return 0


def _of_word(word: str, macros: MacroTable) -> tuple[str, bool]:
    """Return the text of a macro or number, and whether it is defined."""
    if word[0].isdecimal():
        return word, True
    text = macros(word.lower())
    return (word, False) if text is None else (text, True)


def _not_defined(name: str, macro: str) -> ParseNote:
    text = f"The macro {macro[:100]} in the field {name} is not defined; the field is not compared."
    return ParseNote("undefined-macro", text)


def _as_it_stands(name: str, source: str) -> Value:
    """Take a value that obeys no rule literally, without the marks around it."""
    text = source
    if len(source) > 1 and source[0] + source[-1] in {"{}", '""'}:
        text = source[1:-1]
    code = "stray-quote" if '"' in source else "unquoted-value"
    message = f"The value of the field {name} is not enclosed as it should be."
    return Value(text.strip(), notes=(ParseNote(code, message),))
