"""Indexes for the laws, and how a record becomes an entry that the verifier reads."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct, structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, add_noise
from hallmark.bench.noise.latex import bibtex
from hallmark.bench.noise.styles import STYLES, write_in
from hallmark.bench.perturb.drafts import entry_of
from hallmark.index import LocalIndex, open_index
from hallmark.index.build import build
from hallmark.match.compare import compare
from hallmark.parse.interface import parse_text
from hallmark.records.evidence import Compared
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable
from hallmark.verifier import Verifier

GLUING = "pubmed-export"
"""The style of glued initials, which have a law of their own."""
FLAGGED = frozenset({"contradicted", "not_found"})


class World(Struct, frozen=True):
    """A library of works: held by two collections, by one, and by half of one."""

    works: tuple[Version, ...]
    both: Verifier
    one: Verifier
    half: Verifier

    def __repr__(self) -> str:
        return f"World({len(self.works)} works)"


def world(folder: Path, works: Sequence[Version]) -> World:
    """Build the indexes of a library."""
    beta = [structs.replace(one, collection="beta") for one in works]
    indexes = (
        index(folder / "both", works, beta),
        index(folder / "one", works),
        index(folder / "half", works[::2]),
    )
    return World(tuple(works), *map(Verifier, indexes))


def index(folder: Path, *collections: Sequence[Version]) -> LocalIndex:
    """Build and open an index of records."""
    folder.mkdir()
    files = []
    for number, versions in enumerate(collections):
        path = folder / f"{number}.jsonl"
        path.write_text("".join(json.dumps(_row(one)) + "\n" for one in versions), "utf-8")
        files.append(str(path))
    build(folder / "index", files, built="2026-01-01")
    return open_index(folder / "index")


def _row(version: Version) -> dict[str, object]:
    return {
        "title": version.title,
        "authors": list(version.authors),
        "venue": version.venue,
        "venue_raw": version.venue_raw,
        "year": version.year,
        "doi": version.doi,
        "arxiv": version.arxiv,
        "source": version.collection,
    }


def read(entry: Entry) -> Reference:
    """Return an entry as the parser reads its BibTeX text."""
    (found,) = parse_text(bibtex(entry))
    assert isinstance(found, Reference), found
    return found


def dressed(version: Version, seed: int, table: VenueTable) -> Reference:
    """Return a record as an entry in some usual style."""
    rng = Random(seed)
    style = STYLES.get(rng.choice([name for name in STYLES.names() if name != GLUING]))
    noised = write_in(style, entry_of(version, "k"), Facts((version,), table), rng)
    return read(noised.entry)


def plain(version: Version, **changes: str) -> Reference:
    """Return a record as a plain entry, with fields set otherwise."""
    entry = entry_of(version, "k")
    return read(structs.replace(entry, fields={**entry.fields, **changes}))


def judged(verifier: Verifier, reference: Reference) -> Result:
    """Return the verdict on a reference."""
    return verifier.check_one(reference)


def related(claimed: Version, held: Version, table: VenueTable) -> Compared:
    """Compare a record, written as an entry, with another record."""
    reference = plain(claimed)
    return compare(reference, held, table.resolve(reference.venue))


def rewritten(version: Version, kinds: Sequence[str], seed: int, table: VenueTable) -> Version:
    """Return a record whose texts are written with noise, as another source might hold it."""
    noised = add_noise(entry_of(version, "k"), Facts((version,), table), kinds, Random(seed))
    found = read(noised.entry)
    venue_id, _ = table.identity(found.venue, found.venue, found.doi)
    return structs.replace(
        version,
        title=found.title,
        authors=tuple(name.display for name in found.authors),
        authors_truncated=found.authors_truncated,
        venue=found.venue,
        venue_raw=found.venue,
        venue_id=venue_id,
        year=found.year,
        doi=found.doi,
    )
