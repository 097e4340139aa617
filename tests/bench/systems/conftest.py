import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Entry, Label
from hallmark.index.build import build
from hallmark.index.counts import read_counts

PAPER = Path(__file__).parents[2] / "fixtures" / "paper"

HOSTILE = (
    BlindEntry("empty"),
    BlindEntry(
        "nul\x00key", "misc\x1b[31m", {"title": "\x00\x1b]0;owned\x07", "author": "\u202eand"}
    ),
    BlindEntry(
        "long", "article", {"title": "x" * 100_000, "author": " and ".join(["A B"] * 5_000)}
    ),
    BlindEntry("braces", "article", {"title": "{" * 500, "author": "}" * 500, "year": "{}"}),
    BlindEntry("years", "misc", {"year": "9" * 5_000, "doi": "10." + "9" * 5_000 + "/x"}),
    BlindEntry("signs", "misc", {"year": "-1", "doi": "10.1/", "author": ", , and , and and"}),
    BlindEntry(
        "digits", "misc", {"year": "٢٠٢١", "doi": "doi:10.１２３４/x", "author": "李 and 李"}
    ),
    BlindEntry("blank", "misc", dict.fromkeys(("title", "author", "year", "doi"), " \t\n")),
    BlindEntry("markup", "misc", {"title": r"\input{/etc/passwd} $\frac{", "author": "{\\'"}),
    BlindEntry("empty", "misc", {"title": "the same key again"}),
)


def entry(key: str, label: Label = Label.VALID, **fields: str) -> Entry:
    return Entry(bibtex_key=key, label=label, bibtex_type="misc", fields=fields)


@pytest.fixture
def prediction_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a prediction file from (key, label, confidence) rows."""

    def write(name: str, *rows: tuple[str, str, float]) -> Path:
        path = tmp_path / name
        lines = [
            json.dumps({"bibtex_key": key, "label": label, "confidence": confidence})
            for key, label, confidence in rows
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small index of two sources."""
    out = tmp_path_factory.mktemp("index") / "paper"
    sources = [str(PAPER / "dblp.jsonl"), str(PAPER / "acl.jsonl")]
    build(out, sources, built="2021-09-07", counts=read_counts(PAPER / "counts.json"))
    return out
