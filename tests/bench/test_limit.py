"""Does a run over a part of a split tell which part, and is it measured over no other?"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.dataset import BlindSplit, Split, load_split
from hallmark.bench.entry import Label
from hallmark.bench.limit import asked, limited
from hallmark.errors import InputError
from tests.bench.made import gold, gold_row, write

ENTRIES = tuple(gold(f"k{n:02}") for n in range(40))
SPLIT = Split("some", Path("some.jsonl"), "0" * 64, ENTRIES)


def keys(split: Split | BlindSplit) -> list[str]:
    return [entry.bibtex_key for entry in split.entries]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 9))
def test_a_larger_limit_only_adds_entries(one: int, two: int, seed: int) -> None:
    fewer, more = sorted((one, two))
    small, large = keys(limited(SPLIT, fewer, seed)), keys(limited(SPLIT, more, seed))
    assert len(small) == fewer
    assert set(small) <= set(large)
    assert small == [key for key in keys(SPLIT) if key in set(small)]


def test_the_draw_depends_on_the_seed_and_not_on_the_order_or_the_labels() -> None:
    drawn = set(keys(limited(SPLIT, 10, 42)))
    assert drawn != set(keys(limited(SPLIT, 10, 43)))
    assert drawn != {f"k{n:02}" for n in range(10)}
    backwards = Split("some", SPLIT.path, SPLIT.sha256, ENTRIES[::-1])
    assert set(keys(limited(backwards, 10, 42))) == drawn
    blind = BlindSplit("some", SPLIT.path, "1" * 64, tuple(one.blind() for one in ENTRIES))
    assert set(keys(limited(blind, 10, 42))) == drawn


def test_a_limit_beyond_the_split_is_all_of_it_and_one_below_1_is_refused() -> None:
    assert limited(SPLIT, 1000, 42).entries == ENTRIES
    with pytest.raises(InputError, match="--limit is 0; give a number of entries from 1 on"):
        limited(SPLIT, 0, 42)


def test_without_a_manifest_a_prediction_file_speaks_of_the_whole_split(tmp_path: Path) -> None:
    split = load_split(write(tmp_path / "gold.jsonl", [gold_row("a"), gold_row("b")]))
    rows = write(tmp_path / "tool.jsonl", [{"bibtex_key": "a", "label": Label.VALID.value}])
    assert asked(split, rows) is split
    (tmp_path / "tool.jsonl.manifest.json").write_text("[]", encoding="utf-8")
    assert asked(split, rows) is split
