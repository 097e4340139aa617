"""Is an entry written alike whatever its label, and never so that its fault is undone?"""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.build.dress import ORDER, canonical, claimed, dressed, without
from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.perturb.interface import AS_THE_PAPER, Inapplicable, load_all
from hallmark.bench.perturb.screening import true_record
from tests.bench.build.little import POOL, WORKS
from tests.bench.made import gold

TABLE = POOL.venues
seeds = st.integers(0, 2**32)
works = st.sampled_from(WORKS)


def test_fields_have_one_order_and_white_space_and_no_url() -> None:
    entry = gold(
        "k", fields={"note": "n", "year": "2020", "url": "https://x.org", "title": " A \n  title "}
    )
    assert list(canonical(entry).fields.items()) == [
        ("title", "A title"),
        ("year", "2020"),
        ("note", "n"),
    ]


def test_a_doi_in_the_url_moves_to_its_own_field() -> None:
    entry = gold("k", fields={"title": "A", "url": "https://doi.org/10.5555/a"})
    assert canonical(entry).fields["doi"] == "https://doi.org/10.5555/a"


@given(version=works, seed=seeds)
def test_canonical_form_is_reached_at_once(version: object, seed: int) -> None:
    entry = entry_of(version, "k")  # type: ignore[arg-type]
    noised = dressed(entry, (), TABLE, Random(seed), 1.0).entry
    assert canonical(noised) == noised
    known = [name for name in noised.fields if name in ORDER]
    assert known == sorted(known, key=ORDER.index)
    assert {"title", "author", "year"} <= noised.fields.keys()


@given(version=works, kind=st.sampled_from(load_all().names()), seed=seeds)
def test_no_style_makes_a_false_entry_true(version: object, kind: str, seed: int) -> None:
    entry = entry_of(version, "k")  # type: ignore[arg-type]
    made = load_all().get(kind).apply(entry, POOL, Random(seed), AS_THE_PAPER)
    if isinstance(made, Inapplicable) or true_record(made.entry, POOL) is not None:
        return
    noised = dressed(made.entry, made.changed_fields, TABLE, Random(seed), 1.0).entry
    assert true_record(noised, POOL) is None
    assert noised.label is made.entry.label


def test_the_style_follows_from_what_an_entry_claims_not_from_its_record() -> None:
    entry = structs.replace(entry_of(WORKS[0], "k"), fields={"title": "T", "booktitle": "ICML"})
    assert claimed(entry, TABLE).venue_id == "icml"
    assert claimed(entry, TABLE).year is None


def test_with_no_share_of_styles_nothing_but_capitals_changes() -> None:
    entry = gold("k", fields={"title": "a study of the sea", "author": "Ada Lovelace"})
    plain = dressed(entry, (), TABLE, Random(1), 0.0)
    assert plain.kinds == ()
    assert plain.entry.fields == {"title": "A Study of the Sea", "author": "Ada Lovelace"}


def test_without_a_doi_its_sub_test_does_not_apply() -> None:
    entry: Entry = gold("k", fields={"doi": "10.1/a"}, subtests={"doi_resolves": True})
    assert without(entry, "doi").subtests == {"doi_resolves": None}
    assert without(entry, "doi").fields == {}
    assert without(entry, "note") == entry
