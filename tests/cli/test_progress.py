"""Does a person see how far a long command is, on a terminal and in a log?"""

import io
from collections.abc import Callable
from itertools import count

import pytest

from hallmark.cli.progress import Bar, Lines, Progress, Steps


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def ticking(step_s: float) -> Callable[[], float]:
    """A clock on which so much time passes between two looks."""
    times = count()
    return lambda: next(times) * step_s


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("step_s", [0.0, 2.0])
@pytest.mark.parametrize("total", [None, 5000])
def test_a_bar_is_shown_on_a_terminal_of_what_takes_long(
    terminal: bool, step_s: float, total: int | None
) -> None:
    told = Terminal() if terminal else io.StringIO()
    with Steps("records read", stream=told, clock=ticking(step_s)) as shown:
        assert list(shown.over(range(5000), total)) == list(range(5000))
        assert list(shown.over(range(5000), total)) == list(range(5000))
    assert ("records read" in told.getvalue()) == (terminal and step_s > 0)


def test_a_log_gets_a_line_about_once_a_minute_and_the_first_after_one() -> None:
    told = io.StringIO()
    with Steps("entries", 100, stream=told, clock=ticking(10.0)) as shown:
        for _ in range(100):
            shown.step()
    lines = told.getvalue().splitlines()
    assert 12 <= len(lines) <= 20
    assert lines[0].startswith("hallmark: entries: ")
    assert lines[0].endswith("of 100, after 1 min")


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_quiet_command_shows_nothing(stream: type[io.StringIO]) -> None:
    told = stream()
    with Steps("entries", 9, quiet=True, stream=told, clock=ticking(99.0)) as shown:
        for _ in range(9):
            shown.step()
    with Bar(quiet=True, stream=told, clock=ticking(99.0)) as bar:
        bar.begin("dblp", 10)
        bar.records(9000)
    assert not told.getvalue()


def test_what_is_shown_holds_no_control_characters_and_no_markup() -> None:
    for told in (io.StringIO(), Terminal()):
        with Steps("entries", 2, stream=told, clock=ticking(99.0)) as shown:
            shown.step("of \x1b]0;evil\x07 [bold]cell")
            shown.step()
        assert "\x1b]0;" not in told.getvalue()
        assert "[bold]cell" in told.getvalue().replace("\n", "")


@pytest.mark.parametrize("quiet", [True, False])
def test_items_are_counted_when_they_are_done_and_quiet_tells_nothing(quiet: bool) -> None:
    told = io.StringIO()
    with Steps("cases", 2, quiet=quiet, stream=told, clock=ticking(60.0)) as shown:
        items = shown.each("ab")
        assert next(items) == "a"
        assert told.getvalue() == ""
        assert list(items) == ["b"]
    assert ("hallmark: cases: 2 of 2" in told.getvalue()) == (not quiet)


def test_an_index_that_is_built_is_told_of_in_a_log() -> None:
    told = io.StringIO()
    with Bar(stream=told, clock=ticking(61.0)) as bar:
        bar.begin("dblp.xml.gz", 10)
        bar.more(5)
        bar.advance(5)
        bar.records(1500)
    assert told.getvalue() == "hallmark: records, now of dblp.xml.gz: 1,500, after 1 min\n"


def test_a_check_is_counted_on_a_terminal_and_the_line_is_gone_at_the_end() -> None:
    told = Terminal()
    shown = Progress(told, clock=ticking(1.0))
    for _ in range(3):
        shown.step()
    shown.end()
    assert "references checked" in told.getvalue()
    assert told.getvalue().endswith("\r\x1b[2K")


def test_a_log_that_was_closed_stops_no_work() -> None:
    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    lines = Lines(Full(), clock=ticking(99.0))
    lines.tell(1, "entries")
