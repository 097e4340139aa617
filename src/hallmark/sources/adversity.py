"""Which replies and questions does the conformance suite try, that no source must fall for?"""

from hallmark.records.source import Question
from hallmark.sources.interface import Way

PAGE = b"<!DOCTYPE html>\n<html><head><title>Just a moment</title></head><body>Wait</body></html>"
FAULTS = {
    "an empty body": b"",
    "blanks": b" \n ",
    "a web page": PAGE,
    "a web page behind a byte order mark": b"\xef\xbb\xbf" + PAGE,
    "a sentence": b"Resource not found.",
    "null": b"null",
    "a number": b"17",
    "a list of numbers": b"[1, 2, 3, 4]",
    "another object": b'{"unexpected": {"a": 1}}',
    "an error object": b'{"error": "An internal error has happened."}',
    "an error object with a code": b'{"error": {"code": 500, "message": "Failed."}}',
    "a list of errors": b'{"errors": [{"title": "Failed.", "status": "500"}]}',
    "a message": b'{"message": "Forbidden"}',
    "a status": b'{"status": "error", "message-type": "exception", "message": "Failed."}',
    "deep nesting": b"[" * 100_000,
    "another document": b"<?xml version='1.0'?><error><message>Failed.</message></error>",
    "no text at all": bytes(range(256)),
}
"""Bodies that come with status 200 and are no answer of any service, by what they are."""

HOSTILE = (
    "\x00\x1b[2J title with\r\nHost: other.example\r\n\r\n signs",
    '"; DROP TABLE works; -- ") OR (title:* AND "',
    "../../../etc/passwd?x=y#z&a=b|c,d;e%00%2e%2e%2f",
    "{\\relax $\\input{/etc/passwd}$} <script>alert(1)</script> &xxe; ${jndi:ldap://x}",
    "\u202e\ufeff\u0000 right to left \U0001f4a9 \ud800",
    "a" * 100_000,
    "word " * 30_000,
    "'\"`()[]{}<>|&;,:*?!~^+-=/\\",
)
"""Texts that a reference may hold in any field."""


def many_questions(way: Way, count: int) -> list[Question]:
    """Return different questions that can be asked in this way."""
    return [_numbered(way, number) for number in range(1, count + 1)]


def _numbered(way: Way, number: int) -> Question:
    title = f"A study of {number} kinds of invented things"
    match way:
        case Way.DOI:
            return Question(title, doi=f"10.5555/invented.{number:04d}")
        case Way.ARXIV:
            return Question(title, arxiv=f"2101.{number:05d}")
        case Way.PMID:
            return Question(title, pmid=str(number))
        case Way.ISBN:
            return Question(title, isbn=_isbn(number))
        case Way.TITLE:
            return Question(title)


def _isbn(number: int) -> str:
    body = f"978{number:09d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"
