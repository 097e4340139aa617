"""Does a document look right in both forms, whatever its cells hold?"""

from hypothesis import given
from hypothesis import strategies as st

from hallmark.study.document import Items, Section, Table, as_markdown, as_text, share

TABLE = Table(("field", "entry"), (("title", "One | two"), ("year", "2021")))


def test_markdown_has_headings_lists_and_tables() -> None:
    text = as_markdown([Section("Head", ("Some `prose`.", Items(("one", "two")), TABLE), level=1)])
    assert text.splitlines() == [
        "# Head",
        "",
        "Some `prose`.",
        "",
        "- one",
        "- two",
        "",
        "| field | entry |",
        "| --- | --- |",
        "| title | One &#124; two |",
        "| year | 2021 |",
    ]


def test_text_has_columns_and_no_markup() -> None:
    lines = as_text([Section("Head", (TABLE,))], 60).splitlines()
    assert lines == ["Head", "field  entry", "title  One | two", "year   2021"]


def test_a_section_without_level_has_no_heading() -> None:
    assert as_markdown([Section("hidden", ("text",), level=0)]) == "text\n"
    assert "hidden" not in as_text([Section("hidden", ("text",), level=0)])


@given(st.text(max_size=60))
def test_a_cell_never_adds_a_line_a_column_or_a_control_character(cell: str) -> None:
    table = Table(("one", "two"), ((cell, "x"),))
    rows = as_markdown([Section("t", (table,))]).splitlines()[2:]
    assert len(rows) == 3
    assert rows[2].count("|") == 3
    shown = as_text([Section("t", (table,))], 4000)
    assert all(letter.isprintable() or letter in "\n\u3000" for letter in shown if letter < "\x7f")


def test_shares_have_three_digits_and_a_dash_where_undefined() -> None:
    assert (share(0.12345), share(None)) == ("0.123", "–")
