"""Does an index of which a part is hidden answer as one that never held it?"""

from pathlib import Path

import pytest

from hallmark.bench.dataset import load_split
from hallmark.index import LocalIndex, open_index
from hallmark.judge.policy import DEFAULT
from hallmark.records.verdict import Verdict
from hallmark.records.work import Version
from hallmark.study.judged import judge_all
from hallmark.study.reduced import (
    Census,
    ReducedIndex,
    Reduction,
    records,
    take_census,
    title_hash,
)
from hallmark.text import titles
from hallmark.verifier import Verifier
from tests.study import little
from tests.verifier.library import record


@pytest.fixture(scope="module")
def census(little_index: Path) -> Census:
    return take_census(little_index)


def verdicts(index: LocalIndex, gold: Path) -> list[tuple[str, Verdict]]:
    judged = judge_all(
        load_split(gold).entries, Verifier(index, policy=DEFAULT, today=little.TODAY)
    )
    return [(one.entry.bibtex_key, one.result.verdict) for one in judged]


def test_every_record_is_read_once(little_index: Path) -> None:
    found = [(one.collection, one.title) for one in records(little_index)]
    held = [(name, row["title"]) for name, rows in little.collections().items() for row in rows]
    assert sorted(found) == sorted(held)


def test_hiding_nothing_changes_nothing(little_index: Path, little_gold: Path) -> None:
    whole = verdicts(open_index(little_index), little_gold)
    assert verdicts(ReducedIndex(little_index, Reduction(name="none")), little_gold) == whole


@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_one_collection_only_answers_as_an_index_built_from_it(
    tmp_path: Path, little_index: Path, little_gold: Path, census: Census, name: str
) -> None:
    alone = open_index(little.built(tmp_path, {name: little.collections()[name]}))
    reduced = ReducedIndex(little_index, Reduction(name=name, only=frozenset({name})), census)
    assert verdicts(reduced, little_gold) == verdicts(alone, little_gold)
    for venue in alone.coverage_venues():
        assert reduced.coverage_years(venue) == alone.coverage_years(venue)
    assert reduced.coverage_venues() == alone.coverage_venues()


def test_a_share_of_works_answers_as_an_index_built_from_it(
    tmp_path: Path, little_index: Path, little_gold: Path, census: Census
) -> None:
    reduction = Reduction(name="half", share=0.5, seed=3)
    reduced = ReducedIndex(little_index, reduction, census)
    held = {
        name: [row for row in rows if reduction.keeps_work(work(row["title"]))]
        for name, rows in little.collections().items()
    }
    total = sum(map(len, little.collections().values()))
    assert 0.3 * total < sum(map(len, held.values())) < 0.7 * total
    built = open_index(little.built(tmp_path, held))
    assert verdicts(reduced, little_gold) == verdicts(built, little_gold)
    assert reduced.coverage_venues() == built.coverage_venues()


def work(title: str) -> int:
    return title_hash(Version(collection="any", title=title))


def test_half_of_a_complete_list_is_not_complete(little_index: Path, census: Census) -> None:
    whole = open_index(little_index).coverage("icml", 2021)
    half = ReducedIndex(little_index, Reduction(name="h", share=0.5, seed=1), census)
    left = half.coverage("icml", 2021)
    assert whole is not None
    assert left is not None
    assert (whole.complete, left.complete) == (True, False)
    assert left.held < whole.held == left.expected


def test_all_records_of_a_work_vanish_together(little_index: Path, census: Census) -> None:
    half = ReducedIndex(little_index, Reduction(name="h", share=0.5, seed=1), census)
    for row in little.ICML:
        found = half.by_title_key(titles.key(row["title"]))
        assert {one.collection for one in found} in (set(), {"alpha", "beta"})


def test_records_that_share_an_identifier_are_one_work_whatever_their_titles(
    tmp_path: Path,
) -> None:
    rows = [
        record("A first title of it", "Ada Vole", "ICML", 2021, doi="10.1000/one"),
        record("Quite another name", "Ada Vole", "ICML", 2021, doi="10.1000/one"),
        record("Something else again", "Ben Elk", "ICML", 2021, doi="10.1000/two"),
    ]
    joined = take_census(little.built(tmp_path, {"alpha": rows})).works
    first, second, third = (work(str(row["title"])) for row in rows)
    assert joined.get(first, first) == joined.get(second, second)
    assert joined.get(third, third) == third


def test_another_seed_draws_other_works() -> None:
    one, other = (Reduction(name="h", share=0.5, seed=seed) for seed in (1, 2))
    works = range(1000)
    assert [one.keeps_work(n) for n in works] != [other.keeps_work(n) for n in works]
    assert 400 < sum(one.keeps_work(n) for n in works) < 600


def test_without_completeness_no_list_is_complete_and_records_stay(little_index: Path) -> None:
    reduced = ReducedIndex(little_index, Reduction(name="open", complete=False, editions=False))
    row = reduced.coverage("icml", 2021)
    assert row is not None
    assert not row.complete
    assert row.held == little.COUNT
    not_held = reduced.coverage("eccv", 2021)
    assert not_held is None or not not_held.not_held


def test_without_near_search_a_misspelt_title_is_not_found(little_index: Path) -> None:
    title = f"{little.ICML[0]['title']} again"
    assert open_index(little_index).search(title)
    blind = ReducedIndex(little_index, Reduction(name="n", near=False))
    assert not blind._searcher.near(title)
