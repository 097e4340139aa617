"""How are the records of a .bib file read?

The file is cut before lines that begin with "@" into pieces of moderate size, which bibtexparser
reads; so a file of any size takes little memory. The lists of authors are of people's own making
and are held to be PERSONAL.
"""

import logging
import re
from collections.abc import Iterator, Mapping

import bibtexparser
from bibtexparser.library import Library

from hallmark.index.loaders import tidy
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.stream import lines
from hallmark.records.work import Quality, Version
from hallmark.text import identifiers
from hallmark.text.latex import to_unicode
from hallmark.text.names import split_authors

PIECE = 100_000
"""Bytes from which a piece ends at the next entry."""
LONGEST_PIECE = 4_000_000
"""Bytes of the longest run of lines without an entry's beginning that is read."""
LONGEST_MACROS = 200_000
"""Bytes of @string definitions that are carried from piece to piece."""

_ENTRY = re.compile(rb"^\s*@[A-Za-z]+\s*[{(]", re.MULTILINE)
_MACRO = re.compile(rb"^\s*@string\b", re.IGNORECASE)
_DBLP_KEY = "DBLP:"
_VENUE_FIELDS = ("booktitle", "journal", "journaltitle", "maintitle")

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each entry."""
    macros = b""
    for piece in _pieces(opened):
        if piece is None:
            yield Skipped("text of more than 4 MB without an entry")
            continue
        library = bibtexparser.parse_string((macros + piece).decode("utf-8", "replace"))
        yield from _versions(library, opened)
        if len(macros) < LONGEST_MACROS:
            macros += b"".join(_macros(piece))


def _pieces(opened: Opened) -> Iterator[bytes | None]:
    """Yield runs of whole entries; None for a run that is too long to be one."""
    gathered: list[bytes] = []
    size = 0
    for line in lines(opened.stream):
        if line is None:
            yield None
            continue
        if size > PIECE and line.startswith(b"@"):
            yield _joined(gathered, size)
            gathered, size = [], 0
        if size <= LONGEST_PIECE:
            gathered.append(line)
        size += len(line) + 1
    yield _joined(gathered, size)


def _joined(gathered: list[bytes], size: int) -> bytes | None:
    return None if size > LONGEST_PIECE else b"\n".join(gathered) + b"\n"


def _macros(piece: bytes) -> Iterator[bytes]:
    """Yield the one-line @string definitions of a piece."""
    for line in piece.splitlines(keepends=True):
        if _MACRO.match(line) and line.rstrip().endswith((b"}", b")")):
            yield line


def _versions(library: Library, opened: Opened) -> Iterator[Loaded]:
    for _ in library.failed_blocks:
        yield Skipped("entry that cannot be parsed")
    for entry in library.entries:
        fields = {field.key.lower(): str(field.value) for field in entry.fields}
        yield version_of(entry.entry_type, entry.key, fields, opened)


def version_of(
    entry_type: str,
    key: str,
    fields: Mapping[str, str],
    opened: Opened,
    quality: Quality = Quality.PERSONAL,
) -> Loaded:
    """Return the version that an entry describes.

    Args:
        entry_type: "article", "inproceedings"...
        key: the entry's key; DBLP's own keys are kept as such.
        fields: LaTeX as written, by lower-case name, without the delimiters.
        opened: where the entry stands.
        quality: how far its list of authors can be trusted.
    """
    if len(fields.get("title", "")) > tidy.MAX_TITLE:
        return Skipped(f"title longer than {tidy.MAX_TITLE} characters")
    title = _text(fields, "title")
    if subtitle := _text(fields, "subtitle"):
        title = f"{title}: {subtitle}"
    authors, truncated = _names(fields, "author")
    venue = next((text for name in _VENUE_FIELDS if (text := _text(fields, name))), "")
    return Version(
        collection=opened.collection,
        title=title,
        authors=authors,
        origin=opened.label,
        authors_truncated=truncated,
        quality=quality,
        editors=_names(fields, "editor")[0],
        venue=venue,
        venue_raw=venue,
        year=tidy.year(_text(fields, "year") or _text(fields, "date")),
        doi=identifiers.doi(fields.get("doi", "")) or identifiers.doi(fields.get("url", "")),
        arxiv=_arxiv(fields),
        dblp=key.removeprefix(_DBLP_KEY) if key.startswith(_DBLP_KEY) else None,
        url=tidy.field(fields.get("url", "")),
        kind=entry_type.lower(),
    )


def _text(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "")[: tidy.MAX_TITLE]
    return tidy.line(to_unicode(value)) if value else ""


def _names(fields: Mapping[str, str], name: str) -> tuple[tuple[str, ...], bool]:
    value = fields.get(name, "")
    if not value:
        return (), False
    names, truncated = split_authors(value)
    kept, cut = tidy.people([tidy.without_homonym_number(person.display) for person in names])
    return kept, truncated or cut


def _arxiv(fields: Mapping[str, str]) -> str | None:
    scheme = (fields.get("archiveprefix") or fields.get("eprinttype") or "").strip().lower()
    if scheme in {"arxiv", ""} and (found := identifiers.arxiv(fields.get("eprint", ""))):
        return found.id
    marked = (fields.get(name, "") for name in ("url", "journal", "howpublished", "note"))
    ids = (identifiers.arxiv(text, marked=True) for text in marked if text)
    return next((found.id for found in ids if found), None)


def sniff(head: bytes, name: str) -> bool:
    """Whether there is the beginning of an entry, outside of JSON and XML."""
    if head.lstrip()[:1] in {b"{", b"[", b"<"} or b"\0" in head:
        return False
    return _ENTRY.search(head) is not None or ".bib" in name


LOADER = Loader(name="bib", description="BibTeX and biblatex files", load=load, sniff=sniff)
