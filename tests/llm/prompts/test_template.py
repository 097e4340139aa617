import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import InputError
from hallmark.llm.prompts.catalogue import names, shipped
from hallmark.llm.prompts.template import OF_ENTRY, OF_RUN, Prompt, misspelt, ready


def prompt(user: str, system: str = "") -> Prompt:
    return Prompt(name="mine", version="1", user=user, system=system)


def test_only_known_names_in_braces_are_filled() -> None:
    text = 'Look: {bibtex}\nReply {"label": "VALID", "x": {}} {other} {{title}} {'
    filled = prompt(text).filled({"bibtex": "@misc{a}", "title": "T"})
    assert filled.user == 'Look: @misc{a}\nReply {"label": "VALID", "x": {}} {other} {T} {'


def test_what_is_filled_in_is_not_searched_again() -> None:
    filled = prompt("{title} {doi}").filled({"title": "{doi}{entry}", "doi": "10.1/x"})
    assert filled.user == "{doi}{entry} 10.1/x"


@given(st.text(max_size=30), st.text(max_size=30))
def test_all_other_text_survives(before: str, after: str) -> None:
    if {f"{{{name}}}" for name in (*OF_ENTRY, *OF_RUN)} & {before, after}:
        return
    assert prompt(f"{before}{{key}}{after}").filled({"key": "K"}).user == f"{before}K{after}"


def test_the_digest_is_that_of_the_filled_prompt_and_of_both_parts() -> None:
    one, two = prompt("{entry}{types}", "a"), prompt("{entry}", "a")
    assert one.digest != two.digest
    assert ready(one, {"types": "x"}).digest != ready(one, {"types": "y"}).digest
    assert ready(one, {"types": "x"}).digest == ready(one, {"types": "x", "cutoff": "z"}).digest
    assert prompt("b", "a").digest != prompt("", "ab").digest


def test_a_prompt_that_shows_no_reference_is_refused() -> None:
    with pytest.raises(InputError, match=r"does not show the reference. Put \{entry\}"):
        ready(prompt("Is it real?"), {})


def test_a_prompt_that_needs_what_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="last month of the model's training data"):
        ready(prompt("{entry} {cutoff}"), {"cutoff": ""})


def test_a_word_in_braces_that_is_nearly_a_placeholder_is_found() -> None:
    mine = prompt("{entry} {titel} {Authors} {x} {A title} {json}")
    assert misspelt(mine) == {"titel": "title", "Authors": "authors"}


@pytest.mark.parametrize("name", names())
def test_no_prompt_of_ours_has_a_misspelt_placeholder(name: str) -> None:
    assert misspelt(shipped(name)) == {}
