"""Which references does a text hold that was written for people?

Each piece becomes a `Reference` whose notes say what could not be read, or a `FailedEntry` where
there is neither a title, nor an identifier, nor a place.
"""

import re
from collections.abc import Container, Iterator, Sequence

from msgspec import structs

from hallmark.errors import InputError
from hallmark.parse.fields import reference_of
from hallmark.parse.input import Input
from hallmark.parse.plain import latex
from hallmark.parse.plaintext.marks import marks
from hallmark.parse.plaintext.names import people
from hallmark.parse.plaintext.pieces import LONGEST, Piece, pieces, without_label
from hallmark.parse.plaintext.place import place_of
from hallmark.parse.plaintext.styles import QUOTED, Parts, parts
from hallmark.parse.plaintext.tidy import tidied
from hallmark.records.reference import Entry, FailedEntry, Location, ParseNote, Reference

_VERBATIM = frozenset({"doi", "url", "eprint", "archiveprefix", "pmid", "isbn", "pages", "year"})
_TITLE_MARK = re.compile(r"\s*\[(?:[A-Z]{1,2}(?:/[A-Z]{2})?|[A-Z][a-z][\w -]{3,40})\]\s*$")
_SEVERAL = re.compile(
    r";\s+(?=[A-Z][A-Za-z.]*\.?(?: [A-Z][A-Za-z.]*){0,6} [A-Z]?\d+(?:, \w+)? \(\d{4}\))"
)
_YEAR_END = re.compile(r"\(\d{4}\)")
_YEAR_AT_END = re.compile(r"[\s.,]+\(?(?P<year>(?:1[5-9]|20|21)\d{2})\)?[.\s]*$")
_YEARS = re.compile(r"\b(?:1[5-9]|20)\d{2}\b")
_DATE = re.compile(r"\s*(?:\d{1,2}\s)?[A-Z][a-z]{2,8}\.?\s(?:\d{1,2},\s)?(?:1[5-9]|20)\d{2}\b")
_WORDS = re.compile(r"[^\W\d_]{2,}|[\u3040-\u9fff]")
_FEWEST_WORDS = 2
"""Words of a text of no known style that may be a title."""
_NOT_READ = 400
"""Characters of unread text that a note repeats."""


def read_plaintext(source: Input) -> Iterator[Entry]:
    """Yield the references of a text, in order.

    Raises:
        InputError: there is no text.
    """
    keys: set[str] = set()
    for piece in pieces(source.lines(LONGEST)):
        key = _unused(piece, keys)
        keys.add(key)
        yield from entries_of(piece, source.name, key)
    if not keys:
        raise InputError(f"{source.name} holds no reference. Give one on each line or paragraph.")


def _unused(piece: Piece, keys: Container[str]) -> str:
    """Return the label of a piece, else its line; both where another piece has that key."""
    key = piece.label or f"{piece.line}"
    return f"{key}:{piece.line}" if key in keys else key


def entries_of(piece: Piece, file: str, key: str) -> list[Entry]:
    """Return the references of one piece: several where it cites several places of one list."""
    location = Location(file, piece.line)
    texts = _several(tidied(piece.text))
    suffixes = ["", *(chr(ord("a") + n) for n in range(1, len(texts)))]
    return [
        read_reference(text, f"{key}{suffix}", location)
        for text, suffix in zip(texts, suffixes, strict=True)
    ]


def read_reference(
    text: str, key: str = "1", location: Location | None = None
) -> Reference | FailedEntry:
    """Return what one reference, as printed, says.

    Args:
        text: the reference, in whatever style; a label in front is taken off.
        key: the key that it is to have.
        location: where it stands.
    """
    place = location or Location(file=key, line=1)
    raw = text[:LONGEST]
    named = marks(without_label(tidied(raw)))
    found = parts(named.rest) or _unknown(named.rest)
    fields, entry_type, notes = _fields(found, named.fields)
    if not (fields.keys() & {"title", "doi", "eprint", "pmid"} or fields.get("journal")):
        reason = "No title, place or identifier could be read out of this text."
        return FailedEntry(location=place, reason=reason, key=key, raw=raw)
    shown = {name: text if name in _VERBATIM else latex(text) for name, text in fields.items()}
    if fields.get("author"):
        shown["author"] = fields["author"].replace("&", r"\&")
    return reference_of(key, entry_type, shown, place, raw=raw, notes=notes)


def _unknown(rest: str) -> Parts:
    """Return a text of no known style: all of it may be the title, if it is not too long."""
    readable = len(rest) <= _NOT_READ and len(_WORDS.findall(rest)) >= _FEWEST_WORDS
    return Parts("unknown", "", rest if readable else "", "")


def _fields(
    found: Parts, identified: dict[str, str]
) -> tuple[dict[str, str], str, Sequence[ParseNote]]:
    found = _with_year(found)
    title = _TITLE_MARK.sub("", found.title.strip(' .,;“”"')).strip(' .,;“”"')
    entry_type, placed, left = place_of(found.tail, title=title, preprint="eprint" in identified)
    if found.style == QUOTED and _DATE.match(found.tail) and len(found.names.split()) > 1:
        return _news(found, title, identified)
    year = {"year": found.year} if found.year else {}
    fields = {
        "title": title, "author": people(found.names), **placed, **year, **identified,
    }  # fmt: skip
    if "editor" in fields:
        fields["editor"] = people(fields["editor"])
    kept = {name: text for name, text in fields.items() if text}
    return kept, entry_type, _notes(found, kept, left)


def _news(
    found: Parts, title: str, identified: dict[str, str]
) -> tuple[dict[str, str], str, Sequence[ParseNote]]:
    """Read "Example Herald, “Title”, 3 March 1991": no author, and the paper in front."""
    years = _YEARS.findall(found.tail)
    fields = {"title": title, "journal": found.names.strip(" .,"), "year": years[0], **identified}
    return fields, "newspaper", _notes(found, fields, "")


def _with_year(found: Parts) -> Parts:
    """Take a year off the end of a title that nothing follows."""
    at_end = None if found.tail or found.year else _YEAR_AT_END.search(found.title)
    if at_end is None:
        return found
    title = found.title[: at_end.start()]
    return structs.replace(found, title=title, year=at_end["year"])


def _notes(found: Parts, fields: dict[str, str], left: str) -> tuple[ParseNote, ...]:
    """Say in which style a reference was read, and what of it was not."""
    missing = [
        word
        for word, names in (
            ("a title", {"title"}),
            ("authors", {"author"}),
            ("a year", {"year"}),
        )
        if not fields.keys() & names
    ]
    notes = [ParseNote("plain-text", f"Read as plain text, by the style “{found.style}”.")]
    if missing:
        notes.append(
            ParseNote(
                "not-read",
                f"The text shows no {', no '.join(w.removeprefix('a ') for w in missing)}.",
            )
        )
    if left:
        notes.append(ParseNote("unread-text", f"Not understood: “{left[:_NOT_READ]}”."))
    return tuple(notes)


def _several(text: str) -> list[str]:
    """Return the places of one list of authors as references of their own."""
    cut = [found.start() for found in _SEVERAL.finditer(text)]
    year = _YEAR_END.search(text)
    if not cut or year is None or year.start() > cut[0]:
        return [text]
    first = text[: cut[0]]
    parsed = parts(marks(without_label(first)).rest)
    if parsed is None or parsed.style != "without title":
        return [text]
    ends = [*cut[1:], len(text)]
    rest = [text[start + 1 : end].strip() for start, end in zip(cut, ends, strict=True)]
    return [first, *(f"{parsed.names}, {one}" for one in rest)]
