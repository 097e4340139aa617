import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from hallmark.report import escape

TEXTS = st.text(alphabet=st.characters(codec=None))


def test_a_terminal_escape_is_written_out() -> None:
    assert escape.visible("\x1b[2Jgone") == "\\x1b[2Jgone"


def test_a_reversed_line_is_written_out() -> None:
    assert escape.visible("a\u202eb") == "a\\u202eb"


def test_an_invisible_tag_character_is_written_out() -> None:
    assert escape.visible("a\U000e0041b") == "a\\U000e0041b"


def test_line_breaks_become_blanks() -> None:
    assert escape.visible("a\r\n\tb") == "a b"


def test_a_joiner_that_scripts_need_is_kept() -> None:
    assert escape.visible("क्\u200dष") == "क्\u200dष"


def test_a_text_of_ten_million_letters_is_cut_and_says_so() -> None:
    shown = escape.visible("x" * 10_000_000)
    assert len(shown) < escape.LONGEST + 100
    assert shown.endswith("(10,000,000 characters)")


@given(TEXTS)
def test_what_is_visible_is_one_line_without_controls(text: str) -> None:
    shown = escape.visible(text)
    assert "\n" not in shown
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)
    shown.encode()


@given(TEXTS)
def test_making_visible_twice_changes_nothing_more(text: str) -> None:
    if len(text) <= escape.LONGEST:
        once = escape.visible(text)
        assert escape.visible(once) == once


def test_markdown_forms_no_markup_link_mention_or_cell() -> None:
    text = "**b** [x](http://e.org) <img src=x> @all #1 a|b `c` $d$ www.e.org"
    shown = escape.markdown(text)
    assert shown == (
        "\\*\\*b\\*\\* \\[x\\](http:&#47;&#47;e.org) &lt;img src=x&gt; &#64;all &#35;1 "
        "a&#124;b \\`c\\` \\$d\\$ www&#46;e.org"
    )


@given(st.text())
def test_escaped_json_holds_the_same_value(text: str) -> None:
    encoded = escape.json(msgspec.json.encode(text).decode())
    assert json.loads(encoded) == text
    assert not any(127 <= ord(char) < 160 for char in encoded)
    assert "\u202e" not in encoded
