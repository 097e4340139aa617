"""Taking records out of an index raises abstention, never false alarms."""

import random
from pathlib import Path
from typing import Any

import pytest

from hallmark.index import open_index
from hallmark.index.build import build
from hallmark.parse.interface import read
from hallmark.verifier import Verifier
from tests.verifier.library import library, record

GIVEN = "Ada Ben Cleo Dov Eva Finn Gia Hugo Ines Jon Kira Leo".split()
FAMILY = "Vole Stoat Elk Lynx Mole Rook Heron Marten Otter Badger Wren Finch".split()
WORDS = "sparse robust latent causal graph neural spectral adaptive convex online".split()
THINGS = "planning retrieval pruning transport ranking parsing tracking hashing".split()


def works(count: int, rng: random.Random) -> list[dict[str, Any]]:
    """Works of one meeting and year, many with similar titles by overlapping authors."""
    rows: dict[str, dict[str, Any]] = {}
    while len(rows) < count:
        title = " ".join([*rng.sample(WORDS, 3), "for", *rng.sample(THINGS, 2)]).capitalize()
        people = rng.sample([f"{one} {two}" for one in GIVEN for two in FAMILY[:4]], 3)
        rows[title] = record(title, "; ".join(people), "ICML", 2021)
    return list(rows.values())


def bibtex(number: int, row: dict[str, Any]) -> str:
    people = " and ".join(row["authors"])
    return (
        f"@inproceedings{{w{number}, author={{{people}}}, title={{{row['title']}}}, "
        f"booktitle={{ICML}}, year={{{row['year']}}}}}\n"
    )


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9])
def test_missing_records_make_open_questions_and_no_accusations(
    tmp_path: Path, share: float
) -> None:
    rng = random.Random(7)
    rows = works(200, rng)
    kept = [row for row in rows if rng.random() >= share] or rows[:1]
    index = library(tmp_path, kept, kept)
    path = tmp_path / "all.bib"
    path.write_text("".join(bibtex(*pair) for pair in enumerate(rows)), encoding="utf-8")
    statuses = [result.status for result in Verifier(index).check(read(str(path)))]
    held = {row["title"] for row in kept}
    assert [status == "verified" for status in statuses] == [row["title"] in held for row in rows]
    assert not {"contradicted", "not_found"} & set(statuses)


def test_a_list_two_percent_short_is_not_complete(tmp_path: Path) -> None:
    rng = random.Random(8)
    rows = works(100, rng)
    path = tmp_path / "all.bib"
    path.write_text("".join(bibtex(*pair) for pair in enumerate(rows)), encoding="utf-8")
    outcomes = {}
    for name, kept in {"whole": rows[1:], "short": rows[2:]}.items():
        folder = tmp_path / name
        folder.mkdir()
        library(folder, kept)
        build(folder / "counted", [str(folder / "collection0.jsonl")], counts={("icml", 2021): 100})
        results = list(Verifier(open_index(folder / "counted")).check(read(str(path))))
        outcomes[name] = results[0].status
    assert outcomes == {"whole": "not_found", "short": "unresolved"}
