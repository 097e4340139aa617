"""How does a person see that an index is being built?"""

from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from hallmark.report.escape import visible

_STEP = 1000


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
