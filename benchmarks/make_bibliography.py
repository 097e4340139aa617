"""How does a large bibliography look of which one in twenty entries is corrupted?

Draws records from JSONL files, writes them as BibTeX and corrupts a share of them; beside the
.bib goes a .truth.jsonl with key and kind of corruption ("" for none).

    python benchmarks/make_bibliography.py --out big.bib --entries 100000 RECORDS...
"""

import argparse
import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]

_OTHER_WORDS = ["robust", "latent", "sparse", "adaptive", "hierarchical", "stochastic", "causal"]
_VENUES = ["ICML", "NeurIPS", "CVPR", "AAAI", "ACL", "ICLR", "IJCAI", "EMNLP"]


def records(paths: list[Path]) -> Iterator[Record]:
    """Yield the usable records of all files: with title, authors, venue and year."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if record["title"] and record["authors"] and record["venue"] and record["year"]:
                    yield record


def sample(rows: Iterator[Record], count: int, rng: random.Random) -> list[Record]:
    """Draw `count` records at random (reservoir sampling), in random order."""
    kept: list[Record] = []
    for seen, record in enumerate(rows):
        if len(kept) < count:
            kept.append(record)
        elif (place := rng.randrange(seen + 1)) < count:
            kept[place] = record
    rng.shuffle(kept)
    return kept


def title_word(record: Record, _: Record, rng: random.Random) -> Record:
    """Replace one word of the title."""
    words = record["title"].split()
    words[rng.randrange(len(words))] = rng.choice(_OTHER_WORDS)
    return {**record, "title": " ".join(words)}


def foreign_authors(record: Record, other: Record, _: random.Random) -> Record:
    """Give the work the authors of another one."""
    return {**record, "authors": other["authors"]}


def dropped_authors(record: Record, _: Record, __: random.Random) -> Record:
    """Keep the first and the last author only."""
    return {**record, "authors": [record["authors"][0], record["authors"][-1]]}


def other_venue(record: Record, _: Record, rng: random.Random) -> Record:
    """Name another venue."""
    choices = [name for name in _VENUES if name != record["venue"]]
    return {**record, "venue": rng.choice(choices)}


def future(record: Record, _: Record, __: random.Random) -> Record:
    """Date the work ten years into the future."""
    return {**record, "year": 2036}


def invented(record: Record, other: Record, rng: random.Random) -> Record:
    """Mix the title of two works into that of none."""
    one, two = record["title"].split(), other["title"].split()
    cut = rng.randint(1, 3)
    return {**record, "title": " ".join(one[:cut] + two[cut:] + [rng.choice(_OTHER_WORDS)])}


CORRUPTIONS: tuple[Callable[[Record, Record, random.Random], Record], ...] = (
    title_word,
    foreign_authors,
    dropped_authors,
    other_venue,
    future,
    invented,
)


def bibtex(key: str, record: Record) -> str:
    """Return one record as a BibTeX entry."""
    fields = {
        "author": " and ".join(record["authors"]),
        "title": record["title"],
        "booktitle": record["venue"],
        "year": record["year"],
        "doi": record["doi"],
    }
    lines = [f"  {name} = {{{_clean(str(value))}}}," for name, value in fields.items() if value]
    return "\n".join([f"@inproceedings{{{key},", *lines, "}", ""])


def _clean(text: str) -> str:
    return text.replace("{", "").replace("}", "").replace("\\", "")


def main() -> None:
    """Write the bibliography and its truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--share", type=float, default=0.05, help="share of corrupted entries")
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    drawn = sample(records(options.records), options.entries, rng)
    truth = options.out.with_suffix(".truth.jsonl")
    with options.out.open("w", encoding="utf-8") as out, truth.open("w") as labels:
        for number, record in enumerate(drawn):
            kind, written = "", record
            if rng.random() < options.share:
                corrupt = rng.choice(CORRUPTIONS)
                written = corrupt(record, rng.choice(drawn), rng)
                kind = corrupt.__name__ if written != record else ""
            out.write(bibtex(f"entry{number}", written) + "\n")
            labels.write(json.dumps({"key": f"entry{number}", "corruption": kind}) + "\n")


if __name__ == "__main__":
    main()
