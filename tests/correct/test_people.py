import pytest

from hallmark.correct.markup import Script
from hallmark.correct.people import corrected_authors

UNICODE = Script()
COMMANDS = Script(unicode=False)


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("Ada Lovelace and John Doe", "Ada Lovelace and Charles Babbage", "Ada Lovelace and Charles Babbage"),
        ("Lovelace, Ada and Doe, John", "Ada Lovelace and Charles Babbage", "Lovelace, Ada and Babbage, Charles"),
        ("A. Lovelace and J. Doe", "Ada Lovelace and Charles Babbage", "A. Lovelace and C. Babbage"),
        ("Lovelace, A. and Doe, J. R.", "Ada Lovelace and Mary Ann Evans", "Lovelace, A. and Evans, M. A."),
        ("Lovelace, A and Doe, JR", "Ada Lovelace and Mary Ann Evans", "Lovelace, A and Evans, MA"),
        ("Lovelace, A. and Doe, J.R.", "Ada Lovelace and Mary Ann Evans", "Lovelace, A. and Evans, M.A."),
        ("A. Lovelace and J. Doe", "Jean-Yves Girard", "J.-Y. Girard"),
        ("{\\'E}. Cartan and X. Doe", "Élie Cartan and Henri Cartan", "{\\'E}. Cartan and H. Cartan"),
        ("John Doe", "Ludwig van Beethoven", "Ludwig van Beethoven"),
        ("Doe, John", "Ludwig van Beethoven", "van Beethoven, Ludwig"),
        ("John Doe", "{The Big Collaboration}", "{The Big Collaboration}"),
        ("John Doe and others", "Ada Lovelace and others", "Ada Lovelace and others"),
        ("", "Ada Lovelace and Charles Babbage", "Ada Lovelace and Charles Babbage"),
    ],
)  # fmt: skip
def test_a_new_name_is_written_as_the_others_are(value: str, wanted: str, expected: str) -> None:
    assert corrected_authors(value, wanted, UNICODE) == expected


def test_who_is_right_stays_as_written() -> None:
    value = "K{\\'a}roly, {\\relax Ch}. and  de la Cruz, J.~P. and Doe, John"
    wanted = "Charles Károly and Juan Pablo de la Cruz and Ada Lovelace"
    assert corrected_authors(value, wanted, UNICODE).startswith("K{\\'a}roly, {\\relax Ch}.")


def test_a_given_name_that_is_wrong_is_not_kept() -> None:
    assert corrected_authors("Michael Zhang", "Wei Zhang", UNICODE) == "Wei Zhang"
    assert corrected_authors("Mei Zhang", "Michael Zhang", UNICODE) == "Michael Zhang"


def test_two_people_of_one_family_name_are_told_apart() -> None:
    value = "Wei Zhang and Michael Zhang"
    assert corrected_authors(value, "Michael Zhang and Wei Zhang", UNICODE) == (
        "Michael Zhang and Wei Zhang"
    )


def test_letters_are_written_as_the_file_writes_them() -> None:
    wanted = "Petar Veličković and Łukasz Kaiser"
    assert corrected_authors("J. Doe", wanted, UNICODE) == "P. Veličković and Ł. Kaiser"
    assert corrected_authors("John Doe", wanted, COMMANDS) == (
        "Petar Veli{\\v{c}}kovi{\\'c} and {\\L}ukasz Kaiser"
    )
    assert corrected_authors("John Doe", "Jörg Łoś", Script("latin-1")) == "Jörg {\\L}o{\\'s}"


def test_a_list_keeps_its_lines() -> None:
    one_a_line = "Ada Lovelace and\n            John Doe and\n            Jane Doe"
    assert corrected_authors(one_a_line, "Ada Lovelace and Charles Babbage", UNICODE) == (
        "Ada Lovelace and\n            Charles Babbage"
    )
    windows = "Ada Lovelace\r\n  and John Doe\r\n  and Jane Doe"
    assert corrected_authors(windows, "Ada Lovelace and Charles Babbage", UNICODE) == (
        "Ada Lovelace\r\n  and Charles Babbage"
    )


def test_a_broken_list_is_broken_again() -> None:
    value = "Ada Lovelace and Charles Babbage and John Doe and\n    Jane Doe"
    wanted = " and ".join(f"Person{at} Name{at}" for at in range(12))
    written = corrected_authors(value, wanted, UNICODE)
    assert max(map(len, written.splitlines())) <= 84
    assert written.replace(" and\n    ", " and ") == wanted
