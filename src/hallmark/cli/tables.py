"""Which tables of knowledge are used, and are a user's own as they should be?"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.options import FolderOfTables
from hallmark.report.escape import visible
from hallmark.text import knowledge
from hallmark.text.table_forms import TABLES

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def tables(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="A folder of your own tables to check."),
    ] = None,
    *,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
) -> None:
    """List the tables of knowledge and their rows, or check a folder of your own.

    Without DIR, every table with the number of its rows and where they come from. With DIR, the
    number of your rows in each file; a row that cannot be used is an error that names its line.
    """
    if folder is not None:
        for name, count in knowledge.check(folder).items():
            typer.echo(visible(f"{TABLES[name].file}: {count:,} {_rows(count)}"))
        return
    for name in TABLES:
        count = len(knowledge.rows(name))
        origin = knowledge.origin(name)
        typer.echo(f"{name:18}{count:6,} {_rows(count)}  {origin.title} ({origin.as_of})")
    if knowledge.chosen() is not None:
        print(visible(f"Your own rows come from {knowledge.chosen()}."), file=sys.stderr)  # noqa: T201 - the edge


def _rows(count: int) -> str:
    return "row" if count == 1 else "rows"
