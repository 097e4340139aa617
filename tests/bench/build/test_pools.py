"""Pools: entries made elsewhere take places of their types, without a leak and without a twin."""

from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from hallmark.bench.build.origins.entries import finished
from hallmark.bench.build.plan import PoolPlan, problems_of
from hallmark.bench.build.pools import Pooled, prepared, read_pools, unfit
from hallmark.bench.build.release import build
from hallmark.bench.entry import Entry, Label, write_jsonl
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from tests.bench.build.little import GROUPS, POOL, plan, preprints

KIND = HallucinationType.PLAUSIBLE_FABRICATION
METHOD = "llm_generated"


def invented(number: int, **fields: str) -> Entry:
    basis = entry_of(GROUPS[number][0], "")
    said = {**basis.fields, "title": f"Spinning Glass Proofs of Sort {number}", **fields}
    entry = structs.replace(basis, fields={name: text for name, text in said.items() if text})
    return finished(
        entry, KIND, method=METHOD, source="a model", explanation="Invented", date="2026-12-02"
    )


def pooled(*entries: Entry) -> list[Pooled]:
    return [Pooled(entry, "models.jsonl") for entry in entries]


def test_pool_entries_take_places_of_their_type_and_numbers_stay_the_plans() -> None:
    asked = plan(pools=(PoolPlan("models.jsonl", METHOD),))
    given = pooled(*(invented(number) for number in range(4)))
    content = build(asked, GROUPS, POOL, preprints(20, seed=9), pooled=given)
    for name, split in asked.splits.items():
        found = [one for one in content.splits[name] if one.hallucination_type is KIND]
        assert len(found) == split.counts()[KIND]
    every = [one for entries in content.splits.values() for one in entries]
    taken = [one for one in every if one.generation_method == METHOD]
    assert len(taken) == content.tallies["pools"]["models.jsonl"]["made"] > 0
    assert all("doi" not in one.fields for one in taken)


def test_a_pool_is_built_alike_twice() -> None:
    asked = plan(pools=(PoolPlan("models.jsonl", METHOD),))
    given = pooled(*(invented(number) for number in range(4)))
    one, other = (build(asked, GROUPS, POOL, preprints(20, seed=9), pooled=given) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"author": "A. Lovelace and C. Babbage"}, "initials"),
        ({"booktitle": "", "journal": ""}, "venue"),
        ({"author": ""}, "authors"),
    ],
)
def test_what_would_show_by_form_is_passed_over(fields: dict[str, str], reason: str) -> None:
    assert reason in unfit(invented(0, **fields), POOL)


def test_an_entry_that_a_record_states_is_no_false_one_and_a_valid_one_needs_a_record() -> None:
    true = entry_of(GROUPS[0][0], "k")
    false = structs.replace(true, label=Label.HALLUCINATED, hallucination_type=KIND)
    assert unfit(false, POOL) == "accidentally true"
    assert unfit(true, POOL) == ""
    assert unfit(structs.replace(invented(0), label=Label.VALID, hallucination_type=None), POOL)


def test_fields_that_no_other_entry_has_are_dropped() -> None:
    entry = prepared(invented(0, pages="1--2", volume="3", note="x"), POOL, Random(1))
    assert entry.fields.keys() <= {"title", "author", "booktitle", "journal", "year"}


def test_a_pool_of_another_method_is_refused(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "models.jsonl", [invented(0)])
    asked = plan(pools=(PoolPlan("models.jsonl", "real_world"),))
    with pytest.raises(InputError, match="llm_generated"):
        read_pools(asked, tmp_path)
    asked = plan(pools=(PoolPlan("models.jsonl", METHOD),))
    assert len(read_pools(asked, tmp_path)) == 1


def test_a_file_named_twice_is_a_fault_of_the_plan() -> None:
    twice = plan(pools=(PoolPlan("a.jsonl", METHOD), PoolPlan("a.jsonl", METHOD)))
    assert any("twice" in text for text in problems_of(twice))
