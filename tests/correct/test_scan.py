import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.correct.scan import EntrySpan, Lines, find_entry, is_literal, pieces
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Reference

TEXT = """\
% a comment with an @ and {braces}
@string{icml = {International Conference on Machine Learning}}

@Article{one ,
  title  = {A {B} "c" \\"o {d {e}}},
  author = "Ada {"}Lovelace{"}",
  year = 1843, month = jan,
  journal = icml # { 1843} # "x"
}
@inproceedings(two, title = {T}, year = {2000},)
"""


def entry(text: str, key: str, line: int) -> EntrySpan:
    found = find_entry(text, Lines(text), key, line)
    assert found is not None
    return found


def values(text: str, span: EntrySpan) -> dict[str, str]:
    return {one.name: text[one.start : one.end] for one in span.fields}


def test_each_field_is_found_with_its_source() -> None:
    assert values(TEXT, entry(TEXT, "one", 4)) == {
        "title": '{A {B} "c" \\"o {d {e}}}',
        "author": '"Ada {"}Lovelace{"}"',
        "year": "1843",
        "month": "jan",
        "journal": 'icml # { 1843} # "x"',
    }


def test_an_entry_in_parentheses_with_a_last_comma_is_found() -> None:
    span = entry(TEXT, "two", 10)
    assert TEXT[span.start : span.end].startswith("@inproceedings(two")
    assert TEXT[span.end - 1] == ")"
    assert [one.has_comma for one in span.fields] == [True, True]


@pytest.mark.parametrize(
    "text",
    [
        "@article{a, title = {T} year = {2000}}",
        "@article{a, title = {T}, year = {2000}",
        '@article{a, title = "T", year = "20}00"}',
        "@article{a title = {T}}",
        "@article{a, title = {T}, % note\n year = {2000}}",
        "@article{a, title = }",
        "@article{a,}",
        "@article(a, title = {T}}",
        "@article{b, title = {T}}",
        "",
    ],
)
def test_an_entry_that_breaks_a_rule_has_no_spans(text: str) -> None:
    assert find_entry(text, Lines(text), "a", 1) is None


def test_an_entry_is_only_found_where_it_was_said_to_be() -> None:
    text = "\n" * 20 + "@article{a, title = {T}}\n"
    lines = Lines(text)
    assert find_entry(text, lines, "a", 21) is not None
    assert find_entry(text, lines, "a", 1) is None
    assert find_entry(text, lines, "a", 99) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_with_every_line_end(end: str) -> None:
    text = TEXT.replace("\n", end)
    lines = Lines(text)
    starts = [lines.start(number) for number in range(1, 12)]
    assert starts[-1] is None or text[starts[-1] :] == ""
    assert all(lines.number(start) == at for at, start in enumerate(starts, 1) if start is not None)
    assert find_entry(text, lines, "two", 10) is not None


VALUE = st.text(st.sampled_from('ab {}",=@#\\%\n1é'), max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["title", "year", "note"]), VALUE), max_size=4))
def test_whatever_is_written_spans_nest_and_lie_in_the_text(rows: list[tuple[str, str]]) -> None:
    text = "@misc{k, " + ", ".join(f"{name} = {value}" for name, value in rows) + "}"
    span = find_entry(text, Lines(text), "k", 1)
    if span is not None:
        edges = [span.start, span.body]
        for one in span.fields:
            edges += [one.name_start, one.name_end, one.start, one.end, one.next]
        edges.append(span.end)
        assert edges == sorted(edges)
        assert edges[-1] <= len(text)


@given(st.text(st.sampled_from('ab {}",\\é1'), max_size=30).filter(lambda text: "\n" not in text))
def test_where_spans_are_found_the_parser_reads_the_same_value(value: str) -> None:
    text = f"@misc{{k,\n  note = {{{value}}},\n  year = {{2000}}\n}}\n"
    span = find_entry(text, Lines(text), "k", 1)
    parsed = [one for one in parse_text(text) if isinstance(one, Reference)]
    if span is None or len(span.fields) != 2 or not parsed or parsed[0].notes:
        return
    field = span.field("note")
    assert field is not None
    assert parsed[0].fields["note"].split() == text[field.start + 1 : field.end - 1].split()


def test_literals_are_told_from_macros() -> None:
    assert is_literal("{a {b}}")
    assert is_literal('"a {"} b"')
    assert not is_literal("{a} # {b}")
    assert not is_literal("icml")
    assert not is_literal("2000")


@given(st.text(st.sampled_from("ab {}nd"), max_size=40))
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text, re.compile(r"\s+and\s+"))) == text
