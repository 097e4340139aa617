"""Do raters rate the two pools, and is their truth written in the released layout?"""

from pathlib import Path

import pytest

from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.live.raters import gold, pool_of, sample
from hallmark.bench.studies.raters import POOLS
from hallmark.errors import InputError

WRONG, RIGHT = POOLS


def made(label: Label, method: str | None, n: int = 1) -> list[Entry]:
    return [
        Entry(bibtex_key=f"{label}-{method}-{i}", label=label, generation_method=method)
        for i in range(n)
    ]


@pytest.mark.parametrize(
    ("label", "method", "pool"),
    [
        (Label.HALLUCINATED, "real_world", WRONG),
        (Label.HALLUCINATED, "perturbation", None),
        (Label.HALLUCINATED, None, None),
        (Label.VALID, "llm_generated", RIGHT),
        (Label.VALID, "perturbation", RIGHT),
        (Label.VALID, "scraped", None),
        (Label.VALID, None, None),
    ],
)
def test_a_pool_follows_from_label_and_method(
    label: Label, method: str | None, pool: str | None
) -> None:
    assert pool_of(made(label, method)[0]) == pool


def test_a_sample_keeps_the_proportion_of_the_pools() -> None:
    entries = [
        *made(Label.HALLUCINATED, "real_world", 30),
        *made(Label.VALID, "llm_generated", 15),
        *made(Label.VALID, "scraped", 100),
    ]
    drawn = sample(entries, 15, 1)
    assert [pool_of(entry) for entry in drawn].count(WRONG) == 10
    assert len(sample(entries, 0, 1)) == 45
    with pytest.raises(InputError, match="--sample is 46"):
        sample(entries, 46, 1)


def test_a_split_without_such_entries_says_what_they_are() -> None:
    with pytest.raises(InputError, match="generation method real_world"):
        sample(made(Label.VALID, "scraped", 3), 0, 1)


def test_the_truth_names_label_and_pool() -> None:
    entries = tuple(made(Label.HALLUCINATED, "real_world"))
    split = Split(name="s", path=Path("s.jsonl"), sha256="", entries=entries)
    (row,) = gold(split)
    assert row["bibtex_key"] == entries[0].bibtex_key
    assert (row["gold_label"], row["pool"], row["split"]) == ("HALLUCINATED", WRONG, "s")
