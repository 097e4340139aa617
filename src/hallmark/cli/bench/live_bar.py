"""How does a person see how far a live study is?"""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hallmark.report.escape import visible

if TYPE_CHECKING:
    from hallmark.bench.entry import Prediction
    from hallmark.bench.live.cells import Cell
    from hallmark.bench.run import OnRow


@contextlib.contextmanager
def bar(total: int, *, quiet: bool) -> "Iterator[Callable[[Cell], OnRow | None]]":
    """Show a bar over the entries of all cells on the standard error stream, on a terminal.

    Args:
        total: entries of all cells together.
        quiet: whether nothing is shown.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("entries", total=total)

        def on_cell(cell: "Cell") -> "OnRow":
            shown.update(task, description=visible(cell.name).replace("[", r"\["))

            def on_row(_count: int, _row: "Prediction") -> None:
                shown.advance(task)

            return on_row

        yield on_cell
