"""Does a DOI's own structure contradict the claim only where it says something?"""

import pytest

from hallmark.match.venue import doi_facts
from hallmark.records.reference import Location, Reference
from hallmark.text.venues import VenueTable

TABLE = VenueTable.curated()


def codes(doi: str | None, venue: str, year: int | None = 2021) -> set[str]:
    reference = Reference(key="k", location=Location("t.bib", 1), venue=venue, year=year, doi=doi)
    return {nuance.code for nuance in doi_facts(reference, TABLE.resolve(venue))}


@pytest.mark.parametrize(
    ("doi", "venue", "year"),
    [
        (None, "AAAI", 2021),
        ("10.1609/aaai.v35i2.16110", "AAAI", 2021),
        ("10.1109/cvpr52688.2022.00123", "CVPR", 2022),
        ("10.18653/v1/2021.acl-long.3", "ACL-IJCNLP", 2021),
        ("10.18653/v1/2021.findings-emnlp.3", "EMNLP", 2021),
        ("10.48550/arxiv.2101.00001", "ICLR", 2021),
        ("10.5555/3295222.3295349", "NeurIPS", 2017),
        ("10.1145/3292500.3330701", "KDD", 2019),
        ("10.1007/s10994-021-05946-3", "Machine Learning", 2022),
        ("10.1109/tpami.2020.3012345", "TPAMI", 2022),
        ("10.14778/3489496.3489497", "VLDB", 2021),
        ("10.1145/3292500.3330701", "Conference on Imaginary Things", 2019),
        ("10.64898/2026.01.01.123456", "bioRxiv", 2026),
    ],
)
def test_a_fitting_doi_raises_nothing(doi: str | None, venue: str, year: int) -> None:
    assert codes(doi, venue, year) == set()


@pytest.mark.parametrize(
    ("doi", "venue", "year", "expected"),
    [
        ("10.1109/iccv48922.2021.00986", "CVPR", 2021, {"doi-venue-differs"}),
        ("10.1109/cvprw53098.2021.00012", "CVPR", 2021, {"doi-track-differs"}),
        ("10.1609/aaai.v35i2.16110", "AAAI", 2019, {"doi-year-differs"}),
        ("10.1007/s10994-021-05946-3", "Machine Learning", 2020, {"doi-year-differs"}),
        ("10.1109/abc.123", "AAAI", 2021, {"prefix-of-other-publisher"}),
        ("10.99999/abc", "CVPR", 2021, {"prefix-unknown"}),
        ("10.99999/abc", "ICLR", 2021, {"prefix-unknown"}),
        ("10.1109/abc.123", "ICLR", 2021, {"prefix-of-other-publisher"}),
        ("10.99999/abc", "Conference on Imaginary Things", 2021, {"prefix-unlisted"}),
        ("10.99999/abc", "", 2021, {"prefix-unlisted"}),
    ],
)
def test_a_doi_that_does_not_fit_says_why(
    doi: str, venue: str, year: int, expected: set[str]
) -> None:
    assert codes(doi, venue, year) == expected
