"""Does the noise study draw, write, read back and count as it says?"""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from hallmark.bench.taxonomy import HallucinationType
from hallmark.index import LocalIndex, open_index
from hallmark.index.build import build
from hallmark.study.noise import Case, NoiseStudy, Plan, _checked, noise
from hallmark.study.noise_report import document
from hallmark.verifier import Verifier
from tests.metamorphic.made import records
from tests.metamorphic.worlds import index as built

PLAN = Plan(valid=150, corrupted=140, seed=5)


def _silent(_label: str, _total: int, items: Iterable[Any]) -> Iterable[Any]:
    return items


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    works = records(900, seed=21)
    preprints = [
        structs.replace(one, venue="arXiv", venue_raw="arXiv", venue_id="arxiv", doi=None, arxiv=f"2001.{n:05}")
        for n, one in enumerate(records(90, seed=22))
    ]  # fmt: skip
    beta = [structs.replace(one, collection="beta") for one in works]
    return built(tmp_path_factory.mktemp("noise") / "made", [*works, *preprints], beta)


@pytest.fixture(scope="module")
def studied(opened: LocalIndex) -> NoiseStudy:
    return noise(opened, Verifier(opened), "default", PLAN, _silent)


def test_as_many_are_drawn_as_were_asked_for_and_every_row_adds_up(studied: NoiseStudy) -> None:
    assert (studied.valid.checked, studied.corrupted.checked) == (150, 140)
    rows = (studied.valid, studied.corrupted, *studied.by_kind, *studied.by_style, *studied.by_type)
    assert all(row.checked == row.flagged + row.passed + row.open for row in rows)
    assert sum(row.checked for row in studied.by_style) == 150
    assert sum(row.checked for row in studied.by_type) == 140


def test_sound_entries_pass_and_corrupted_ones_do_not(studied: NoiseStudy) -> None:
    assert studied.valid.passed >= 140
    assert studied.corrupted.passed <= 15
    assert len(studied.false_alarms) == studied.valid.flagged
    assert len(studied.missed) == studied.corrupted.passed


def test_the_types_come_out_even_where_the_index_allows(studied: NoiseStudy) -> None:
    made = {row.name: row.checked for row in studied.by_type}
    assert set(made) <= set(HallucinationType)
    assert "preprint_as_published" not in made  # no list of the index is known to be complete
    assert max(made.values()) - min(made.values()) <= 1
    assert studied.attempts["future_date"] == {"made": made["future_date"]}


def test_the_same_seed_gives_the_same_study_and_another_does_not(
    opened: LocalIndex, studied: NoiseStudy
) -> None:
    again = noise(opened, Verifier(opened), "default", PLAN, _silent)
    other = noise(opened, Verifier(opened), "default", structs.replace(PLAN, seed=6), _silent)
    assert again == studied
    assert other.by_kind != studied.by_kind


def test_a_plan_beyond_the_index_ends_with_what_there_is(tmp_path: Path) -> None:
    small = built(tmp_path / "small", records(30, seed=3))
    found = noise(small, Verifier(small), "default", Plan(100, 100, 1), _silent)
    assert found.valid.checked == 30
    assert found.corrupted.checked == 100
    assert "30 valid entries" in str(document(found)[0].parts[0])


def test_an_entry_that_the_parser_loses_is_left_open_and_the_next_is_read(
    opened: LocalIndex,
) -> None:
    work = next(opened.sample(Random(1)))[0]
    title, people = work.title, " and ".join(work.authors)
    good = f"@article{{b, title={{{title}}}, author={{{people}}}, year={{{work.year}}}}}"
    lost, found = _checked(Verifier(opened), [Case("a", "no entry", ()), Case("b", good, ())])
    assert lost.status == "lost"
    assert found.status in {"verified", "unresolved"}


def test_the_document_shows_every_table(studied: NoiseStudy) -> None:
    titles = [section.title for section in document(studied)]
    assert titles[1:5] == [
        "Valid entries, by kind of noise",
        "Valid entries, by style",
        "Corrupted entries, by type",
        "Attempts to corrupt, by type",
    ]


@pytest.mark.shared_data
@pytest.mark.slow
def test_real_records_are_nearly_never_flagged(shared: Path, tmp_path: Path) -> None:
    sources = [
        str(shared / "data" / "records" / f"{name}.jsonl.gz") for name in ("asreview", "apirec")
    ]
    build(tmp_path / "real", sources, built="2026-01-01")
    index = open_index(tmp_path / "real")
    found = noise(index, Verifier(index), "default", Plan(800, 0), _silent)
    assert found.valid.flagged <= 0.003 * found.valid.checked, found.false_alarms
