"""Do form, fields and keys say the same of both labels?"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from msgspec import structs

from hallmark.bench.audit.leak import Leak
from hallmark.bench.audit.overlap import shared_leaks
from hallmark.bench.audit.scan import audit_split
from hallmark.bench.build.dress import without
from hallmark.bench.build.plan import NEEDS_DOI
from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.compound import types_of

KEPT = frozenset({"title", "author", "editor", "booktitle", "journal", "howpublished", "year"})
"""Fields that are never dropped: an entry says what it cites."""
_DIGITS = 15


def level(entries: Sequence[Entry], without_doi: float, rng: Random) -> list[Entry]:
    """Return the entries, with the same share of each label bearing any optional field.

    Fields are dropped at random from the label that has more of them; a DOI down to the plan's
    share, but never where the fault is in it.

    Args:
        entries: the entries of a split, in order.
        without_doi: share of entries that are to have no DOI, in [0, 1].
        rng: the dice.
    """
    levelled = list(entries)
    optional = sorted({name for entry in entries for name in entry.fields} - KEPT)
    for field in optional:
        shares = [_share(levelled, field, label) for label in _labels(levelled)]
        target = min(shares)
        if field == "doi":
            target = min(target, 1 - without_doi)
        for label in _labels(levelled):
            _thin(levelled, field, label, target, rng)
    return levelled


def bared(
    entries: Sequence[Entry], fields: frozenset[str], share: float, rng: Random
) -> list[Entry]:
    """Return the entries, with a share of each label lacking a field that people leave out.

    Only entries of which it is known that no fault is in the field can lose it, and none loses two
    fields in this way; where one label has too few of them, the share of both is smaller.

    Args:
        entries: the entries of a split, in order.
        fields: the names under which the field goes ("booktitle", "journal").
        share: of each label, in [0, 1].
        rng: the dice.
    """
    left = list(entries)
    places = {
        label: [n for n, e in enumerate(left) if e.label is label and _may_lose(e, fields)]
        for label in _labels(left)
    }
    sizes = {label: sum(entry.label is label for entry in left) for label in places}
    common = min([share, *(len(places[label]) / sizes[label] for label in places)])
    for label, free in places.items():
        for n in rng.sample(free, min(len(free), round(common * sizes[label]))):
            (lost,) = fields & left[n].fields.keys()
            bare = without(left[n], lost)
            left[n] = structs.replace(bare, extra={**bare.extra, "left_out": lost})
    return left


def _may_lose(entry: Entry, fields: frozenset[str]) -> bool:
    changed = entry.extra.get("changed_fields")
    known = isinstance(changed, list) and not fields & set(changed)
    return known and len(fields & entry.fields.keys()) == 1 and "left_out" not in entry.extra


def _labels(entries: Sequence[Entry]) -> list[Label]:
    return sorted({entry.label for entry in entries})


def _share(entries: Sequence[Entry], field: str, label: Label) -> float:
    of_label = [entry for entry in entries if entry.label is label]
    return sum(field in entry.fields for entry in of_label) / len(of_label)


def _thin(entries: list[Entry], field: str, label: Label, target: float, rng: Random) -> None:
    """Drop a field from entries of a label until no more than the share `target` has it."""
    of_label = [n for n, entry in enumerate(entries) if entry.label is label]
    bearing = [n for n in of_label if field in entries[n].fields]
    free = [n for n in bearing if not (field == "doi" and _needs_doi(entries[n]))]
    surplus = len(bearing) - round(target * len(of_label))
    for n in rng.sample(free, max(0, min(surplus, len(free)))):
        entries[n] = without(entries[n], field)


def _needs_doi(entry: Entry) -> bool:
    return bool(types_of(entry) & NEEDS_DOI)


def keyed(entry: Entry, salt: str) -> Entry:
    """Return the entry under a key that is a salted hash of what a tool may see of it."""
    content = json.dumps([entry.bibtex_type, entry.fields], ensure_ascii=False)
    found = hashlib.sha256(f"{salt}\0{content}".encode()).hexdigest()
    return structs.replace(entry, bibtex_key=f"c{found[:_DIGITS]}")


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries by key, an order that says nothing of label or type."""
    return sorted(entries, key=lambda entry: entry.bibtex_key)


def leaks_of(splits: Mapping[str, Sequence[Entry]]) -> Iterator[Leak]:
    """Yield what the audit finds in each split and between splits, notes included."""
    held = [Split(name, Path(name), "", tuple(entries)) for name, entries in splits.items()]
    for split in held:
        yield from audit_split(split)
    yield from shared_leaks(held)
