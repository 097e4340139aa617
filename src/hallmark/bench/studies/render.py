"""How is a recomputed table shown beside the printed one: as text, Markdown, CSV or JSON?

A cell reads `recomputed (printed)`. Marks: `a` out of a released result file, `~` differs for a
documented reason, `!` differs, `-` no input, `0/0` undefined.
"""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, assert_never

import msgspec

from hallmark.bench.lines import no_formula
from hallmark.bench.studies.cells import Origin, Unit
from hallmark.bench.studies.compare import Agreement, Compared, Report
from hallmark.bench.studies.others import MARK
from hallmark.bench.studies.printed import printed_cells
from hallmark.report.escape import markdown

LEGEND = (
    "recomputed (printed); a: from a released result file; ~: differs for a documented reason; "
    "!: differs; -: no input; 0/0: undefined"
)
_PLACES = {Unit.FRACTION: 4, Unit.PERCENT: 2, Unit.COUNT: 0, Unit.TOKENS: 2}


def as_text(report: Report) -> str:
    """A table for the terminal, with its summary."""
    grid = _grid(report)
    widths = [max(len(row[i]) for row in grid) for i in range(len(grid[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in grid
    ]
    head = [f"Table {report.number}: {report.title}", LEGEND, ""]
    return "\n".join([*head, *lines, "", *summary(report)])


def as_markdown(report: Report) -> str:
    """A Markdown section with the table and its summary."""
    header, *rows = _grid(report)
    table = [_markdown_row(header), _markdown_row(["---"] * len(header))]
    table += [_markdown_row(row) for row in rows]
    items = [f"- {line}" for line in summary(in_markdown(report))]
    return "\n".join([f"### Table {report.number}: {report.title}", "", *items, "", *table])


def in_markdown(report: Report) -> Report:
    """The report with sentences that form no markup where they name files of strangers."""
    return msgspec.structs.replace(
        report,
        missing=tuple(map(_own_words, report.missing)),
        notes=tuple(map(_own_words, report.notes)),
        problems=tuple(map(markdown, report.problems)),
    )


def _own_words(text: str) -> str:
    """The text for Markdown; what we write ourselves holds markup on purpose."""
    return markdown(text) if MARK in text else text


def as_csv(report: Report) -> str:
    """One line for each cell."""
    stream = io.StringIO()
    rows = [_without_formulas(_flat(c)) for c in report.cells]
    writer = csv.DictWriter(stream, list(_COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _without_formulas(row: dict[str, Any]) -> dict[str, Any]:
    """A row in which a spreadsheet takes no name of a stranger's file for a formula."""
    names = {k: no_formula(v) for k, v in row.items() if isinstance(v, str) and MARK in v}
    return row | names


def as_json(report: Report) -> str:
    """The whole report as one JSON object."""
    return json.dumps(as_object(report), indent=2, ensure_ascii=False)


def as_object(report: Report) -> dict[str, Any]:
    """The whole report as plain data."""
    worst = report.worst
    return {
        "table": report.number,
        "title": report.title,
        "agrees": report.agrees,
        "counts": {kind.value: len(report.of(kind)) for kind in Agreement},
        "largest_difference": None if worst is None else _flat(worst),
        "stances": list(report.stances),
        "cells": [_flat(cell) for cell in report.cells],
        "missing": list(report.missing),
        "problems": list(report.problems),
        "reasons": list(report.reasons),
        "notes": list(report.notes),
    }


def summary(report: Report) -> list[str]:
    """What came of the comparison, a line for each fact."""
    lines = [f"Result: {verdict(report)}", f"Stance: {', '.join(report.stances) or 'none needed'}"]
    lines += [f"Largest difference: {_worst(report)}"]
    lines += [f"Reason (~): {text}" for text in report.reasons]
    lines += [f"Missing: {text}" for text in report.missing]
    lines += [f"Unusable: {text}" for text in report.problems]
    return lines + [f"Note: {text}" for text in report.notes]


def verdict(report: Report) -> str:
    """Counts of the printed cells by what came of them, in one sentence."""
    counts = {kind: len(report.of(kind)) for kind in Agreement}
    printed = len(printed_cells(report.number))
    return (
        f"{report.recomputed} of {printed} printed cells recomputed ({report.taken} of them from "
        "released result files); of the comparisons "
        f"{counts[Agreement.AGREES]} agree, {counts[Agreement.EXPLAINED]} differ for a documented "
        f"reason, {counts[Agreement.DIFFERS]} differ"
    )


def _worst(report: Report) -> str:
    plain, worst = report.worst_unexplained, report.worst
    if worst is None:
        return "none, as nothing could be compared"
    text = "none without a reason" if plain is None else _named(plain)
    if worst.reason is not None:
        text += f"; with a documented reason {_named(worst)}"
    return text


def _named(compared: Compared) -> str:
    places = _PLACES[compared.cell.unit]
    points = " points" if compared.cell.unit == Unit.PERCENT else ""
    difference = f"{compared.difference or 0.0:.{max(places, 1)}f}"
    return f"{difference}{points} ({compared.cell.row}, {compared.cell.column})"


def _grid(report: Report) -> list[list[str]]:
    """Rows of texts, the header first; the union of all columns in order of appearance."""
    columns = list(dict.fromkeys(c.cell.column for c in report.cells))
    rows: dict[str, dict[str, str]] = {}
    for compared in report.cells:
        rows.setdefault(compared.cell.row, {})[compared.cell.column] = _shown(compared)
    body = [[name, *(cells.get(column, "") for column in columns)] for name, cells in rows.items()]
    return [["", *columns], *body]


def _shown(compared: Compared) -> str:
    printed = compared.printed
    beside = "" if printed is None else f" ({printed.value:.{printed.decimals}f})"
    return _value(compared) + _mark(compared) + beside


def _value(compared: Compared) -> str:
    cell = compared.cell
    if cell.origin == Origin.MISSING:
        return "-"
    if cell.value is None:
        return "0/0"
    return f"{cell.value:.{_PLACES[cell.unit]}f}"


def _mark(compared: Compared) -> str:
    origin = "a" if compared.cell.origin == Origin.AGGREGATE else ""
    match compared.agreement:
        case Agreement.EXPLAINED:
            return f"{origin}~"
        case Agreement.DIFFERS:
            return f"{origin}!"
        case Agreement.AGREES | Agreement.UNPRINTED:
            return origin
        case Agreement.MISSING:
            return ""
        case _:
            assert_never(compared.agreement)


_COLUMNS = (
    "row", "column", "recomputed", "printed", "difference", "agreement", "origin", "stance",
    "unit", "against", "reason",
)  # fmt: skip


def _flat(compared: Compared) -> dict[str, Any]:
    cell = compared.cell
    values = (
        cell.row,
        cell.column,
        cell.value,
        None if compared.printed is None else compared.printed.value,
        compared.difference,
        compared.agreement.value,
        cell.origin.value,
        cell.stance,
        cell.unit.value,
        cell.printed_row,
        compared.reason,
    )
    return dict(zip(_COLUMNS, values, strict=True))


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_own_words(cell).replace("|", "\\|") for cell in cells) + " |"
