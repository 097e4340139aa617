"""Tables say where they come from; a user's tables are merged over them, or refused with reason."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hallmark.errors import InputError
from hallmark.match.given_match import Fit
from hallmark.match.name_forms import form_of_text
from hallmark.match.name_match import fit_names
from hallmark.text import knowledge
from hallmark.text.identifiers import arxiv
from hallmark.text.names import parse_name, placeholder_names
from hallmark.text.table_forms import TABLES
from hallmark.text.venue_facts import open_prefixes, registrants, venues
from hallmark.text.venues import VenueKind, VenueTable


@pytest.fixture(autouse=True)
def packaged_again() -> Iterator[None]:
    yield
    knowledge.use(None)


def folder(place: Path, **tables: str) -> Path:
    for name, text in tables.items():
        (place / f"{name}.tsv").write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("name", TABLES)
def test_every_table_gives_title_provenance_and_date(name: str) -> None:
    origin = knowledge.origin(name)
    assert origin.title
    assert origin.provenance
    assert re.fullmatch(r"\d{4}-\d{2}", origin.as_of)


@pytest.mark.parametrize("name", TABLES)
def test_every_packaged_row_obeys_the_form_that_users_rows_must_have(
    name: str, tmp_path: Path
) -> None:
    rows = knowledge.rows(name)
    if not rows:
        pytest.skip("an empty table, for users to fill")
    text = "\n".join("\t".join(cell or "." for cell in row) for row in rows)
    assert knowledge.check(folder(tmp_path, **{name: text})) == {name: len(rows)}


def test_no_file_lies_beside_the_tables_that_are_known() -> None:
    place = Path(knowledge.__file__).parent / "tables"
    assert {path.stem for path in place.iterdir()} == set(TABLES)


def test_identities_that_tables_name_are_venues() -> None:
    known = set(venues())
    for name, cells in {
        "venue_links": (0, 1),
        "venue_aliases": (0,),
        "anthology_letters": (1,),
    }.items():
        for row in knowledge.rows(name):
            assert all(row[c] in known or row[c].rpartition("-")[0] in known for c in cells), row


def test_a_row_with_a_packaged_key_replaces_it_and_others_are_added(tmp_path: Path) -> None:
    before = len(registrants())
    knowledge.use(
        folder(tmp_path, doi_prefixes="10.1109\tSomebody\n10.99887\tMy press\tanywhere\n")
    )
    assert registrants()["10.1109"] == "Somebody"
    assert len(registrants()) == before + 1
    assert "10.99887" in open_prefixes()
    assert "10.1109" not in open_prefixes()


def test_a_venue_and_an_alias_of_ones_own_are_resolved(tmp_path: Path) -> None:
    name = "Workshop on All Relevant Uses of Seals"
    assert VenueTable.curated().resolve("WALRUS").kind is VenueKind.UNKNOWN
    rows = f"walrus\tconference\t2019-\t10.5555 -\twalrus\t{name} | WALRUS"
    aliases = "neurips\tQuuxical Neural Info Conf\nwalrus\tThe Seal Meeting"
    knowledge.use(folder(tmp_path, venues=rows, venue_aliases=aliases))
    table = VenueTable.curated()
    for text in ("WALRUS", name, f"Proceedings of the 3rd {name} (WALRUS 2021)", "Seal Meeting"):
        assert table.resolve(text).ids == ("walrus",), text
    assert table.resolve("Quuxical Neural Info Conf").ids == ("neurips",)
    assert table.held("walrus", 2020) is True


def test_names_of_ones_own_are_known_at_once(tmp_path: Path) -> None:
    def fit(one: str, other: str) -> Fit:
        return fit_names(form_of_text(one), form_of_text(other)).fit

    assert fit("Quux Lund", "Zorb Lund") is Fit.OTHER
    assert placeholder_names([parse_name("Jane Q. Reviewer")]) == ()
    words = "zorbian\tparticle\n"
    mine = folder(
        tmp_path,
        given_names="quux zorb\n",
        placeholders="jane q reviewer\talways\n",
        name_words=words,
    )
    knowledge.use(mine)
    assert fit("Quux Lund", "Zorb Lund") is Fit.VARIANT
    assert placeholder_names([parse_name("Jane Q. Reviewer")]) == ("Jane Q. Reviewer",)
    assert parse_name("Ada Zorbian Lund").particle == "Zorbian"
    knowledge.use(None)
    assert fit("Quux Lund", "Zorb Lund") is Fit.OTHER


def test_an_archive_of_ones_own_begins_arxiv_ids(tmp_path: Path) -> None:
    assert arxiv("arXiv:zoo-ph/9901001") is None
    knowledge.use(folder(tmp_path, arxiv_archives="zoo-ph\n"))
    found = arxiv("arXiv:zoo-ph/9901001")
    assert found is not None
    assert found.year == 1999


def test_trailing_empty_cells_may_be_left_out_and_comments_are_read_over(tmp_path: Path) -> None:
    mine = folder(tmp_path, doi_prefixes="\ufeff# mine\n\n10.99887\tMy press\n")
    assert knowledge.check(mine) == {"doi_prefixes": 1}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("venue", "x\ty", r"venue\.tsv is no table that is known\. Did you mean venues\?"),
        (
            "doi_prefixes",
            "11.1\tMe",
            r"doi_prefixes\.tsv, line 1: prefix is '11\.1'; expected a DOI",
        ),
        (
            "doi_prefixes",
            "10.1234\tMe\tanywhere\tmore",
            r"line 1: 4 cells, where .* has 3 \(prefix",
        ),
        (
            "doi_prefixes",
            "\n10.1234\tMe\n10.1234\tYou",
            r"line 3: 10\.1234 stands in line 2 already",
        ),
        ("doi_prefixes", "10.1234", r"line 1: owner is ''; expected who registered it"),
        ("venues", "x\tzoo\t.\t.\t.\tX", r"line 1: type is 'zoo'; expected conference, journal"),
        ("venues", "x\tjournal\tsince 2019\t.\t.\tX", r"years is 'since 2019'"),
        (
            "venue_aliases",
            "nurips\tThe Meeting",
            r"no venue has the id 'nurips'\. Did you mean neurips",
        ),
        ("venue_links", "neurips\tnowhere\trenamed\t.", r"no venue has the id 'nowhere'"),
        ("placeholders", "Jane Doe\talways", r"name is 'Jane Doe'; expected a folded name"),
        ("spellings", "rule\t(\tx", "is no rule"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_with_its_line(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    mine = folder(tmp_path, **{name: text})
    with pytest.raises(InputError, match=message):
        knowledge.use(mine)
    assert knowledge.chosen() is None


def test_a_folder_that_is_missing_empty_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no folder"):
        knowledge.use(tmp_path / "none")
    with pytest.raises(InputError, match="holds no table"):
        knowledge.use(tmp_path)
    (tmp_path / "placeholders.tsv").write_bytes(b"\xff\xfe\x00n")
    with pytest.raises(InputError, match="not in UTF-8"):
        knowledge.use(tmp_path)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "placeholders.tsv"
    with path.open("wb") as out:
        out.truncate(knowledge.LARGEST_FILE + 1)
    with pytest.raises(InputError, match="larger than"):
        knowledge.use(tmp_path)
