"""Does every perturbation do exactly what it says, and nothing else?"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.drafts import changed_fields, entry_of
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Perturbed, load_all
from hallmark.bench.perturb.pool import ListPool
from hallmark.bench.perturb.screening import Fate, attempt, true_record
from hallmark.bench.taxonomy import SUBTESTS, TAXONOMY, HallucinationType
from hallmark.records.work import Version
from hallmark.text import titles
from tests.metamorphic.made import records

NAMES = load_all().names()
PREPRINTS = [
    structs.replace(
        one,
        title=f"{one.title} on arXiv",
        venue="arXiv",
        venue_raw="arXiv",
        venue_id="arxiv",
        preprint=True,
        arxiv=f"2001.{number:05}",
    )
    for number, one in enumerate(records(40, seed=3))
]
POOL = ListPool([*records(400, seed=2), *PREPRINTS])
HOSTILE = [
    Version(collection="x", title=""),
    Version(collection="x", title="Introduction"),
    Version(collection="x", title="深度学习", authors=("张三", "李四"), year=2020),
    Version(collection="x", title="$", authors=("{",), venue="}", year=0),
    Version(
        collection="x", title="Huge", authors=tuple(f"Ada B{n}" for n in range(500)), venue="ICML"
    ),
    Version(collection="x", title="a " * 900, authors=("and and and",), year=99999, doi="10.1/"),
]
levels = st.builds(Knobs, st.sampled_from(Level), st.sampled_from(Level))
seeds = st.integers(0, 2**32)
drawn = st.sampled_from([*records(60, seed=2), *PREPRINTS])


def _entry(version: Version) -> Entry:
    return entry_of(version, "key")


def test_there_is_one_perturbation_for_each_type() -> None:
    assert sorted(NAMES) == sorted(HallucinationType)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(version=drawn, seed=seeds, knobs=levels)
def test_exactly_the_fields_named_differ_and_all_of_them_may(
    name: str, version: Version, seed: int, knobs: Knobs
) -> None:
    perturbation, entry = load_all().get(name), _entry(version)
    before = dict(entry.fields)
    made = perturbation.apply(entry, POOL, Random(seed), knobs)
    assert entry.fields == before
    if isinstance(made, Perturbed):
        assert made.changed_fields == changed_fields(entry, made.entry)
        assert set(made.changed_fields) <= perturbation.may_change


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(version=drawn, seed=seeds, knobs=levels)
def test_the_signature_of_table_1_holds(
    name: str, version: Version, seed: int, knobs: Knobs
) -> None:
    made = load_all().get(name).apply(_entry(version), POOL, Random(seed), knobs)
    if isinstance(made, Inapplicable):
        return
    expected = TAXONOMY[HallucinationType(name)]
    entry = made.entry
    assert (entry.label, entry.hallucination_type) == (Label.HALLUCINATED, name)
    assert entry.difficulty_tier == expected.tier
    assert set(entry.subtests) == set(SUBTESTS)
    for subtest, passes in expected.signature.items():
        if subtest == "doi_resolves" and "doi" not in entry.fields:
            assert entry.subtests[subtest] is None
        elif passes is not None:
            assert entry.subtests[subtest] is passes


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(version=drawn, seed=seeds, knobs=levels)
def test_the_same_seed_gives_the_same_entry(
    name: str, version: Version, seed: int, knobs: Knobs
) -> None:
    apply = load_all().get(name).apply
    one, other = (apply(_entry(version), POOL, Random(seed), knobs) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(version=drawn, seed=seeds, knobs=levels)
def test_what_is_made_is_false_and_names_its_works(
    name: str, version: Version, seed: int, knobs: Knobs
) -> None:
    tried = attempt(load_all().get(name), _entry(version), POOL, Random(seed), knobs)
    if tried.perturbed is None:
        assert tried.fate is not Fate.MADE
        assert tried.reason
        return
    assert true_record(tried.perturbed.entry, POOL) is None
    assert tried.perturbed.source_keys[0] == titles.key(version.title)
    assert all(POOL.titled(key) for key in tried.perturbed.source_keys)


@pytest.mark.parametrize("name", NAMES)
def test_every_type_can_be_made_of_ordinary_records(name: str) -> None:
    entries = [_entry(version) for version in [*records(60, seed=2), *PREPRINTS]]
    tried = [attempt(load_all().get(name), one, POOL, Random(7)) for one in entries]
    assert sum(one.fate is Fate.MADE for one in tried) >= 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("version", HOSTILE, ids=lambda one: repr(one.title[:8]))
def test_hostile_records_are_skipped_with_a_reason_or_perturbed(
    name: str, version: Version
) -> None:
    for level in Level:
        knobs = Knobs(level, level)
        tried = attempt(load_all().get(name), _entry(version), POOL, Random(1), knobs)
        assert (tried.perturbed is None) == (tried.fate is not Fate.MADE)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_pool_ends_no_perturbation_in_an_error(name: str) -> None:
    tried = attempt(load_all().get(name), _entry(records(1, seed=5)[0]), ListPool(()), Random(1))
    assert tried.fate in Fate
