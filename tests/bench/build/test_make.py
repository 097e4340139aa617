"""Is a plan filled to the number, with entries that are false where they are said to be?"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.build.make import Made, Maker
from hallmark.bench.build.plan import NEEDS_DOI, Plan, SplitPlan
from hallmark.bench.build.preprints import WithPreprints
from hallmark.bench.build.sample import rules_of, sampled, widest
from hallmark.bench.build.split import crossing
from hallmark.bench.entry import Label
from hallmark.bench.perturb.compound import types_of
from hallmark.bench.perturb.screening import true_record
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.bench.validate import flaws_of
from hallmark.errors import InputError
from hallmark.text import titles
from tests.bench.build.little import GROUPS, POOL, TYPES, WORKS, plan

KNOWING = WithPreprints(POOL)


def _make(asked: Plan, groups: object = GROUPS, seed: int = 1) -> Made:
    rules = rules_of(asked, POOL.venues)
    works = sampled(groups, widest(rules.values()), Counter())  # type: ignore[arg-type]
    return Maker(asked, KNOWING, Random(seed), rules).make(works)


@pytest.fixture(scope="module")
def made() -> Made:
    return _make(plan())


def test_every_split_holds_what_the_plan_asks_for(made: Made) -> None:
    for name, split in plan().splits.items():
        types = Counter(entry.hallucination_type for entry in made.splits[name])
        assert types.pop(None) == split.valid
        assert types == split.counts()


def test_no_work_is_in_two_splits_and_no_title_stands_twice(made: Made) -> None:
    assert crossing(made.splits) == {}
    every = [entry for entries in made.splits.values() for entry in entries]
    shown = [titles.key(entry.fields["title"]) for entry in every]
    assert len(set(shown)) == len(shown)


def test_what_is_made_is_false_and_what_is_valid_says_what_its_record_says(made: Made) -> None:
    for entries in made.splits.values():
        for entry in entries:
            if entry.label is Label.HALLUCINATED:
                assert true_record(entry, KNOWING) is None
            else:
                assert POOL.titled(entry.extra["works"][0])
                assert entry.extra["changed_fields"] == []


def test_years_and_entry_types_are_the_plans_but_for_future_dates(made: Made) -> None:
    for entry in made.splits["dev"]:
        assert entry.bibtex_type in plan().kinds
        if entry.hallucination_type is HallucinationType.FUTURE_DATE:
            assert int(entry.fields["year"]) > 2026
        else:
            assert 2013 - 1 <= int(entry.fields["year"]) <= 2024


def test_no_more_entries_lack_a_doi_than_the_plan_allows(made: Made) -> None:
    for name, split in plan().splits.items():
        for label, n in ((Label.VALID, split.valid), (Label.HALLUCINATED, split.hallucinated)):
            bare = [
                e for e in made.splits[name] if e.label is label and "doi" not in e.fields
            ]  # fmt: skip
            assert len(bare) <= round(plan().without_doi * n)
            assert not any(entry.hallucination_type in NEEDS_DOI for entry in bare)


def test_attempts_are_counted_by_what_came_of_them(made: Made) -> None:
    assert set(made.attempts) == set(HallucinationType)
    for kind, n in TYPES.items():
        assert made.attempts[kind]["made"] == 2 * n


def test_a_plan_that_asks_for_more_than_there_is_says_of_what() -> None:
    greedy = plan(splits={"dev": SplitPlan(valid=10_000)})
    with pytest.raises(InputError, match=r"split 'dev': \d+ more valid entries"):
        _make(greedy)
    scarce = plan(splits={"dev": SplitPlan(valid=0, types={TYPE: 50})})
    with pytest.raises(InputError, match=f"more {TYPE}"):
        _make(scarce)


TYPE = HallucinationType.PREPRINT_AS_PUBLISHED


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_the_same_dice_make_the_same_entries(seed: int) -> None:
    small = plan(splits={"dev": SplitPlan(valid=4, tiers=(4, 3, 0))})
    assert _make(small, seed=seed) == _make(small, seed=seed)


def test_splits_by_years_and_kinds_hold_works_of_these_alone() -> None:
    types = {kind: 1 for kind in HallucinationType if not kind.info.preprint}
    asked = plan(
        splits={
            "early": SplitPlan(valid=15, types=types, years=(2013, 2018)),
            "late": SplitPlan(valid=15, types=types, years=(2019, 2024)),
            "journals": SplitPlan(valid=5, kinds=("article",)),
        }
    )
    made = _make(asked).splits
    for name, split in asked.splits.items():
        assert len(made[name]) == split.valid + split.hallucinated
        first, last = asked.years_of(name)
        for entry in made[name]:
            assert entry.bibtex_type in asked.kinds_of(name)
            if entry.hallucination_type is not HallucinationType.FUTURE_DATE:
                assert first <= int(entry.fields["year"]) <= last


def test_a_split_of_venues_holds_works_of_these_alone() -> None:
    venue = next(one.venue_id for one in WORKS if one.venue_id and not one.preprint)
    asked = plan(splits={"one": SplitPlan(valid=3, venues=(venue,)), "all": SplitPlan(valid=3)})
    for entry in _make(asked).splits["one"]:
        assert POOL.titled(entry.extra["works"][0])[0].venue_id == venue


def test_compound_faults_are_of_the_higher_tier_and_name_both() -> None:
    asked = plan(
        splits={"dev": SplitPlan(valid=30, compound=25, types={HallucinationType.WRONG_VENUE: 5})}
    )
    (entries,) = _make(asked).splits.values()
    both = [entry for entry in entries if "compound_types" in entry.extra]
    assert len(both) == 25
    assert len(entries) == 60
    for entry in both:
        assert entry.hallucination_type is not None
        tiers = {TAXONOMY[one].tier for one in types_of(entry)}
        assert len(types_of(entry)) == 2
        assert TAXONOMY[entry.hallucination_type].tier is max(tiers)
        assert entry.difficulty_tier == int(max(tiers))
        assert true_record(entry, KNOWING) is None
    keyed = [structs.replace(entry, bibtex_key=f"k{n}") for n, entry in enumerate(entries)]
    assert not [flaw for flaw in flaws_of(keyed) if not flaw.warning]
    assert len({one for entry in both for one in types_of(entry)}) >= 5


def test_shares_of_fields_and_kinds_are_kept_by_both_labels() -> None:
    asked = plan(
        fields={"language": 0.4, "vision": 0.2},
        kind_shares={"article": 0.25},
        splits={"dev": SplitPlan(valid=40, types=dict.fromkeys(TYPES, 2))},
    )
    (entries,) = _make(asked).splits.values()
    for label, n in ((Label.VALID, 40), (Label.HALLUCINATED, 28)):
        of_label = [entry for entry in entries if entry.label is label]
        found = Counter(entry.extra["field"] for entry in of_label)
        assert (found["language"], found["vision"]) == (
            round(0.4 * n),
            round(0.6 * n) - round(0.4 * n),
        )
        assert sum(entry.bibtex_type == "article" for entry in of_label) == round(0.25 * n)


def test_shares_that_cannot_be_had_are_told() -> None:
    asked = plan(fields={"psychology": 0.5}, splits={"dev": SplitPlan(valid=10)})
    with pytest.raises(InputError, match="5 valid of psychology"):
        _make(asked)
