"""Which entry describes a record, and which changed entry is a fault of which type?"""

import re
from collections.abc import Mapping, Sequence

from msgspec import structs

from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.interface import Perturbed
from hallmark.bench.taxonomy import SUBTESTS, TAXONOMY, HallucinationType
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import parse_name
from hallmark.text.venue_facts import VenueType, type_of
from hallmark.text.venues import VenueTable

VENUE_FIELDS = ("booktitle", "journal")
_BOOKS = frozenset({"book", "monograph", "edited-book", "reference-book", "proceedings"})
_THESES = {"phdthesis": "phdthesis", "mastersthesis": "mastersthesis", "thesis": "phdthesis"}
_OWN_TYPES = frozenset({"incollection", "inbook", "techreport", "manual", "unpublished"})
_BRACKETS = re.compile(r"[\[\]{}]")
_JOINED = re.compile(r"\s+and\s+", re.IGNORECASE)


def entry_of(version: Version, key: str) -> Entry:
    """Return the valid entry that cites a record as it stands, in the benchmark's field order."""
    kind = entry_type(version)
    fields = {
        "title": version.title,
        "author": join_names(version.authors, truncated=version.authors_truncated),
        "editor": "" if version.authors else join_names(version.editors),
        venue_field(kind): venue_name(version),
        "year": "" if version.year is None else str(version.year),
        "doi": version.doi or "",
    }
    return Entry(
        bibtex_key=key,
        bibtex_type=kind,
        label=Label.VALID,
        fields={name: text for name, text in fields.items() if text},
        explanation="A record as its source holds it",
        generation_method="scraped",
        source_conference=version.venue or None,
        source=version.collection,
        subtests=subtests_of_valid(version.doi),
    )


def entry_type(version: Version) -> str:
    """Return the BibTeX type under which a record is cited."""
    if version.preprint:
        return "misc" if version.venue_id is None else "article"
    if version.kind in _BOOKS:
        return "book"
    if version.kind in _THESES or version.kind in _OWN_TYPES:
        return _THESES.get(version.kind, version.kind)
    meeting = version.venue_id is not None and type_of(version.venue_id) is VenueType.CONFERENCE
    if version.kind in {"inproceedings", "article"}:
        return version.kind
    return "inproceedings" if meeting else "article" if version.venue_id else "misc"


def venue_field(kind: str) -> str:
    """Return the field that names the venue in an entry of a BibTeX type."""
    match kind:
        case "inproceedings" | "incollection" | "inbook":
            return "booktitle"
        case "book":
            return "publisher"
        case "phdthesis" | "mastersthesis":
            return "school"
        case "techreport":
            return "institution"
        case "misc" | "unpublished":
            return "howpublished"
        case _:
            return "journal"


def venue_name(version: Version) -> str:
    """Return the venue as a short entry names it.

    A short name under which the source merely files the record, and which means another venue than
    the record's, gives way to the full one.
    """
    if version.venue_id == "arxiv" and version.arxiv:
        return f"arXiv preprint arXiv:{version.arxiv}"
    if _misnames(version, version.venue) and not _misnames(version, version.venue_raw):
        return version.venue_raw
    return version.venue or version.venue_raw


def _misnames(version: Version, name: str) -> bool:
    ids = VenueTable.curated().resolve(name).ids
    return not name or (bool(ids) and version.venue_id not in ids)


def is_sound(version: Version) -> bool:
    """Whether a record can be cited at all: it has a title, and its names are names.

    A few rows of every source were split at the wrong commas, or hold a program's list as text.
    """
    broken = any(map(_is_broken, version.authors))
    return bool(titles.key(version.title)) and bool(version.authors) and not broken


def _is_broken(name: str) -> bool:
    if name.count(",") > 1 or name.count("(") != name.count(")"):
        return True
    return _BRACKETS.search(name) is not None


def join_names(names: Sequence[str], *, truncated: bool = False) -> str:
    """Return names as a BibTeX list; a name that holds the word "and" is braced."""
    shown = [f"{{{name}}}" if _JOINED.search(name) else name for name in names]
    return " and ".join([*shown, "others"] if shown and truncated else shown)


def people(entry: Entry) -> list[str]:
    """Return the names of an entry's authors as written, without "others"."""
    names = _JOINED.split(entry.fields.get("author", ""))
    return [name for name in names if name and name.lower() != "others"]


def families(names: Sequence[str]) -> frozenset[str]:
    """Return the folded family names of a list of names."""
    return frozenset(titles.key(parse_name(name).family or name) for name in names)


def venue_of(entry: Entry) -> str:
    """Return the venue that an entry names, "" without one."""
    return next((entry.fields[name] for name in VENUE_FIELDS if entry.fields.get(name)), "")


def with_fields(entry: Entry, changes: Mapping[str, str | None]) -> Entry:
    """Return the entry with fields set where they stand, added at the end, or dropped (None)."""
    merged = {**entry.fields, **changes}
    return structs.replace(entry, fields={k: v for k, v in merged.items() if v})


def in_venue(entry: Entry, name: str, kind: VenueType | None) -> Entry:
    """Return the entry at another venue: type and field follow from what sort of outlet it is."""
    entry_type = "article" if kind is VenueType.JOURNAL else "inproceedings"
    target = venue_field(entry_type)
    named = ("booktitle", "journal", "howpublished")
    held = next((field for field in named if entry.fields.get(field)), None)
    fields: dict[str, str] = {}
    for field, text in entry.fields.items():
        if field == held:
            fields[target] = name
        elif field not in named:
            fields[field] = text
    fields.setdefault(target, name)
    return structs.replace(entry, bibtex_type=entry_type, fields=fields)


def mark(
    original: Entry,
    changed: Entry,
    kind: HallucinationType,
    note: str,
    sources: Sequence[str] = (),
) -> Perturbed:
    """Return `changed` as an entry of a type, with what differs and the works it is made of.

    Sub-tests follow Table 1. Where that says that one varies, the DOI resolves if there is one and
    it is a real work's, and the others hold if their field is kept. Without a DOI, the sub-test on
    it does not apply (None).
    """
    fields = changed_fields(original, changed)
    entry = structs.replace(
        changed,
        label=Label.HALLUCINATED,
        hallucination_type=kind,
        difficulty_tier=int(TAXONOMY[kind].tier),
        explanation=note,
        generation_method="perturbation",
        subtests=subtests_of(kind, changed),
        raw_bibtex=None,
    )
    works = [original.fields.get("title", ""), *sources]
    return Perturbed(entry, fields, note, tuple(dict.fromkeys(titles.key(work) for work in works)))


def changed_fields(one: Entry, other: Entry) -> tuple[str, ...]:
    """Return the names of the fields in which two entries differ, in order."""
    names = dict.fromkeys([*one.fields, *other.fields])
    return tuple(name for name in names if one.fields.get(name) != other.fields.get(name))


def subtests_of(kind: HallucinationType, entry: Entry) -> dict[str, bool | None]:
    """Return the sub-tests of an entry of a type, by Table 1 (see `mark`)."""
    signature = TAXONOMY[kind].signature
    passed: dict[str, bool | None] = {
        name: True if held is None else held for name, held in signature.items()
    }
    if "doi" not in entry.fields:
        passed["doi_resolves"] = None
    return passed


def subtests_of_valid(doi: str | None) -> dict[str, bool | None]:
    """Return the sub-tests of a valid entry; that on the DOI does not apply without one."""
    passed: dict[str, bool | None] = dict.fromkeys(SUBTESTS, True)
    return passed if doi else {**passed, "doi_resolves": None}
