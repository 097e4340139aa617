"""Is a venue's year called complete only where that is known?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.index.build import build
from hallmark.index.counts import not_held, published_counts, read_counts
from hallmark.index.coverage import (
    NO_EDITION,
    PUBLISHED_COUNT,
    TABLE_OF_CONTENTS,
    Counts,
    Coverage,
    Ledger,
)
from hallmark.records.answer import VenueYear
from tests.index.helpers import FIXTURES, record, write_records

VENUE, YEAR = "made-conference", 2021


def _never(_: str, __: int) -> bool:
    return False


def _row(
    lists: dict[str, range | list[int]], expected: int | None = 100, *, toc: bool = False
) -> VenueYear:
    ledger = Ledger()
    for collection, titles in lists.items():
        for title in titles:
            ledger.see(collection, VENUE, YEAR, title, toc=toc)
    counts: Counts = {} if expected is None else {(VENUE, YEAR): expected}
    return next(row for row in ledger.rows(counts, _never) if row.year == YEAR)


def test_a_list_that_reaches_the_published_count_is_complete() -> None:
    row = _row({"a": range(99), "b": range(60)})
    assert (row.complete, row.basis, row.sources, row.held) == (True, PUBLISHED_COUNT, ("a",), 99)


def test_a_list_below_99_percent_is_not_complete() -> None:
    assert not _row({"a": range(98)}).complete


def test_two_halves_make_no_complete_list() -> None:
    assert not _row({"a": range(50), "b": range(50, 100)}).complete


def test_a_paper_listed_twice_counts_once() -> None:
    assert not _row({"a": [*range(90), *range(10)]}).complete


def test_agreement_without_a_published_count_proves_nothing() -> None:
    assert not _row({"a": range(100), "b": range(100), "c": range(100)}, expected=None).complete


def test_a_list_that_mixes_tracks_must_show_no_gap() -> None:
    mixed = range(20, 140)
    assert not _row({"a": mixed, "b": range(95)}).complete
    assert _row({"a": mixed, "b": range(21, 116)}).complete


def test_a_list_that_mixes_tracks_needs_another_to_show_that_it_has_no_gap() -> None:
    assert not _row({"a": range(103)}).complete
    assert not _row({"a": range(103), "b": range(40)}).complete
    assert _row({"a": range(103), "b": range(60)}).complete
    assert _row({"a": range(102)}).complete


def test_every_removal_from_an_exact_list_ends_its_completeness() -> None:
    for removed in range(2, 100):
        assert not _row({"a": range(100 - removed)}).complete


@given(st.integers(1, 200), st.integers(0, 200))
def test_fewer_papers_than_published_never_make_a_list_complete(expected: int, held: int) -> None:
    row = _row({"a": range(min(held, expected - 1) + 1), "b": range(expected)}, expected)
    less = _row({"a": range(min(held, expected - 1) + 1)}, expected)
    assert row.complete
    assert less.complete == (less.held >= 0.99 * expected)


def test_tables_of_contents_are_complete_except_in_the_last_year() -> None:
    ledger = Ledger()
    for year in (2020, 2021):
        ledger.see("dblp", VENUE, year, year, toc=True)
    rows = {row.year: row for row in ledger.rows({}, _never)}
    assert (rows[2020].complete, rows[2020].basis) == (True, TABLE_OF_CONTENTS)
    assert not rows[2021].complete


def test_a_table_of_contents_below_the_published_count_is_not_complete() -> None:
    assert not _row({"a": range(50)}, expected=100, toc=True).complete


def test_a_year_that_was_not_held_is_known_even_without_records() -> None:
    coverage = Coverage([], lambda _, year: year == YEAR)
    row = coverage.get(VENUE, YEAR)
    assert row is not None
    assert (row.not_held, row.basis, row.held) == (True, NO_EDITION, 0)
    assert coverage.get(VENUE, 2020) is None


def test_many_records_speak_against_a_year_without_an_edition() -> None:
    for held, expected in ((2, True), (20, False)):
        ledger = Ledger()
        for title in range(held):
            ledger.see("a", VENUE, YEAR, title, toc=False)
        (row,) = ledger.rows({}, lambda _, __: True)
        assert row.not_held is expected
        assert not row.complete


@pytest.mark.parametrize(("venue", "year"), [("eccv", 2021), ("iccv", 2022), ("naacl", 2023)])
def test_meetings_every_other_year_are_known(venue: str, year: int) -> None:
    assert not_held(venue, year)
    assert not not_held(venue, year - 1)


def test_the_ledger_survives_being_stored() -> None:
    ledger = Ledger()
    for title in range(10):
        ledger.see("dblp", VENUE, 2000 + title, title, toc=title % 2 == 0)
    ledger.see("dblp", None, 2000, 1, toc=True)
    ledger.see("dblp", VENUE, None, 1, toc=True)
    again = Ledger(ledger.tallies())
    assert again.tallies() == ledger.tallies()
    assert again.rows({}, _never) == ledger.rows({}, _never)


def test_published_counts_name_known_venues() -> None:
    counts = published_counts()
    assert counts["neurips", 2023] == 3218
    assert all(count > 0 for count in counts.values())


def test_users_can_add_counts(tmp_path: Path) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text(json.dumps([{"venue": "BMVC", "year": 2015, "accepted": 3}]))
    rows = [record(f"Title number {n}", venue="BMVC", year=2015) for n in range(3)]
    source = str(write_records(tmp_path / "list.jsonl", rows))
    build(tmp_path / "idx", [source], counts=read_counts(counts))
    row = open_index(tmp_path / "idx").coverage("bmvc", 2015)
    assert row is not None
    assert (row.complete, row.expected) == (True, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nonsense", "no table of counts"),
        ('[{"venue": "ICML"}]', "no table of counts"),
        ('[{"venue": "Zzyzx Meeting", "year": 2020, "accepted": 1}]', "no known venue"),
    ],
)
def test_a_bad_table_of_counts_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "counts.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_counts(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_counts(tmp_path / "missing.json")


def test_volumes_of_dumps_are_tables_of_contents(tmp_path: Path) -> None:
    build(tmp_path / "idx", [str(FIXTURES / "dblp.xml")])
    index = open_index(tmp_path / "idx")
    row = index.coverage("icml", 2021)
    assert row is not None
    assert not row.complete, "one of the 1183 published papers"
    assert row.expected == 1183
