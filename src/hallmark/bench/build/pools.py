"""Which entries of other origin may take places of a plan, and in which form?

A pool is a file of entries that were made elsewhere: by a language model, from incidents, from a
hand-coded corpus. They take places of their own type, so that a plan's numbers stay as they are,
and are screened, written, levelled and split like all others. What would show by form is passed
over, and counted.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct, structs

from hallmark.bench.build.dress import canonical, without
from hallmark.bench.build.plan import NEEDS_DOI, NEVER_DOI, Plan
from hallmark.bench.build.sample import Drawn
from hallmark.bench.entry import Entry, Label, read_entries
from hallmark.bench.lines import printable
from hallmark.bench.perturb.drafts import (
    VENUE_FIELDS,
    people,
    subtests_of,
    subtests_of_valid,
    venue_name,
    venue_of,
    with_fields,
)
from hallmark.bench.perturb.interface import Pool
from hallmark.bench.perturb.screening import true_record
from hallmark.errors import InputError
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import parse_name

SHOWN = frozenset({"title", "author", "booktitle", "journal", "year", "doi"})
"""Fields that a plan's own entries have; others would tell where an entry comes from."""
DRAWS = 8
"""Records of a venue that are asked for the name under which the index holds it."""


class Pooled(Struct, frozen=True):
    """An entry of a pool, and the name of its file."""

    entry: Entry
    file: str

    @property
    def works(self) -> tuple[str, ...]:
        """Title keys of the works in it, its source first."""
        own = titles.key(self.entry.fields.get("title", ""))
        listed = self.entry.extra.get("works", ())
        told = listed if isinstance(listed, list | tuple) else ()
        return tuple(dict.fromkeys([*(str(one) for one in told), own]))


def read_pools(plan: Plan, folder: Path) -> list[Pooled]:
    """Read the pools of a plan, in an order that depends on its seed alone.

    Args:
        plan: the plan.
        folder: where its files are named from.

    Raises:
        InputError: a file cannot be read, or holds an entry of another method.
    """
    found: list[Pooled] = []
    for pool in plan.pools:
        path = folder / pool.file
        entries = read_entries(path)
        other = sorted({str(one.generation_method) for one in entries} - {pool.method})
        if other:
            raise InputError(
                f"{printable(path, 300)} is a pool of the method {printable(pool.method)}, but "
                f"holds entries of {', '.join(map(printable, other[:3]))}."
            )
        found += [Pooled(entry, pool.file) for entry in entries]
    Random(f"{plan.seed}/pools").shuffle(found)
    return found


def drawn_of(pooled: Pooled) -> Drawn:
    """Return what stands in the place of a drawn work: the work that an entry was made of."""
    entry = pooled.entry
    method = str(entry.generation_method)
    record = Version(collection=method, origin=pooled.file, title=pooled.works[0])
    return Drawn(record, (), (method,))


def prepared(entry: Entry, pool: Pool, rng: Random) -> Entry:
    """Return an entry in the form of a plan's own: their fields, and their names of venues."""
    kept = {name: text for name, text in entry.fields.items() if name in SHOWN}
    bare = structs.replace(entry, fields=kept, line=0, order=(), raw_bibtex=None)
    if entry.hallucination_type in NEVER_DOI:
        bare = without(bare, "doi")
    name = _held_name(venue_of(bare), pool, rng)
    if name:
        field = next(one for one in VENUE_FIELDS if bare.fields.get(one))
        bare = with_fields(bare, {field: name})
    return _with_subtests(canonical(bare))


def _held_name(venue: str, pool: Pool, rng: Random) -> str:
    """Return the name under which the pool's records stand, "" where the venue is not known."""
    ids = pool.venues.resolve(venue).ids
    for _ in range(DRAWS if len(ids) == 1 else 0):
        record = pool.draw(rng, ids[0])
        if record is not None and not record.preprint:
            return venue_name(record)
    return ""


def _with_subtests(entry: Entry) -> Entry:
    """Fill in the sub-tests that a file does not give."""
    kind = entry.hallucination_type
    given = {name: held for name, held in entry.subtests.items() if held is not None}
    own = subtests_of(kind, entry) if kind else subtests_of_valid(entry.fields.get("doi"))
    if "doi" not in entry.fields:
        given.pop("doi_resolves", None)
    return structs.replace(entry, subtests={**own, **given})


def unfit(entry: Entry, pool: Pool) -> str:
    """Say why an entry can have no place, whatever the split; "" where it can."""
    kind, valid = entry.hallucination_type, entry.label is Label.VALID
    if not valid and kind is None:
        return "it has no type"
    if not titles.key(entry.fields.get("title", "")) or not people(entry):
        return "it has no title or no authors"
    if not venue_of(entry):
        return "it names no venue"
    if kind in NEEDS_DOI and "doi" not in entry.fields:
        return "its type needs a DOI"
    if _has_initials_only(entry):
        return "its authors have initials only"
    held = true_record(entry, pool)
    if valid:
        return "" if held else "no record says the same"
    return "accidentally true" if held else ""


def _has_initials_only(entry: Entry) -> bool:
    """Whether no given name is written out: among full names, that tells the origin."""
    given = [parse_name(name).given for name in people(entry)]
    shown = [name for name in given if name]
    return bool(shown) and all(_is_initials(name) for name in shown)


def _is_initials(given: str) -> bool:
    return all(len(part.strip(".")) <= 1 for part in given.replace("-", " ").split())


def changed_of(entry: Entry) -> Sequence[str]:
    """Return the fields that are false in an entry, by its sub-tests."""
    venue = next((one for one in VENUE_FIELDS if entry.fields.get(one)), "")
    fields = {
        "title_exists": "title",
        "authors_match": "author",
        "venue_correct": venue,
        "fields_complete": "year",
        "doi_resolves": "doi",
    }
    return tuple(
        name for test, name in fields.items() if name and entry.subtests.get(test) is False
    )
