from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.constant import always
from hallmark.bench.systems.prescreen import (
    OVERRIDE,
    Prescreened,
    doi_fault,
    name_fault,
    plain_name,
    prescreening,
    read_prefixes,
    year_fault,
)
from hallmark.errors import InputError


@pytest.mark.parametrize(
    "doi",
    [
        "",
        "10.1145/3292500.3330701",
        "https://doi.org/10.1145/x",
        "doi: 10.1145/x",
        "10.48550/arXiv.2602.12271v1",
        "10.1000.10/123456",
        "10.64898/2025.01.01",
        "10.1002/(SICI)1097-0258(19980815)17:15",
    ],
)
def test_a_doi_that_may_exist_is_let_through(doi: str) -> None:
    assert doi_fault(doi) is None


@pytest.mark.parametrize(
    "doi",
    [
        "11.1145/x",
        "10.1145",
        "10.12/x",
        "ten",
        "10.1145/",
        "10.99999/x",
        "10.5555/1",
        "10.0123/x",
        "10.1145/a b",
    ],
)
def test_a_doi_that_cannot_exist_is_seen(doi: str) -> None:
    assert doi_fault(doi) is not None


def test_with_a_list_of_prefixes_every_other_one_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "prefixes.csv"
    file.write_text("prefix,name\n10.1145,ACM\n10.1109,IEEE\n", encoding="utf-8")
    known = read_prefixes(file)
    assert doi_fault("10.1145/x", known) is None
    assert doi_fault("10.4242/x", known) is not None


def test_a_file_without_prefixes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("prefix\n", encoding="utf-8")
    with pytest.raises(InputError, match="lists no DOI prefix"):
        read_prefixes(tmp_path / "empty")
    with pytest.raises(InputError, match="Cannot read"):
        read_prefixes(tmp_path / "missing")


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("2026", False),
        ("2027", True),
        ("1900", False),
        ("1899", True),
        ("", False),
        ("in press", False),
        ("-3", True),
    ],
)
def test_years_have_bounds(text: str, bad: bool) -> None:
    assert (year_fault(text, 2026) is not None) is bad


@pytest.mark.parametrize(
    "authors",
    [
        "",
        "Ada Lovelace and Alan Turing",
        "Lovelace, Ada and others",
        "{OpenAI}",
        "{DeepMind} and Ada Lovelace",
        "Wei Wang and Wei Zhang",
        "van Beethoven, Ludwig",
        "José Núñez",
    ],
)
def test_names_of_people_are_let_through(authors: str) -> None:
    assert name_fault(authors) is None


@pytest.mark.parametrize(
    "authors",
    [
        "John Doe",
        "Doe, Jane and Ada Lovelace",
        "A. Author",
        "Madonna",
        "Ada Lovelace and Ada Lovelace",
        "Ada Lovelace and Lovelace, Ada",
        "First Last",
    ],
)
def test_placeholders_single_and_repeated_names_are_seen(authors: str) -> None:
    assert name_fault(authors) is not None


@given(st.text(), st.text(), st.text())
def test_no_text_makes_the_layer_fail(doi: str, year: str, author: str) -> None:
    doi_fault(doi)
    year_fault(year, 2026)
    name_fault(author)
    assert plain_name(author) == plain_name(author).casefold()


def test_what_the_layer_flags_is_tagged_and_the_rest_is_left_open() -> None:
    flagged, left = prescreening(reference_year=2026).predict(
        [BlindEntry("a", fields={"year": "2040"}), BlindEntry("b", fields={"year": "2020"})]
    )
    assert flagged.label is Label.HALLUCINATED
    assert flagged.reason.startswith(OVERRIDE)
    assert left.label is Label.UNCERTAIN
    assert left.forced_label is Label.VALID


def test_only_what_the_layer_leaves_open_reaches_the_tool() -> None:
    entries = [BlindEntry("a"), BlindEntry("b", fields={"year": "2040"}), BlindEntry("c")]
    rows = list(Prescreened(always(hallucinated=False), reference_year=2026).predict(entries))
    assert [row.bibtex_key for row in rows] == ["a", "b", "c"]
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED, Label.VALID]
