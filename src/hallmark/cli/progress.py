"""How does a person see that an index is being built, or read as a whole?"""

import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from hallmark.report.escape import visible

_STEP = 1000
_PATIENCE_S = 1.0

Item = TypeVar("Item")


class Bar:
    """A progress bar on standard error: the source, bytes read, records taken, time left.

    Obeys `index.loaders.opening.Watcher`. Gone when the work is done.
    """

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TextColumn("{task.fields[records]:,} records"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("reading", total=0, records=0)
        self._records = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, label: str, total: int) -> None:
        """Show the source's name; its size adds to the whole."""
        self._progress.update(self._task, description=visible(label).replace("[", r"\["))
        self.more(total)

    def more(self, size: int) -> None:
        """Add to what there is to read."""
        before = self._progress.tasks[0].total or 0
        self._progress.update(self._task, total=before + size)

    def advance(self, size: int) -> None:
        """Move the bar."""
        self._progress.advance(self._task, size)

    def records(self, count: int) -> None:
        """Show the number of records, every thousand of them."""
        self._records += count
        if self._records % _STEP < count:
            self._progress.update(self._task, records=self._records)


class Reading:
    """A bar on standard error of things read one by one, for what takes over a second.

    Args:
        label: what is done, in a word or two.
        console: where it is shown; nothing is shown where that is no terminal.
        clock: seconds.
    """

    def __init__(
        self,
        label: str,
        console: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._console = console or Console(file=sys.stderr)
        self._label = label
        self._clock = clock
        self._shown: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.stop()
            self._shown = None

    def over(self, items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
        """Yield the items, and count them; `total` is None where nobody knows how many come."""
        start = self._clock()
        for count, item in enumerate(items, 1):
            if not count % _STEP and self._clock() - start > _PATIENCE_S:
                self._show(count, total)
            yield item

    def _show(self, count: int, total: int | None) -> None:
        if not self._console.is_terminal:
            return
        if self._shown is None:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            self._shown = Progress(
                *columns, TimeRemainingColumn(), console=self._console, transient=True
            )
            self._shown.add_task(self._label, total=total)
            self._shown.start()
        self._shown.update(self._shown.task_ids[0], completed=count, total=total)
