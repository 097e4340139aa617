"""How can an entry that breaks BibTeX's rules be read nevertheless?

Each repair is a function from an entry's source to a changed source, or None where its fault is
not there. They are tried in order, one on top of the other, until the entry can be read.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from hallmark.records.reference import ParseNote

Repair = Callable[[str], str | None]

GUARD = "\ufddf"
"""Stands between a backslash and a brace that the parser would take for escaped."""

_ESCAPED_BRACE = re.compile(r"\\(?=[{}])")
_HEAD = r"^\s*@\s*(?!(?i:string)\b)[\w.:+-]+\s*[{(]\s*"
_KEY_WITHOUT_COMMA = re.compile(rf"({_HEAD}[^\s,={{}}\"]+)(\s+)(?=[A-Za-z][\w:+.-]*\s*=)")
_NO_KEY = re.compile(rf"({_HEAD})(?=[A-Za-z][\w:+.-]*\s*=\s*[{{\"\w])")
_NO_EQUALS = re.compile(r"(,\s*\n\s*[A-Za-z][\w-]*)[ \t:]+(?=[{\"])")
_FIELD_START = re.compile(r"\n[ \t]*[A-Za-z][\w:+.-]*[ \t]*=[ \t]*(?:[{\"]|\w+[ \t]*,?[ \t]*\n)")
_FIELD_VALUE = re.compile(r"=[ \t]*([{\"])")
_TRAILING_COMMA = re.compile(r"\s*,?\s*$")
_BRACE = re.compile(r"[{}]")
_QUOTED_LINE = re.compile(r'^([ \t]*[\w:+.-]+[ \t]*=[ \t]*)"(.*)"([ \t]*,?[ \t]*)$', re.MULTILINE)
_LEFTOVER_FIELD = re.compile(r"^[\s,]*[A-Za-z][\w:+.-]*\s*=\s*[{\"\w]")
_EARLY_END = re.compile(r"\}\s*\}(?=\s*,\s*[A-Za-z][\w:+.-]*\s*=\s*[{\"\w])")
_LONGEST = 2**20
"""Characters of an entry that is repaired; a longer one fails as it stands."""


def repairs(source: str) -> Iterator[tuple[str, ParseNote]]:
    """Yield ever more repaired sources, each with the note on the last repair."""
    if len(source) > _LONGEST:
        return
    for repair, note in _REPAIRS:
        changed = repair(source)
        if changed is not None and changed != source:
            source = changed
            yield source, note


def holds_fields(text: str) -> bool:
    """Whether text behind an entry's end is really the rest of its fields."""
    return _LEFTOVER_FIELD.match(text) is not None


def unguarded(text: str) -> str:
    """Take out the guards that a repair put in."""
    return text.replace(GUARD, "") if GUARD in text else text


def _count_escaped_braces(source: str) -> str | None:
    """Count escaped braces as BibTeX does, where the entry balances only so."""
    if not _ESCAPED_BRACE.search(source) or source.count("{") != source.count("}"):
        return None
    return _ESCAPED_BRACE.sub(lambda found: found.group() + GUARD, source)


def _put_comma_behind_key(source: str) -> str | None:
    changed, count = _KEY_WITHOUT_COMMA.subn(r"\1,\2", source, count=1)
    return changed if count else None


def _put_empty_key(source: str) -> str | None:
    changed, count = _NO_KEY.subn(r"\1,", source, count=1)
    return changed if count else None


def _put_equals(source: str) -> str | None:
    changed, count = _NO_EQUALS.subn(r"\1 = ", source)
    return changed if count else None


def _close_fields(source: str) -> str | None:
    """Close each field's value before the next line that begins a field.

    Works on entries with one field to a line, which is how they are written by hand and program.
    """
    starts = [found.start() for found in _FIELD_START.finditer(source)]
    if not starts or _is_cut_off(source[starts[-1] :]):
        return None
    edges = [*starts, len(source)]
    texts = [source[: starts[0]]]
    for start, end in pairwise(edges):
        texts.append(_balanced(source[start:end], last=end == len(source)))
    return "".join(texts)


def _is_cut_off(field: str) -> bool:
    """Whether the source ends in the midst of a value, so that its rest is lost."""
    return field.count("{") > field.count("}") and not field.rstrip().endswith("}")


def _balanced(field: str, *, last: bool) -> str:
    """Return the source of one field with its braces put in balance."""
    body, tail = (field, "")
    if last:
        body, tail = _without_end(field)
    depth = lowest = 0
    for found in _BRACE.finditer(body):
        if body[found.start() - 1] != "\\":
            depth += 1 if found.group() == "{" else -1
            lowest = min(lowest, depth)
    if lowest == 0 and depth == 0:
        return body + tail
    comma = _TRAILING_COMMA.search(body)
    place = comma.start() if comma else len(body)
    if lowest < 0:
        return _without_extra(body[:place], -depth) + body[place:] + tail
    return body[:place] + "}" * depth + body[place:] + tail


def _without_end(field: str) -> tuple[str, str]:
    """Split the last field from the closing mark of the entry, which is added if missing."""
    stripped = field.rstrip()
    opened = field.count("{")
    if stripped.endswith(("}", ")")) and (field.count("}") > opened or stripped[-2:-1] in "\n "):
        return stripped[:-1], "}"
    if "\n" in stripped and stripped.rpartition("\n")[2].strip() == "}":
        return stripped[:-1], "}"
    return stripped, "\n}"


def _without_extra(body: str, count: int) -> str:
    """Take closing braces that close nothing off the end of a value."""
    stripped = body.rstrip()
    while count > 0 and stripped.endswith("}"):
        stripped, count = stripped[:-1].rstrip(), count - 1
    return stripped


def _drop_early_end(source: str) -> str | None:
    """Take away a brace that ends the entry although further fields follow."""
    changed, count = _EARLY_END.subn("}", source)
    return changed if count and source.count("}") > source.count("{") else None


def _enclose_quoted_lines(source: str) -> str | None:
    """Write quoted values, which hold unbalanced quotes, in braces."""
    changed, count = _QUOTED_LINE.subn(r"\1{\2}\3", source)
    return changed if count else None


def _close_entry(source: str) -> str | None:
    """Add the closing brace of the entry, where only that is missing."""
    missing = source.count("{") - source.count("}")
    return f"{source.rstrip()}\n}}\n" if missing == 1 else None


_REPAIRS: tuple[tuple[Repair, ParseNote], ...] = (
    (
        _count_escaped_braces,
        ParseNote("escaped-brace", "A backslash stands before a brace that encloses a value."),
    ),
    (
        _put_comma_behind_key,
        ParseNote("missing-comma", "A comma is missing behind the key."),
    ),
    (_put_empty_key, ParseNote("missing-key", "The entry has no key.")),
    (_put_equals, ParseNote("missing-equals", "An equals sign is missing behind a field's name.")),
    (
        _drop_early_end,
        ParseNote("extra-brace", "A brace too many ended the entry early; it was taken out."),
    ),
    (
        _enclose_quoted_lines,
        ParseNote("unbalanced-quote", "A quoted value holds quotes that are not balanced."),
    ),
    (
        _close_fields,
        ParseNote("unbalanced-brace", "Braces of a field are not balanced; they were closed."),
    ),
    (_close_entry, ParseNote("unclosed-entry", "The entry's closing brace is missing.")),
)
