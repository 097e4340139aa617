"""What does an entry claim, given its fields?

BibTeX's and biblatex's names for the same thing meet here (`journal` and `journaltitle`, `year`
and `date`, `school` and `institution`); what comes out is a typed `Reference`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from hallmark.parse.dates import date_of
from hallmark.parse.identify import identifiers_of
from hallmark.parse.kinds import kind_of
from hallmark.parse.macros import ASTRONOMY_JOURNALS
from hallmark.records.reference import Kind, Location, ParseNote, Reference
from hallmark.text.latex import to_unicode
from hallmark.text.names import PersonName, split_authors
from hallmark.text.titles import plain

People: TypeAlias = tuple[tuple[PersonName, ...], bool]
"""People, and whether their list says that it is cut."""

LONGEST_TEXT = 10_000
"""Characters of a title or venue that are read; a longer one is cut there, with a note."""
LONGEST_FIELD = 1_000_000
"""Characters of a field that are kept."""
LONGEST_RAW = 20_000
"""Characters of an entry's source text that are kept."""

_MOST_NOTES = 10
_ENTITY = re.compile(r"&#?\w{1,31};")
_COMMAND_JOURNAL = re.compile(r"\s*\{?\\([a-z]+)\}?\s*")
_EXTENDED_NAME = re.compile(r"\b(family|given|prefix|suffix)\s*=\s*", re.IGNORECASE)
_DASHES = re.compile(r"\s*(?:--+|[‐-―−])\s*")
_LINK = re.compile(r"https?://|www\.|\\url|\burl\b", re.IGNORECASE)
_LINK_ESCAPE = re.compile(r"\\([_%#&$~{}])|\\(?:url|path|href)\b|[{}]")
_CONTAINERS = ("booktitle", "journal", "journaltitle", "maintitle", "eventtitle")
_JOURNAL_FIRST = ("journal", "journaltitle", "booktitle", "maintitle", "eventtitle")
_PUBLISHERS = ("publisher", "institution", "school", "organization")
_NOT_JOINED = ParseNote("names-without-and", "Authors are not all joined by “and”.")
_ELSEWHERE = frozenset({Kind.PAPER, Kind.PREPRINT, Kind.OTHER, Kind.CHAPTER})
"""Kinds whose venue `howpublished` may name."""


def reference_of(
    key: str,
    entry_type: str,
    fields: Mapping[str, str],
    location: Location,
    *,
    raw: str = "",
    notes: Sequence[ParseNote] = (),
    unknown: frozenset[str] = frozenset(),
    authors: People | None = None,
) -> Reference:
    """Return the reference that an entry describes.

    Args:
        key: its citation key.
        entry_type: its type in lower case, without "@".
        fields: its fields in LaTeX, under lower-case names, macros expanded, parents inherited.
        location: where it stands.
        raw: its source text.
        notes: what was repaired so far.
        unknown: fields whose value is a macro that nobody defined; they claim nothing.
        authors: the authors and whether their list is cut, where the format itself tells them
            apart; else they are read from the field `author`.
    """
    kept, notes = _bounded(fields, list(notes))
    known = {name: kept[name] for name in kept if name not in unknown} if unknown else kept
    identifiers = identifiers_of(known)
    kind = kind_of(entry_type, known, arxiv=identifiers.arxiv is not None)
    date = date_of(known)
    listed, truncated = authors or _authors(known, notes)
    editors, _ = people(known.get("editor", ""))
    title, subtitle = _titles(known, entry_type, notes)
    return Reference(
        key=key,
        location=location,
        entry_type=entry_type,
        kind=kind,
        title=title,
        subtitle=subtitle,
        authors=listed,
        authors_truncated=truncated,
        editors=editors,
        venue=_venue(known, entry_type, kind, notes),
        series=text_of(known, "series"),
        publisher=first_of(known, _PUBLISHERS),
        year=date.year,
        year_text=date.text,
        month=date.month,
        day=date.day,
        volume=text_of(known, "volume"),
        number=_number(known, kind),
        pages=_pages(known),
        doi=identifiers.doi,
        claimed_doi=identifiers.claimed_doi,
        arxiv=identifiers.arxiv,
        arxiv_version=identifiers.arxiv_version,
        pmid=identifiers.pmid,
        isbn=identifiers.isbn,
        url=link(known.get("url") or known.get("ee") or ""),
        note=first_of(known, ("note", "addendum", "annote", "howpublished")),
        fields=kept,
        raw=raw[:LONGEST_RAW],
        notes=_told((*notes, *identifiers.notes)),
    )


def _authors(fields: Mapping[str, str], notes: list[ParseNote]) -> People:
    field = fields.get("author") or fields.get("authors") or ""
    found, truncated = people(field)
    if len(found) > field.count(" and ") + 1:
        notes.append(_NOT_JOINED)
    return found, truncated


def people(field: str) -> People:
    """Return the people of an author field, also in biblatex's extended name format."""
    if not field:
        return (), False
    if "=" in field and _EXTENDED_NAME.search(field[:LONGEST_TEXT]):
        field = " and ".join(map(_extended_name, field[:LONGEST_FIELD].split(" and ")))
    return split_authors(field)


