from hypothesis import given
from hypothesis import strategies as st

from hallmark.report.paint import Span, Style, fit, line_text, lines_text, width_of, wrap

LINES = st.lists(st.text(alphabet="ab é漢 ", max_size=30).map(Span), min_size=1, max_size=5)


@given(LINES, st.integers(20, 60), st.integers(0, 8))
def test_no_wrapped_line_is_wider_than_asked(line: list[Span], width: int, indent: int) -> None:
    for one in wrap(line, width, indent):
        assert width_of(line_text(one, colour=False)) <= width


@given(LINES, st.integers(20, 60))
def test_wrapping_loses_nothing_but_blanks(line: list[Span], width: int) -> None:
    wrapped = "".join(line_text(one, colour=False) for one in wrap(line, width, 2))
    whole = "".join(span.text for span in line)
    assert wrapped.replace(" ", "") == whole.replace(" ", "")


@given(st.text(alphabet="ab é漢", max_size=40), st.integers(2, 30))
def test_a_fitted_text_is_not_wider_than_asked(text: str, width: int) -> None:
    assert width_of(fit(text, width)) <= width


def test_wide_letters_count_twice() -> None:
    assert fit("漢字漢字", 5) == "漢字…"


def test_marks_are_carets_without_colour_and_codes_with_it() -> None:
    line = (Span("all "), Span("you", Style.WRONG, caret=True))
    assert lines_text([line], colour=False) == "all you\n    ^^^\n"
    assert lines_text([line], colour=True) == "all \x1b[1;4;31myou\x1b[0m\n"


def test_carets_stand_under_wide_letters() -> None:
    line = (Span("漢 "), Span("字", caret=True))
    assert lines_text([line], colour=False) == "漢 字\n   ^^\n"
