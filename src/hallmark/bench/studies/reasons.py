"""Which differences from the printed tables are explained, and how large may they be?

Each row of `reasons.tsv` names a table, rows and columns (shell patterns), the largest difference
that the reason covers, and the reason. A larger difference counts as unexplained.
"""

from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

import msgspec


class Reason(msgspec.Struct, frozen=True):
    """Why some cells of a table differ from the printed ones, and by how much at most."""

    table: int
    row: str
    column: str
    at_most: float
    text: str

    def covers(self, table: int, row: str, column: str, difference: float) -> bool:
        """Whether this reason explains `difference` in that cell."""
        return (
            table == self.table
            and fnmatchcase(row, self.row)
            and fnmatchcase(column, self.column)
            and difference <= self.at_most
        )


@cache
def reasons() -> tuple[Reason, ...]:
    """All documented reasons, in the order of the file."""
    text = (files("hallmark.bench.studies") / "reasons.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:] if line]
    return tuple(
        Reason(int(table), row, column, float(at_most), why)
        for table, row, column, at_most, why in rows
    )


def reason_for(table: int, row: str, column: str, difference: float) -> str | None:
    """The first documented reason that covers `difference`, or None."""
    found = (r.text for r in reasons() if r.covers(table, row, column, difference))
    return next(found, None)
