"""What single fields mean: years, identifiers, venues, kinds."""

import pytest

from hallmark.parse.dates import read_month, read_year
from hallmark.parse.identify import doi_of_link
from hallmark.records.reference import Kind
from tests.parse.reading import codes, reference


@pytest.mark.parametrize(
    ("field", "year"),
    [
        ("year={1997}", 1997),
        ("year={{1997}}", 1997),
        ("year={1997a}", 1997),
        ("year={[1997]}", 1997),
        ("year={c1997}", 1997),
        ("year={\\noopsort{1973a}1997}", 1997),
        ("date={1997-11}", 1997),
        ("date={1997~}", 1997),
        ("date={1996/1997}", 1996),
        ("date={1997-11-15T10:00:00Z}", 1997),
        ("year={forthcoming}, date={2020}", 2020),
        ("year={2031}", 2031),
        ("year={n.d.}", None),
        ("year={in press}", None),
        ("year={forthcoming}", None),
        ("year={}", None),
        ("year={97}", None),
        ("year={199712}", None),
        ("note={1997}", None),
    ],
)
def test_years_are_read_in_all_their_writings(field: str, year: int | None) -> None:
    assert reference(f"@article{{k, title={{T}}, {field}}}").year == year


def test_the_text_of_a_year_that_is_none_is_kept() -> None:
    assert reference("@article{k, title={T}, year={in press}}").year_text == "in press"


def test_full_width_digits_are_digits() -> None:
    assert read_year("２０２１年") == 2021


def test_a_year_beside_thai_is_one_of_the_buddhist_era() -> None:
    thai = "\u0e01\u0e32\u0e23\u0e17\u0e14\u0e25\u0e2d\u0e07"
    assert reference(f"@article{{k, title={{{thai}}}, year={{2550}}}}").year == 2007
    assert reference("@article{k, title={Made Up}, year={2550}}").year == 2550


def test_a_number_later_than_any_year_is_read_so_that_it_can_be_judged() -> None:
    assert read_year("{3017}") == 3017
    assert read_year("99999999999") == 99_999_999_999
    for text in ("20171115", "20170", "0000", "9" * 50, "pages 3017"):
        assert read_year(text) is None


@pytest.mark.parametrize(
    ("text", "month"),
    [("March", 3), ("mar.", 3), ("3", 3), ("03", 3), ("März", 3), ("13", None), ("soon", None)],
)
def test_months_are_read_by_name_and_number(text: str, month: int | None) -> None:
    assert read_month(text) == month


@pytest.mark.parametrize(
    "field",
    [
        "doi={10.2307/1990888}",
        "doi={https://dx.doi.org/10.2307%2F1990888}",
        "doi={doi: 10.2307/1990888}",
        "doi={https://doi.org/https://doi.org/10.2307/1990888}",
        "doi={\\url{https://doi.org/10.2307/1990888}}",
        "url={http://www.example.org/doi/abs/10.2307/1990888?journalCode=x}",
        "url={https://example.org/doi/pdf/10.2307/1990888.pdf}",
        "url={https://example.org/articles/10.2307/1990888/full}",
        "howpublished={\\url{https://doi.org/10.2307/1990888}}",
        "note={DOI: 10.2307/1990888.}",
        "bdsk-url-1={https://doi.org/10.2307/1990888}",
    ],
)
def test_a_doi_is_found_in_whichever_field_names_it(field: str) -> None:
    assert reference(f"@article{{k, title={{T}}, {field}}}").doi == "10.2307/1990888"


@pytest.mark.parametrize("written", ["a\\_b", "a{\\_}b", "a_b", "A\\_B"])
def test_escapes_inside_a_doi_are_taken_off(written: str) -> None:
    assert reference(f"@misc{{k, title={{T}}, doi={{10.1007/{written}}}}}").doi == "10.1007/a_b"


@pytest.mark.parametrize("claimed", ["1162/neco.1997", "neco.1997", "see the paper"])
def test_a_malformed_doi_is_kept_and_noted(claimed: str) -> None:
    one = reference(f"@article{{k, title={{T}}, doi={{{claimed}}}}}")
    assert (one.doi, one.claimed_doi) == (None, claimed)
    assert codes(one) == ["malformed-doi"]


def test_an_isbn_in_the_doi_field_is_an_isbn() -> None:
    one = reference("@book{k, title={T}, doi={978-0-201-52983-8}}")
    assert (one.doi, one.isbn) == (None, "9780201529838")


def test_a_resolver_link_keeps_its_whole_doi() -> None:
    assert doi_of_link("https://doi.org/10.1000/x/full") == "10.1000/x/full"


@pytest.mark.parametrize(
    "fields",
    [
        "eprint={1412.6980}, archiveprefix={arXiv}",
        "eprint={1412.6980}, eprinttype={arXiv}, eprintclass={cs.LG}",
        "eprint={arXiv:1412.6980}",
        "arxivid={1412.6980}",
        "journal={arXiv preprint arXiv:1412.6980}",
        "journal={\\href{https://arxiv.org/abs/1412.6980}{arXiv preprint arXiv:1412.6980}}",
        "journal={CoRR}, volume={abs/1412.6980}",
        "journal={arXiv}, volume={1412.6980}",
        "journal={ArXiv}, number={1412.6980}",
        "url={https://arxiv.org/pdf/1412.6980.pdf}",
        "howpublished={arXiv:1412.6980 [cs.LG]}",
        "note={arXiv:1412.6980}",
        "doi={10.48550/arXiv.1412.6980}",
        "publisher={arXiv}, number={arXiv:1412.6980}",
    ],
)
def test_an_arxiv_id_is_found_in_whichever_field_names_it(fields: str) -> None:
    assert reference(f"@article{{k, title={{T}}, {fields}}}").arxiv == "1412.6980"


