"""How does an author field name other people, in the way in which it names its own?

Whoever is named rightly stays as written, letter by letter. Others are written as most of the
field's names are: family or given name first, initials or whole names, with or without full stops.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hallmark.correct.markup import Script
from hallmark.correct.scan import pieces
from hallmark.text.name_folding import fold
from hallmark.text.names import PersonName, family_key, parse_name

_AND = re.compile(r"\s+and(?=\s)\s+", re.IGNORECASE)
_OTHERS = "others"
_INITIAL = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.?)*")
_PART = re.compile(r"[^\s-]+|-")
_BLANKS = re.compile(r"\s+")
_WIDTH = 80
"""Columns at which a list is broken that was broken before, where its own lines are shorter."""


class NameStyle(Struct, frozen=True):
    """How names are written.

    `family_first`: "Lovelace, Ada". `initials`: "A." for "Ada"; `stops`: with full stops;
    `apart`: with blanks between two of them.
    """

    family_first: bool = False
    initials: bool = False
    stops: bool = True
    apart: bool = True


class _Written(Struct, frozen=True):
    """A name of the field: its source text and its parts."""

    source: str
    name: PersonName


def corrected_authors(value: str, wanted: str, script: Script) -> str:
    """Return the inside of an author field that names the `wanted` people.

    Args:
        value: the field's inside as written, "" for a new field.
        wanted: plain names joined by " and ", perhaps with "others" at the end.
        script: how letters beyond ASCII are written.
    """
    cut = pieces(value, _AND) if value.strip() else []
    written = [_Written(one.strip(), parse_name(one)) for one in cut[::2] if one.strip()]
    style = style_of(written)
    free = list(written)
    sources = [_source(one, free, style, script) for one in wanted.split(" and ")]
    return _laid_out(sources, cut)


def style_of(written: Sequence[_Written]) -> NameStyle:
    """Return how most of these names are written."""
    people = [one for one in written if not one.name.literal and one.source.lower() != _OTHERS]
    named = [one for one in people if one.name.given]
    if not named:
        return NameStyle()
    short = [one for one in named if _is_initials(one.name.given)]
    doubled = [one.name.given for one in short if len(_letters(one.name.given)) > 1]
    return NameStyle(
        family_first=_most(one.name.split_known for one in named),
        initials=len(short) * 2 > len(named),
        stops=not short or _most("." in one.source for one in short),
        apart=not doubled or _most(" " in one for one in doubled),
    )


def _most(facts: Iterator[bool]) -> bool:
    """Whether more than half of these are true."""
    known = list(facts)
    return sum(known) * 2 > len(known)


def _letters(given: str) -> list[str]:
    return re.findall(r"[^\W\d_]", given)


def _is_initials(given: str) -> bool:
    return all(_INITIAL.fullmatch(part) is not None for part in given.split()) and (
        len(_letters(given)) <= 4 and given.upper() == given  # noqa: PLR2004 - the longest row
    )


def _source(wanted: str, free: list[_Written], style: NameStyle, script: Script) -> str:
    """Return the field's own writing of a wanted person, else a new one in its style."""
    if wanted == _OTHERS:
        return _OTHERS
    name = parse_name(wanted)
    for one in free:
        if _same(one.name, name):
            free.remove(one)
            return one.source
    return written(name, style, script)


def _same(one: PersonName, other: PersonName) -> bool:
    """Whether a written name is surely that of the wanted person: family and given names agree."""
    if one.literal or other.literal:
        return fold(one.literal) == fold(other.literal)
    if family_key(one) != family_key(other) or one.damaged:
        return False
    mine, theirs = fold(one.given).split(), fold(other.given).split()
    if not mine or not theirs:
        return False
    return all(_stands_for(*pair) for pair in zip(mine, theirs, strict=False))


def _stands_for(one: str, other: str) -> bool:
    """Whether two given names are the same, or one is an initial or abbreviation of the other."""
    short, long = sorted((one, other), key=len)
    if short.endswith(".") or len(short) == 1:
        return long.startswith(short.rstrip("."))
    return short == long.rstrip(".")


def written(name: PersonName, style: NameStyle, script: Script) -> str:
    """Return a name as it is written in this style, in LaTeX."""
    if name.literal:
        return f"{{{script.write(name.literal)}}}"
    given = _initials(name.given, style) if style.initials else name.given
    family = " ".join(part for part in (name.particle, name.family) if part)
    if style.family_first or name.suffix or " " in name.family:
        parts = [part for part in (family, name.suffix, given) if part]
        return ", ".join(map(script.write, parts))
    return script.write(" ".join(part for part in (given, family) if part))


def _initials(given: str, style: NameStyle) -> str:
    stop = "." if style.stops else ""
    joint = " " if style.apart and style.stops else ""
    shortened = [
        "".join(part if part == "-" else f"{part[0].upper()}{stop}" for part in _PART.findall(word))
        for word in given.split()
    ]
    return joint.join(shortened)


def _laid_out(names: Sequence[str], cut: Sequence[str]) -> str:
    """Join names as the list was: on one line, one to a line, or broken at its width."""
    separators = cut[1::2]
    broken = [one for one in separators if "\n" in one or "\r" in one]
    if not broken:
        return " and ".join(names)
    if len(broken) == len(separators) and len(separators) > 1:
        return broken[0].join(names)
    ends = any("and" in re.split(r"[\r\n]", one)[0] for one in broken)
    margin = _margin(broken[0])
    width = max(_WIDTH, *map(len, re.split(r"\r\n|\r|\n", "".join(cut))))
    return _wrapped(names, margin, width, and_first=not ends)


def _margin(separator: str) -> str:
    """Return the line end and the blanks behind it."""
    found = re.search(r"(?:\r\n|\r|\n)[ \t]*", separator)
    return found[0] if found else "\n"


def _wrapped(names: Sequence[str], margin: str, width: int, *, and_first: bool) -> str:
    lines: list[str] = [names[0]]
    indent = len(_BLANKS.sub(" ", margin.expandtabs()) and margin.expandtabs().lstrip("\r\n"))
    for name in names[1:]:
        if len(lines[-1]) + len(name) + len(" and  and") + indent <= width:
            lines[-1] += f" and {name}"
        elif and_first:
            lines.append(f"and {name}")
        else:
            lines[-1] += " and"
            lines.append(name)
    return margin.join(lines)
