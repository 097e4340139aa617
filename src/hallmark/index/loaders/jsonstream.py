"""How are the objects of a large JSON file read one by one?

Takes JSON lines, one array of objects, and objects that hold such an array under "items" or
"results" (also inside "message"), as services answer. Only one object is in memory at a time.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from hallmark.index.loaders.interface import Opened, Skipped
from hallmark.index.loaders.stream import MAX_LINE, blocks, lines

_DECODER = msgspec.json.Decoder()
_SCANNER = json.JSONDecoder()
_ARRAY = re.compile(r"\s*\[")
_ITEMS = re.compile(r'\s*\{.{0,20000}?"(?:items|results)"\s*:\s*\[', re.DOTALL)
_BETWEEN = re.compile(r"[\s,]*")
_HEAD = 32_768


def objects(opened: Opened) -> Iterator[dict[str, Any] | Skipped]:
    """Yield the objects of a file in any of the three forms."""
    head = opened.stream.peek(_HEAD)[:_HEAD].decode("utf-8", "replace").lstrip("\ufeff")
    if _ARRAY.match(head) or (_ITEMS.match(head) and not _is_record_line(head)):
        yield from _of_array(opened)
    else:
        yield from _of_lines(opened)


def _is_record_line(head: str) -> bool:
    """Whether the first line is an object of its own that merely has an "items" inside."""
    first, newline, _ = head.partition("\n")
    if not newline:
        return False
    try:
        found = _DECODER.decode(first)
    except (msgspec.DecodeError, RecursionError):
        return False
    return not (isinstance(found, dict) and found.keys() & {"items", "results", "message"})


def _of_lines(opened: Opened) -> Iterator[dict[str, Any] | Skipped]:
    for line in lines(opened.stream):
        if line is None:
            yield Skipped("line longer than 16 MB")
            continue
        try:
            found = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield Skipped("line that is no JSON")
            continue
        if not isinstance(found, dict):
            yield Skipped("line that is no JSON object")
            continue
        yield from _unwrapped(found)


def _unwrapped(found: dict[str, Any]) -> Iterator[dict[str, Any] | Skipped]:
    """Yield the record itself, or those that an answer of a service wraps."""
    inner = found.get("message", found)
    items = inner.get("items", inner.get("results")) if isinstance(inner, dict) else None
    if isinstance(items, list):
        yield from (one for one in items if isinstance(one, dict))
    else:
        yield inner if isinstance(inner, dict) else found


def _of_array(opened: Opened) -> Iterator[dict[str, Any] | Skipped]:
    """Yield the objects of the array, reading on while the last one is not whole."""
    parts = _decoded(opened)
    text = next(parts, "").lstrip("\ufeff")
    start = _ARRAY.match(text) or _ITEMS.match(text)
    place = start.end() if start else len(text)
    while True:
        place = _after(text, place)
        if text[place : place + 1] == "]":
            return
        try:
            found, place = _SCANNER.raw_decode(text, place)
        except (ValueError, RecursionError):
            more = next(parts, "")
            if not more or len(text) - place > MAX_LINE:
                yield Skipped("array that is cut, or an object that cannot be read")
                return
            text, place = text[place:] + more, 0
            continue
        yield found if isinstance(found, dict) else Skipped("array member that is no object")


def _after(text: str, place: int) -> int:
    between = _BETWEEN.match(text, place)
    return between.end() if between else place


def _decoded(opened: Opened) -> Iterator[str]:
    """Yield the text in blocks; bytes that are no UTF-8 are replaced."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for block in blocks(opened.stream):
        yield decoder.decode(block)