@pytest.mark.parametrize(
    ("fields", "arxiv", "version"),
    [
        ("eprint={math/0211159}, archivePrefix={arXiv}", "math/0211159", None),
        ("howpublished={arXiv:math/0211159v1 [math.DG]}", "math/0211159", 1),
        ("url={https://arxiv.org/pdf/math/0211159v2}", "math/0211159", 2),
        ("eprint={0211159}, archiveprefix={arXiv}, primaryclass={math}", "math/0211159", None),
        ("eprint={9711200}, archiveprefix={hep-th}", "hep-th/9711200", None),
        ("note={hep-th/9711200}", "hep-th/9711200", None),
        ("eprint={1412.6980v9}, archiveprefix={arXiv}", "1412.6980", 9),
        ("eprint={1990888}, eprinttype={jstor}", None, None),
        ("pages={1412.6980}", None, None),
        ("title={On 1412.6980 things}", None, None),
        ("abstract={We build on arXiv:1412.6980}", None, None),
    ],
)
def test_old_ids_versions_and_other_archives(
    fields: str, arxiv: str | None, version: int | None
) -> None:
    one = reference(f"@article{{k, {fields}}}")
    assert (one.arxiv, one.arxiv_version) == (arxiv, version)


def test_pubmed_ids_are_found() -> None:
    assert reference("@article{k, title={T}, eprint={12345}, eprinttype={pubmed}}").pmid == "12345"
    assert reference("@article{k, title={T}, pmid={12345}}").pmid == "12345"
    assert reference("@article{k, title={T}, note={PMID: 12345}}").pmid == "12345"


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("@article{k, journal={Nature}}", Kind.PAPER),
        ("@inproceedings{k, booktitle={CVPR}}", Kind.PAPER),
        ("@incollection{k, booktitle={Advances in Neural Information Processing}}", Kind.PAPER),
        ("@incollection{k, booktitle={A Handbook of Things}}", Kind.CHAPTER),
        ("@article{k, journal={arXiv preprint arXiv:1412.6980}}", Kind.PREPRINT),
        ("@article{k, journal={bioRxiv}}", Kind.PREPRINT),
        ("@misc{k, eprint={1412.6980}, archiveprefix={arXiv}}", Kind.PREPRINT),
        ("@online{k, eprint={1412.6980}, eprinttype={arxiv}}", Kind.PREPRINT),
        ("@techreport{k, institution={arXiv}, number={1412.6980}}", Kind.PREPRINT),
        ("@techreport{k, institution={MIT}}", Kind.REPORT),
        ("@techreport{k, type={RFC}, number={RFC 2119}}", Kind.STANDARD),
        ("@misc{k, howpublished={RFC 2119}}", Kind.STANDARD),
        ("@misc{k, howpublished={US Patent 6,285,999}}", Kind.PATENT),
        ("@misc{k, howpublished={\\url{https://github.com/a/b}}}", Kind.SOFTWARE),
        ("@misc{k, url={https://www.kaggle.com/x}}", Kind.DATASET),
        ("@misc{k, url={https://example.org}}", Kind.WEB),
        ("@misc{k, url={https://openreview.net/forum?id=x}}", Kind.PAPER),
        ("@misc{k, author={A B}}", Kind.OTHER),
        ("@manual{k, organization={R Core Team}}", Kind.SOFTWARE),
        ("@phdthesis{k, school={MIT}}", Kind.THESIS),
        ("@article{k, journal={The New York Times}}", Kind.NEWS),
        ("@article{k, entrysubtype={newspaper}, journal={Daily}}", Kind.NEWS),
        ("@proceedings{k, year=2000}", Kind.BOOK),
        ("@inventedtype{k, journal={Nature}}", Kind.PAPER),
        ("@inventedtype{k, note={x}}", Kind.OTHER),
    ],
)
def test_the_kind_of_work_follows_from_type_and_fields(entry: str, kind: Kind) -> None:
    assert reference(entry).kind is kind


def test_the_number_of_a_patent_is_written_without_separators() -> None:
    one = reference("@patent{k, title={T}, number={US 6,285,999 B1}, type={patentus}}")
    assert (one.kind, one.number) == (Kind.PATENT, "US6285999B1")


@pytest.mark.parametrize(
    ("entry", "venue"),
    [
        ("@article{k, journal={J}, booktitle={B}}", "J"),
        ("@inproceedings{k, journal={J}, booktitle={B}}", "B"),
        ("@inproceedings{k, series={CVPR '16}}", "CVPR '16"),
        ("@article{k, journal={\\textit{Science} \\& Co}}", "Science & Co"),
        ("@online{k, eprint={1412.6980}, eprinttype={arXiv}}", ""),
        ("@misc{k, howpublished={\\url{https://example.org}}}", ""),
        ("@misc{k, howpublished={Talk at a workshop}}", "Talk at a workshop"),
        ("@book{k, title={T}, series={Lecture Notes}}", ""),
        ("@proceedings{k, booktitle={Proc. of X}}", ""),
    ],
)
def test_the_venue_is_what_holds_the_work(entry: str, venue: str) -> None:
    assert reference(entry).venue == venue


def test_links_are_unescaped() -> None:
    one = reference("@misc{k, title={T}, url={\\url{https://example.org/a\\_b\\%20\\~c}}}")
    assert one.url == "https://example.org/a_b%20~c"


def test_article_numbers_stand_for_pages() -> None:
    assert reference("@article{k, title={T}, eid={090001}}").pages == "090001"
