"""How does a person see how far a long command is?

On a terminal by a bar or a line that is gone at the end, elsewhere (a log, CI, nohup) by a line
about once a minute. Nothing is shown of what takes less than a second, or where --quiet was given.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO, TypeVar

from hallmark.report.escape import visible

if TYPE_CHECKING:
    from rich import progress as rich

_EVERY = 1000
_PATIENCE_S = 1.0
_BETWEEN_S = 0.2
_MINUTE_S = 60.0

Item = TypeVar("Item")
Clock = Callable[[], float]


class Lines:
    """A line about once a minute on a stream that is no terminal, the first after a minute.

    Args:
        stream: where the lines go.
        on: whether any are wished for.
        clock: seconds.
    """

    def __init__(self, stream: TextIO, *, on: bool = True, clock: Clock = monotonic) -> None:
        self._stream = stream
        self._on = on and not stream.isatty()
        self._clock = clock
        self._start = clock() if self._on else 0.0
        self._next = self._start + _MINUTE_S

    def tell(self, count: int, what: str, total: int | None = None) -> None:
        """Write where things stand, if a minute has passed since the last line.

        Args:
            count: what is done.
            what: its name, "entries".
            total: all there is to do; None where nobody knows.
        """
        if not self._on or (now := self._clock()) < self._next:
            return
        of = "" if total is None else f" of {total:,}"
        passed = round((now - self._start) / _MINUTE_S)
        with contextlib.suppress(OSError):  # who closed the log still wants the work done
            self._stream.write(f"hallmark: {visible(what)}: {count:,}{of}, after {passed:,} min\n")
            self._stream.flush()
        self._next = now + _MINUTE_S


class Progress:
    """A line that counts what is checked: on a terminal at once, elsewhere once a minute.

    Drawn without the library of the bars, which takes a while to import.
    """

    def __init__(self, stream: TextIO, *, on: bool = True, clock: Clock = monotonic) -> None:
        self._stream = stream
        self._on = on and stream.isatty()
        self._lines = Lines(stream, on=on, clock=clock)
        self._clock = clock
        self._start = clock()
        self._next = self._start + _PATIENCE_S
        self._count = 0
        self._shown = False

    def step(self) -> None:
        """Count one result; show the count now and then."""
        self._count += 1
        self._lines.tell(self._count, "references checked")
        if not self._on or self._clock() < self._next:
            return
        now = self._clock()
        rate = self._count / (now - self._start)
        self._stream.write(f"\r\x1b[2K{self._count:,} references checked, {rate:,.0f}/s")
        self._stream.flush()
        self._next = now + _BETWEEN_S
        self._shown = True

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._shown = False


class Steps:
    """Things done one by one: a bar on a terminal, elsewhere a line about once a minute.

    Use as a context manager. Methods may be called at any rate.

    Args:
        what: what is counted, "entries".
        total: how many there are; None where nobody knows.
        quiet: whether nothing is shown.
        stream: where it is shown; standard error by default.
        clock: seconds.
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        *,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Clock = monotonic,
    ) -> None:
        self._stream = stream or sys.stderr
        self._what, self._total, self._count = what, total, 0
        self._bar_on = not quiet and self._stream.isatty()
        self._lines = Lines(self._stream, on=not quiet, clock=clock)
        self._clock = clock
        self._patience = clock() + _PATIENCE_S
        self._bar: rich.Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def step(self, what: str = "") -> None:
        """Count one more; as `at`."""
        self.at(self._count + 1, what)

    def at(self, count: int, what: str = "", total: int | None = None) -> None:
        """Show that so many are done; `what` and `total` replace those told before."""
        self._count = count
        self._what = what or self._what
        self._total = self._total if total is None else total
        self._lines.tell(count, self._what, self._total)
        if not self._bar_on or (self._bar is None and self._clock() < self._patience):
            return
        bar = self._bar or self._opened()
        label = _harmless(self._what)
        bar.update(bar.task_ids[0], completed=count, total=self._total, description=label)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items that take a while each, and count each when it is done."""
        for item in items:
            yield item
            self.step()

    def over(self, items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
        """Yield many small items and count them, looking at the clock every thousand."""
        for count, item in enumerate(items, 1):
            if not count % _EVERY:
                self.at(count, total=total)
            yield item

    def _opened(self) -> "rich.Progress":
        """Return the bar, shown from now on."""
        from rich import progress as rich  # noqa: PLC0415 - takes a while to import
        from rich.console import Console  # noqa: PLC0415 - the same

        self._bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.MofNCompleteColumn(),
            rich.TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        self._bar.add_task("", total=self._total)
        self._bar.start()
        return self._bar


class Bar:
    """An index that is built: the source, bytes read, records taken, time left; or lines.

    Obeys `index.loaders.opening.Watcher`. Gone when the work is done.
    """

    def __init__(
        self, *, quiet: bool = False, stream: TextIO | None = None, clock: Clock = monotonic
    ) -> None:
        self._stream = stream or sys.stderr
        self._lines = Lines(self._stream, on=not quiet, clock=clock)
        self._bar = None if quiet or not self._stream.isatty() else self._opened()
        self._label, self._total, self._records = "", 0, 0

    def _opened(self) -> "rich.Progress":
        from rich import progress as rich  # noqa: PLC0415 - takes a while to import
        from rich.console import Console  # noqa: PLC0415 - the same

        bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.DownloadColumn(),
            rich.TextColumn("{task.fields[records]:,} records"),
            rich.TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        bar.add_task("reading", total=0, records=0)
        return bar

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, label: str, total: int) -> None:
        """Show the source's name; its size adds to the whole."""
        self._label = label
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=_harmless(label))
        self.more(total)

    def more(self, size: int) -> None:
        """Add to what there is to read."""
        self._total += size
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=self._total)

    def advance(self, size: int) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], size)

    def records(self, count: int) -> None:
        """Show the number of records, every thousand of them."""
        self._records += count
        if self._records % _EVERY >= count:
            return
        self._lines.tell(self._records, f"records, now of {self._label}")
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], records=self._records)


def _harmless(label: str) -> str:
    """Return a name that others gave, neither control characters nor markup in it."""
    return visible(label).replace("[", r"\[")
