import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.sources import people


@pytest.mark.parametrize(
    ("given_name", "family", "suffix", "name"),
    [
        ("Ada", "Fenwick", None, "Ada Fenwick"),
        ("Fenwick", "A. M.", None, "A. M. Fenwick"),
        ("Fenwick", "A.", None, "A. Fenwick"),
        ("A.", "M.", None, "A. M."),
        ("Jun", "O", None, "Jun O"),
        (None, "Plato", None, "Plato"),
        ("Ada", None, "Jr.", "Ada Jr."),
        (None, None, None, ""),
    ],
)
def test_names_are_put_in_order(
    given_name: str | None, family: str | None, suffix: str | None, name: str
) -> None:
    assert people.in_order(given_name, family, suffix) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [("Wright, K. M.", "K. M. Wright"), ("Plato", "Plato"), ("A, B, C", "A, B, C"), ("", "")],
)
def test_a_name_with_one_comma_is_turned(text: str, name: str) -> None:
    assert people.turned(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Baldassarre ME", "M. E. Baldassarre"),
        ("van den Berg J", "J. van den Berg"),
        ("Ada Fenwick", "Ada Fenwick"),
        ("WHO", "WHO"),
        ("Institut NORD", "Institut NORD"),
    ],
)
def test_glued_initials_behind_the_family_name_are_known(text: str, name: str) -> None:
    assert people.surname_first(text) == name


@given(st.text("ABCabc. -", max_size=12))
def test_taking_initials_apart_loses_no_letter(text: str) -> None:
    told = people.spaced(text)
    assert [sign for sign in told if sign.isalpha()] == [sign for sign in text if sign.isalpha()]
    assert people.spaced(told) == told


def test_only_short_runs_of_capitals_are_initials() -> None:
    assert people.spaced("ME") == "M. E."
    assert people.spaced("Mei") == "Mei"
    assert people.spaced("ZHAO") == "ZHAO"
    assert people.spaced(None) == ""
