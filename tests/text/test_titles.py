"""Titles are compared by their words: markup, case, accents and punctuation mean nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text import titles
from hallmark.text.spelling import american

SAME = [
    ("varepsilon-Almost Submodular", "ε-almost submodular"),
    ("textttDoubleSqueeze: Parallel Descent", r"\texttt{DoubleSqueeze}: Parallel Descent"),
    ("Attention Is All You Need", "attention is all you need."),
    ("{BERT}: Pre-training of Deep Models", "BERT: Pre-Training of Deep Models"),
    ('Schr{\\"o}dinger bridges', "Schrödinger Bridges"),
    ('Na\\"ive Bayes', "Naïve Bayes"),
    ("<i>In vivo</i> imaging of CO<sub>2</sub>", "In vivo imaging of CO2"),
    ("R&amp;D and growth", "R&D and growth"),
    ("Learning “deep” models – fast", 'Learning "deep" models - fast'),
    ("Let's verify step by step", "Let’s Verify Step by Step"),
    ("$\\alpha$-divergences", "α-divergences"),
    ("alpha-divergences", "α-divergences"),
    ("ﬁne-tuning", "fine-tuning"),
    ("Straße", "STRASSE"),
    ("Ørsted's law", "Orsteds law"),
    ("x\u00adray soft\u00adhyphens", "xray softhyphens"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_writings_of_one_title_have_the_same_words(one: str, other: str) -> None:
    assert titles.words(one) == titles.words(other)


DIFFERENT = [
    ("Attention Is All You Need", "Attention Is All You Want"),
    ("Deep Learning I", "Deep Learning II"),
    ("Thinking in C", "Thinking in C++"),
    ("Programming in C", "Programming in C#"),
    ("Privacy", "Privacys"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_one_letter_makes_another_title(one: str, other: str) -> None:
    assert titles.key(one) != titles.key(other)


def test_a_less_than_sign_is_no_tag() -> None:
    assert titles.words("When a < b and c > d") == ("when", "a", "b", "and", "c", "d")


def test_a_retraction_mark_is_told_from_a_title_about_retraction() -> None:
    assert titles.has_retraction_mark("RETRACTED: Ileal hyperplasia in children")
    assert titles.has_retraction_mark("[Retracted] . A study")
    assert not titles.has_retraction_mark("Retracted Science and the Retraction Index")
    assert titles.without_annotation("RETRACTED ARTICLE: A study") == "A study"


def test_the_head_of_a_title_is_what_stands_before_a_subtitle() -> None:
    assert titles.head("Very deep networks: a study") == "Very deep networks"
    assert titles.head("BERT: a study") == ""
    assert titles.head("No subtitle here") == ""


@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = titles.words(text)
    assert titles.words(" ".join(once)) == once


@given(st.text(st.characters(exclude_characters="\\${}&<>#+"), max_size=100))
def test_case_means_nothing(text: str) -> None:
    assert titles.key(text.upper().lower()) == titles.key(text.upper())


@given(st.text(max_size=100), st.text(max_size=100))
def test_a_key_is_its_words_together(one: str, other: str) -> None:
    both = f"{one} {other}"
    assert titles.key(both) == "".join(titles.words(both))


@pytest.mark.parametrize(
    ("british", "us"),
    [
        ("colour", "color"),
        ("generalisation", "generalization"),
        ("analyse", "analyze"),
        ("modelling", "modeling"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("grey", "gray"),
        ("behavioural", "behavioral"),
    ],
)
def test_british_and_american_forms_meet(british: str, us: str) -> None:
    assert american(british) == american(us) == us


@pytest.mark.parametrize("word", ["our", "noise", "pairwise", "precise", "four", "raise", "wise"])
def test_words_that_only_look_british_stay(word: str) -> None:
    assert american(word) == word


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_the_american_form_is_stable(word: str) -> None:
    assert american(american(word)) == american(word)
