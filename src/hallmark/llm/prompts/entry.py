"""What is a model shown of a reference?

Full BibTeX, or five named fields; each of the five can be left out, to see what an answer rests
on (the paper, H.3). The citation key is never shown: its form can tell who made a
reference and how, and with that the label, so that a neutral one takes its place.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never

from hallmark._registry import Registry
from hallmark.llm.prompts.quoting import LONGEST, cut, one_line, quoted

Shape = Literal["bibtex", "fields"]
SHAPES: tuple[Shape, ...] = ("bibtex", "fields")

NEUTRAL_KEY = "reference"
"""What stands where a citation key would stand, for every reference."""

PARTS: dict[str, tuple[str, ...]] = {
    "title": ("title", "subtitle", "titleaddon"),
    "authors": ("author", "editor"),
    "venue": ("booktitle", "journal", "journaltitle", "series", "publisher"),
    "year": ("year", "date", "month"),
    "doi": ("doi", "url"),
}
"""What can be left out, and the BibTeX fields that go with it; a URL may spell the DOI."""

_SHOWN_AS = {
    "title": ("title",),
    "authors": ("author",),
    "venue": ("booktitle", "journal", "journaltitle"),
    "year": ("year", "date"),
    "doi": ("doi",),
}
_LONGEST_FIELD = 6000
"""Characters of a field: a list of some 400 authors."""
_MOST_FIELDS = 40
_LONGEST_NAME = 200


def read_parts(text: str) -> tuple[str, ...]:
    """Return the parts named in a text, separated by commas.

    Raises:
        UnknownName: there is no such part; the message offers the nearest one.
    """
    known = Registry[tuple[str, ...]]("part of a reference")
    for name, fields in PARTS.items():
        known.add(name, fields)
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        known.get(name)
    return names


def values(
    kind: str, fields: Mapping[str, str], shape: Shape, without: Sequence[str] = ()
) -> dict[str, str]:
    """Return the text for each placeholder that stands for the reference.

    Args:
        kind: the BibTeX type, such as "article".
        fields: BibTeX names to values; anything may stand in them.
        shape: what {entry} shows.
        without: names of `PARTS` that no placeholder shows.

    Returns:
        Texts for entry, bibtex, title, authors, venue, year, doi, key and kind. All but the first
        stand where a prompt's author puts them, unquoted but without unseen characters; those of
        parts that are missing are empty.
    """
    hidden = {field for part in without for field in PARTS[part]}
    kept = {name: value for name, value in fields.items() if name.lower() not in hidden}
    parts = {part: _part(kept, names) for part, names in _SHOWN_AS.items()}
    as_bibtex = bibtex(kind, NEUTRAL_KEY, kept)
    match shape:
        case "bibtex":
            shown = as_bibtex
        case "fields":
            shown = "\n".join(f"{part}: {text}" for part, text in parts.items() if text)
        case _ as never:
            assert_never(never)
    return {
        "entry": quoted("reference", shown),
        "bibtex": as_bibtex,
        **parts,
        "key": NEUTRAL_KEY,
        "kind": _name(kind),
    }


def bibtex(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """Return a reference as BibTeX, one field a line, in the order in which they are given."""
    shown = list(fields.items())[:_MOST_FIELDS]
    lines = [f"  {_name(name)} = {{{_value(value)}}}," for name, value in shown]
    whole = "\n".join((f"@{_name(kind) or 'misc'}{{{_name(key)},", *lines, "}"))
    return cut(whole, LONGEST)


def _part(fields: Mapping[str, str], names: Sequence[str]) -> str:
    by_name = {name.lower(): value for name, value in fields.items()}
    return next((text for name in names if (text := _value(by_name.get(name, "")))), "")


def _value(text: str) -> str:
    return cut(one_line(text), _LONGEST_FIELD)


def _name(text: str) -> str:
    return cut(one_line(text), _LONGEST_NAME)
