"""Which reference does a benchmark entry describe, and which entries does a file of them hold?

A benchmark entry is a JSON object `{"bibtex_key", "bibtex_type", "fields"}`, one on each line;
everything else in it (labels, origin) is not read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hallmark.parse.fields import reference_of as reference_of_fields
from hallmark.parse.input import Input
from hallmark.records.reference import Entry, FailedEntry, Location, Reference

_LONGEST_LINE = 64 * 2**20


class _Line(Struct):
    bibtex_key: str
    fields: dict[str, Any]
    bibtex_type: str = "misc"


_DECODER = msgspec.json.Decoder(_Line)


def reference_of(
    bibtex_key: str,
    bibtex_type: str,
    fields: Mapping[str, Any],
    location: Location | None = None,
) -> Reference:
    """Return the reference that a benchmark entry describes.

    Args:
        bibtex_key: the entry's key.
        bibtex_type: the BibTeX type, in any case, with or without "@".
        fields: BibTeX fields by name; numbers are read as text, lists as names joined by "and",
            empty and missing values are left out.
        location: where the entry stands; the key itself where there is no file.
    """
    texts = {name.strip().lower(): _text(value) for name, value in fields.items()}
    kept = {name: text for name, text in texts.items() if text}
    place = location or Location(file=bibtex_key, line=1)
    return reference_of_fields(bibtex_key, bibtex_type.strip().lstrip("@").lower(), kept, place)


def read_benchmark(source: Input) -> Iterator[Entry]:
    """Yield one entry for each line that is not empty, in order."""
    for line, text in source.lines(_LONGEST_LINE):
        if text.strip():
            yield _entry(text, Location(file=source.name, line=line))


def _entry(text: str, location: Location) -> Entry:
    try:
        row = _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return FailedEntry(
            location=location,
            reason=f"This line is no benchmark entry ({error}).",
            key=_key(text),
            raw=text[:2000],
        )
    return reference_of(row.bibtex_key, row.bibtex_type, row.fields, location)


def _key(text: str) -> str | None:
    """Return the key of a line that could not be decoded as a whole."""
    try:
        row = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    key = row.get("bibtex_key") if isinstance(row, dict) else None
    return key if isinstance(key, str) else None


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value.strip()
        case list():
            return " and ".join(str(item) for item in value)
        case _:
            return str(value)
