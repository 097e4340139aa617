from hallmark.bench.conformance import entries
from hallmark.bench.conformance.cases import CASES
from hallmark.bench.conformance.entries import BROKEN, LATEX, UNICODE
from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.verifier import reference
from hallmark.parse.interface import parse_text
from hallmark.records.reference import FailedEntry


def test_the_two_spellings_are_the_same_reference() -> None:
    one, other = reference(UNICODE), reference(LATEX)
    assert [name.family for name in one.authors] == [name.family for name in other.authors]
    assert one.title == other.title


def test_the_broken_entry_is_broken() -> None:
    assert BROKEN.raw_bibtex is not None
    parsed = list(parse_text(BROKEN.raw_bibtex))
    assert any(isinstance(entry, FailedEntry) for entry in parsed)


def test_every_entry_but_the_broken_one_can_be_read() -> None:
    made = [value for value in vars(entries).values() if isinstance(value, BlindEntry)]
    assert len(made) > 8
    for entry in made:
        if entry is not BROKEN:
            assert reference(entry).title
            assert reference(entry).authors


def test_every_test_says_what_is_right_and_why() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.question and case.right and case.why for case in CASES)
