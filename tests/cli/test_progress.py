import io
from collections.abc import Callable
from itertools import count

import pytest
from rich.console import Console

from hallmark.cli.progress import Reading


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
    told = io.StringIO()
    console = Console(file=told, force_terminal=terminal, width=80)
    with Reading("reading the index", console, ticking(step_s)) as bar:
        assert list(bar.over(range(5000), total)) == list(range(5000))
        assert list(bar.over(range(5000), total)) == list(range(5000))
    assert ("reading the index" in told.getvalue()) == (terminal and step_s > 0)
