import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.correct.markup import Script
from hallmark.correct.wording import corrected_title
from hallmark.text import titles
from hallmark.text.latex import to_unicode


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ("Attention Is All You Require", "Attention is All you Need", "Attention Is All You Need"),
        ("{BERT}: pre-training of deep networks", "BERT: Pre-Training of Deep Transformers", "{BERT}: pre-training of deep transformers"),
        ("{Attention Is All You Require}", "Attention is All you Need", "{Attention Is All You Need}"),
        ("A {Deep Network} for vision", "A Deep Transformer for Vision", "A {Deep Transformer} for vision"),
        ("Learning to Rank", "Learning to Rank MRI Scans", "Learning to Rank {MRI} Scans"),
        ("Learning Slowly to Rank", "Learning to Rank", "Learning to Rank"),
        ("On the {P}oincar{\\'e} Plane", "On the Poincaré Ball", "On the {P}oincar{\\'e} Ball"),
        ("Cats and Dogs", "Cats & Mice", "Cats \\& Mice"),
        ("Wrong", "Wholly Other Words", "Wholly Other Words"),
    ],
)  # fmt: skip
def test_only_the_changed_words_change(value: str, wanted: str, expected: str) -> None:
    assert corrected_title(value, wanted, Script()) == expected


def test_a_title_over_two_lines_keeps_them() -> None:
    value = "Batch Normalization: Slowing\n             Deep Network Training"
    wanted = "Batch Normalization: Accelerating Deep Network Training"
    assert corrected_title(value, wanted, Script()) == (
        "Batch Normalization: Accelerating\n             Deep Network Training"
    )


WORDS = st.lists(st.sampled_from(["deep", "Net", "of", "BERT", "π", "naïve", "2", "&"]), max_size=7)
SOURCE = st.text(st.sampled_from("ab {}BERTdeepNet\\'e"), max_size=30)


@given(SOURCE, WORDS.map(" ".join).filter(lambda text: titles.key(text) != ""))
def test_the_outcome_says_what_is_wanted_and_its_braces_balance(value: str, wanted: str) -> None:
    written = corrected_title(value, wanted, Script())
    assert titles.key(to_unicode(written)) == titles.key(wanted)
    assert written.count("{") == written.count("}")
