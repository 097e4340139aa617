import pytest
from lxml import etree
from msgspec import Raw, Struct

from hallmark.records.answer import Unavailable
from hallmark.sources import decode
from hallmark.sources.interface import Reply


class _Thing(Struct):
    name: str
    size: int | None = None


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "an empty body"),
        (b"\n", "an empty body"),
        (b"<!DOCTYPE HTML><p>", "a web page"),
        (b"\xef\xbb\xbf <html>", "a web page"),
        (b'{"name": "x"', "no whole JSON"),
        (b"Resource not found.", "no whole JSON"),
        (b'{"name": "\xff"}', "no whole JSON"),
        (b'{"size": ' + b"[" * 100_000, "not documented"),
        (b'{"more": ' + b"[" * 100_000, "no whole JSON"),
        (b'{"size": 1}', "not documented"),
        (b'{"name": 1}', "not documented"),
        (b"null", "not documented"),
    ],
)
def test_what_is_not_documented_is_unavailable(body: bytes, told: str) -> None:
    found = decode.json_as(_Thing, Reply(200, body))
    assert isinstance(found, Unavailable)
    assert told in found.reason


@pytest.mark.parametrize("status", [202, 204, 301, 400, 404, 410, 500, 503])
def test_any_other_status_is_unavailable(status: int) -> None:
    found = decode.json_as(_Thing, Reply(status, b'{"name": "x"}'))
    assert found == Unavailable(f"It answered with status {status}.")


def test_what_is_documented_is_read_with_or_without_a_byte_order_mark() -> None:
    for body in (b'{"name": "x", "more": []}', b'\xef\xbb\xbf{"name": "x"}'):
        assert decode.json_as(_Thing, Reply(200, body)) == _Thing("x")


def test_a_failure_of_the_client_is_handed_on() -> None:
    failure = Unavailable("It timed out.")
    assert decode.json_as(_Thing, failure) is failure
    assert decode.xml_of(failure, "feed") is failure
    assert not decode.is_missing(failure)


def test_a_body_that_is_too_large_is_not_read() -> None:
    body = b'{"name": "' + b"x" * decode.LARGEST + b'"}'
    found = decode.json_as(_Thing, Reply(200, body))
    assert isinstance(found, Unavailable)
    assert "64 MB" in found.reason


def test_one_broken_item_does_not_take_the_others_with_it() -> None:
    items = [Raw(b'{"name": "a"}'), Raw(b'{"name": []}'), Raw(b'{"name": "b"}')]
    read, unread = decode.each_as(_Thing, items)
    assert [one.name for one in read] == ["a", "b"]
    assert "not documented" in unread
    assert decode.each_as(_Thing, items[:1])[1] == ""


_BOMB = b"""<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><feed>&b;</feed>"""


@pytest.mark.parametrize(
    "body",
    [
        _BOMB,
        b'<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed>&x;</feed>',
        b"<feed><entry></feed>",
        b"<feed>" + b"<a>" * 5000 + b"</a>" * 5000 + b"</feed>",
        b"<other/>",
        b"feed",
        b"{}",
    ],
)
def test_xml_that_is_broken_foreign_or_hostile_is_unavailable(body: bytes) -> None:
    assert isinstance(decode.xml_of(Reply(200, body), "feed"), Unavailable)


def test_a_document_type_is_not_loaded() -> None:
    body = b'<!DOCTYPE feed SYSTEM "http://127.0.0.1:9/none.dtd"><feed><a>1</a></feed>'
    found = decode.xml_of(Reply(200, body), "feed")
    assert isinstance(found, etree._Element)
    assert decode.text(found, "a") == "1"


def test_text_is_found_whatever_the_namespace_and_without_markup_and_comments() -> None:
    body = b'<feed xmlns:x="urn:x"><x:a>Tidal <i>Me<!-- no -->mory</i></x:a><x:a>2</x:a></feed>'
    found = decode.xml_of(Reply(200, body), "feed")
    assert isinstance(found, etree._Element)
    assert decode.text(found, "a") == "Tidal Memory"
    assert len(decode.children(found, "a")) == 2
    assert decode.text(found, "b") == ""
    assert decode.children(None, "a") == []
