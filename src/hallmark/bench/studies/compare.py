"""How far are the recomputed cells of a table from the printed ones?"""

from enum import StrEnum
from typing import assert_never

import msgspec

from hallmark.bench.studies.cells import Cell, Origin, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import Printed, printed_cells
from hallmark.bench.studies.reasons import reason_for

_ROUNDING = 1e-9


class Agreement(StrEnum):
    """What the comparison of one cell came to."""

    AGREES = "agrees"
    EXPLAINED = "explained"  # differs, for a documented reason
    DIFFERS = "differs"
    MISSING = "missing"  # printed, but no input to recompute it
    UNPRINTED = "unprinted"  # recomputed, but the paper prints nothing


class Compared(msgspec.Struct, frozen=True):
    """One cell beside its printed counterpart.

    Attributes:
        cell: The recomputed cell.
        printed: The printed cell, or None.
        difference: Absolute difference, or None where one side is missing.
        agreement: What it came to.
        reason: The documented reason, where there is one.
    """

    cell: Cell
    printed: Printed | None
    difference: float | None
    agreement: Agreement
    reason: str | None = None


class Report(msgspec.Struct, frozen=True):
    """A study beside the printed table.

    Attributes:
        number: Number of the table.
        title: What it shows.
        cells: All cells, in the order of printing.
        missing: Inputs that the data folder lacks.
        notes: What a reader must know to read the cells.
        problems: Inputs that are there, but could not be used.
    """

    number: int
    title: str
    cells: tuple[Compared, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether every recomputable cell agrees or differs for a documented reason."""
        return not self.of(Agreement.DIFFERS) and not self.problems

    @property
    def recomputed(self) -> int:
        """Number of printed cells that could be recomputed; a cell compared twice counts once."""
        return len({key for key, _ in self._compared()})

    @property
    def taken(self) -> int:
        """How many of them only repeat, or follow from, a released result file."""
        own = {key for key, origin in self._compared() if origin != Origin.AGGREGATE}
        return len({key for key, _ in self._compared()} - own)

    @property
    def worst(self) -> Compared | None:
        """The cell furthest from the printed one, explained ones included, or None."""
        return max((c for c in self.cells if c.difference is not None), key=_strain, default=None)

    @property
    def worst_unexplained(self) -> Compared | None:
        """The cell furthest from the printed one among those that no reason covers."""
        plain = (c for c in self.cells if c.difference is not None and c.reason is None)
        return max(plain, key=_strain, default=None)

    @property
    def stances(self) -> tuple[str, ...]:
        """Stances that the recomputed cells needed, in order of appearance."""
        used = (c.cell.stance for c in self.cells if c.agreement != Agreement.MISSING)
        return tuple(dict.fromkeys(stance for stance in used if stance))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Documented reasons that were needed, in order of appearance."""
        return tuple(dict.fromkeys(c.reason for c in self.cells if c.reason is not None))

    def _compared(self) -> set[tuple[tuple[str, str], Origin]]:
        """Printed cells that were compared, each with the origins of its values."""
        compared = (c.cell for c in self.cells if c.printed and c.agreement != Agreement.MISSING)
        return {((cell.printed_row, cell.column), cell.origin) for cell in compared}

    def of(self, agreement: Agreement) -> tuple[Compared, ...]:
        """Cells of one kind."""
        return tuple(c for c in self.cells if c.agreement == agreement)


def tolerance(unit: Unit, printed: Printed) -> float:
    """Largest difference that counts as agreement: 0.0006, or 0.1 points for percentages.

    A cell printed with fewer decimals than that may differ by half a unit of its last place.
    """
    match unit:
        case Unit.FRACTION:
            least = 0.0006
        case Unit.PERCENT:
            least = 0.1
        case Unit.COUNT | Unit.TOKENS:
            least = 0.0
        case _:
            assert_never(unit)
    return max(least, printed.half_unit) + _ROUNDING


def _strain(compared: Compared) -> float:
    """Difference in units of its tolerance, so that rates and percentages can be ranked."""
    if compared.difference is None or compared.printed is None:
        return 0.0
    return compared.difference / tolerance(compared.cell.unit, compared.printed)


def compare(study: Study, folder: Folder) -> Report:
    """Recompute a table from `folder` and set it beside the printed cells."""
    noted, remarked = len(folder.problems), len(folder.remarks)
    computed = study.compute(folder)
    problems = tuple(dict.fromkeys(folder.problems[noted:]))
    notes = (*computed.notes, *dict.fromkeys(folder.remarks[remarked:]))
    printed = printed_cells(study.number)
    compared = tuple(
        _compare(study.number, cell, printed)
        for cell in computed.cells
        if cell.origin != Origin.MISSING or (cell.printed_row, cell.column) in printed
    )
    return Report(study.number, study.title, compared, computed.missing, notes, problems)


def _compare(table: int, cell: Cell, printed: dict[tuple[str, str], Printed]) -> Compared:
    target = printed.get((cell.printed_row, cell.column))
    if target is None:
        return Compared(cell, None, None, Agreement.UNPRINTED)
    if cell.origin == Origin.MISSING:
        return Compared(cell, target, None, Agreement.MISSING)
    if cell.value is None:
        return _undefined(table, cell, target)
    difference = abs(cell.value - target.value)
    if difference <= tolerance(cell.unit, target):
        return Compared(cell, target, difference, Agreement.AGREES)
    reason = reason_for(table, cell.row, cell.column, difference)
    agreement = Agreement.DIFFERS if reason is None else Agreement.EXPLAINED
    return Compared(cell, target, difference, agreement, reason)


def _undefined(table: int, cell: Cell, target: Printed) -> Compared:
    """A number is printed where the recomputed value is undefined (such as 0 / 0)."""
    reason = reason_for(table, cell.row, cell.column, 0.0)
    agreement = Agreement.DIFFERS if reason is None else Agreement.EXPLAINED
    return Compared(cell, target, None, agreement, reason)
