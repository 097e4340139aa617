"""What did the paper print in its tables?

The cells are transcribed in `printed/table_NN*.tsv` (the parts of one table share its number),
with the names of systems and types made uniform. An empty cell means that nothing is printed.
"""

from functools import cache
from importlib.resources import files

import msgspec

Key = tuple[str, str]


class Printed(msgspec.Struct, frozen=True):
    """One printed cell: its value and the number of decimals it was printed with."""

    value: float
    decimals: int

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed place: what rounding alone can move."""
        return float(0.5 * 10.0**-self.decimals)


@cache
def printed_cells(number: int) -> dict[Key, Printed]:
    """Printed cells of table `number` by (row, column), in the order of printing."""
    folder = files("hallmark.bench.studies") / "printed"
    names = sorted(entry.name for entry in folder.iterdir())
    cells: dict[Key, Printed] = {}
    for name in names:
        if name.startswith(f"table_{number:02d}"):
            cells.update(_read((folder / name).read_text(encoding="utf-8")))
    return cells


def rows_of(number: int, column: str | None = None) -> list[str]:
    """Names of the printed rows of table `number`, in order; of those with `column`, if given."""
    keys = printed_cells(number)
    return list(dict.fromkeys(row for row, name in keys if column is None or name == column))


def columns_of(number: int, row: str | None = None) -> list[str]:
    """Names of the printed columns of table `number`, in order; of `row` only, if given."""
    keys = printed_cells(number)
    return list(dict.fromkeys(column for name, column in keys if row is None or name == row))


def _read(text: str) -> dict[Key, Printed]:
    header, *lines = [line.split("\t") for line in text.splitlines()]
    return {
        (row, column): _cell(value)
        for row, *values in lines
        for column, value in zip(header[1:], values, strict=True)
        if value
    }


def _cell(text: str) -> Printed:
    _, _, decimals = text.partition(".")
    return Printed(float(text), len(decimals))
