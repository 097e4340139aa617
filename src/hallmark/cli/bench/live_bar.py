"""How does a person see how far a live study is?"""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from hallmark.cli.progress import Steps

if TYPE_CHECKING:
    from hallmark.bench.live.cells import Cell
    from hallmark.bench.run import OnRow


@contextlib.contextmanager
def bar(total: int, *, quiet: bool) -> "Iterator[Callable[[Cell], OnRow]]":
    """Show on the standard error stream how many entries of all cells are answered.

    Args:
        total: entries of all cells together.
        quiet: whether nothing is shown.
    """
    with Steps("entries", total, quiet=quiet) as shown:

        def on_cell(cell: "Cell") -> "OnRow":
            return lambda _count, _row: shown.step(f"entries, now of {cell.name}")

        yield on_cell
