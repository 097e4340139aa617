"""What comes out of well-formed .bib files."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.records.reference import Kind
from tests.parse.reading import codes, entries, keys, names, of_bytes, reference, references

KEYS = st.text(st.sampled_from("abcxyzABC0123456789:_+-./'"), min_size=1, max_size=12).filter(
    lambda key: key.strip("'")
)
WORDS = st.text(st.characters(categories=("Lu", "Ll", "Nd")), min_size=1, max_size=8)
TITLES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


def test_nested_braces_and_a_month_macro_do_not_swallow_the_rest() -> None:
    one = reference(
        "@article{lstm,\n  title = {A {Short {T}itle}},\n  month = nov,\n  year = {1997},\n"
        "  journal = {Neural Computation}\n}\n"
    )
    assert (one.title, one.year, one.month) == ("A Short Title", 1997, 11)


def test_text_and_stray_braces_between_entries_are_no_entries() -> None:
    text = (
        "write to someone@example.org }\n and {Left}, A. } }\n@misc{a, title={One}}\n"
        "more } here\n@misc{b, title={Two}}\nthe end @home"
    )
    assert keys(text) == ["a", "b"]


def test_several_entries_on_one_line_all_come_out() -> None:
    assert keys("@misc{a, title={A}} @misc{b, title={B}} text @misc{c, title={C}}\n") == list("abc")


def test_the_last_field_needs_no_comma() -> None:
    first, second = references(
        '@misc{x,\n note = "A memo, 2001"\n}\n@misc{y, doi={10.2307/1990888}}'
    )
    assert first.note == "A memo, 2001"
    assert second.doi == "10.2307/1990888"


def test_a_repeated_key_gives_two_entries_and_a_note() -> None:
    first, second = references("@misc{k, title={One}}\n@misc{k, title={Two}}\n")
    assert (first.title, second.title) == ("One", "Two")
    assert codes(first) == []
    assert codes(second) == ["duplicate-key"]


@pytest.mark.parametrize(
    "comment",
    [
        "@Comment these are my references\n",
        "@comment{with braces}\n",
        "@comment{never closed\n",
        "@comment{\n@misc{hidden, title={Commented out}}\n}\n",
        "% a percent sign @misc\n",
        "%@misc{hidden, title={Commented out}}\n",
        '@preamble{ "\\newcommand{\\x}{y}" }\n',
        "@comment{jabref-meta: databaseType:bibtex;}\n",
    ],
)
def test_comments_are_no_entries_and_hide_none(comment: str) -> None:
    assert keys(comment + "@misc{seen, title={Seen}}\n") == ["seen"]


def test_macros_are_defined_in_any_case_and_with_parentheses() -> None:
    one = reference(
        '@STRING{conf = "Conference on "}\n@string(pub = {Some Press})\n'
        '@inproceedings{k, title = "A " # {B} # " C", booktitle = CONF # {Things}, publisher = pub}'
    )
    assert (one.title, one.venue, one.publisher) == ("A B C", "Conference on Things", "Some Press")


def test_a_macro_may_be_defined_behind_its_use() -> None:
    assert reference("@misc{k, title=later}\n@string{later={Defined}}\n").title == "Defined"


def test_a_macro_of_the_standard_styles_needs_no_definition() -> None:
    assert reference("@article{k, title={T}, journal=jacm}").venue == "Journal of the ACM"


def test_an_undefined_macro_claims_nothing_but_keeps_its_name() -> None:
    one = reference("@article{k, title={T}, month=Sept, journal=neurcomp, year=1997}")
    assert (one.month, one.venue, one.year) == (None, "", 1997)
    assert one.fields["journal"] == "neurcomp"
    assert codes(one) == ["undefined-macro", "undefined-macro"]


def test_a_month_may_hold_a_day() -> None:
    one = reference('@article{k, title={T}, month = nov # "~15", year = 1997}')
    assert (one.month, one.day) == (11, 15)


def test_a_child_inherits_from_a_parent_that_stands_behind_it() -> None:
    child, parent = references(
        "@inbook{c, author={Ada Lovelace}, title={Notes}, pages={1--2}, crossref={P}}\n"
        "@book{p, editor={Charles Babbage}, title={Engines}, publisher={Press}, year={1843}, "
        "doi={10.1000/book}}\n"
    )
    assert (child.title, child.venue, child.year) == ("Notes", "Engines", 1843)
    assert names(child) == ["Ada Lovelace"]
    assert child.doi is None
    assert parent.title == "Engines"


def test_xdata_hands_down_everything_through_several_steps() -> None:
    child, *_ = references(
        "@article{c, title={T}, xdata={one, two}}\n@xdata{one, xdata={three}, year={2001}}\n"
        "@xdata{two, publisher={Press}}\n@xdata{three, journaltitle={Journal}}\n"
    )
    assert (child.year, child.publisher, child.venue) == (2001, "Press", "Journal")


def test_parents_in_a_circle_and_missing_ones_are_survived() -> None:
    first, second = references(
        "@book{a, title={A}, crossref={b}}\n@book{b, crossref={a}, xdata={none}, year=2000}\n"
    )
    assert first.year == 2000
    assert codes(second) == ["missing-parent"]


def test_biblatex_fields_mean_what_bibtex_fields_mean() -> None:
    one = reference(
        "@article{k, title={T}, subtitle={S}, journaltitle={J}, date={1997-11-15}, number={8}, "
        "pages={1735--1780}, location={Cambridge}}"
    )
    assert (one.venue, one.year, one.month, one.day) == ("J", 1997, 11, 15)
    assert (one.subtitle, one.pages) == ("S", "1735-1780")


def test_biblatex_extended_names_are_read() -> None:
    one = reference(
        "@misc{k, title={T}, author={family=Beethoven, given=Ludwig, prefix=van and Ada Lovelace}}"
    )
    assert names(one) == ["Ludwig van Beethoven", "Ada Lovelace"]


def test_exports_with_blanks_before_keys_and_doubled_braces_are_read() -> None:
    one = reference(
        "@article{ ISI:0001,\nAuthor = {Lovelace, A.},\nTitle = {{A LOUD TITLE}},\n"
        "Journal = {{NOTES}},\nYear = {{1997}},\nDOI = {{10.1000/ABC}},\nUnique-ID = {{ISI:0001}},\n}"
    )
    assert (one.key, one.title, one.venue) == ("ISI:0001", "A LOUD TITLE", "NOTES")
    assert (one.year, one.doi) == (1997, "10.1000/abc")


def test_values_over_several_lines_are_joined() -> None:
    one = reference(
        "@article{k,\n  author = {Lovelace, Ada and\n   Babbage,\n   Charles},\n"
        "  title = {A long\n\t title}, year = 2000 }"
    )
    assert one.title == "A long title"
    assert names(one) == ["Ada Lovelace", "Charles Babbage"]


def test_others_cut_the_list_of_authors() -> None:
    one = reference("@misc{k, title={T}, author={Olive, K. A. and {others}}}")
    assert names(one) == ["K. A. Olive"]
    assert one.authors_truncated


def test_authors_without_and_are_told_apart_with_a_note() -> None:
    one = reference("@misc{k, title={T}, author={Finn C., Abbeel P. and Levine S.}}")
    assert [author.family for author in one.authors] == ["Finn", "Abbeel", "Levine"]
    assert codes(one) == ["names-without-and"]


def test_a_doubled_comma_inside_a_name_is_survived() -> None:
    (author,) = reference("@misc{k, title={T}, author={Rice, , H. G.}}").authors
    assert (author.family, author.given) == ("Rice", "H. G.")


def test_html_written_as_latex_leaves_the_title() -> None:
    one = reference(
        "@misc{k, title={{$\\less$}em{$\\greater$}Apis{$\\less$}/em{$\\greater$} &amp; co}}"
    )
    assert one.title == "Apis & co"


def test_journals_of_astronomy_may_be_commands() -> None:
    assert reference("@article{k, title={T}, journal={\\apj}}").venue == "The Astrophysical Journal"


def test_entries_in_parentheses_and_with_odd_heads_are_read() -> None:
    text = (
        "@article(a, title={T (x)})\n@ ARTICLE\n{ b , title={U} , }\n@online-thing{c, title={V}}\n"
    )
    assert [one.title for one in references(text)] == ["T (x)", "U", "V"]


def test_an_at_sign_inside_a_value_begins_no_entry() -> None:
    text = "@misc{a, title={LeQua @ {CLEF}}, abstract={see\n@foo{bar} and\n@baz{x}}}\n@misc{b, title={B}}"
    first, second = references(text)
    assert first.title == "LeQua @ CLEF"
    assert second.key == "b"


def test_an_entry_without_fields_comes_out() -> None:
    one = reference("@article{alone}\n")
    assert (one.key, one.title) == ("alone", "")


def test_every_line_number_is_that_of_the_entry() -> None:
    text = "\n\n@misc{a, title={A}}\n\n@misc{b,\n title={B}\n}\ntext\n  @misc{c, title={C}}\n"
    assert [one.location.line for one in entries(text)] == [3, 5, 9]


def test_the_first_of_two_fields_of_one_name_counts() -> None:
    one = reference("@misc{k, title={First}, Title={Second}}")
    assert one.title == "First"
    assert codes(one) == ["repeated-field"]


def test_a_field_commented_out_with_a_percent_sign_is_left_out() -> None:
    one = reference("@misc{k,\n % title={Old},\n title={New}, % the best\n year=2000}")
    assert (one.title, one.year) == ("New", 2000)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_read_alike(ending: str) -> None:
    text = "% comment\n@misc{a,\n title={Two\n  lines},\n year=1953\n}\n@misc{b, title={B}}\n"
    first, second = of_bytes(text.replace("\n", ending).encode())
    assert (first.title, first.year, second.key) == ("Two lines", 1953, "b")
    assert (first.location.line, second.location.line) == (2, 7)


def test_control_characters_are_taken_out_with_a_note() -> None:
    (one,) = of_bytes(b"@misc{k, title={\x1b[31mRed\x00 Title\x07}}\n")
    assert one.title == "Red Title"
    assert codes(one) == ["control-character"]


def test_kinds_outside_the_old_list_come_out_all() -> None:
    text = (
        "@software{s, title={A}}\n@dataset{d, title={B}}\n@online{o, title={C}}\n"
        "@thesis{t, title={D}}\n@report{r, title={E}}\n@standard{n, title={F}}\n"
        "@mvbook{b, title={G}}\n@jurisdiction{j, title={H}}\n"
    )
    assert [one.kind for one in references(text)] == [
        Kind.SOFTWARE, Kind.DATASET, Kind.WEB, Kind.THESIS, Kind.REPORT, Kind.STANDARD,
        Kind.BOOK, Kind.LEGAL,
    ]  # fmt: skip


@given(st.lists(st.tuples(KEYS, TITLES, st.sampled_from(["{}", '""'])), max_size=12))
def test_n_entries_in_n_entries_out_in_order(rows: Sequence[tuple[str, str, str]]) -> None:
    text = "% start\n" + "\n".join(
        f"@misc{{{key},\n  title = {marks[0]}{title}{marks[1]},\n  year = 2000\n}}"
        for key, title, marks in rows
    )
    found = references(text)
    assert [(one.key, one.title) for one in found] == [(key, title) for key, title, _ in rows]
    assert all(one.year == 2000 for one in found)


@given(st.text(max_size=200))
def test_no_text_behind_an_entry_can_hide_what_stands_before_it(noise: str) -> None:
    found = list(entries("@misc{first, title={First}}\n" + noise))
    assert found[0].key == "first"


@given(st.text(st.sampled_from('@{}()",=#\\% \nabc'), max_size=120))
def test_no_garbage_can_hide_the_entry_that_begins_a_line_behind_it(noise: str) -> None:
    text = f"{noise}\n\n@article{{last, title={{Last}}, year={{2001}}}}\n"
    if "@" in noise and noise.lower().count("@c"):
        return
    assert entries(text)[-1].key == "last"
