"""Is read from a DOI or an Anthology id what it says about venue and year, and no more?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text.venue_dois import anthology_venue, doi_parts, url_venue


@pytest.mark.parametrize(
    ("doi", "venue_id", "year"),
    [
        ("10.1109/cvpr52688.2022.00123", "cvpr", 2022),
        ("10.1109/cvpr.2016.90", "cvpr", 2016),
        ("10.1109/cvprw53098.2021.00012", "cvpr-workshops", 2021),
        ("10.1109/icra48506.2021.9561234", "icra", 2021),
        ("10.1109/tpami.2020.3012345", "tpami", 2020),
        ("10.1609/aaai.v35i2.16110", "aaai", 2021),
        ("10.1609/icwsm.v15i1.18035", "icwsm", 2021),
        ("10.18653/v1/2021.acl-long.3", "acl", 2021),
        ("10.18653/v1/2021.findings-emnlp.12", "emnlp-findings", 2021),
        ("10.18653/v1/n19-1423", "naacl", 2019),
        ("10.18653/v1/d19-5601", "emnlp-workshops", 2019),
        ("10.3115/v1/p14-1001", "acl", 2014),
        ("10.24963/ijcai.2019/123", "ijcai", 2019),
        ("10.21437/interspeech.2020-1234", "interspeech", 2020),
        ("10.14722/ndss.2021.23011", "ndss", 2021),
        ("10.5244/c.24.5", "bmvc", 2010),
        ("10.1007/s10994-021-05946-3", "mlj", 2021),
        ("10.1038/s41586-021-03819-2", "nature", 2021),
        ("10.1016/j.artint.2020.103401", "aij", 2020),
        ("10.1162/tacl_a_00343", "tacl", None),
        ("10.1371/journal.pone.0012345", "plos-one", None),
        ("10.14778/3489496.3489497", "pvldb", None),
        ("10.48550/arxiv.2101.00001", "arxiv", None),
        ("10.1145/3292500.3330701", None, None),
        ("10.9999/whatever.2020", None, None),
    ],
)
def test_a_dois_structure_is_read(doi: str, venue_id: str | None, year: int | None) -> None:
    parts = doi_parts(doi)
    assert (parts.venue_id, parts.year) == (venue_id, year)


def test_only_a_meetings_year_is_exact() -> None:
    assert doi_parts("10.1109/cvpr52688.2022.00123").exact_year
    assert doi_parts("10.1609/aaai.v35i2.16110").exact_year
    assert not doi_parts("10.1109/tpami.2020.3012345").exact_year
    assert not doi_parts("10.1007/s10994-021-05946-3").exact_year


def test_an_unknown_registrant_has_no_publisher() -> None:
    assert doi_parts("10.1609/aaai.v35i2.16110").publisher == "AAAI"
    assert doi_parts("10.99999/xyz").publisher is None


def test_anthology_ids_are_read_in_both_styles() -> None:
    assert anthology_venue("2020.emnlp-main.550") == ("emnlp", 2020)
    assert anthology_venue("https://aclanthology.org/P18-1001/") == ("acl", 2018)
    assert anthology_venue("2021.naacl-industry.4") == ("naacl-industry", 2021)
    assert anthology_venue("C82-1001") == ("coling", 1982)
    assert anthology_venue("2024.someworkshop-1.3") is None
    assert anthology_venue("https://example.org/a/b") is None


def test_a_publishers_url_tells_the_track() -> None:
    benchmark = (
        "https://proceedings.neurips.cc/paper/2023/hash/x-Abstract-Datasets_and_Benchmarks.html"
    )
    assert url_venue(benchmark) == "neurips-datasets"
    assert url_venue("https://openaccess.thecvf.com/content_CVPRW_2020/a.html") == "cvpr-workshops"
    assert url_venue("https://openaccess.thecvf.com/content_cvpr_2014/papers/a.pdf") is None
    assert url_venue("https://doi.org/10.1000/182") is None


@given(st.text(max_size=80))
def test_no_text_breaks_the_readers(text: str) -> None:
    doi_parts(f"10.1109/{text}")
    doi_parts(f"10.18653/{text}")
    doi_parts(text)
    anthology_venue(text)
    url_venue(text)
