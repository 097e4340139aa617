"""In which ways can a body differ from the documented one, one small step at a time?

For the conformance suite: a JSON or XML body with an unknown field, with one field missing, or
with one value of another type. Every variant is a whole body again.
"""

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
from lxml import etree

MOST_VARIANTS = 400
"""Variants of one kind that are made of one body."""

_FOREIGN: tuple[Any, ...] = (17, "text", [[]], {"foreign": 1}, True, None)


def is_json(body: bytes) -> bool:
    """Whether a body is JSON."""
    return body.lstrip()[:1] in {b"{", b"["}


def is_xml(body: bytes) -> bool:
    """Whether a body is XML."""
    return body.lstrip()[:1] == b"<"


def with_unknown(body: bytes) -> bytes:
    """Return the body with an unknown field in every object, or element in every element."""
    if is_json(body):
        return msgspec.json.encode(_enriched(msgspec.json.decode(body)))
    if is_xml(body):
        root = etree.fromstring(body)
        for element in list(root.iter(etree.Element)):
            if len(element):
                element.append(etree.Element("unheard-of", colour="green"))
        return bytes(etree.tostring(root))
    return body


def _enriched(value: Any) -> Any:
    match value:
        case dict():
            return {**{k: _enriched(v) for k, v in value.items()}, "unheardOf": {"a": [1, None]}}
        case list():
            return [_enriched(one) for one in value]
        case _:
            return value


def without_one(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the body without one field or element, with that one's name, for each."""
    if is_json(body):
        value = msgspec.json.decode(body)
        for path in _paths(value):
            if isinstance(path[-1], str):
                changed = copy.deepcopy(value)
                del _holder(changed, path)[path[-1]]
                yield path[-1], msgspec.json.encode(changed)
    elif is_xml(body):
        count = sum(1 for _ in etree.fromstring(body).iter(etree.Element))
        for place in range(1, min(count, MOST_VARIANTS)):
            root = etree.fromstring(body)
            element = list(root.iter(etree.Element))[place]
            element.getparent().remove(element)
            yield etree.QName(element.tag).localname, bytes(etree.tostring(root))


def with_foreign_type(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a JSON body with one value of another type, with its place, for each and every type."""
    if not is_json(body):
        return
    value = msgspec.json.decode(body)
    for path in _paths(value):
        old = _holder(value, path)[path[-1]]
        for foreign in _FOREIGN:
            if type(foreign) is not type(old):
                changed = copy.deepcopy(value)
                _holder(changed, path)[path[-1]] = foreign
                yield f"{'.'.join(map(str, path))} = {foreign!r}", msgspec.json.encode(changed)


def _paths(value: Any) -> list[tuple[str | int, ...]]:
    return list(_walk(value, ()))[:MOST_VARIANTS]


def _walk(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    inside: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    for key, one in inside:
        yield (*path, key)
        yield from _walk(one, (*path, key))


def _holder(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value
