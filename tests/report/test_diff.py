import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.report.diff import Piece, marked

WORDS = st.lists(st.sampled_from(["all", "you", "need", "Need", "is", "a-b", ","]), max_size=12)
TEXTS = WORDS.map(" ".join)


def test_a_changed_word_is_marked_on_both_sides() -> None:
    mine, theirs = marked("all you require", "all you need")
    assert mine == (Piece("all you "), Piece("require", changed=True))
    assert theirs == (Piece("all you "), Piece("need", changed=True))


@pytest.mark.parametrize(
    ("claimed", "found", "mine", "theirs"),
    [
        ("Differential Privacys", "Differential Privacy", "Differential Privacy[s]", "Differential Privacy"),
        ("2018", "2019", "201[8]", "201[9]"),
        ("10.1109/a.2017.1060", "10.1109/a.2017.106", "10.1109/a.2017.106[0]", "10.1109/a.2017.106"),
        ("Training Nets", "Learning Nets", "[Training] Nets", "[Learning] Nets"),
        ("Ada Lovelase", "Ada Lovelace", "Ada Lovela[s]e", "Ada Lovela[c]e"),
        ("deep Learning", "Deep learning", "[d]eep [L]earning", "[D]eep [l]earning"),
    ],
)  # fmt: skip
def test_words_that_are_nearly_the_same_are_marked_by_their_letters(
    claimed: str, found: str, mine: str, theirs: str
) -> None:
    shown = tuple(
        "".join(f"[{piece.text}]" if piece.changed else piece.text for piece in side)
        for side in marked(claimed, found)
    )
    assert shown == (mine, theirs)


def test_a_dropped_word_is_marked_where_it_stands() -> None:
    mine, theirs = marked("one three", "one two three")
    assert mine == (Piece("one three"),)
    assert theirs == (Piece("one "), Piece("two", changed=True), Piece(" three"))


def test_case_is_not_marked_where_words_differ_too() -> None:
    mine, _ = marked("Attention Is all", "attention is everything")
    assert mine == (Piece("Attention Is "), Piece("all", changed=True))


def test_case_is_marked_where_nothing_else_differs() -> None:
    mine, _ = marked("On Trees", "on Trees")
    assert mine == (Piece("O", changed=True), Piece("n Trees"))


def test_texts_that_share_nothing_have_no_marks() -> None:
    assert marked("ICML 2018", "Neural Networks") == (
        (Piece("ICML 2018"),),
        (Piece("Neural Networks"),),
    )


def test_texts_that_share_little_have_no_marks() -> None:
    mine, _ = marked("Symposium on Language Matters", "Proceedings of Human Language Processing")
    assert mine == (Piece("Symposium on Language Matters"),)


def test_long_texts_are_compared_in_bounded_time() -> None:
    mine, theirs = marked("a " * 200_000, "b a " * 200_000)
    assert "".join(piece.text for piece in mine) == "a " * 200_000
    assert "".join(piece.text for piece in theirs) == "b a " * 200_000


@given(TEXTS, TEXTS)
def test_pieces_joined_are_the_text(claimed: str, found: str) -> None:
    mine, theirs = marked(claimed, found)
    assert "".join(piece.text for piece in mine) == claimed
    assert "".join(piece.text for piece in theirs) == found


@given(TEXTS)
def test_equal_texts_have_no_marks(text: str) -> None:
    mine, theirs = marked(text, text)
    assert not any(piece.changed for piece in (*mine, *theirs))
