"""What is a request to a fake service, and what is its answer, before any socket?"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from msgspec import Struct

from hallmark.text.names import PersonName

JSON = "application/json"
ATOM = "application/atom+xml; charset=utf-8"
XML = "text/xml; charset=utf-8"
HTML = "text/html; charset=utf-8"
TEXT = "text/plain"


class Call(Struct, frozen=True):
    """One request: `path` is below the address of its service, and not decoded."""

    service: str
    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = {}
    body: bytes = b""

    @property
    def params(self) -> dict[str, str]:
        """The parameters, decoded; the last of a name counts."""
        return dict(self.pairs)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters, decoded, in order."""
        return parse_qsl(self.query, keep_blank_values=True)

    @property
    def steps(self) -> list[str]:
        """The parts of the path, decoded."""
        return [unquote(part) for part in self.path.strip("/").split("/")]

    def number(self, name: str, default: int) -> int:
        """Return a parameter as a number."""
        value = self.params.get(name, "")
        return int(value) if value.isdigit() else default


class Answer(Struct, frozen=True):
    """What a service answers.

    `pauses_s` is waited before every part of the body, `parts` are sent as they are; `length` is
    what the header says, None for the true one; `cut` ends the connection after the last part.
    `closed` ends it before the first byte.
    """

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None
    pause_s: float = 0.0
    parts: int = 1
    cut: bool = False
    closed: bool = False


def as_json(value: Any, status: int = 200) -> Answer:
    """Return a value as JSON."""
    return Answer(status, json.dumps(value, ensure_ascii=False).encode())


def as_text(text: str, status: int = 200, content_type: str = TEXT) -> Answer:
    """Return a text."""
    return Answer(status, text.encode(), content_type)


NOT_FOUND = as_text("Not Found", 404)


def given(name: PersonName) -> str:
    """Return the given names of a person."""
    return name.given


def family(name: PersonName) -> str:
    """Return the family name of a person with its particle."""
    return f"{name.particle} {name.family}".strip() or name.literal


def initials(name: PersonName) -> str:
    """Return the initials of the given names without dots: "AB"."""
    return "".join(part[0].upper() for part in name.given.replace("-", " ").split())


def chosen(record: Mapping[str, Any], fields: str) -> dict[str, Any]:
    """Return the fields of a record that were asked for, all where none were."""
    if not fields:
        return dict(record)
    wanted = {field.partition(".")[0] for field in fields.split(",")}
    return {name: value for name, value in record.items() if name in wanted}
