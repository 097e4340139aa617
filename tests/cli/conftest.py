from pathlib import Path

import pytest

from hallmark.index.build import build
from hallmark.index.counts import read_counts

PAPER = Path(__file__).parent.parent / "fixtures" / "paper"


@pytest.fixture(scope="session")
def paper_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the works that examples/paper.bib cites."""
    out = tmp_path_factory.mktemp("index") / "paper"
    sources = [str(PAPER / "dblp.jsonl"), str(PAPER / "acl.jsonl")]
    build(out, sources, built="2021-09-07", counts=read_counts(PAPER / "counts.json"))
    return out
