from pathlib import Path

import pytest

from hallmark.bench.census import census, published_year, segment
from hallmark.bench.census_text import as_builtins, lines
from hallmark.bench.dataset import load_split
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import gold, write
from tests.bench.rows import gold_row


def test_every_entry_is_counted_once_in_every_group(tmp_path: Path) -> None:
    rows = [
        gold_row("a", fields={"year": "2021", "doi": "10.1/x"}, generation_method="scraped"),
        gold_row("b", fields={"year": "2024"}),
        gold_row(
            "c",
            label="HALLUCINATED",
            hallucination_type="wrong_venue",
            difficulty_tier=2,
            fields={"year": "2040", "doi": " "},
        ),
    ]
    counts = census(load_split(write(tmp_path / "g.jsonl", rows)))
    assert (counts.n, counts.valid, counts.hallucinated) == (3, 2, 1)
    for group in (counts.methods, counts.segments, counts.years, counts.entry_types):
        assert sum(pair.valid + pair.hallucinated for pair in group.values()) == 3
    assert counts.types == {"wrong_venue": 1}
    assert counts.tiers == {"2": 1}
    assert counts.with_doi["all"].share == pytest.approx(1 / 3)
    assert counts.with_doi["HALLUCINATED"].count == 0
    assert "wrong_venue" in "\n".join(lines(counts))
    assert as_builtins(counts)["with_doi"]["VALID"]["share"] == 0.5


def test_the_segments_are_those_of_the_paper() -> None:
    years = [None, 1900, 2022, 2023, 2024, 2025, 2040]
    assert [segment(year) for year in years] == [
        "none", "pre-2023", "pre-2023", "2023-2024", "2023-2024", "2025+", "2025+",
    ]  # fmt: skip


def test_without_a_year_field_the_publication_date_tells() -> None:
    assert published_year(gold("a", publication_date="2024-05-01")) == 2024
    assert published_year(gold("a", publication_date="unknown")) is None
    assert published_year(gold("a", fields={"year": "2021"}, publication_date="2024")) == 2021


@pytest.mark.shared_data
def test_the_development_split_has_the_published_counts(shared: Path) -> None:
    counts = census(load_split(shared / "data" / "hallmark" / "dev_public.jsonl"))
    assert counts.tiers == {"1": 149, "2": 280, "3": 177}
    assert set(counts.types) == {str(kind) for kind in HallucinationType}
    assert counts.methods["scraped"].valid == 486
    assert counts.with_doi["VALID"].share == pytest.approx(241 / 513)
