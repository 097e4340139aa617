"""What is told of a run that Ctrl-C or another signal stops, and that can go on later?"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


class StoppedAndTold(KeyboardInterrupt):
    """Ctrl-C, after which the command itself has told what it leaves behind."""


@contextmanager
def told(text: Callable[[], str]) -> Iterator[None]:
    """Tell on standard error what is kept, and how to go on, where a signal stops the work.

    Args:
        text: called when that happens.

    Raises:
        StoppedAndTold: the work was stopped by Ctrl-C.
    """
    try:
        yield
    except KeyboardInterrupt as stop:
        _tell(text())
        raise StoppedAndTold from stop
    except SystemExit:  # of another signal
        _tell(text())
        raise


def _tell(text: str) -> None:
    from hallmark.report.escape import visible  # noqa: PLC0415 - not needed for the help

    typer.echo(visible(text), err=True)