def text_of(fields: Mapping[str, str], name: str) -> str:
    """Return a field as Unicode on one line, "" where there is none."""
    value = fields.get(name)
    return _one_line(to_unicode(value[:LONGEST_TEXT])) if value else ""


def first_of(fields: Mapping[str, str], names: Sequence[str]) -> str:
    """Return the first of several fields that is not empty, as Unicode."""
    for name in names:
        if fields.get(name):
            return text_of(fields, name)
    return ""


def link(value: str) -> str:
    """Return a link as it is typed into a browser: escapes and commands are taken off."""
    if "\\" in value or "{" in value:
        value = _LINK_ESCAPE.sub(lambda found: found.group(1) or "", value[:LONGEST_TEXT])
    return value.strip()[:LONGEST_TEXT]


def _told(notes: Sequence[ParseNote]) -> tuple[ParseNote, ...]:
    """Return each note once, and not more than a person would read."""
    once = tuple(dict.fromkeys(notes)) if len(notes) > 1 else tuple(notes)
    if len(once) <= _MOST_NOTES:
        return once
    more = f"There are {len(once) - _MOST_NOTES:,} further faults of form."
    return (*once[:_MOST_NOTES], ParseNote("more-faults", more))


def _bounded(
    fields: Mapping[str, str], notes: list[ParseNote]
) -> tuple[dict[str, str], list[ParseNote]]:
    """Cut fields that no honest entry has."""
    kept = dict(fields)
    if max(map(len, fields.values()), default=0) <= LONGEST_FIELD:
        return kept, notes
    for name, value in fields.items():
        if len(value) > LONGEST_FIELD:
            kept[name] = value[:LONGEST_FIELD]
            notes.append(_cut(name, len(value), LONGEST_FIELD))
    return kept, notes


def _cut(name: str, length: int, kept: int) -> ParseNote:
    text = f"The field {name} has {length:,} characters; only the first {kept:,} are read."
    return ParseNote("cut-field", text)


def _titles(fields: Mapping[str, str], entry_type: str, notes: list[ParseNote]) -> tuple[str, str]:
    """Return title and subtitle; collected works may carry theirs as `booktitle`."""
    name = "title"
    if not fields.get(name) and (entry_type in {"book", "proceedings"} or "maintitle" in fields):
        name = "booktitle" if fields.get("booktitle") else "maintitle"
    if len(fields.get(name, "")) > LONGEST_TEXT:
        notes.append(_cut(name, len(fields[name]), LONGEST_TEXT))
    title = _without_markup(text_of(fields, name))
    return title, _without_markup(text_of(fields, "subtitle"))


def _without_markup(text: str) -> str:
    """Take off HTML's tags and entities, which registries leave in titles."""
    if "<" in text or ("&" in text and _ENTITY.search(text)):
        return _one_line(plain(text))
    return text


def _venue(fields: Mapping[str, str], entry_type: str, kind: Kind, notes: list[ParseNote]) -> str:
    """Return the journal, proceedings or book that holds the work."""
    names = _JOURNAL_FIRST if entry_type == "article" else _CONTAINERS
    name = next((name for name in names if fields.get(name)), "")
    if name == "booktitle" and kind is Kind.BOOK and not fields.get("title"):
        return ""
    if name:
        if len(fields[name]) > LONGEST_TEXT:
            notes.append(_cut(name, len(fields[name]), LONGEST_TEXT))
        return _venue_name(fields[name])
    if kind is Kind.PAPER and entry_type != "article" and fields.get("series"):
        return text_of(fields, "series")
    said = fields.get("howpublished", "")
    if kind in _ELSEWHERE and said and not _LINK.search(said):
        return text_of(fields, "howpublished")
    return ""


def _venue_name(value: str) -> str:
    command = _COMMAND_JOURNAL.fullmatch(value[:50])
    if command:
        return ASTRONOMY_JOURNALS.get(command.group(1), "")
    return _without_markup(_one_line(to_unicode(value[:LONGEST_TEXT])))


def _number(fields: Mapping[str, str], kind: Kind) -> str:
    number = first_of(fields, ("number", "issue"))
    return re.sub(r"[\s,.]", "", number) if kind is Kind.PATENT else number


def _pages(fields: Mapping[str, str]) -> str:
    pages = first_of(fields, ("pages", "eid", "articleno", "article-number"))
    return _DASHES.sub("-", pages)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _extended_name(name: str) -> str:
    """Turn "family=Beethoven, given=Ludwig, prefix=van" into "van Beethoven, Ludwig"."""
    parts = _EXTENDED_NAME.split(name)
    if len(parts) == 1:
        return name
    values = {
        label.lower(): value.strip(' ,\n\t"')
        for label, value in zip(parts[1::2], parts[2::2], strict=True)
    }
    family = f"{values.get('prefix', '')} {values.get('family', '')}".strip()
    rest = [values[label] for label in ("suffix", "given") if values.get(label)]
    return ", ".join([family, *rest])
