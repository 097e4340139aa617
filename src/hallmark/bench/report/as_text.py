"""An evaluation for a terminal: the stances side by side, then where the tool breaks."""

from collections.abc import Sequence

from hallmark.bench.evaluation import Evaluation
from hallmark.bench.lines import printable
from hallmark.bench.measures.groups import Estimate, Group
from hallmark.bench.report.cells import both, group_tables, headline_rows, number


def render(evaluation: Evaluation) -> str:
    """Return the report as plain text."""
    parts = [_head(evaluation), _main(evaluation)]
    parts += [_groups(title, groups) for title, groups in group_tables(evaluation) if groups]
    parts += [_effort(evaluation), _foot(evaluation)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(e: Evaluation) -> str:
    gold = e.gold
    title = f"{printable(e.system)} on {printable(gold.name)}: {gold.n} entries"
    lines = [
        f"{title}, {gold.hallucinated} hallucinated, {gold.valid} valid",
        f"coverage    {both(e.coverage)}",
        f"error rate  {both(e.error_rate)}",
    ]
    if e.missing:
        lines.append(f"missing     {e.missing}, counted as `{e.provenance['missing']}`")
    return "\n".join([*lines, *(f"note: {note}" for note in e.notes)])


def _main(e: Evaluation) -> str:
    stances = list(e.stances)
    rows = [
        [row.title, *(both(row.estimates[s]) if s in row.estimates else "" for s in stances)]
        for row in headline_rows(e)
    ]
    return table(["", *stances], rows)


def _groups(title: str, groups: dict[str, Group]) -> str:
    """Show detection rates, and false-positive rates where a group holds valid entries."""
    stances = list(next(iter(groups.values())).stances)
    with_valid = any(group.valid for group in groups.values())
    names = ["DR", "FPR"] if with_valid else ["DR"]
    header = [title, "bad", *(["valid"] if with_valid else [])]
    header += [f"{name} {stance}" for stance in stances for name in names]
    rows = [
        _group_row(name, group, stances, with_valid=with_valid) for name, group in groups.items()
    ]
    return table(header, rows)


def _group_row(name: str, group: Group, stances: Sequence[str], *, with_valid: bool) -> list[str]:
    cells = [printable(name, 40), str(group.hallucinated)]
    cells += [str(group.valid)] if with_valid else []
    for stance in stances:
        rates = group.stances[stance]
        cells.append(_rate(rates["detection_rate"]))
        if with_valid:
            cells.append(_rate(rates["false_positive_rate"]))
    return cells


def _rate(estimate: Estimate) -> str:
    return "" if estimate.value is None else both(estimate)


def _effort(e: Evaluation) -> str:
    stated = [
        f"{name} {number(spread.mean)} per entry (median {number(spread.median)}, n = {spread.n})"
        for name, spread in (
            ("seconds", e.effort.seconds),
            ("calls", e.effort.calls),
            ("US dollars", e.effort.cost),
        )
        if spread.n
    ]
    return "\n".join(stated)


def _foot(e: Evaluation) -> str:
    p = e.provenance
    return (
        f"{p['level']:.0%} intervals: {p['intervals']}, {p['resamples']} resamples, seed "
        f"{p['seed']}; Wilson for coverage, error rate, groups, and shares of 0 or 1."
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in aligned columns, the first to the left."""
    grid = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in grid) for i in range(len(header))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in grid
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
