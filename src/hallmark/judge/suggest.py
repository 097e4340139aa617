"""What should the entry say instead, and may that be applied unseen?

A suggestion changes the fields that one clear record contradicts, and no other: what is written
otherwise and means the same (initials, hyphens, capitals, an alias of the venue) stays as it is.
With these changes the record explains the whole entry, so that it is verified when checked again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from hallmark.judge.charge import Charge
from hallmark.judge.reading import HALF, Anchor, Reading, names_people
from hallmark.judge.target import Target, family_names, target_of
from hallmark.records.evidence import Compared, Evidence, Relation
from hallmark.records.finding import Safety, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Suggestion
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import parse_name
from hallmark.text.venues import VenueKind

REMOVED = ""
"""The value that says that a field is to be taken out: the work has no such identifier."""

_ATTESTING = 2
"""Collections that must agree on a value before it may be applied unseen."""

_MARKUP = re.compile(r"[\\{}$<>^_~\x00-\x1f]|&#?\w+;")
"""Signs of markup in a record, whose meaning in LaTeX nobody can be sure of."""

_NUMBERED = re.compile(r"\d|\b(?:[ivx]+|part|first|second|third|one|two|three)\b", re.IGNORECASE)
"""What tells one work of a series from the next."""


def suggest(
    reference: Reference, evidence: Evidence, charges: list[Charge], reading: Reading
) -> Suggestion | None:
    """Return the fields to change, under the entry's own names, or None for no suggestion.

    Values are plain text, not LaTeX; an empty one takes the field out. It is safe only if

    - a single field is wrong, and nothing else is in doubt,
    - the work was recognised by its title (or nearly, with the identifier) and its authors,
    - two collections hold the record's value, and no other list of authors is known,
    - it replaces a value (an identifier that is taken out may be right for another copy).
    """
    target = target_of(reference, evidence, reading)
    if target is None:
        return None
    changes = dict(_changes(reference, evidence, charges, reading, target))
    if not changes or not _explains(reference, target.record, changes):
        return None
    if any(_MARKUP.search(value) for value in changes.values()):
        return None
    fields = {_field(reference, name): value for name, value in changes.items()}
    fields |= _dates_in_venue(reference, changes)
    safe = len(fields) == 1 and _is_safe(charges, reading, target, changes)
    return Suggestion(fields, Safety.SAFE if safe else Safety.UNSAFE)


def _changes(
    reference: Reference,
    evidence: Evidence,
    charges: list[Charge],
    reading: Reading,
    target: Target,
) -> Iterator[tuple[str, str]]:
    """Yield the fields that the record contradicts, with what it says."""
    record, version = target.record, target.record.version
    codes = {one.finding.code for one in charges if one.finding.severity is not Severity.NOTE}
    if record.title.conflicts:
        yield "title", version.title.rstrip(". ")
    if reference.authors and not names_people(record):
        yield "author", _authors(reference, version)
    placed = evidence.venue.kind in (VenueKind.VENUE, VenueKind.UNKNOWN)
    moved = placed and not record.venue.agrees
    if moved:
        yield "venue", version.venue_raw or version.venue
    if record.year.conflicts and (moved or not record.year.weak or codes & _YEARS):
        yield "year", str(version.year or "")
    yield from _identifiers(reference, codes, reading, target)


_YEARS = frozenset({"HM101", "HM206", "HM601", "HM602"})


def _identifiers(
    reference: Reference, codes: set[str], reading: Reading, target: Target
) -> Iterator[tuple[str, str]]:
    """Yield what stands instead of identifiers that no record of the work carries."""
    if reference.doi is not None and not any(one.doi.agrees for one in reading.versions):
        weak_only = not codes - _WEAK
        if codes & _WRONG_DOI or (weak_only and codes & {"HM204", "HM206"}):
            yield "doi", target.doi or REMOVED
    if reference.arxiv is not None and codes & {"HM202", "HM207"}:
        known = (one.version.arxiv for one in reading.versions if one.version.arxiv)
        yield "eprint", next(known, REMOVED)


_WRONG_DOI = frozenset({"HM201", "HM203", "HM208"})
_WEAK = frozenset({"HM204", "HM206", "HM207", "HM303", "HM404", "HM406", "HM602"})


def _authors(reference: Reference, version: Version) -> str:
    """Return the record's authors; as many as the entry names, where it says that it cuts."""
    names = [f"{{{name}}}" if parse_name(name).literal else name for name in version.authors]
    if version.authors_truncated or not names:
        return ""
    if reference.authors_truncated and len(reference.authors) < len(names):
        names = [*names[: len(reference.authors)], "others"]
    return " and ".join(names)


