"""Do abbreviated names of journals match the full ones, and other journals not?

Each row of a table of full and abbreviated names is compared in both directions, as an entry's
venue against a record's, and each abbreviation also with the full name of another row, drawn at
random and drawn from those with the same first letters of their words.

    python benchmarks/journal_names.py TABLE.csv[.gz] [--pairs 50000] [--seed 1] [--show 20]

The table has the columns `full_name` and `abbreviation`.
"""

import argparse
import csv
import gzip
import io
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hallmark.match.venue import compare_venue
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version
from hallmark.study.tables_guide import JournalNames
from hallmark.text import venue_names
from hallmark.text.venues import VenueTable

Pair = tuple[str, str]


def read(path: Path) -> list[Pair]:
    """Return the pairs of full name and abbreviation that differ and have letters."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    # Some rows hold macros of BibTeX styles instead of abbreviations ("#IEEE_J_NN#").
    names = {(row["full_name"].strip(), row["abbreviation"].strip()) for row in rows}
    return sorted(
        (full, short)
        for full, short in names
        if full
        and short
        and "#" not in short
        and venue_names.tokens(full) != venue_names.tokens(short)
    )


def related(table: VenueTable, claimed: str, found: str) -> str:
    """Return the relation of a claimed name to a record's, with its reason."""
    venue_id, preprint = table.identity("", found)
    version = Version(
        collection="", title="", venue_raw=found, venue_id=venue_id, preprint=preprint, year=2020
    )
    claim = table.resolve(claimed)
    reference = Reference(key="", location=Location("", 1), venue=claimed, year=2020)
    comparison = compare_venue(claim, reference, version)
    weak = " (weak)" if comparison.weak else ""
    code = comparison.nuances[0].code if comparison.nuances else ""
    return f"{comparison.relation.value}{weak} {code}".strip()


def others(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Yield each abbreviation with the full name of another journal."""
    for _, short in pairs:
        full = rng.choice(pairs)[0]
        if venue_names.tokens(full) != venue_names.tokens(short):
            yield full, short


def neighbours(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Yield each abbreviation with another journal's full name of the same initials."""
    by_initials: dict[str, list[str]] = defaultdict(list)
    for full, _ in pairs:
        by_initials[_initials(full)].append(full)
    abbreviations: dict[str, set[str]] = defaultdict(set)
    for full, short in pairs:
        abbreviations[_plain(short)].add(_plain(full))
    for full, short in pairs:
        near = [
            one
            for one in by_initials[_initials(full)]
            if _plain(one) not in abbreviations[_plain(short)]
        ]
        if near:
            yield rng.choice(near), short


def _initials(name: str) -> str:
    return "".join(word[0] for word in venue_names.content(venue_names.tokens(name)))


def _plain(name: str) -> str:
    return " ".join(venue_names.content(venue_names.tokens(name)))


def report(
    table: VenueTable, title: str, pairs: list[Pair], *, show: str, most: int
) -> tuple[str, int, dict[str, float]]:
    """Print the share of each relation and some pairs of one relation."""
    counts = Counter[str]()
    for claimed, found in pairs:
        relation = related(table, claimed, found)
        weak = " (weak)" if "(weak)" in relation else ""
        counts[relation.partition(" ")[0] + weak] += 1
        counts["  " + relation] += 1
        if relation.startswith(tuple(show.split("|"))) and most:
            most -= 1
            print(f"    {relation}: {claimed} | {found}")
    print(f"{title}, n={len(pairs)}")
    for relation, count in sorted(counts.items()):
        print(f"  {relation}: {count} ({count / len(pairs):.3%})")
    whole = {name: n / len(pairs) for name, n in counts.items() if not name.startswith(" ")}
    return title, len(pairs), whole


def main() -> None:
    """Print the relations of each direction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--kinds", default="conflict|silent", help="what is shown of true pairs")
    parser.add_argument("--json", type=Path, help="keep the figures for docs/tables.md")
    parser.add_argument("--date", default="")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    every = read(options.table)
    pairs = rng.sample(every, min(options.pairs, len(every)))
    table = VenueTable.curated()
    most = options.show
    short_full = [(short, full) for full, short in pairs]
    bad, good = options.kinds, "equal|variant"
    random_pairs = [(short, full) for full, short in others(pairs, rng)]
    near = [(short, full) for full, short in neighbours(pairs, rng)]
    rows = (
        report(table, "abbreviation cited, full name held", short_full, show=bad, most=most),
        report(table, "full name cited, abbreviation held", pairs, show=bad, most=most),
        report(table, "another journal", random_pairs, show=good, most=most),
        report(table, "another journal of the same initials", near, show=good, most=most),
    )
    if options.json:
        figures = JournalNames(
            command="python benchmarks/journal_names.py TABLE",
            date=options.date,
            data=f"{len(pairs):,} pairs of full and abbreviated names, seed {options.seed}",
            rows=rows,
        )
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(figures)) + b"\n")


if __name__ == "__main__":
    main()
