"""Which JSON objects stand in a text, however long, broken or hostile it is?

The work is bounded: the end of a text is read, each object has a greatest length and there is a
greatest number of attempts; nesting beyond what JSON readers take is no object. An object that
names a key twice is none either: whoever quotes a text without escaping its quotation marks lets
that text add keys.
"""

import json
import re
from typing import Any, Never

from msgspec import Struct

LONGEST_TEXT = 200_000
"""Characters at the end of a text in which objects are looked for."""
LONGEST_OBJECT = 20_000
"""Characters of the longest object."""
_ATTEMPTS = 1000
"""Openings at which an object is tried; the last ones of a text count."""

_OPENING = re.compile(r'\{(?=\s{0,200}")')
_FENCE = "```"
_LANGUAGE = re.compile(r"[A-Za-z0-9]{0,20}[ \t]{0,20}\r?\n|json(?=\s*\{)")


class Found(Struct, frozen=True):
    """An object, and the stretch of text that it was read from."""

    value: dict[str, Any]
    text: str


def find_objects(text: str) -> list[Found]:
    """Return the outermost objects of a text, in order; those within another one are not told."""
    end = text[-LONGEST_TEXT:]
    openings = [found.start() for found in _OPENING.finditer(end)][-_ATTEMPTS:]
    objects, after = list[Found](), 0
    for at in openings:
        if at < after:
            continue
        found = _decode(end[at : at + LONGEST_OBJECT])
        if found is not None:
            objects.append(found)
            after = at + len(found.text)
    return objects


def only_object(text: str, *, trailing: bool = False) -> list[Found]:
    """Return the object that a text is made of, bare or in one fence, as a list of at most one.

    Args:
        text: anything.
        trailing: whether anything may follow the object.
    """
    bare = text.strip()
    if bare.startswith(_FENCE):
        bare = bare.removeprefix(_FENCE).removesuffix(_FENCE)
        language = _LANGUAGE.match(bare)
        bare = bare[language.end() if language else 0 :].strip()
    found = _decode(bare[:LONGEST_OBJECT]) if bare.startswith("{") else None
    if found is None or (len(found.text) < len(bare) and not trailing):
        return []
    return [found]


def _decode(text: str) -> Found | None:
    """Return the object at the beginning of a text."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return Found(value, text[:end]) if isinstance(value, dict) else None


def _refuse(name: str) -> Never:
    raise ValueError(f"{name} is no JSON number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = {name.strip().lower() for name, _ in pairs}
    if len(names) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_once)