def _explains(reference: Reference, record: Compared, changes: Mapping[str, str]) -> bool:
    """Whether the record explains the whole entry once the changes are made."""
    empty = [name for name, value in changes.items() if not value]
    if any(name not in _IDENTIFIERS for name in empty):
        return False
    if "title" in changes and reference.subtitle:
        return False
    if "author" in changes and record.authors.relation is Relation.SILENT:
        return False
    return not record.venue.conflicts or "venue" in changes


_IDENTIFIERS = frozenset({"doi", "eprint"})


def _is_safe(
    charges: Iterable[Charge],
    reading: Reading,
    target: Target,
    changes: Mapping[str, str],
) -> bool:
    name, value = next(iter(changes.items()))
    about = {name, *_BESIDE.get(name, ())}
    doubts = (one.finding for one in charges if one.finding.severity is not Severity.NOTE)
    if not value or target.lists_differ or any(one.field not in about for one in doubts):
        return False
    return _recognised(reading, target, name) and _attested(target, name)


_BESIDE = {"venue": ("year", "doi"), "year": ("doi",), "author": (), "title": ()}
"""Fields of findings that may name the same fault (a year that the DOI contradicts as well)."""


def _recognised(reading: Reading, target: Target, name: str) -> bool:
    """Whether everything but the field itself says that this is the work."""
    record = target.record
    identified = record.doi.agrees or record.arxiv.agrees
    match name:
        case "title":
            return identified and not _renumbered(record)
        case "author":
            return identified or record.authors.matched_share >= HALF
        case "venue":
            return record.year.agrees and names_people(record)
        case "year":
            return names_people(record)
        case _:
            return names_people(record) and reading.anchor is Anchor.SAME


def _renumbered(record: Compared) -> bool:
    """Whether what was changed in a title may tell two works of a series apart."""
    changed = (one for one in record.title.nuances if one.code == "words-changed")
    return any(_NUMBERED.search(f"{one.claimed} {one.found}") for one in changed)


def _attested(target: Target, name: str) -> bool:
    if name == "doi":
        holding = {one.version.collection for one in target.peers if one.version.doi == target.doi}
        return len(holding) >= _ATTESTING
    return target.agreeing(_SAME[name]) >= _ATTESTING


def _place(version: Version) -> object:
    return version.venue_id, version.year


_SAME = {
    "title": lambda version: titles.key(version.title),
    "author": family_names,
    "venue": _place,
    "year": _place,
    "eprint": lambda version: version.arxiv,
}
"""What two collections must share to agree on a field."""

_VENUES = ("booktitle", "journal", "journaltitle", "maintitle", "eventtitle")
_VENUES_OF_ARTICLE = ("journal", "journaltitle", "booktitle", "maintitle", "eventtitle")


def _field(reference: Reference, name: str) -> str:
    """Return the entry's own name for a field ("journal" for the venue of an article)."""
    article = reference.entry_type == "article"
    names: tuple[str, ...] = (name,)
    if name == "venue":
        names = (*(_VENUES_OF_ARTICLE if article else _VENUES), "series", "howpublished")
    elif name == "year":
        names = ("date", "year")
    default = {"venue": "journal" if article else "booktitle"}.get(name, name)
    return next((one for one in names if reference.fields.get(one)), default)


def _dates_in_venue(reference: Reference, changes: Mapping[str, str]) -> dict[str, str]:
    """Return the venue with the corrected year, where it held the wrong one as well."""
    if "year" not in changes or "venue" in changes or reference.year is None:
        return {}
    dated = re.compile(rf"(?<!\d){reference.year}(?!\d)")
    if not dated.search(reference.venue):
        return {}
    return {_field(reference, "venue"): dated.sub(changes["year"], reference.venue)}
