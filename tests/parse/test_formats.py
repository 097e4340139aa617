"""What comes out of benchmark lines, CSL-JSON and RIS, and how formats are told apart."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import InputError, UnknownName
from hallmark.parse.benchmark import reference_of
from hallmark.parse.interface import FORMATS, read
from hallmark.parse.json_items import json_items
from hallmark.parse.plain import latex
from hallmark.records.reference import FailedEntry, Kind
from hallmark.text.latex import to_unicode
from tests.parse.reading import codes, entries, names, reference, references

RIS = """TY  - JOUR
AU  - Müller, Jürgen
AU  - Lovelace, Ada, Jr.
TI  - A very
 long title of 50% & {more}
T2  - Journal of Things
PY  - 2001/03/04/
SP  - 1
EP  - 10
DO  - 10.1000/xyz
ER  -

TY  - CONF
A1  - Babbage, C.
T1  - Another
BT  - Proceedings of X
Y1  - 1999
ID  - second
"""
CSL = [
    {
        "id": "a",
        "type": "article-journal",
        "title": "A {x} of 50% & $5",
        "author": [
            {"family": "Müller", "given": "Jürgen"},
            {"family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"},
            {"literal": "The ATLAS Collaboration"},
            {"family": "山田", "given": "太郎"},
        ],
        "container-title": "J. X",
        "issued": {"date-parts": [[2001, 3]]},
        "DOI": "10.1000/XYZ",
        "page": "1-2",
    },
    {"type": "paper-conference", "title": "No id", "container-title": ["Proc. X"]},
    {"id": 5, "type": "webpage", "title": "Page", "URL": "http://example.org/~x"},
]
LINE = {"bibtex_key": "k", "bibtex_type": "article", "fields": {"title": "T", "year": 2001}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def test_a_benchmark_entry_is_read_like_an_entry_of_a_bib_file() -> None:
    one = reference_of(
        "k",
        "inproceedings",
        {"title": "{BERT} and \\'Etude", "author": "Ada Lovelace and others", "year": 2019,
         "booktitle": "NAACL", "doi": "https://doi.org/10.1/X", "note": None, "editor": ["A B", "C D"]},
    )  # fmt: skip
    assert (one.title, one.year, one.venue, one.kind) == (
        "BERT and Étude",
        2019,
        "NAACL",
        Kind.PAPER,
    )
    assert one.authors_truncated
    assert [editor.display for editor in one.editors] == ["A B", "C D"]
    assert "note" not in one.fields


def test_each_benchmark_line_comes_out_also_the_broken_ones() -> None:
    text = json.dumps(LINE) + '\n\nnot json\n{"bibtex_key": "z"}\n'
    good, broken, half = entries(text, "jsonl")
    assert (good.key, good.location.line) == ("k", 1)
    assert isinstance(broken, FailedEntry)
    assert broken.location.line == 3
    assert isinstance(half, FailedEntry)
    assert (half.key, half.location.line) == ("z", 4)


def test_a_line_separator_inside_a_json_string_ends_no_line() -> None:
    line = json.dumps(LINE | {"fields": {"title": "a\u2028b\x85c"}}, ensure_ascii=False)
    assert len(references(line + "\n", "jsonl")) == 1


def test_ris_records_are_read_with_their_continued_lines() -> None:
    first, second = references(RIS, "ris")
    assert first.title == "A very long title of 50% & {more}"
    assert names(first) == ["Jürgen Müller", "Ada Lovelace Jr."]
    assert (first.venue, first.year, first.month, first.day) == ("Journal of Things", 2001, 3, 4)
    assert (first.pages, first.doi, first.kind) == ("1-10", "10.1000/xyz", Kind.PAPER)
    assert (second.key, second.venue, second.year) == ("second", "Proceedings of X", 1999)
    assert second.location.line == 13


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_ris_is_read_with_any_line_ends(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "refs.ris"
    path.write_bytes(RIS.replace("\n", ending).encode())
    assert [one.location.line for one in read(str(path))] == [1, 13]


def test_a_ris_record_without_type_is_a_row_that_says_so() -> None:
    (one,) = entries("TI  - Title\nER  - \n", "ris")
    assert isinstance(one, FailedEntry)


@pytest.mark.parametrize(
    "text",
    [json.dumps(CSL), json.dumps(CSL, indent=2), "\n".join(map(json.dumps, CSL))],
    ids=["one line", "indented", "one item a line"],
)
def test_csl_items_are_read_however_they_are_laid_out(text: str) -> None:
    first, second, third = references(text, "csl")
    assert first.title == "A {x} of 50% & $5"
    assert names(first) == [
        "Jürgen Müller", "Ludwig van Beethoven", "The ATLAS Collaboration", "太郎 山田",
    ]  # fmt: skip
    assert (first.venue, first.year, first.month, first.pages) == ("J. X", 2001, 3, "1-2")
    assert (first.doi, first.kind) == ("10.1000/xyz", Kind.PAPER)
    assert (second.key, second.venue, codes(second)) == ("", "Proc. X", ["missing-key"])
    assert (third.key, third.kind, third.url) == ("5", Kind.WEB, "http://example.org/~x")


def test_one_csl_item_alone_is_read() -> None:
    assert reference(json.dumps(CSL[0]), "csl").key == "a"


def test_a_broken_csl_item_costs_only_itself() -> None:
    first, second, third = entries('[{"id": "a"},\n{"id": "b", "x": oops},\n{"id": "c"}]', "csl")
    assert (first.key, third.key) == ("a", "c")
    assert isinstance(second, FailedEntry)
    assert second.location.line == 2


def test_a_line_that_is_never_closed_does_not_swallow_the_lines_behind_it() -> None:
    lines = ['{"id": "a", "title": "x"', "5", '{"id": "b"}', '  {"id": "inner"}', '{"id": "c"},']
    found = entries("\n".join(lines), "csl")
    assert [(one.key or "", one.location.line) for one in found] == [("", 1), ("b", 3), ("c", 5)]


def test_a_cut_off_csl_file_keeps_what_is_whole() -> None:
    found = entries(json.dumps(CSL)[:-20], "csl")
    assert [isinstance(one, FailedEntry) for one in found] == [False, False, True]


@pytest.mark.parametrize("form", ["csl", "jsonl"])
def test_json_nested_deeply_is_survived(form: str) -> None:
    deep = '{"bibtex_key": "k", "fields": {"title": ' + "[" * 100_000 + "]" * 100_000 + "}}"
    (one,) = entries(deep, form)
    assert isinstance(one, FailedEntry)


@given(
    st.lists(st.dictionaries(st.text(max_size=6), JSON, max_size=4), max_size=5), st.integers(1, 9)
)
def test_json_objects_are_cut_out_whole_wherever_the_blocks_end(
    rows: list[dict[str, object]], size: int
) -> None:
    text = json.dumps(rows)
    blocks = [text[place : place + size] for place in range(0, len(text), size)]
    assert [json.loads(item.text) for item in json_items(blocks)] == rows


@given(st.text(max_size=60))
def test_plain_text_survives_being_written_as_latex(text: str) -> None:
    assert _plain(to_unicode(latex(text))) == _plain(text)


def _plain(text: str) -> str:
    """Leave aside what LaTeX means by dashes, quotes and blanks."""
    for written, meant in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")):
        text = text.replace(written, meant)
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.bib", "@misc{k, title={T}}", "bibtex"),
        ("a.txt", "@misc{k, title={T}}", "bibtex"),
        ("a.jsonl", json.dumps(LINE), "jsonl"),
        ("a.txt", json.dumps(LINE), "jsonl"),
        ("a.json", json.dumps(CSL), "csl"),
        ("a.txt", json.dumps(CSL), "csl"),
        ("a.ris", RIS, "ris"),
        ("a.bib", RIS, "ris"),
        ("a", RIS, "ris"),
    ],
)
def test_the_format_is_found_from_name_and_content(
    name: str, content: str, form: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    by_name = [one.key for one in read(str(path), format=form)]
    assert [one.key for one in read(str(path))] == by_name


def test_benchmark_entries_in_a_json_array_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps([LINE]))
    assert [one.key for one in read(str(path))] == ["k"]


def test_standard_input_is_read() -> None:
    stream = io.BytesIO(b"@book{p, title={P}, year=2000}\n@inbook{c, title={C}, crossref={p}}\n")
    _, child = read("-", stdin=stream)
    assert child.location.file == "-"
    assert not isinstance(child, FailedEntry)
    assert child.venue == "P"


def test_an_unknown_format_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="bibtex"):
        read("-", format="bibtx", stdin=io.BytesIO(b"x"))


def test_content_of_no_known_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("nothing to see")
    with pytest.raises(InputError, match="--input-format"):
        read(str(path))


@pytest.mark.parametrize("form", ["csl", "ris", "bibtex"])
def test_a_file_without_any_entry_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="holds no"):
        entries("[]\n" if form == "csl" else "words\n", form)


def test_a_bibliography_of_comments_alone_is_an_empty_one() -> None:
    assert entries("% nothing yet\n@comment{to do}\n@string{a = {b}}\n") == []


@given(st.sampled_from(["bibtex", "jsonl", "csl", "ris"]), st.text(max_size=200))
def test_no_text_makes_a_parser_raise_anything_but_an_input_error(form: str, text: str) -> None:
    try:
        found = entries(text, form)
    except InputError:
        return
    assert all(one.location.line >= 1 for one in found)


def test_every_format_has_endings_of_its_own() -> None:
    endings = [ending for _, form in FORMATS.items() for ending in form.endings]
    assert len(endings) == len(set(endings))
