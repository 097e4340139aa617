"""Do two payloads have the same structure?"""

from collections.abc import Iterator
from typing import Any

from lxml import etree

_PLACES = "[]"


def of_json(value: Any, path: str = "") -> dict[str, set[str]]:
    """Return the kinds of values at every path; items of lists share one path."""
    found: dict[str, set[str]] = {path: {_kind(value)}}
    inner: Iterator[tuple[str, Any]]
    match value:
        case dict():
            inner = ((f"{path}.{name}", one) for name, one in value.items())
        case list():
            inner = ((f"{path}{_PLACES}", one) for one in value)
        case _:
            return found
    for place, one in inner:
        for where, kinds in of_json(one, place).items():
            found.setdefault(where, set()).update(kinds)
    return found


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return "list"
        case _:
            return "object"


def of_xml(body: bytes) -> dict[str, set[str]]:
    """Return the attributes at every path of local names."""
    found: dict[str, set[str]] = {}

    def walk(element: etree._Element, path: str) -> None:
        here = f"{path}/{etree.QName(element).localname}"
        found.setdefault(here, set()).update(map(str, element.attrib))
        for child in element:
            if isinstance(child.tag, str):
                walk(child, here)

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    walk(etree.fromstring(body, parser), "")
    return found


def foreign(ours: dict[str, set[str]], theirs: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return what ours has and theirs has not: paths, and kinds or attributes at paths."""
    wrong: dict[str, set[str]] = {}
    for path, kinds in ours.items():
        if path not in theirs:
            wrong[path] = kinds
        elif more := kinds - theirs[path] - {"null"}:
            wrong[path] = more
    return wrong
