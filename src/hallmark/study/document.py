"""How does a study's result look in a terminal and in Markdown?

A document is a list of sections; a section holds paragraphs, lists and tables. Prose is ours and
may hold Markdown; cells and items come from gold files and records, and are escaped.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, assert_never

from msgspec import Struct
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from hallmark.report.escape import markdown, visible

WIDTH = 110
"""Columns of a report that goes to no terminal."""


class Table(Struct, frozen=True):
    """Rows of cells under a head; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Items(Struct, frozen=True):
    """A list of lines."""

    lines: tuple[str, ...]


Part: TypeAlias = str | Table | Items


class Section(Struct, frozen=True):
    """A heading of a level (1 is the document's title, 0 none) and what stands under it."""

    title: str
    parts: tuple[Part, ...] = ()
    level: int = 2


def as_markdown(sections: Iterable[Section]) -> str:
    """Return the document as Markdown."""
    blocks: list[str] = []
    for section in sections:
        if section.level:
            blocks.append(f"{'#' * section.level} {markdown(section.title)}")
        blocks.extend("\n".join(_markdown(part)) for part in section.parts)
    return "\n\n".join(blocks) + "\n"


def _markdown(part: Part) -> Iterator[str]:
    match part:
        case str():
            yield part
        case Items(lines):
            yield from (f"- {markdown(line)}" for line in lines)
        case Table(head, rows):
            yield _row(markdown(cell) for cell in head)
            yield _row("---" for _ in head)
            yield from (_row(markdown(cell) for cell in row) for row in rows)
        case _:
            assert_never(part)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_text(sections: Iterable[Section], width: int = WIDTH) -> str:
    """Return the document for a terminal of `width` columns, without colours."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, color_system=None, highlight=False, markup=False, emoji=False
    )
    for section in sections:
        console.print(Text(f"\n{visible(section.title)}" if section.level else ""))
        for part in section.parts:
            _print(console, part)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    return "\n".join(lines).strip("\n") + "\n"


def _print(console: Console, part: Part) -> None:
    match part:
        case str():
            console.print(Text(part))
        case Items(lines):
            for line in lines:
                console.print(Text(f"  {visible(line)}"))
        case Table(head, rows):
            console.print(_rich(head, rows))
        case _:
            assert_never(part)


def _rich(head: Sequence[str], rows: Sequence[Sequence[str]]) -> RichTable:
    table = RichTable(box=None, pad_edge=False, show_edge=False)
    for name in head:
        table.add_column(Text(visible(name)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    return table


def share(value: float | None) -> str:
    """Return a share in [0, 1] with three digits, or a dash where it is undefined."""
    return "–" if value is None else f"{value:.3f}"
