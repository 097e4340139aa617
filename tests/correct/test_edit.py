import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.correct.document import difference, opened
from hallmark.correct.edit import Change, Manner, Refusal, applied, changes_of
from hallmark.correct.markup import Script, writes_unicode
from hallmark.correct.scan import Lines, find_entry
from hallmark.correct.vocabulary import Vocabulary
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Reference
from hallmark.text.venues import VenueTable


def vocabulary(**seen: str) -> Vocabulary:
    found = Vocabulary(VenueTable.curated())
    for venue, source in seen.items():
        found.see(venue, source)
    return found


def corrected(text: str, wanted: dict[str, str], names: Vocabulary | None = None) -> str:
    """The whole text with its first entry corrected."""
    reference = next(one for one in parse_text(text) if isinstance(one, Reference))
    entry = find_entry(text, Lines(text), reference.key, reference.location.line)
    assert entry is not None
    manner = Manner(Script(), names or vocabulary())
    changes = changes_of(text, entry, reference, wanted, manner)
    if isinstance(changes, Refusal):
        return f"refused: {changes.reason}"
    return applied(text, changes)


@pytest.mark.parametrize(
    ("before", "wanted", "after"),
    [
        ("year = 2018", {"year": "2017"}, "year = 2017"),
        ('year = "2018"', {"year": "2017"}, 'year = "2017"'),
        ("date = {2018-05-03}", {"date": "2017"}, "date = {2017-05-03}"),
        ("year = {2018}, date = {2018-05}", {"date": "2017"}, "year = {2017}, date = {2017-05}"),
        ("year = {12018/2018a}", {"year": "2017"}, "year = {12018/2017a}"),
        ("doi = {10.1000/a_b}", {"doi": "10.1000/c_d"}, "doi = {10.1000/c_d}"),
        ("doi = {10.1000/a\\_b}", {"doi": "10.1000/c_d"}, "doi = {10.1000/c\\_d}"),
        ("doi = {https://doi.org/10.1000/AB}", {"doi": "10.1000/c"}, "doi = {https://doi.org/10.1000/c}"),
        ("doi = {10.1000/ab}, url = {http://dx.doi.org/10.1000/ab}", {"doi": "10.1000/c"},
         "doi = {10.1000/c}, url = {http://dx.doi.org/10.1000/c}"),
        ("eprint = {1712.00001}, archiveprefix = {arXiv}", {"eprint": "2101.00002"},
         "eprint = {2101.00002}, archiveprefix = {arXiv}"),
        ("journal = {CoRR}, volume = {abs/1712.00001}", {"eprint": "2101.00002"},
         "journal = {CoRR}, volume = {abs/2101.00002}"),
        ('title = "On \'Trees\'"', {"title": 'On "Woods"'}, 'title = "On {"}Woods{"}"'),
        ("booktitle = {ICML}", {"booktitle": "NeurIPS"}, "booktitle = {NeurIPS}"),
        ("booktitle = {Proceedings of the International Conference on Machine Learning}",
         {"booktitle": "NeurIPS"},
         "booktitle = {Proceedings of the Conference on Neural Information Processing Systems}"),
        ("booktitle = icml # { 35}", {"booktitle": "Some Workshop on {B} & Co"},
         "booktitle = {Some Workshop on {B} \\& Co}"),
    ],
)  # fmt: skip
def test_a_value_is_corrected_within_its_own_form(
    before: str, wanted: dict[str, str], after: str
) -> None:
    head = "@inproceedings{k, title0 = {T}, note = {kept  {as} it is}, "
    assert corrected(f"{head}{before} }}\n", wanted) == f"{head}{after} }}\n"


def test_a_venue_is_called_as_the_file_calls_it_elsewhere() -> None:
    text = "@inproceedings{k, title = {T}, booktitle = {ICML} }\n"
    full = vocabulary(NeurIPS="nips")
    assert "booktitle = nips }" in corrected(text, {"booktitle": "NeurIPS"}, full)
    dated = Vocabulary(VenueTable.curated())
    dated.see("Proceedings of the 31st NeurIPS", "{Proceedings of the 31st NeurIPS}")
    assert "booktitle = {NeurIPS} }" in corrected(text, {"booktitle": "NeurIPS"}, dated)


LAID_OUT = """\
@article{k,
  title  = {T},
  doi    = {10.1000/x},
  url    = {https://doi.org/10.1000/x},
  year   = {2000}%s
}
"""


@pytest.mark.parametrize("comma", ["", ","])
def test_an_identifier_that_is_nobodys_is_taken_out_with_its_link(comma: str) -> None:
    assert corrected(LAID_OUT % comma, {"doi": ""}) == (
        f"@article{{k,\n  title  = {{T}},\n  year   = {{2000}}{comma}\n}}\n"
    )


