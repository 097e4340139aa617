"""What becomes of entries that break BibTeX's rules: repaired with a note, or a row that says why."""

import time

import pytest

from hallmark.records.reference import FailedEntry, Reference
from tests.parse.reading import codes, entries, reference, references

GOOD = "@misc{good, title={Good}, year={2001}}\n"


def repaired(text: str) -> Reference:
    """Return the first of two entries, the second of which must not have suffered."""
    first, second = references(text + GOOD)
    assert (second.key, second.title, codes(second)) == ("good", "Good", [])
    return first


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("@article{k,\n title={T}\n year=2000\n}\n", "missing-comma"),
        ("@article{k,\n year=2000\n title={T}\n}\n", "missing-comma"),
        ("@article{k\n title={T},\n year=2000\n}\n", "missing-comma"),
        ("@article{k,\n title {T},\n year = 2000\n}\n", "missing-equals"),
        ("@article{k,\n title={T}},\n year={2000}\n}\n", "extra-brace"),
        ("@article{k, title={T}}, year={2000}}\n", "extra-brace"),
        ("@article{k,\n title={T,\n year=2000\n}\n", "unbalanced-brace"),
        ("@article{k,\n title={T},\n year={2000\n}\n", "unbalanced-brace"),
        ("@article{k,\n title={T},\n year={2000}\n", "unbalanced-brace"),
        ("@article{k, title={T}, year={2000}\n", "unclosed-entry"),
        ("@article{k,\n title={T},\n file={a \\{cut.pdf},\n year=2000\n}\n", "escaped-brace"),
        ("@article{k,\n file={C:\\dir\\},\n title={T}, year={2000}\n}\n", "escaped-brace"),
        ('@article{k,\n title="T",\n note="the "best", really",\n year={2000}\n}\n', "stray-quote"),
    ],
)
def test_a_fault_of_form_is_repaired_with_a_note(text: str, code: str) -> None:
    one = repaired(text)
    assert (one.key, one.title, one.year) == ("k", "T", 2000)
    assert code in codes(one)


def test_a_missing_key_is_noted() -> None:
    one = repaired("@article{title={T}, year=2000}\n")
    assert (one.key, one.title, codes(one)) == ("", "T", ["missing-key"])


def test_two_faults_in_one_entry_are_both_repaired() -> None:
    one = repaired("@article{k\n title={T},\n year={2000,\n author={A B}\n}\n")
    assert (one.title, one.year) == ("T", 2000)
    assert codes(one) == ["missing-comma", "unbalanced-brace"]


@pytest.mark.parametrize(
    "text",
    [
        "@article{bad, title={{{never closed}, year=2000}\n",
        "@article{bad, ,,,}\n",
        '@article{bad, title="never closed, year=2000}\n',
        "@article{bad, title\n",
        "@article{bad, title={T}, year\n",
    ],
)
def test_what_cannot_be_repaired_is_a_row_with_line_and_key(text: str) -> None:
    first, second = entries("\n" + text + GOOD)
    assert isinstance(first, FailedEntry)
    assert (first.location.line, first.key) == (2, "bad")
    assert first.reason.startswith("The entry is not valid BibTeX: ")
    assert second.key == "good"


def test_an_entry_cut_off_in_the_midst_of_a_value_is_not_read_as_if_whole() -> None:
    first, second = entries(GOOD + "@article{cut,\n title={T},\n author = {Ada Love")
    assert first.key == "good"
    assert isinstance(second, FailedEntry)


def test_an_open_macro_definition_costs_nothing_else() -> None:
    assert reference("@string{m={Venue}\n@article{k, title={T}, journal=m}\n").venue == "Venue"


def test_one_broken_entry_in_ten_thousand_costs_only_itself() -> None:
    rows = [f"@misc{{k{i}, title={{Title {i}}}, year={{2000}}}}\n" for i in range(2000)]
    rows[1000] = "@misc{k1000, title={{{Broken, year={2000}}\n"
    found = entries("".join(rows))
    assert [one.key for one in found] == [f"k{i}" for i in range(2000)]
    assert [one.location.line for one in found if isinstance(one, FailedEntry)] == [1001]


@pytest.mark.parametrize(
    "entry",
    [
        "@article{k, title={" + "{" * 100_000 + "x" + "}" * 100_000 + "}}\n",
        "@article{k, title={" + "{" * 100_000 + "x}}\n",
        "@article{k, title={" + "word " * 600_000 + "}}\n",
        "@article{k, title=" + "{a}#" * 50_000 + "{b}}\n",
        "@article{k, " + "a=b," * 30_000 + "}\n",
        "@article{k, title={T}" + " a={b}" * 20_000 + "}\n",
        "@misc{" * 50_000 + "\n",
        "@misc{k,\n" + " a={b,\n" * 20_000 + "}\n",
        "@misc{k, title=" + '"' * 300_001 + "}\n",
        "@comment{ x\n" * 2_000,
        "@misc{k, abstract={" + "\n@foo{bar} x" * 20_000 + "}}\n",
    ],
    ids=["nested", "unclosed", "long", "joined", "fields", "commas", "heads", "lines", "quotes",
         "comments", "signs"],
)  # fmt: skip
def test_hostile_entries_take_bounded_time_and_hide_nothing(entry: str) -> None:
    start = time.process_time()
    assert entries(entry + GOOD)[-1].key == "good"
    assert time.process_time() - start < 10


def test_a_title_of_megabytes_is_cut_with_a_note() -> None:
    one = repaired("@article{k, title={" + "word " * 300_000 + "}}\n")
    assert len(one.title) <= 10_000
    assert "cut-field" in codes(one)


def test_five_thousand_authors_are_all_read() -> None:
    people = " and ".join(f"Name{i}, Given{i}" for i in range(5000))
    assert len(repaired(f"@article{{k, title={{T}}, author={{{people}}}}}\n").authors) == 5000


def test_macros_that_double_each_other_do_not_fill_the_memory() -> None:
    bomb = "@string{a0={xxxxxxxxxx}}\n" + "".join(
        f"@string{{a{i}=a{i - 1} # a{i - 1}}}\n" for i in range(1, 60)
    )
    assert len(repaired(bomb + "@misc{k, title=a59}\n").title) <= 10_000


def test_the_notes_on_one_entry_stay_readable() -> None:
    fields = ", ".join(f"f{i} = undefined{i}" for i in range(100))
    notes = repaired(f"@misc{{k, {fields}}}\n").notes
    assert len(notes) == 11
    assert notes[-1].message == "There are 90 further faults of form."
