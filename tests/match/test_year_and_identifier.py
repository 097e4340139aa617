"""Years allow for what publishing does to them; identifiers are equal or not."""

import pytest

from hallmark.match.identifier import compare_arxiv, compare_doi
from hallmark.match.year import compare_year
from hallmark.records.evidence import Relation
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version


def reference(
    *, year: int | None = None, doi: str | None = None, arxiv: str | None = None
) -> Reference:
    place = Location("-", 1)
    return Reference(key="r", location=place, title="T", year=year, doi=doi, arxiv=arxiv)


def version(
    *,
    year: int | None = None,
    years: tuple[int, ...] = (),
    doi: str | None = None,
    arxiv: str | None = None,
    preprint: bool = False,
) -> Version:
    return Version(
        collection="x", title="T", year=year, years=years, doi=doi, arxiv=arxiv, preprint=preprint
    )


@pytest.mark.parametrize(
    ("claimed", "held", "relation", "weak"),
    [
        (2020, 2020, "equal", False),
        (2019, 2020, "conflict", True),
        (2021, 2020, "conflict", True),
        (2022, 2020, "conflict", False),
        (None, 2020, "silent", False),
        (2020, None, "silent", False),
    ],
)
def test_one_year_is_weak_and_two_are_a_conflict(
    claimed: int | None, held: int | None, relation: str, *, weak: bool
) -> None:
    found = compare_year(reference(year=claimed), version(year=held))
    assert (found.relation, found.weak) == (Relation(relation), weak)


def test_every_year_of_a_version_counts() -> None:
    found = compare_year(reference(year=2019), version(year=2020, years=(2019,)))
    assert found.relation is Relation.EQUAL


def test_a_preprint_may_be_cited_under_later_years() -> None:
    held = version(year=2018, arxiv="1801.00001", preprint=True)
    assert compare_year(reference(year=2019), held).relation is Relation.VARIANT
    assert compare_year(reference(year=2021), held).weak
    assert not compare_year(reference(year=2023), held).weak
    assert compare_year(reference(year=2015), held).conflicts


def test_an_arxiv_doi_belongs_to_its_arxiv_version() -> None:
    held = version(arxiv="1706.03762")
    assert compare_doi(reference(doi="10.48550/arxiv.1706.03762"), held).agrees


def test_identifiers_are_equal_different_or_not_told() -> None:
    assert compare_doi(reference(doi="10.1/a"), version(doi="10.1/a")).relation is Relation.EQUAL
    assert compare_doi(reference(doi="10.1/a"), version(doi="10.1/b")).conflicts
    assert compare_doi(reference(), version(doi="10.1/b")).relation is Relation.SILENT
    assert compare_arxiv(reference(arxiv="1706.03762"), version(arxiv="1706.03763")).conflicts
