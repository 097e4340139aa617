"""Which references does a RIS file hold?

A record runs from the tag TY to the tag ER; lines without a tag continue the one before. Tags are
those of the RIS specification (2011), with the older ones that exporters still write.
"""

import re
from collections.abc import Iterator

from hallmark.errors import InputError
from hallmark.parse.fields import reference_of
from hallmark.parse.input import Input
from hallmark.parse.plain import latex, people
from hallmark.records.reference import Entry, FailedEntry, Location, ParseNote

_TAGGED = re.compile(r"^\s?([A-Z][A-Z0-9]) {1,2}-(?: |$)(.*)", re.DOTALL)
_LONGEST_LINE = 2**20
_MOST_LINES = 100_000

_TYPES = {
    "JOUR": "article", "JFULL": "periodical", "EJOUR": "article", "INPR": "article",
    "CONF": "inproceedings", "CPAPER": "inproceedings", "BOOK": "book", "EBOOK": "book",
    "EDBOOK": "collection", "CHAP": "inbook", "ECHAP": "inbook", "THES": "thesis",
    "RPRT": "report", "GOVDOC": "report", "STAND": "standard", "PAT": "patent",
    "CASE": "jurisdiction", "LEGAL": "legal", "STAT": "legislation", "BILL": "legislation",
    "COMP": "software", "DATA": "dataset", "AGGR": "dataset", "DBASE": "dataset",
    "ELEC": "online", "WEB": "online", "BLOG": "online", "NEWS": "newspaper",
    "MGZN": "magazinearticle", "SER": "book", "UNPB": "unpublished", "MANSCPT": "unpublished",
    "PAMP": "booklet", "ENCYC": "inreference", "DICT": "inreference", "VIDEO": "video",
    "SOUND": "audio", "ART": "artwork", "PCOMM": "personal", "ABST": "article",
}  # fmt: skip
_FIELDS = {
    "TI": "title", "T1": "title", "CT": "title", "T3": "series", "JO": "journal", "JF": "journal",
    "JA": "shortjournal", "J1": "shortjournal", "J2": "shortjournal", "BT": "booktitle",
    "VL": "volume", "IS": "number", "CP": "number", "DO": "doi", "UR": "url", "L1": "pdf",
    "L2": "link", "LK": "link", "PB": "publisher", "CY": "location", "SN": "issn", "N1": "note",
    "AN": "accession", "AB": "abstract", "N2": "abstract", "M3": "type", "C7": "eid",
    "ET": "edition", "LA": "language", "ID": "key",
}  # fmt: skip
_AUTHORS, _EDITORS = frozenset({"AU", "A1"}), frozenset({"ED", "A2", "A3"})
_VERBATIM = frozenset({"doi", "url", "link", "pdf"})
_IN_BOOKS = frozenset({"inproceedings", "inbook", "inreference"})

_Lines = list[tuple[str, str]]


def read_ris(source: Input) -> Iterator[Entry]:
    """Yield one entry for each record, in order.

    Raises:
        InputError: the file holds no record.
    """
    seen = False
    for line, tags in _records(source):
        seen = True
        yield _entry(tags, Location(source.name, line))
    if not seen:
        raise InputError(f"{source.name} holds no RIS record (none begins with the tag TY).")


def _records(source: Input) -> Iterator[tuple[int, _Lines]]:
    """Yield the tagged lines of each record with the number of its first line."""
    first, tags = 0, list[tuple[str, str]]()
    for number, line in source.lines(_LONGEST_LINE):
        found = _TAGGED.match(line.rstrip("\n").lstrip("\ufeff"))
        tag = found.group(1) if found else ""
        if tag == "TY" or (tag == "ER" and tags):
            if tags:
                yield first, tags
            tags = []
        if found and tag != "ER":
            first = first if tags else number
            if len(tags) < _MOST_LINES:
                tags.append((tag, found.group(2).strip()))
        elif tags and line.strip() and tag != "ER":
            name, text = tags[-1]
            tags[-1] = (name, f"{text} {line.strip()}")
    if tags:
        yield first, tags


def _entry(tags: _Lines, location: Location) -> Entry:
    if tags[0][0] != "TY":
        raw = "\n".join(f"{tag}  - {text}" for tag, text in tags)[:2000]
        reason = "This record does not begin with the tag TY."
        return FailedEntry(location=location, reason=reason, raw=raw)
    entry_type = _TYPES.get(tags[0][1].upper(), "misc")
    fields = _fields_of(tags, entry_type)
    key = fields.pop("key", "") or fields.get("doi", "")
    notes = () if key else (ParseNote("missing-key", "The record has no ID."),)
    raw = "\n".join(f"{tag}  - {text}" for tag, text in tags)
    authors = people(_names(tags, _AUTHORS))
    return reference_of(key, entry_type, fields, location, raw=raw, notes=notes, authors=authors)


def _fields_of(tags: _Lines, entry_type: str) -> dict[str, str]:
    """Return a record's fields under BibTeX's names, as LaTeX."""
    fields: dict[str, str] = {}
    for tag, text in tags:
        if text and tag in _FIELDS:
            name = _FIELDS[tag]
            fields.setdefault(name, text if name in _VERBATIM else latex(text))
    for role, wanted in (("author", _AUTHORS), ("editor", _EDITORS)):
        names = _names(tags, wanted)
        if names:
            fields[role] = " and ".join(names)
    return fields | _container(tags, fields, entry_type) | _date_and_pages(tags)


def _names(tags: _Lines, wanted: frozenset[str]) -> list[str]:
    return [_name(text) for tag, text in tags if tag in wanted and text]


def _container(tags: _Lines, fields: dict[str, str], entry_type: str) -> dict[str, str]:
    """Return the journal or book, which stands in T2 in most exports."""
    name = "booktitle" if entry_type in _IN_BOOKS else "journal"
    second = _first(tags, ("T2", "BT")) or fields.get("journal", "")
    second = second or fields.get("shortjournal", "")
    if not second or entry_type in {"book", "thesis", "report"}:
        return {"series": latex(second)} if second else {}
    return {name: second if second in fields.values() else latex(second)}


def _date_and_pages(tags: _Lines) -> dict[str, str]:
    year = _first(tags, ("PY", "Y1", "DA"))
    parts = [part.strip() for part in (year or "").split("/")]
    fields = {"date": "-".join(part for part in parts[:3] if part)} if year else {}
    start, end = _first(tags, ("SP",)), _first(tags, ("EP",))
    if start:
        fields["pages"] = f"{start}-{end}" if end and "-" not in start else start
    return fields


def _first(tags: _Lines, names: tuple[str, ...]) -> str:
    return next((text for name in names for tag, text in tags if tag == name and text), "")


def _name(text: str) -> str:
    """Return a RIS name ("Family, Given, Suffix") in BibTeX's order."""
    parts = [latex(part.strip()) for part in text.split(",") if part.strip()]
    if len(parts) == 3:  # noqa: PLR2004 - family, given, suffix
        parts = [parts[0], parts[2], parts[1]]
    return ", ".join(parts)
