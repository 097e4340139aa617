import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import UnknownName
from hallmark.llm.prompts.entry import PARTS, bibtex, read_parts, values

FIELDS = {
    "title": "A Study of {DNA}",
    "author": "Ada Lovelace and Alan Turing",
    "booktitle": "NeurIPS",
    "year": "2021",
    "doi": "10.1000/xyz",
}


def test_an_entry_is_shown_as_bibtex_in_its_own_order() -> None:
    assert bibtex("inproceedings", "lovelace2021", FIELDS) == (
        "@inproceedings{lovelace2021,\n"
        "  title = {A Study of {DNA}},\n"
        "  author = {Ada Lovelace and Alan Turing},\n"
        "  booktitle = {NeurIPS},\n"
        "  year = {2021},\n"
        "  doi = {10.1000/xyz},\n"
        "}"
    )


def test_a_citation_key_is_never_shown_for_its_form_can_tell_the_label() -> None:
    shown = values("article", FIELDS, "bibtex")
    assert shown["bibtex"].startswith("@article{reference,\n")
    assert shown["key"] == "reference"


def test_an_entry_is_shown_as_five_named_fields() -> None:
    shown = values("inproceedings", FIELDS, "fields")["entry"]
    assert shown == (
        "<<<reference\n| title: A Study of {DNA}\n| authors: Ada Lovelace and Alan Turing\n"
        "| venue: NeurIPS\n| year: 2021\n| doi: 10.1000/xyz\n>>>reference"
    )


@pytest.mark.parametrize("shape", ["bibtex", "fields"])
@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("title", "DNA"),
        ("authors", "Lovelace"),
        ("venue", "NeurIPS"),
        ("year", "2021"),
        ("doi", "10.1000"),
    ],
)
def test_a_part_that_is_left_out_stands_nowhere(part: str, text: str, shape: str) -> None:
    fields = {**FIELDS, "URL": "https://doi.org/10.1000/xyz"}
    shown = values("misc", fields, "bibtex" if shape == "bibtex" else "fields", (part,))
    assert not any(text in value for value in shown.values())
    others = [name for name in PARTS if name != part]
    assert all(shown[name] for name in others)


def test_parts_are_named_with_commas_and_unknown_ones_are_answered() -> None:
    assert read_parts("title, doi") == ("title", "doi")
    assert read_parts("") == ()
    with pytest.raises(UnknownName, match="Did you mean `authors`"):
        read_parts("author")


names = st.text(max_size=10)


@given(names, st.dictionaries(names, st.text(max_size=40), max_size=60))
def test_any_entry_can_be_shown(kind: str, fields: dict[str, str]) -> None:
    for shape in ("bibtex", "fields"):
        shown = values(kind, fields, "bibtex" if shape == "bibtex" else "fields")
        assert all(text.encode("utf-8").decode() == text for text in shown.values())
        assert shown["entry"].startswith("<<<reference\n| ")
        assert shown["entry"].endswith("\n>>>reference")


def test_a_field_cannot_grow_without_bound() -> None:
    fields = {f"field{number}": "x" * 100_000 for number in range(1000)}
    shown = values("misc" * 100_000, fields, "bibtex")
    assert len(shown["entry"]) < 25_000
    assert len(shown["bibtex"]) < 21_000
