"""Is it estimated what the index holds of a bibliography, and told where it is too little?"""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.records.verdict import Grounds, Result
from hallmark.report.holdings import (
    FEWEST,
    FITTING_SHARE,
    MISFIT,
    MOST_LACKING,
    Holdings,
    HoldingsTally,
    sentences,
)
from hallmark.text.venues import VenueKind
from tests.report import results


def cited(*all_grounds: Grounds | None) -> list[Result]:
    return [structs.replace(results.unresolved(), grounds=one) for one in all_grounds]


def tallied(rows: Iterable[Result]) -> Holdings | None:
    tally = HoldingsTally()
    for row in rows:
        tally.add(row)
    return tally.holdings()


def held(*all_grounds: Grounds | None) -> Holdings:
    holdings = tallied(cited(*all_grounds))
    assert holdings is not None
    return holdings


def unknown(name: str = "Gut", year: int = 2020) -> Grounds:
    return results.grounds(name, year, known=False)


def test_references_venues_and_years_are_counted() -> None:
    partly = structs.replace(results.grounds("ICML"), complete=False, found=False)
    holdings = held(results.grounds(), results.grounds(), results.grounds(year=2020), partly)
    assert (holdings.references, holdings.known, holdings.found) == (4, 4, 3)
    assert (holdings.venues, holdings.known_venues) == (2, 2)
    assert (holdings.places, holdings.complete) == (3, 2)


def test_what_names_no_venue_is_not_counted() -> None:
    preprint = Grounds(venue="arXiv", kind=VenueKind.PREPRINT)
    assert tallied(cited(None, Grounds(), preprint)) is None


def test_web_pages_and_the_like_are_not_counted() -> None:
    assert tallied([structs.replace(results.web_page(), grounds=unknown())]) is None


def test_one_name_in_two_spellings_is_one_venue() -> None:
    holdings = held(unknown("Journal of Things"), unknown("The JOURNAL of Things"))
    assert (holdings.venues, holdings.places) == (1, 1)


def test_of_few_references_no_share_is_stated() -> None:
    few = held(*[unknown()] * (FEWEST - 1))
    assert (few.share, few.fits) == (None, True)
    assert held(*[unknown()] * FEWEST).share == 0.0


def test_an_index_of_another_field_does_not_fit() -> None:
    holdings = held(*[unknown(f"Journal {n}") for n in range(12)], *[results.grounds()] * 8)
    assert holdings.share == pytest.approx(0.4)
    assert not holdings.fits
    assert sentences(holdings)[-1] == MISFIT


def test_at_the_level_itself_it_still_fits() -> None:
    half = int(10 * FITTING_SHARE)
    holdings = held(*[results.grounds()] * half, *[unknown()] * (10 - half))
    assert holdings.fits
    assert MISFIT not in sentences(holdings)


def test_the_venues_with_most_missing_are_named_first() -> None:
    rows = [unknown(f"Journal {n}") for n in range(9) for _ in range(n + 1)]
    lacking = held(*rows).lacking
    assert [one.missing for one in lacking] == [9, 8, 7, 6, 5]
    assert len(lacking) == MOST_LACKING


def test_what_a_complete_list_lacks_is_not_the_indexes_lack() -> None:
    absent = structs.replace(results.grounds(), found=False)
    assert held(*[absent] * 9).lacking == ()


def test_one_work_missing_from_a_known_venue_says_nothing_of_the_index() -> None:
    absent = structs.replace(results.grounds(), found=False, complete=False)
    assert held(absent).lacking == ()
    assert [one.missing for one in held(absent, absent).lacking] == [2]


def test_the_sentence_gives_share_lists_and_lacks() -> None:
    (sentence,) = sentences(held(*[results.grounds()] * 6, unknown("Gut"), unknown("Gut")))
    assert "The index knows 75 % of the venues cited" in sentence
    assert "it holds 1 of 2 years in full" in sentence
    assert "lacks most of Gut (2 of 2)" in sentence


def test_without_years_there_is_no_word_of_lists() -> None:
    (sentence,) = sentences(held(structs.replace(results.grounds(), year=None)))
    assert sentence == "The index knows the venues of 1 of 1 references."


def test_memory_is_bounded_and_the_share_stays_exact() -> None:
    tally = HoldingsTally(most=10)
    for row in cited(*[unknown(f"Journal {n}", 1900 + n) for n in range(100)], results.grounds()):
        tally.add(row)
    holdings = tally.holdings()
    assert holdings is not None
    assert (holdings.venues, holdings.places) == (10, 10)
    assert (holdings.references, holdings.known) == (101, 1)


_some = st.builds(
    results.grounds,
    st.sampled_from(["ICLR", "ICML", "Gut", "Cell"]),
    st.integers(2018, 2021),
    known=st.booleans(),
    complete=st.booleans(),
)


@given(st.lists(_some, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_the_references_does_not_matter(
    rows: list[Grounds], rng: random.Random
) -> None:
    mixed = list(rows)
    rng.shuffle(mixed)
    assert held(*rows) == held(*mixed)


@given(st.lists(_some, min_size=1, max_size=30))
def test_counts_are_parts_of_one_another(rows: list[Grounds]) -> None:
    holdings = held(*rows)
    assert holdings.known <= holdings.references == len(rows)
    assert holdings.known_venues <= holdings.venues <= holdings.references
    assert holdings.complete <= holdings.places <= holdings.references
    assert all(0 < one.missing <= one.cited for one in holdings.lacking)
