"""Is a record taken only where enough collections agree on it?"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.build.plan import SplitPlan
from hallmark.bench.build.sample import (
    Drawn,
    Refused,
    Rules,
    admit,
    agree,
    fits,
    rules_of,
    sampled,
    widest,
)
from hallmark.errors import InputError
from hallmark.records.work import Quality, Version
from hallmark.text.venues import VenueTable
from tests.bench.build.little import WORKS, plan

ONE = Version(
    collection="alpha",
    title="A Study of Many Things",
    authors=("Ada B. Lovelace", "Kurt Gödel"),
    venue="ICML",
    venue_raw="ICML",
    venue_id="icml",
    year=2019,
    doi="10.5555/a.1",
)
OTHER = structs.replace(ONE, collection="beta", authors=("Ada Lovelace", "Kurt Godel"), doi=None)
RULES = Rules(attested=2, years=(2010, 2020), kinds=frozenset({"inproceedings"}))


def test_two_collections_that_agree_attest_a_record() -> None:
    found = admit((OTHER, ONE), RULES)
    assert isinstance(found, Drawn)
    assert found.attested_by == ("alpha", "beta")
    assert found.record is ONE, "the record with a DOI is taken"
    assert found.others == (OTHER,)


@pytest.mark.parametrize(
    "change",
    [
        {"authors": ("Ada Lovelace",)},
        {"authors": ("Kurt Gödel", "Ada Lovelace")},
        {"authors_truncated": True},
        {"venue_id": "neurips"},
        {"year": 2018},
        {"title": "A Study of Many Thing-s"},
    ],
)
def test_a_record_that_differs_attests_nothing(change: dict[str, object]) -> None:
    other = structs.replace(OTHER, **change)
    assert not agree(ONE, other)
    assert admit((ONE, other), RULES) == Refused("attested by too few collections")


def test_the_same_collection_twice_is_one_witness() -> None:
    again = structs.replace(ONE, origin="elsewhere")
    assert isinstance(admit((ONE, again), RULES), Refused)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"year": 2021}, "its year is outside the plan"),
        ({"year": None}, "its year is outside the plan"),
        ({"venue_id": None}, "its venue is not known"),
        ({"kind": "book"}, "its kind is outside the plan"),
        ({"retracted": True}, "not of a curated source, or retracted"),
        ({"quality": Quality.PERSONAL}, "not of a curated source, or retracted"),
        ({"title": "Introduction"}, "its title is too short"),
        ({"authors": ()}, "its authors or title are broken or cut"),
        ({"authors": ("Ada {[",)}, "its authors or title are broken or cut"),
    ],
)
def test_what_is_not_taken_is_counted_by_reason(change: dict[str, object], reason: str) -> None:
    counts = Counter[str]()
    rules = structs.replace(RULES, attested=1)
    drawn = list(sampled([[structs.replace(ONE, **change)], [ONE]], rules, counts))
    assert [one.record for one in drawn] == [ONE]
    assert counts == {reason: 1}


def test_the_published_record_goes_before_the_preprint() -> None:
    preprint = structs.replace(ONE, venue_id="arxiv", preprint=True, arxiv="1901.00001")
    found = admit((preprint, ONE), structs.replace(RULES, attested=1))
    assert isinstance(found, Drawn)
    assert found.record is ONE
    assert isinstance(admit((preprint,), RULES), Drawn), "the server attests its preprints"


def test_the_order_of_records_does_not_matter() -> None:
    third = structs.replace(ONE, collection="gamma", doi="10.5555/a.2")
    assert {
        found.record.collection
        for group in ((ONE, OTHER, third), (third, OTHER, ONE))
        if isinstance(found := admit(group, RULES), Drawn)
    } == {"alpha"}


def test_venues_of_a_plan_are_known_by_any_name() -> None:
    table = VenueTable.curated()
    named = plan(venues=("Advances in Neural Information Processing Systems", "ICML"))
    assert rules_of(named, table)["dev"].venues == {"neurips", "icml"}
    with pytest.raises(InputError, match="Gathering"):
        rules_of(plan(venues=("Gathering of the Unknown",)), table)


def test_the_rules_of_a_split_stand_in_the_place_of_the_plans() -> None:
    splits = {
        "early": SplitPlan(valid=1),
        "late": SplitPlan(valid=1, years=(2022, 2024), kinds=("article",), venues=("ICML",)),
    }
    rules = rules_of(plan(splits=splits), VenueTable.curated())
    assert rules["early"].years == plan().years
    assert rules["early"].venues == frozenset()
    assert rules["late"] == Rules(1, (2022, 2024), frozenset({"article"}), frozenset({"icml"}))


@given(
    record=st.sampled_from(WORKS), years=st.lists(st.integers(2010, 2026), min_size=4, max_size=4)
)
def test_what_one_split_admits_the_widest_rules_admit(record: Version, years: list[int]) -> None:
    first, second = sorted(years[:2]), sorted(years[2:])
    rules = [
        Rules(1, (first[0], first[1]), frozenset({"article"}), frozenset({"icml"})),
        Rules(2, (second[0], second[1]), frozenset({"inproceedings"})),
    ]
    if any(fits(record, one) for one in rules):
        assert fits(record, widest(rules))


BOOK = Version(
    collection="shelf", title="The Handbook of Quiet Harbours", authors=("Hanna Quist",),
    venue="Quay Press", venue_raw="Quay Press", year=2015, kind="book", quality=Quality.PERSONAL,
)  # fmt: skip
BOOKS = Rules(attested=1, years=(2010, 2020), kinds=frozenset({"book", "article"}))


def test_a_book_of_two_personal_bibliographies_that_agree_is_taken() -> None:
    other = structs.replace(BOOK, collection="desk", venue="quay press", authors=("H. Quist",))
    found = admit((BOOK, other), BOOKS)
    assert isinstance(found, Drawn)
    assert found.attested_by == ("desk", "shelf")


@pytest.mark.parametrize(
    "change", [{"venue": "Pier Press"}, {"year": 2016}, {"collection": "shelf"}]
)
def test_a_book_of_one_personal_bibliography_is_not(change: dict[str, object]) -> None:
    other = structs.replace(BOOK, **{"collection": "desk", **change})
    assert admit((BOOK, other), BOOKS) == Refused("attested by too few collections")


def test_an_article_of_personal_bibliographies_is_never_taken() -> None:
    article = structs.replace(BOOK, kind="article", venue_id="name:journal")
    other = structs.replace(article, collection="desk")
    assert isinstance(admit((article, other), BOOKS), Refused)


def test_a_curated_book_needs_a_publisher() -> None:
    curated = structs.replace(BOOK, quality=Quality.CURATED)
    assert isinstance(admit((curated,), BOOKS), Drawn)
    bare = structs.replace(curated, venue="", venue_raw="")
    assert admit((bare,), BOOKS) == Refused("its venue is not known")
