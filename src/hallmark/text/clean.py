"""How does a value from outside become a clean piece of a record?

Small functions that the loaders of dumps and the live sources share: one line of text, a year,
the names of people. What is of another type than expected counts as empty.
"""

import re

MAX_TITLE = 4000
"""Characters of the longest title that is taken; longer ones are damage or an attack."""
MAX_AUTHORS = 10_000
"""Authors of the longest list that is taken whole; the longest real ones have about 5,000."""
MAX_FIELD = 2000
"""Characters that are kept of any other field."""

_BLANKS = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_HOMONYM = re.compile(r"\s+\d{4}$")


def line(value: object) -> str:
    """Return a text as one line without control characters; "" for anything but a text."""
    if not isinstance(value, str):
        return ""
    if value.isascii() and value.isprintable() and "  " not in value:
        return value.strip()
    return _BLANKS.sub(" ", _CONTROL.sub("", value)).strip()


def field(value: object) -> str:
    """Return a text as one line, cut at `MAX_FIELD` characters."""
    return line(value)[:MAX_FIELD]


def year(value: object) -> int | None:
    """Return a year from 1400 to 2099 out of a number or the first four digits like one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 1400 <= value <= 2099 else None  # noqa: PLR2004 - the stated range
    if isinstance(value, str) and (found := _YEAR.search(value)):
        return int(found.group())
    return None


def without_homonym_number(name: str) -> str:
    """Return a name without the four digits that DBLP appends to homonyms ("Wei Wang 0001")."""
    return _HOMONYM.sub("", name)


def people(names: object) -> tuple[tuple[str, ...], bool]:
    """Return names as clean lines without empty ones, and whether the list had to be cut."""
    if not isinstance(names, list | tuple):
        return (), False
    kept = tuple(name for one in names if (name := field(one)))
    return kept[:MAX_AUTHORS], len(kept) > MAX_AUTHORS
