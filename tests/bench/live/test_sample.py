"""Is the sample of a live study in proportion, the same for a seed, and never replaced?"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.live.sample import by_type, few_of, panel, shared, stratified, valid_only
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
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


def typed(valid: int, each: dict[str, int]) -> list[Entry]:
    good = [Entry(bibtex_key=f"v{n}", label=Label.VALID) for n in range(valid)]
    bad = [
        Entry(
            bibtex_key=f"{kind}-{n}",
            label=Label.HALLUCINATED,
            hallucination_type=HallucinationType(kind),
            difficulty_tier=1,
        )
        for kind, count in each.items()
        for n in range(count)
    ]
    return good + bad


def of_each(entries: Sequence[Entry]) -> Counter[str]:
    return Counter(str(entry.hallucination_type or "valid") for entry in entries)


def test_a_sample_by_type_of_a_hundred_is_the_papers() -> None:
    entries = typed(513, {str(kind): 20 + 3 * at for at, kind in enumerate(TAXONOMY)})
    drawn = of_each(by_type(entries, 100, 42))
    assert drawn.pop("valid") == 30
    assert set(drawn.values()) == {5}
    assert len(drawn) == len(TAXONOMY) == 14
    assert few_of(by_type(entries, 100, 42)) == {}


def test_beyond_five_of_each_types_keep_their_proportions() -> None:
    entries = typed(300, {"fabricated_doi": 300, "future_date": 100, "wrong_venue": 4})
    drawn = of_each(by_type(entries, 120, 1))
    assert drawn == {"valid": 36, "fabricated_doi": 60, "future_date": 20, "wrong_venue": 4}


@given(
    valid=st.integers(0, 30),
    each=st.dictionaries(
        st.sampled_from([str(kind) for kind in TAXONOMY]), st.integers(1, 30), max_size=14
    ),
    share=st.floats(0, 1),
    seed=st.integers(0, 9),
)
def test_a_sample_by_type_has_its_size_and_is_even_before_it_is_proportional(
    valid: int, each: dict[str, int], share: float, seed: int
) -> None:
    entries = typed(valid, each)
    size = round(share * len(entries))
    drawn = by_type(entries, size, seed)
    assert len(drawn) == (size or len(entries))
    assert list(drawn) == [entry for entry in entries if entry in drawn]
    counts = of_each(drawn)
    least = min((counts[kind] for kind in each if counts[kind] < each[kind]), default=5)
    assert all(counts[kind] <= max(least + 1, 5) or least >= 5 for kind in each)
    assert set(few_of(drawn)) == {str(kind) for kind in TAXONOMY if counts[str(kind)] < 5}


def test_where_one_label_is_rare_the_other_fills_the_sample() -> None:
    assert of_each(by_type(typed(2, {"wrong_venue": 50}), 20, 1)) == {"valid": 2, "wrong_venue": 18}
    assert of_each(by_type(typed(50, {"wrong_venue": 3}), 20, 1)) == {"valid": 17, "wrong_venue": 3}


def test_only_valid_entries_are_drawn_where_only_they_count() -> None:
    entries = made(5, (3, 3, 2))
    assert {entry.label for entry in valid_only(entries, 0, 1)} == {Label.VALID}
    assert len(valid_only(entries, 3, 1)) == 3
    with pytest.raises(InputError, match="--sample is 6, and the split has 5"):
        valid_only(entries, 6, 1)
    with pytest.raises(InputError, match="no valid entry"):
        valid_only(made(0, (2,)), 0, 1)


def test_a_sample_of_an_earlier_study_is_shared_where_it_is_of_the_same_split(
    tmp_path: Path,
) -> None:
    split, path = load_split(GOLD), tmp_path / "sample.jsonl"
    written = panel(split, stratified(split.entries, 6, 1), path, write=True)
    assert shared(split, path).sha256 == written.sha256
    other = Split("other", GOLD, "", split.entries[:2])
    with pytest.raises(InputError, match="holds entries that"):
        shared(other, path)
