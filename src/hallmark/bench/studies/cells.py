"""What is a recomputed table of the paper made of?"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

import msgspec

from hallmark.bench.studies.folder import Folder


class Origin(StrEnum):
    """Where the value of a cell came from."""

    PREDICTIONS = "predictions"  # recomputed entry by entry
    GOLD = "gold"  # recomputed from the entries of a split alone
    AGGREGATE = "aggregate"  # read from a released result file: the predictions are not public
    DERIVED = "derived"  # arithmetic on other cells of either kind
    MISSING = "missing"  # no input for it at hand


class Unit(StrEnum):
    """What a cell counts in; decides its tolerance."""

    FRACTION = "fraction"  # a rate, F1, MCC, kappa, ...; tolerance 0.0006
    PERCENT = "percent"  # 0 to 100, or points; tolerance 0.1
    COUNT = "count"  # whole numbers; must be equal
    TOKENS = "tokens"  # amounts and money, at the printed precision


class Cell(msgspec.Struct, frozen=True):
    """One recomputed value.

    Attributes:
        row: Name of the row, as in the printed table.
        column: Name of the column, as in the printed table.
        value: The value, or None where it is undefined or has no input.
        origin: Where it came from.
        stance: How abstentions were counted (empty where there are none to count).
        unit: What it counts in.
        against: Row of the printed table to compare with, where it is not `row`; used for rows
            that the paper could not compute.
    """

    row: str
    column: str
    value: float | None
    origin: Origin
    stance: str = ""
    unit: Unit = Unit.FRACTION
    against: str | None = None

    @property
    def printed_row(self) -> str:
        """Row of the printed table that this cell is compared with."""
        return self.row if self.against is None else self.against


class Computed(msgspec.Struct, frozen=True):
    """All that a study found in a data folder.

    Attributes:
        cells: Recomputed cells, in the order of printing.
        missing: Inputs that the folder lacks, each with what it would be needed for.
        notes: What a reader must know to read the cells.
    """

    cells: tuple[Cell, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Study(msgspec.Struct, frozen=True):
    """One table of the paper as a function of a data folder.

    Attributes:
        number: Number of the table in the paper.
        title: What the table shows.
        compute: Data folder -> cells.
    """

    number: int
    title: str
    compute: Callable[[Folder], Computed]


class Sheet:
    """Gathers the cells of a table while a study computes them."""

    def __init__(self) -> None:
        self._cells: list[Cell] = []
        self._missing: list[str] = []
        self._notes: list[str] = []

    def row(
        self,
        name: str,
        values: Mapping[str, float | None],
        origin: Origin,
        *,
        stance: str = "",
        unit: Unit = Unit.FRACTION,
        against: str | None = None,
    ) -> None:
        """Add cells of one row that share their origin."""
        self._cells.extend(
            Cell(name, column, value, origin, stance, unit, against)
            for column, value in values.items()
        )

    def lacks(
        self,
        name: str,
        columns: Iterable[str],
        *needs: str,
        stance: str = "",
        unit: Unit = Unit.FRACTION,
    ) -> None:
        """Add cells that have no input, and what would be needed for them."""
        values = dict.fromkeys(columns)
        self.row(name, values, Origin.MISSING, stance=stance, unit=unit)
        self._missing.extend(needs)

    def note(self, text: str) -> None:
        """Add what a reader must know."""
        self._notes.append(text)

    def done(self) -> Computed:
        """All that was gathered, every missing input and note once."""
        unique = tuple(dict.fromkeys(self._missing))
        return Computed(tuple(self._cells), unique, tuple(dict.fromkeys(self._notes)))


def derived(*origins: Origin) -> Origin:
    """Origin of a value computed from cells of these origins; a released summary shows through."""
    return Origin.AGGREGATE if Origin.AGGREGATE in origins else Origin.DERIVED


def minus(left: float | None, right: float | None) -> float | None:
    """Difference of two values, undefined where either is."""
    return None if left is None or right is None else left - right


def times(value: float | None, factor: float = 100.0) -> float | None:
    """A value in another unit, percent by default; undefined where it is."""
    return None if value is None else value * factor
