"""Is a reply what the service documents, and what does it hold?

JSON is decoded with msgspec into exactly the fields that an adapter needs: unknown ones are
ignored, absent ones have defaults, a wrong type is a failure. XML is parsed without entities,
document types and network. Whatever is not as documented becomes `Unavailable`, with a reason that
quotes nothing of the request; so a bot page, a proxy's error or a cut body is never evidence.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from lxml import etree

from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Reply

T = TypeVar("T")

LARGEST = 64 << 20
"""Bytes of the largest body that is read; 500 records of any service stay far below."""

OK = 200
NOT_FOUND = 404
_PAGE = (b"<!doctype html", b"<html")
_BOM = b"\xef\xbb\xbf"


def refused(reply: Reply | Unavailable) -> Unavailable | None:
    """Return why a reply cannot be read at all, None where its body may be.

    Only status 200 carries an answer; an adapter looks for the 404 of an identifier before.
    """
    match reply:
        case Unavailable():
            return reply
        case Reply(status, body):
            if status != OK:
                return Unavailable(f"It answered with status {status}.")
            if not body.strip():
                return Unavailable("It answered with an empty body.")
            if len(body) > LARGEST:
                return Unavailable(f"It answered with more than {LARGEST >> 20} MB.")
            if body.lstrip(_BOM + b" \t\r\n")[:64].lower().startswith(_PAGE):
                return Unavailable("It answered with a web page instead of data.")
            return None


def is_missing(reply: Reply | Unavailable) -> bool:
    """Whether the service says that it does not hold the one identifier asked for (404).

    Only for end-points of single identifiers: where a search gives 404, the end-point is gone.
    """
    return isinstance(reply, Reply) and reply.status == NOT_FOUND


def json_as(kind: type[T], reply: Reply | Unavailable) -> T | Unavailable:
    """Return the body as a value of `kind`, or why it is none."""
    refusal = refused(reply)
    if refusal is not None:
        return refusal
    assert isinstance(reply, Reply)  # noqa: S101 - what is refused is all else
    return parsed(kind, reply.body)


def parsed(kind: type[T], body: bytes) -> T | Unavailable:
    """Return JSON as a value of `kind`, or why it is none."""
    try:
        value: T = _decoder(cast("Any", kind)).decode(body.removeprefix(_BOM))
    except msgspec.ValidationError as error:
        return Unavailable(f"It answered in a form that is not documented ({error}).")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Unavailable("It answered with something that is no whole JSON.")
    return value


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def each_as(kind: type[T], raw: Iterable[msgspec.Raw]) -> tuple[list[T], str]:
    """Return the items that are values of `kind`, and why others are not ("" where all are).

    One record in an undocumented form must not take the other 99 of its batch with it; but then
    nobody can say which question it would have answered, so that none may count as unanswered.
    """
    read: list[T] = []
    unread = ""
    for item in raw:
        value = parsed(kind, bytes(item))
        if isinstance(value, Unavailable):
            unread = value.reason
        else:
            read.append(value)
    return read, unread


def xml_of(reply: Reply | Unavailable, root: str) -> etree._Element | Unavailable:
    """Return the root element of an XML body, which must have the local name `root`.

    Entities are not resolved, no document type is loaded and no address asked.
    """
    refusal = refused(reply)
    if refusal is not None:
        return refusal
    assert isinstance(reply, Reply)  # noqa: S101 - what is refused is all else
    if b"<!ENTITY" in reply.body:
        return Unavailable("It answered with XML that declares entities of its own.")
    try:
        element = etree.fromstring(reply.body.strip(), _parser())
    except (etree.XMLSyntaxError, ValueError):
        return Unavailable("It answered with something that is no whole XML.")
    if element is None or local(element) != root:
        return Unavailable(f"It answered with XML that is no <{root}>.")
    return element


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace; "" for comments and the like."""
    tag = element.tag
    return etree.QName(tag).localname if isinstance(tag, str) else ""


def children(element: etree._Element | None, *path: str) -> list[etree._Element]:
    """Return the elements at the end of a path of local names, whatever their namespaces."""
    found = [] if element is None else [element]
    for name in path:
        found = [child for one in found for child in one if local(child) == name]
    return found


def text(element: etree._Element | None, *path: str) -> str:
    """Return the text of the first element at the end of a path, without markup; "" for none."""
    found = children(element, *path)
    return whole_text(found[0]) if found else ""


def whole_text(element: etree._Element) -> str:
    """Return all text inside an element, without markup and comments."""
    return str(element.xpath("string()"))
