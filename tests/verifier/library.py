"""A small library of made-up and well-known works, indexed for end-to-end tests."""

import json
from pathlib import Path
from typing import Any

from hallmark.index import LocalIndex, open_index
from hallmark.index.build import build
from hallmark.parse.interface import read
from hallmark.records.verdict import Result
from hallmark.verifier import Verifier


def record(title: str, authors: str, venue: str, year: int, **more: Any) -> dict[str, Any]:
    """A record in the index's own JSON Lines schema; authors are parted by semicolons."""
    return {
        "title": title,
        "authors": [name.strip() for name in authors.split(";")],
        "venue": venue,
        "venue_raw": more.pop("venue_raw", venue),
        "year": year,
        "doi": more.pop("doi", None),
        "arxiv": more.pop("arxiv", None),
        "url": None,
        "source": "library",
        **more,
    }


def library(folder: Path, *collections: list[dict[str, Any]]) -> LocalIndex:
    """Build an index of the collections, one file each, and open it."""
    files = []
    for number, rows in enumerate(collections):
        path = folder / f"collection{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        files.append(str(path))
    build(folder / "index", files, built="2026-01-01")
    return open_index(folder / "index")


def check(folder: Path, index: LocalIndex, bib: str) -> list[Result]:
    """Check the text of a .bib file."""
    path = folder / "refs.bib"
    path.write_text(bib, encoding="utf-8")
    return list(Verifier(index).check(read(str(path))))
