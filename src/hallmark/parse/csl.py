"""Which references does a CSL-JSON file hold?

An array of items, one item alone, or one item a line; the fields are those of the CSL 1.0.2
schema. Items are decoded one by one, so that one broken item does not cost the others.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hallmark.errors import InputError
from hallmark.parse.benchmark import reference_of as benchmark_reference
from hallmark.parse.fields import reference_of
from hallmark.parse.input import Input
from hallmark.parse.json_items import JsonItem, json_items
from hallmark.parse.plain import latex, people, person
from hallmark.records.reference import Entry, FailedEntry, Location, ParseNote

_TYPES = {
    "article": "misc", "article-journal": "article", "article-magazine": "magazinearticle",
    "article-newspaper": "newspaper", "paper-conference": "inproceedings", "book": "book",
    "chapter": "inbook", "entry": "inreference", "entry-dictionary": "inreference",
    "entry-encyclopedia": "inreference", "thesis": "thesis", "report": "report",
    "standard": "standard", "patent": "patent", "legal_case": "jurisdiction",
    "legislation": "legislation", "bill": "legislation", "regulation": "legislation",
    "treaty": "legal", "hearing": "legal", "software": "software", "dataset": "dataset",
    "webpage": "online", "post": "online", "post-weblog": "online", "periodical": "periodical",
    "review": "article", "review-book": "article", "pamphlet": "booklet",
    "manuscript": "unpublished", "speech": "unpublished", "proceedings-article": "inproceedings",
    "journal-article": "article", "posted-content": "misc", "book-chapter": "inbook",
    "dissertation": "thesis", "interview": "interview", "motion_picture": "film",
    "personal_communication": "personal", "broadcast": "video", "graphic": "image",
    "map": "image", "song": "music", "collection": "collection",
}  # fmt: skip
_FIELDS = {
    "title": "title", "publisher": "publisher", "volume": "volume", "issue": "number",
    "page": "pages", "DOI": "doi", "URL": "url", "ISBN": "isbn", "PMID": "pmid",
    "collection-title": "series", "note": "note", "event-title": "eventtitle",
    "event": "eventtitle", "genre": "type", "number": "number", "archive": "archive",
    "archive_location": "archive_location", "edition": "edition", "abstract": "abstract",
    "title-short": "shorttitle", "container-title-short": "shortjournal",
    "publisher-place": "location", "ISSN": "issn", "language": "language", "keyword": "keywords",
}  # fmt: skip
_IN_BOOKS = frozenset({"inproceedings", "inbook", "inreference"})
_MARKS = frozenset({"title", "bibtex_key", "id", "DOI"})
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_LATER_DATES = ("issued", "published", "published-print", "published-online", "original-date")


def read_csl(source: Input) -> Iterator[Entry]:
    """Yield one entry for each item, in order.

    Raises:
        InputError: the file holds no JSON object.
    """
    seen = False
    for item in json_items(source.blocks()):
        seen = True
        entry = _entry(item, source.name)
        yield entry
        if isinstance(entry, FailedEntry):
            yield from (_entry(one, source.name) for one in _swallowed(item))
    if not seen:
        raise InputError(f"{source.name} holds no CSL-JSON item. Export the references again.")


def _swallowed(item: JsonItem) -> Iterator[JsonItem]:
    """Yield the items that stand whole on lines of their own behind one that is never closed."""
    for number, line in enumerate(item.text.split("\n")[1:], start=item.line + 1):
        text = line.rstrip("\r ,]")
        if not (line.startswith("{") and text.endswith("}")):
            continue
        with contextlib.suppress(msgspec.DecodeError, RecursionError):
            if not _MARKS.isdisjoint(_OBJECT.decode(text)):
                yield JsonItem(number, text)


def _entry(item: JsonItem, file: str) -> Entry:
    location = Location(file, item.line)
    try:
        content = msgspec.json.decode(item.text)
    except (msgspec.DecodeError, RecursionError) as error:
        reason = f"This item is not valid JSON ({error})."
        return FailedEntry(location=location, reason=reason, raw=item.text[:2000])
    if not isinstance(content, dict):
        reason = "This item is no JSON object."
        return FailedEntry(location=location, reason=reason, raw=item.text[:2000])
    if "bibtex_key" in content and isinstance(content.get("fields"), dict):
        kind = str(content.get("bibtex_type", "misc"))
        return benchmark_reference(str(content["bibtex_key"]), kind, content["fields"], location)
    return _reference(content, location, item)


def _reference(content: Mapping[str, Any], location: Location, item: JsonItem) -> Entry:
    entry_type = _TYPES.get(str(content.get("type", "")), "misc")
    fields = dict(_fields_of(content, entry_type))
    key = content.get("id") or content.get("citation-key") or content.get("DOI") or ""
    notes = () if content.get("id") else (ParseNote("missing-key", "The item has no id."),)
    return reference_of(
        str(key)[:1000],
        entry_type,
        fields,
        location,
        raw=item.text,
        notes=notes,
        authors=people(_names(content.get("author"))),
    )


def _fields_of(content: Mapping[str, Any], entry_type: str) -> Iterator[tuple[str, str]]:
    """Yield the item's fields under BibTeX's names, as LaTeX."""
    for name, value in content.items():
        text = _text(value)
        if name in _FIELDS and text:
            links = {"doi", "url"}
            yield _FIELDS[name], text if _FIELDS[name] in links else latex(text)
    container = _text(content.get("container-title")) or _text(content.get("container-title-short"))
    if container:
        yield "booktitle" if entry_type in _IN_BOOKS else "journal", latex(container)
    for role in ("author", "editor"):
        names = _names(content.get(role))
        if names:
            yield role, " and ".join(names)
    date = next((date for name in _LATER_DATES if (date := _date(content.get(name)))), "")
    if date:
        yield "date", date


def _text(value: Any) -> str:
    match value:
        case str():
            return value.strip()
        case bool() | None:
            return ""
        case int() | float():
            return str(value)
        case [first, *_]:
            return _text(first)
        case _:
            return ""


def _names(names: Any) -> list[str]:
    """Return CSL names as BibTeX writes them, each for itself."""
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, list):
        return []
    return [name for one in listed if (name := _name(one))]


def _name(one: Any) -> str:
    if isinstance(one, str):
        return latex(one)
    if not isinstance(one, dict):
        return ""
    literal = _text(one.get("literal")) or _text(one.get("name"))
    if literal:
        return person(literal=literal)
    particles = (_text(one.get("dropping-particle")), _text(one.get("non-dropping-particle")))
    return person(
        family=_text(one.get("family")),
        given=_text(one.get("given")),
        particle=" ".join(filter(None, particles)),
        suffix=_text(one.get("suffix")),
    )


def _date(value: Any) -> str:
    """Return a CSL date as year-month-day, or as its literal text."""
    match value:
        case str() | int():
            return str(value)
        case {"date-parts": [[*parts], *_]} if parts and all(_is_number(part) for part in parts):
            year, *rest = (int(part) for part in parts[:3])
            return "-".join([str(year), *(f"{part:02d}" for part in rest)])
        case {"raw": str(text)} | {"literal": str(text)}:
            return text
        case _:
            return ""


def _is_number(part: Any) -> bool:
    return isinstance(part, int) or (isinstance(part, str) and part.strip().isdecimal())
