"""Is the sample of a live study in proportion, the same for a seed, and never replaced?"""

from collections import Counter
from pathlib import Path

import pytest

from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.live.sample import panel, stratified
from hallmark.errors import InputError

GOLD = Path(__file__).parents[3] / "examples" / "bench" / "gold.jsonl"


def made(valid: int, tiers: tuple[int, ...]) -> list[Entry]:
    good = [Entry(bibtex_key=f"v{n}", label=Label.VALID) for n in range(valid)]
    bad = [
        Entry(bibtex_key=f"h{tier}-{n}", label=Label.HALLUCINATED, difficulty_tier=tier)
        for tier, count in enumerate(tiers, 1)
        for n in range(count)
    ]
    return good + bad


def test_strata_keep_their_shares() -> None:
    drawn = stratified(made(50, (20, 20, 10)), 20, 1)
    counts = Counter((entry.label, entry.difficulty_tier) for entry in drawn)
    assert counts == {
        (Label.VALID, None): 10,
        (Label.HALLUCINATED, 1): 4,
        (Label.HALLUCINATED, 2): 4,
        (Label.HALLUCINATED, 3): 2,
    }


@pytest.mark.parametrize("size", range(14))
def test_a_sample_has_exactly_the_size_that_was_asked_for(size: int) -> None:
    entries = made(5, (3, 3, 2))
    assert len(stratified(entries, size, 7)) == (size or 13)


def test_a_sample_depends_on_the_seed_and_not_on_the_order_of_the_file() -> None:
    entries = made(40, (20, 20, 20))
    one = {entry.bibtex_key for entry in stratified(entries, 30, 1)}
    assert one == {entry.bibtex_key for entry in stratified(entries[::-1], 30, 1)}
    assert one != {entry.bibtex_key for entry in stratified(entries, 30, 2)}


def test_more_than_there_is_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="--sample is 14, and the split has 13"):
        stratified(made(5, (3, 3, 2)), 14, 1)
    with pytest.raises(InputError, match="--sample is -1"):
        stratified(made(5, (3, 3, 2)), -1, 1)


def test_another_sample_of_the_same_name_is_never_written_over(tmp_path: Path) -> None:
    split, path = load_split(GOLD), tmp_path / "sample.jsonl"
    first = panel(split, stratified(split.entries, 6, 1), path, write=True)
    before = path.read_bytes()
    with pytest.raises(InputError, match="holds other entries than this sample"):
        panel(split, stratified(split.entries, 7, 1), path, write=True)
    assert path.read_bytes() == before
    again = panel(split, stratified(split.entries, 6, 1), path, write=True)
    assert isinstance(again, Split)
    assert again.sha256 == first.sha256


def test_nothing_is_written_where_nothing_may_be(tmp_path: Path) -> None:
    split = load_split(GOLD)
    found = panel(split, split.entries[:3], tmp_path / "deep" / "sample.jsonl", write=False)
    assert found.entries == split.entries[:3]
    assert list(tmp_path.iterdir()) == []
