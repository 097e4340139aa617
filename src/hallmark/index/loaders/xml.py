"""How are the records of a large XML file read without trusting it?

The document type is taken out before the parser sees it, so that no entity can be declared and no
file or address be asked for; HTML's named entities, which DBLP uses, become character references.
Records are handed out one by one and then forgotten.
"""

import html.entities
import io
import re
from collections.abc import Iterator

from lxml import etree

from hallmark.errors import SourceProblem
from hallmark.index.loaders.stream import blocks

LONGEST_RECORD = 32 << 20
"""Bytes that may pass without the end of a record."""

_DOCTYPE = re.compile(rb"<!DOCTYPE\s+[^\[>]*(\[)?[^>]*>", re.IGNORECASE)
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{0,31});")
_OPEN_ENTITY = re.compile(rb"&[A-Za-z0-9#]{0,32}$")
_OWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_PROLOG = 4096


def records(
    stream: io.BufferedReader, names: frozenset[str], label: str
) -> Iterator[etree._Element]:
    """Yield the elements with one of `names`, each whole; it is emptied afterwards.

    Raises:
        SourceProblem: the file is no well-formed XML, declares entities of its own, or holds a
            record that is far too long.
    """
    parser = etree.XMLPullParser(
        events=("end",), tag=sorted(names), resolve_entities=False, no_network=True
    )
    unread = 0
    try:
        for block in _safe_blocks(stream, label):
            parser.feed(block)
            unread += len(block)
            for _, element in parser.read_events():
                unread = 0
                yield element
                _forget(element)
            if unread > LONGEST_RECORD:
                raise SourceProblem(f"`{label}` holds a record of more than 32 MB; it is damaged.")
        parser.close()
    except etree.XMLSyntaxError as error:
        raise SourceProblem(
            f"`{label}` is no well-formed XML ({error}). Fetch it again, or leave it out."
        ) from error
    for _, element in parser.read_events():
        yield element


def text(element: etree._Element) -> str:
    """Return all text inside an element, without its markup."""
    return "".join(element.itertext())


def marked_up(element: etree._Element, kept: frozenset[str]) -> str:
    """Return the text inside an element, with tags of the names in `kept` written as HTML."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            inner = marked_up(child, kept)
            parts.append(f"<{child.tag}>{inner}</{child.tag}>" if child.tag in kept else inner)
        parts.append(child.tail or "")
    return "".join(parts)


def _forget(element: etree._Element) -> None:
    element.clear(keep_tail=False)
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _safe_blocks(stream: io.BufferedReader, label: str) -> Iterator[bytes]:
    """Yield the document in blocks without its document type and without named entities."""
    rest = _without_doctype(stream.read(_PROLOG), label)
    for block in blocks(stream):
        data = rest + block
        cut = _OPEN_ENTITY.search(data)
        end = cut.start() if cut else len(data)
        rest = data[end:]
        yield _ENTITY.sub(_as_reference, data[:end])
    yield _ENTITY.sub(_as_reference, rest)


def _without_doctype(prolog: bytes, label: str) -> bytes:
    found = _DOCTYPE.search(prolog)
    if found is None:
        return prolog
    if found.group(1):
        raise SourceProblem(
            f"`{label}` declares XML entities of its own, which no known dump does. It is not read."
        )
    return prolog[: found.start()] + prolog[found.end() :]


def _as_reference(found: re.Match[bytes]) -> bytes:
    name = found.group(1)
    if name in _OWN:
        return found.group()
    point = html.entities.name2codepoint.get(name.decode("ascii"))
    return f"&#{point};".encode() if point else b"&amp;" + name + b";"
