"""What the tests of parsers share: reading texts and bytes, and showing what came out."""

import io

from hallmark.parse.input import Input
from hallmark.parse.interface import FORMATS, parse_text
from hallmark.records.reference import Entry, FailedEntry, Reference


def entries(text: str, form: str = "bibtex") -> list[Entry]:
    return list(parse_text(text, form))


def references(text: str, form: str = "bibtex") -> list[Reference]:
    found = entries(text, form)
    assert all(isinstance(one, Reference) for one in found), found
    return [one for one in found if isinstance(one, Reference)]


def reference(text: str, form: str = "bibtex") -> Reference:
    (one,) = references(text, form)
    return one


def of_bytes(data: bytes, form: str = "bibtex", name: str = "refs.bib") -> list[Reference]:
    found = list(FORMATS.get(form).read(Input(name, io.BytesIO(data))))
    assert all(isinstance(one, Reference) for one in found), found
    return [one for one in found if isinstance(one, Reference)]


def codes(entry: Entry) -> list[str]:
    return [] if isinstance(entry, FailedEntry) else [note.code for note in entry.notes]


def keys(text: str) -> list[str | None]:
    return [one.key for one in entries(text)]


def names(entry: Reference) -> list[str]:
    return [author.display for author in entry.authors]
