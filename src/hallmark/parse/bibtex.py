"""Which references does a .bib file hold?

Every entry of the file becomes one `Reference` or `FailedEntry`, in order, in bounded memory: a
first look at the file gathers what entries point to (parents of `crossref` and `xdata`, macros),
then the entries are read one by one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from hallmark.errors import InputError
from hallmark.parse.blocks import Broken, Item, Macro, RawEntry, items, key_of
from hallmark.parse.fields import reference_of
from hallmark.parse.inheritance import Parent, Parents, mentions_parents
from hallmark.parse.input import Input
from hallmark.parse.macros import PREDEFINED
from hallmark.parse.pieces import Piece, cut
from hallmark.parse.values import evaluate, next_field
from hallmark.records.reference import Entry, FailedEntry, Location, ParseNote

_MOST_KEYS = 1_000_000
"""Keys that are remembered to recognise repeated ones."""
_MOST_MACROS = 200_000
_LONGEST_MACRO = 100_000
_POINTING = (b"crossref", b"xdata")
_DEFINING = (b"@string", b"@ string", b"@\tstring")
_PLAIN_NAME = re.compile(r"[A-Za-z][\w-]*")
_STRING = re.compile(r"\s*@\s*string\b", re.IGNORECASE)


def read_bibtex(source: Input) -> Iterator[Entry]:
    """Yield the entries of a .bib file, in order.

    Raises:
        InputError: the file holds neither an entry nor anything else of BibTeX.
    """
    reader = _Reader(source)
    reader.look_ahead()
    seen = False
    for item in items(cut(source.blocks()), clean=source.is_clean):
        seen = True
        entry = reader.entry(item)
        if entry is not None:
            yield entry
    if not seen and not _mentions_bibtex(source):
        raise InputError(
            f"{source.name} holds no BibTeX entry. Give a .bib file, or name the format of this "
            "one with --input-format."
        )


class _Reader:
    """What is known of a file while its entries are read."""

    def __init__(self, source: Input) -> None:
        self._source = source
        self._macros: dict[str, str] = {}
        self._later: dict[str, str] = {}
        self._parents = Parents()
        self._keys: set[int] = set()
        self._guess_told = not source.encoding.guessed

    def look_ahead(self) -> None:
        """Gather the macros and the parents, wherever in the file they stand."""
        if self._source.mentions(_POINTING):
            for block in self._source.blocks():
                if mentions_parents(block.lower()):
                    self._parents.want_those_in(block)
        if self._parents or self._source.mentions(_DEFINING):
            self._gather()

    def entry(self, item: Item) -> Entry | None:
        """Return the entry of an item, None for a macro."""
        match item:
            case Macro():
                self._define(self._macros, item)
                return None
            case Broken(line, key, reason, raw):
                location = Location(self._source.name, line)
                return FailedEntry(location=location, reason=reason, key=key, raw=raw)
            case RawEntry():
                return self._reference(item)

    def _gather(self) -> None:
        pieces = filter(self._is_wanted, cut(self._source.blocks()))
        for item in items(pieces, clean=self._source.is_clean):
            match item:
                case Macro():
                    self._define(self._later, item)
                case RawEntry() if self._parents.wants(item.key):
                    fields, _, _ = self._fields(item)
                    self._parents.keep(item.key, Parent(item.entry_type, fields))
                case _:
                    pass

    def _is_wanted(self, piece: Piece) -> bool:
        return self._parents.wants(key_of(piece)) or _STRING.match(piece.text) is not None

    def _define(self, table: dict[str, str], macro: Macro) -> None:
        if len(table) < _MOST_MACROS:
            text = evaluate(macro.name, macro.source, self._macro).text
            table[macro.name] = text[:_LONGEST_MACRO]

    def _macro(self, name: str) -> str | None:
        """Return the text of a macro: as defined so far, by the styles, or later in the file."""
        text = self._macros.get(name)
        if text is None:
            text = PREDEFINED.get(name)
        return self._later.get(name) if text is None else text

    def _reference(self, item: RawEntry) -> Entry:
        fields, notes, unknown = self._fields(item)
        fields, missing = self._parents.inherited(item.entry_type, fields)
        return reference_of(
            item.key,
            item.entry_type,
            fields,
            Location(self._source.name, item.line),
            raw=item.raw,
            notes=(*item.notes, *self._told_of(item), *notes, *missing),
            unknown=unknown,
        )

    def _told_of(self, item: RawEntry) -> Iterator[ParseNote]:
        """Yield notes on what concerns more than this entry: repeated keys, the encoding."""
        key = hash(item.key)
        if key in self._keys:
            yield ParseNote("duplicate-key", f"The key {item.key[:100]} was used before.")
        elif len(self._keys) < _MOST_KEYS:
            self._keys.add(key)
        if not self._guess_told and not item.raw.isascii():
            self._guess_told = True
            name = self._source.encoding.name
            yield ParseNote("guessed-encoding", f"The file is not UTF-8; it was read as {name}.")

    def _fields(self, item: RawEntry) -> tuple[dict[str, str], list[ParseNote], frozenset[str]]:
        """Evaluate the fields of an entry; the first of two of one name counts, as in BibTeX."""
        fields: dict[str, str] = {}
        notes: list[ParseNote] = []
        unknown: list[str] = []
        for written, source in item.fields:
            pending: tuple[str, str] | None = (_name_of(written), source)
            while pending is not None and pending[0]:
                name = pending[0]
                value = evaluate(name, pending[1], self._macro)
                notes.extend(value.notes)
                self._put(fields, name, value.text, notes)
                if value.undefined:
                    unknown.append(name)
                pending = next_field(value.rest) if value.rest else None
                if pending is not None:
                    pending = (pending[0].lower(), pending[1])
                    notes.append(_missing_comma(pending[0]))
        return fields, notes, frozenset(unknown)

    def _put(self, fields: dict[str, str], name: str, text: str, notes: list[ParseNote]) -> None:
        if "\n" in text or "\t" in text:
            text = " ".join(text.split())
        if not fields.get(name):
            fields[name] = text
        elif fields[name] != text:
            notes.append(
                ParseNote("repeated-field", f"The field {name} occurs twice; the first one counts.")
            )


def _missing_comma(name: str) -> ParseNote:
    return ParseNote("missing-comma", f"A comma is missing before the field {name}.")


@lru_cache(maxsize=1024)
def _name_of(written: str) -> str:
    """Return a field's name in lower case, "" for one that is commented out by a percent sign."""
    if _PLAIN_NAME.fullmatch(written):
        return written.lower()
    last = written.rpartition("\n")[2].strip()
    return "" if last.startswith("%") else last.lower()


def _mentions_bibtex(source: Input) -> bool:
    """Whether a file without entries is a bibliography all the same: comments, a preamble."""
    return any(
        re.search(r"^\s*(?:%|@\s*(?:comment|preamble|string))", block, re.MULTILINE | re.IGNORECASE)
        for block in source.blocks()
    )
