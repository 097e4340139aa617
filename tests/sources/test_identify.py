import pytest

from hallmark.records.source import Question
from hallmark.sources import identify


@pytest.mark.parametrize(
    ("doi", "asked"),
    [
        ("10.5555/tides.7", "10.5555/tides.7"),
        ("10.5555/TIDES.7", "10.5555/tides.7"),
        ("10.5555/<1::aid-x>3.0;2-#", "10.5555/<1::aid-x>3.0;2-#"),
        ("10.5555/a|b", None),
        ("https://doi.org/10.5555/a", None),
        ("10.5555/" + "x" * 2000, None),
        ("10.5555/\ud800", None),
        ("nonsense", None),
        (None, None),
    ],
)
def test_only_a_normal_doi_is_asked_for(doi: str | None, asked: str | None) -> None:
    assert identify.doi(Question("", doi=doi)) == asked


def test_arxiv_ids_and_dois_of_arxiv_lead_to_each_other() -> None:
    assert identify.arxiv_doi(Question("", arxiv="hep-th/9901001")) == (
        "10.48550/arxiv.hep-th/9901001"
    )
    assert identify.arxiv_of_doi(Question("", doi="10.48550/arxiv.2101.00007")) == "2101.00007"
    assert identify.arxiv_of_doi(Question("", doi="10.48550/arxiv.nonsense")) is None
    assert identify.arxiv_doi(Question("", arxiv="1234")) is None


def test_numbers_are_asked_for_only_where_they_can_be_right() -> None:
    assert identify.pmid(Question("", pmid="0700007")) == "700007"
    assert identify.isbn(Question("", isbn="0-306-40615-2")) == "9780306406157"
    assert identify.isbn(Question("", isbn="9780306406158")) is None
