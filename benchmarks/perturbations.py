"""What comes of every perturbation over thousands of random records, by type, and how fast?

    python benchmarks/perturbations.py INDEX [--records 10000] [--seed 8042] [--json FILE --date D]

Records are drawn at random from the index, each title once, whatever attests them; each is tried
for every type. "true after screening" looks every entry made up anew, by title and by DOI, with a
comparison of its own that shares no code with the screening: it must be 0.
"""

import argparse
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import msgspec

from hallmark.bench.build.preprints import WithPreprints
from hallmark.bench.build.sample import Rules, sampled
from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.perturb.interface import Perturbation, Pool, load_all
from hallmark.bench.perturb.pool import IndexPool
from hallmark.bench.perturb.screening import Fate, attempt
from hallmark.index import LocalIndex, open_index
from hallmark.records.work import Version

EVER = (1900, 2026)
KINDS = frozenset({"inproceedings", "article", "book", "incollection", "phdthesis", "techreport"})
_NO_WORD = re.compile(r"[^\w-]+|_+")
"""All that parts words; hyphens are words' own: to take one away is a near miss (appendix A.3)."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one type: numbers of records, seconds in all, and why none was made."""

    type: str
    tried: int
    made: int
    inapplicable: int
    no_op: int
    accidentally_true: int
    true_after_screening: int
    seconds: float
    reasons: dict[str, int]


def drawn(index: LocalIndex, count: int, rng: Random) -> list[Version]:
    """Return random records of the index, each of another title."""
    rules = Rules(attested=1, years=EVER, kinds=KINDS)
    found = sampled(index.sample(rng), rules, Counter())
    return [one.record for one in islice(found, count)]


def row_of(fault: Perturbation, records: Sequence[Version], pool: Pool, seed: int) -> Row:
    """Try one type on every record."""
    fates, reasons = Counter[Fate](), Counter[str]()
    wrong, seconds = 0, 0.0
    for number, record in enumerate(records):
        rng = Random(f"{seed}/{fault.type}/{number}")
        entry, began = entry_of(record, f"k{number}"), time.perf_counter()
        tried = attempt(fault, entry, pool, rng)
        seconds += time.perf_counter() - began
        fates[tried.fate] += 1
        if tried.perturbed is None:
            reasons[f"{tried.fate}: {tried.reason}"] += 1
        elif is_held(tried.perturbed.entry, pool):
            wrong += 1
    return Row(
        type=str(fault.type),
        tried=len(records),
        made=fates[Fate.MADE],
        inapplicable=fates[Fate.INAPPLICABLE],
        no_op=fates[Fate.NO_OP],
        accidentally_true=fates[Fate.TRUE],
        true_after_screening=wrong,
        seconds=round(seconds, 2),
        reasons=dict(reasons.most_common(4)),
    )


def is_held(entry: Entry, pool: Pool) -> bool:
    """Whether any record under the entry's title or DOI gives rise to the very same entry."""
    doi = entry.fields.get("doi", "")
    near = [*pool.titled(entry.fields.get("title", "")), *(pool.identified(doi) if doi else ())]
    return any(_same(entry, entry_of(one, ""), one) for one in near)


def _same(entry: Entry, other: Entry, record: Version) -> bool:
    years = {str(year) for year in record.known_years}
    return (
        all(
            _plain(entry.fields[name]) == _plain(other.fields.get(name, ""))
            for name in entry.fields
            if name != "year"
        )
        and entry.fields.get("year", "") in years
    )


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(one for one in folded if not unicodedata.combining(one))
    return _NO_WORD.sub(" ", letters).strip()


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table in Markdown."""
    yield "| type | tried | made | inapplicable | no-op | accidentally true | true after screening"
    yield "|---|---|---|---|---|---|---"
    for row in rows:
        shares = (
            f"{100 * n / row.tried:.2f} %"
            for n in (row.made, row.inapplicable, row.no_op, row.accidentally_true)
        )
        yield f"| {row.type} | {row.tried:,} | {' | '.join(shares)} | {row.true_after_screening}"


def main() -> None:
    """Try all types, print the table and, where it is asked for, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=8042)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--date", default="")
    given = parser.parse_args()
    index = open_index(given.index)
    pool = WithPreprints(IndexPool(index, Random(f"{given.seed}/donors")))
    records = drawn(index, given.records, Random(f"{given.seed}/records"))
    rows = []
    for name, fault in load_all().items():
        rows.append(row_of(fault, records, pool, given.seed))
        print(f"{name}: {rows[-1].seconds} s, {rows[-1].reasons}", flush=True)
    print("\n".join(lines(rows)))
    if given.json:
        figures = {
            "date": given.date,
            "seed": given.seed,
            "records": len(records),
            "index": index.info().digest,
            "rows": rows,
        }
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")


if __name__ == "__main__":
    main()