def test_the_last_field_is_taken_out_with_the_comma_before_it() -> None:
    text = "@article{k,\n  title = {T},\n  url = {https://doi.org/10.1000/x},\n  doi = {10.1000/x}\n}\n"
    assert corrected(text, {"doi": ""}) == "@article{k,\n  title = {T},\n}\n"


def test_an_arxiv_id_that_is_nobodys_is_taken_out_with_what_belongs_to_it() -> None:
    text = (
        "@misc{k, title = {T}, eprint = {1712.00001}, archiveprefix = {arXiv}, "
        "primaryclass = {cs.LG}, year = {2000}}\n"
    )
    assert corrected(text, {"eprint": ""}) == "@misc{k, title = {T}, year = {2000}}\n"


def test_a_field_that_holds_more_than_the_identifier_is_left_to_a_person() -> None:
    text = "@misc{k, title = {T}, url = {https://doi.org/10.1000/x and more words}}\n"
    assert corrected(text, {"doi": ""}).startswith("refused: ")
    text = "@misc{k, title = {T}, note = {doi 10.1000/x}}\n"
    assert corrected(text, {"doi": "10.1000/y"}).startswith("refused: ")


def test_a_year_that_a_macro_holds_is_left_to_a_person() -> None:
    text = "@string{y = {2018}}\n@misc{k, title = {T}, year = y}\n"
    assert corrected(text, {"year": "2017"}).startswith("refused: ")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_field_that_was_inherited_is_added_in_the_layout_of_the_last(end: str) -> None:
    text = end.join(["@inproceedings{k,", "  title  = {T},", "  author = {A},", "}", ""])
    assert corrected(text, {"year": "2017"}) == end.join(
        ["@inproceedings{k,", "  title  = {T},", "  author = {A},", "  year   = {2017},", "}", ""]
    )
    assert corrected("@misc{k, title={T}}", {"year": "2017"}) == "@misc{k, title={T}, year={2017}}"


def test_nothing_changes_where_nothing_is_wanted() -> None:
    assert corrected(LAID_OUT % "", {}) == LAID_OUT % ""


PLACES = st.lists(st.integers(0, 40), min_size=2, max_size=8).map(sorted)


@given(st.text(min_size=41, max_size=60), PLACES, st.text(max_size=5))
def test_all_outside_of_changes_stays(text: str, places: list[int], new: str) -> None:
    pairs = list(zip(places[::2], places[1::2], strict=False))
    changes = [Change(start, end, new, "f") for start, end in pairs]
    edges = [0, *(edge for pair in pairs for edge in pair), len(text)]
    kept = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    assert applied(text, changes) == new.join(kept)
    assert applied(text, []) == text


ENCODINGS = ["utf-8", "cp1252", "latin-1", "utf-16", "utf-16-le", "gb18030", "ascii"]


@given(st.binary(max_size=60), st.sampled_from(ENCODINGS))
def test_bytes_that_are_opened_come_back_the_same(data: bytes, encoding: str) -> None:
    document = opened(data, encoding)
    if document is not None:
        assert document.write(document.text) == data


@given(st.binary(max_size=60))
def test_whatever_the_bytes_a_utf8_file_can_be_opened(data: bytes) -> None:
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert opened(data, "utf-8") is not None


def test_marks_and_unknown_bytes_stay() -> None:
    data = b"\xef\xbb\xbfa\xe9\r\nb"
    document = opened(data, "utf-8-sig")
    assert document is not None
    assert document.write(document.text.replace("b", "é")) == b"\xef\xbb\xbfa\xe9\r\n\xc3\xa9"


def test_a_letter_that_an_encoding_lacks_is_no_bytes() -> None:
    document = opened(b"abc", "latin-1")
    assert document is not None
    assert document.write("Łódź") is None
    assert opened(b"abc", "no-such-codec") is None


def test_a_diff_keeps_line_ends_and_says_where_the_last_one_is_missing() -> None:
    assert difference("a\r\nb", "a\r\nc", "x", "y") == (
        "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\r\n-b\n\\ No newline at end of file\n"
        "+c\n\\ No newline at end of file\n"
    )
    assert difference("a\n", "a\n", "x", "y") == ""


def test_a_file_writes_letters_or_commands() -> None:
    assert writes_unicode("Müller and Žižek and {\\'e}")
    assert not writes_unicode('M{\\"u}ller, {\\v{Z}}i{\\v{z}}ek % é')
    assert not writes_unicode("Ada Lovelace")
