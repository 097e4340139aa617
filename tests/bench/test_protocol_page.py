"""Does the page on the protocol name everything that is computed?"""

from pathlib import Path

import pytest

from hallmark.bench.align import MISSING, Stance
from hallmark.bench.entry import Label
from hallmark.bench.measures import MEASURES

PAGE = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MEASURES.names())
def test_every_measure_stands_in_the_table(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("word", [*Label, *Stance, *MISSING])
def test_every_label_stance_and_rule_is_explained(word: str) -> None:
    assert word in PAGE
