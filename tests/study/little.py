"""A library of made-up works in two collections, and a gold file about them."""

import json
import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from hallmark.bench.dataset import load_split
from hallmark.index.build import build
from hallmark.judge.policy import DEFAULT
from hallmark.study.context import Setting
from tests.verifier.library import record

GIVEN = "Ada Ben Cleo Dov Eva Finn Gia Hugo Ines Jon Kira Leo".split()
FAMILY = "Vole Stoat Elk Lynx Mole Rook Heron Marten Otter Badger Wren Finch".split()
WORDS = "sparse robust latent causal graph neural spectral adaptive convex online".split()
THINGS = "planning retrieval pruning transport ranking parsing tracking hashing".split()
COUNT = 60
"""Works at each of the two meetings whose lists are complete."""
TODAY = date(2026, 1, 1)


def works(venue: str, year: int, count: int, seed: int) -> list[dict[str, Any]]:
    """Return works of one meeting, with titles and authors of their own."""
    rng = random.Random(seed)
    rows: dict[str, dict[str, Any]] = {}
    while len(rows) < count:
        title = " ".join([*rng.sample(WORDS, 3), f"of-{seed}", *rng.sample(THINGS, 2)]).capitalize()
        people = rng.sample([f"{one} {two}" for one in GIVEN for two in FAMILY], 3)
        rows[title] = record(title, "; ".join(people), venue, year)
    return list(rows.values())


ICML = works("ICML", 2021, COUNT, 1)
NEURIPS = works("NeurIPS", 2021, COUNT, 2)
SELDOM = works("SIGIR", 2021, 5, 3)
"""A part of a meeting of which no list is complete."""
COUNTS = {("icml", 2021): COUNT, ("neurips", 2021): COUNT}


def collections() -> dict[str, list[dict[str, Any]]]:
    """Return the records of each collection: the first holds all, the second less."""
    return {"alpha": [*ICML, *NEURIPS, *SELDOM], "beta": [*ICML, *NEURIPS[: COUNT // 2]]}


def written(folder: Path, held: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Write one file of records for each collection."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in held.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}.jsonl") for name in held]


def built(folder: Path, held: dict[str, list[dict[str, Any]]]) -> Path:
    """Build an index of the collections."""
    build(folder / "index", written(folder, held), built="2026-01-01", counts=COUNTS)
    return folder / "index"


def entry(key: str, row: dict[str, Any], kind: str | None = None, **fields: str) -> dict[str, Any]:
    """Return a gold row about a work; `fields` replace what it says."""
    said = {
        "title": row["title"],
        "author": " and ".join(row["authors"]),
        "booktitle": row["venue"],
        "year": str(row["year"]),
    } | fields
    return {
        "bibtex_key": key,
        "bibtex_type": "inproceedings",
        "fields": {name: value for name, value in said.items() if value},
        "label": "VALID" if kind is None else "HALLUCINATED",
        "hallucination_type": kind,
        "generation_method": "scraped" if kind is None else "perturbation",
        "explanation": f"The label of {key} says so.",
    }


FOREIGN = "Quentin Zebra and Ruth Yak and Sol Xerus"
INVENTED = "Wholly imagined theory of nothing in particular"


def gold_rows() -> list[dict[str, Any]]:
    """Return entries of every outcome; the keys say which."""
    return [
        *(entry(f"right{n}", row) for n, row in enumerate([*ICML[:8], *NEURIPS[:8]])),
        *(
            entry(f"swapped{n}", row, "swapped_authors", author=" and ".join(other["authors"]))
            for n, (row, other) in enumerate(zip(ICML[8:12], NEURIPS[20:24], strict=True))
        ),
        *(
            entry(f"moved{n}", row, "preprint_as_published", booktitle="NeurIPS")
            for n, row in enumerate(ICML[12:16])
        ),
        entry("invented", ICML[0], "plausible_fabrication", title=INVENTED, author=FOREIGN),
        entry("alarm", ICML[20], author=FOREIGN),
        entry("confirmed", ICML[21], "partial_author_list"),
        entry("open-year", SELDOM[0], "plausible_fabrication", title=INVENTED, author=FOREIGN),
        entry("open-venue", ICML[0], title=f"{INVENTED} at all", booktitle="Moonlit Workshop"),
    ]


def gold(path: Path, rows: Sequence[dict[str, Any]] | None = None) -> Path:
    """Write a gold file."""
    chosen = gold_rows() if rows is None else rows
    path.write_text("".join(json.dumps(row) + "\n" for row in chosen), encoding="utf-8")
    return path


def setting(gold_file: Path, index: Path) -> Setting:
    """Return what a study runs on, by the default policy."""
    return Setting(load_split(gold_file), index, DEFAULT, TODAY)
