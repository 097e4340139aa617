"""What does a model say that it recalls of a work, given its title and year?

The contract: one JSON object with known, authors and venue. Reading is as tolerant, and as wary of
what was shown, as that of verdicts (`answers`); what cannot be read is a value with its kind, and
never a work that is not recalled.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from hallmark.llm.answers import Form, Unreadable, read_form
from hallmark.llm.interface import Failure, Reply

MOST_AUTHORS = 500
LONGEST_NAME = 200
"""Characters of a name of a person or venue that are kept."""
LONGEST_LIST = 20_000
"""Characters of a list of authors that is written as one text."""
_SIGNS = re.compile(r"(?:known|authors)\W{0,8}:", re.IGNORECASE)
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class Recalled(Struct, frozen=True, kw_only=True):
    """What a model recalls: whether it says to know the work, authors in order, and the venue."""

    known: bool
    authors: tuple[str, ...] = ()
    venue: str = ""


def schema() -> dict[str, Any]:
    """Return the JSON schema of an answer."""
    properties: dict[str, Any] = {
        "known": {"type": "boolean"},
        "authors": {"type": "array", "items": {"type": "string"}},
        "venue": {"type": "string"},
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read(outcome: Reply | Failure, shown: Sequence[str] = ()) -> Recalled | Unreadable:
    """Return the last answer in what came back for a question.

    Args:
        outcome: the reply, or the failure to get one.
        shown: every text of others that the model was shown, in the form in which it was sent.
    """
    found = read_form(outcome, Form(_SIGNS, _understand), shown)
    return found if isinstance(found, Unreadable) else found[-1]


def _understand(value: Mapping[str, Any]) -> Recalled | str:
    """Return the answer that an object stands for, or what it lacks; "" if it is no answer."""
    fields = {name.strip().lower(): inner for name, inner in value.items()}
    if "known" not in fields and "authors" not in fields:
        return ""
    authors = _authors(fields.get("authors"))
    if authors is None:
        return f"its authors are {str(fields['authors'])[:40]!r}"
    known = _truth(fields.get("known", bool(authors)))
    if known is None:
        return f"its known is {str(fields['known'])[:40]!r}"
    if known and "authors" not in fields:
        return "it says that the work is known, but has no authors"
    return Recalled(known=known, authors=authors, venue=_text(fields.get("venue")))


def _authors(value: object) -> tuple[str, ...] | None:
    """Return names, given as a list or as one text; None where it is neither."""
    match value:
        case None:
            return ()
        case str():
            return tuple(filter(None, (_text(value, LONGEST_LIST),)))
        case list() if all(isinstance(one, str | None) for one in value):
            return tuple(name for one in value[:MOST_AUTHORS] if (name := _text(one)))
        case _:
            return None


def _truth(value: object) -> bool | None:
    match value:
        case bool():
            return value
        case str():
            return _WORDS.get(value.strip().lower())
        case _:
            return None


def _text(value: object, longest: int = LONGEST_NAME) -> str:
    return " ".join(value.split())[:longest] if isinstance(value, str) else ""
