"""Which figures are there, and what does each need?"""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
from matplotlib.figure import Figure

from hallmark._files import draft_of, settle
from hallmark.bench.plots import curves, rates
from hallmark.bench.plots.subjects import Subject, paper_subjects
from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.folder import Folder
from hallmark.errors import InputError, OutputError, UnknownName

Draw: TypeAlias = Callable[[Sequence[Subject]], Figure]
FORMATS = (".png", ".svg", ".pdf")


class Plot(msgspec.Struct, frozen=True):
    """A figure of the systems of the paper and of the user.

    Attributes:
        name: Name on the command line.
        title: What it shows.
        draw: Draws it.
        needs_predictions: Whether released measures are not enough for it.
    """

    name: str
    title: str
    draw: Draw
    needs_predictions: bool = False


class TablePlot(msgspec.Struct, frozen=True):
    """A figure of one table of the paper."""

    name: str
    title: str
    table: int


PLOTS: dict[str, Plot | TablePlot] = {
    plot.name: plot
    for plot in (
        Plot("pareto", "detection against false alarms (Figure 2)", rates.pareto),
        Plot("heat-map", "detection rate of each type (Figure 4)", rates.heat_map),
        Plot("cost", "time against accuracy (Figure 5)", rates.cost),
        Plot("tiers", "detection rate by tier (Figure 6)", rates.tiers),
        Plot("reliability", "confidence against accuracy", curves.reliability_diagram, True),
        Plot("risk-coverage", "false alarms by coverage", curves.risk_coverage_curves, True),
        TablePlot("temporal", "false alarms past the training cutoff (Table 25)", 25),
        TablePlot("budget", "thinking budget (Figure 7)", 30),
    )
}
_OF_TABLE = {"temporal": curves.temporal, "budget": curves.budget}


def draw(name: str, folder: Folder | None, own: Sequence[Subject] = ()) -> Figure:
    """Draw a figure.

    Args:
        name: Name in `PLOTS`.
        folder: Data folder with the systems of the paper, or None to leave them out.
        own: Further subjects.

    Raises:
        UnknownName: If there is no such figure.
        InputError: If there is nothing to draw.
    """
    match PLOTS.get(name):
        case None:
            raise UnknownName(f"There is no plot {name!r}. There are: {', '.join(PLOTS)}.")
        case TablePlot(table=table):
            if folder is None:
                raise InputError(f"The plot {name} needs a data folder: --data DIR.")
            computed = study_of(table).compute(folder)
            if all(cell.value is None for cell in computed.cells):
                raise InputError(f"{folder.root} holds no input of Table {table}.")
            return _OF_TABLE[name](computed)
        case Plot() as plot:
            return plot.draw(_subjects(plot, folder, own))


def _subjects(plot: Plot, folder: Folder | None, own: Sequence[Subject]) -> list[Subject]:
    """The user's subjects last, so that their marks lie on top."""
    subjects = [*([] if folder is None else paper_subjects(folder)), *own]
    if not any(s.pairs is not None or not plot.needs_predictions for s in subjects):
        raise InputError(
            f"There is nothing to draw for {plot.name}. Give prediction files with --gold SPLIT, "
            "or a folder with released results with --data DIR."
        )
    return subjects


def save(figure: Figure, path: Path) -> None:
    """Write a figure whole or not at all; the ending of the name gives the format.

    Raises:
        InputError: If the ending is not .png, .svg or .pdf.
        OutputError: If it cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"A plot is written as {', '.join(FORMATS)}, not as {path.name!r}.")
    part = draft_of(path, path.suffix)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(part, metadata=_metadata(path.suffix.lower()))
        settle(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise OutputError(f"{path} cannot be written: {error.strerror or error}.") from None


def _metadata(suffix: str) -> dict[str, None]:
    """Leave the date out, so that equal data gives equal files."""
    match suffix:
        case ".svg":
            return {"Date": None}
        case ".pdf":
            return {"CreationDate": None}
        case _:
            return {}
