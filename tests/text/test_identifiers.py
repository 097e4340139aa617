"""Identifiers come out of any writing in one normal form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text import identifiers


@pytest.mark.parametrize(
    "text",
    [
        "10.1162/neco.1997.9.8.1735",
        "https://doi.org/10.1162/neco.1997.9.8.1735",
        "http://dx.doi.org/10.1162/NECO.1997.9.8.1735",
        "doi:10.1162/neco.1997.9.8.1735.",
        "DOI 10.1162/neco.1997.9.8.1735, accessed 2020",
        "https://doi.org/10.1162%2Fneco.1997.9.8.1735",
        "{10.1162/neco.1997.9.8.1735}",
        "(10.1162/neco.1997.9.8.1735)",
    ],
)
def test_one_doi_comes_out_of_every_writing(text: str) -> None:
    assert identifiers.doi(text) == "10.1162/neco.1997.9.8.1735"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"10.1007/978-3-030-58452-8\_13", "10.1007/978-3-030-58452-8_13"),
        ("10.1016/S0140-6736(97)11096-0", "10.1016/s0140-6736(97)11096-0"),
        ("10.11581/DTU:00000025", "10.11581/dtu:00000025"),
        ("10.48550/arXiv.1706.03762v5", "10.48550/arxiv.1706.03762"),
        ("10.1002/(SICI)1097-0258(19980815)17:15&lt;1661::AID-SIM968&gt;3.0.CO;2-2",
         "10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2"),
        ("<a>10.1000/abc</a>", "10.1000/abc"),
        ("10.1/x", None),
        ("to appear", None),
        ("", None),
    ],
)  # fmt: skip
def test_doi_forms(text: str, expected: str | None) -> None:
    assert identifiers.doi(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:1706.03762", "1706.03762"),
        ("arXiv preprint arXiv:1706.03762v7", "1706.03762"),
        ("https://arxiv.org/abs/1706.03762", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("CoRR, abs/1706.03762", "1706.03762"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136", "math/0309136"),
        ("10.48550/arXiv.2101.00001", "2101.00001"),
        ("1713.03762", None),  # there is no month 13
        ("1706.0376", None),  # five digits since 2015
        ("0704.12345", None),  # four digits before
        ("10.1000/1706.03762", None),  # digits of a DOI
        ("pages 1234.56789", None),
        ("12345.1706.03762", None),
    ],
)
def test_arxiv_forms(text: str, expected: str | None) -> None:
    found = identifiers.arxiv(text)
    assert (found.id if found else None) == expected


def test_an_arxiv_version_is_kept_apart() -> None:
    found = identifiers.arxiv("arXiv:1706.03762v7")
    assert found is not None
    assert (found.version, found.year) == (7, 2017)


def test_old_ids_carry_their_century() -> None:
    found = identifiers.arxiv("hep-th/9901001")
    assert found is not None
    assert found.year == 1999


def test_an_isbn_needs_the_right_check_digit() -> None:
    assert identifiers.isbn("ISBN 0-262-03384-4") == "9780262033848"
    assert identifiers.isbn("978-0-262-03384-8") == "9780262033848"
    assert identifiers.isbn("978-0-262-03384-9") is None


def test_a_pubmed_id_loses_leading_zeros() -> None:
    assert identifiers.pmid("PMID: 0012345") == "12345"
    assert identifiers.pmid("none") is None


@given(st.text(st.characters(exclude_characters="%&\\"), max_size=200))
def test_a_found_doi_is_found_again_in_itself(text: str) -> None:
    once = identifiers.doi("doi: 10.1234/" + text)
    if once is not None:
        assert identifiers.doi(once) == once


@given(st.integers(7, 30), st.integers(1, 12), st.integers(0, 9999), st.integers(1, 99))
def test_every_new_style_id_is_read_back(year: int, month: int, number: int, version: int) -> None:
    digits = 5 if year >= 15 else 4
    text = f"{year:02}{month:02}.{number:0{digits}}"
    if year == 7 and month < 4:
        return
    found = identifiers.arxiv(f"arXiv:{text}v{version}")
    assert found is not None
    assert (found.id, found.version, found.year) == (text, version, 2000 + year)


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(text: str) -> None:
    identifiers.doi(text)
    identifiers.arxiv(text)
    identifiers.isbn(text)
    identifiers.pmid(text)


@pytest.mark.parametrize(
    "text", ["10.1000/182", "10.5555/12345678", "10.1145/nnnnnnn.nnnnnnn", "10.1234/any.thing"]
)
def test_a_doi_of_handbooks_and_templates_is_an_example(text: str) -> None:
    assert identifiers.example_doi(text)


@pytest.mark.parametrize(
    "text", ["10.1145/3292500.3330701", "10.5555/3295222.3295349", "10.12345678", "10.1000/183", ""]
)
def test_a_doi_of_a_work_is_no_example(text: str) -> None:
    assert identifiers.example_doi(text) == ""


@pytest.mark.parametrize("text", ["1410.5401", "2010.11929", "2010.11929v2", "(1910.00001)"])
def test_ids_of_october_are_ids(text: str) -> None:
    found = identifiers.arxiv(text)
    assert found is not None
    assert found.id in text


def test_digits_inside_a_doi_are_no_id() -> None:
    assert identifiers.arxiv("10.1145/3292500.1234567") is None
    assert identifiers.arxiv("doi 10.1000/2010.11929") is None
