"""What do `bench table`, `bench reproduce`, `bench plot` and `bench convert` do?

Exit codes: 0 every recomputable cell agrees or differs for a documented reason (also where the
folder holds no input for it), 1 a cell differs or an input cannot be used, 2 misuse.
"""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.entry import Prediction
    from hallmark.bench.plots.subjects import Subject
    from hallmark.bench.studies.compare import Report
    from hallmark.bench.studies.folder import Folder

DATA = "HALLMARK_DATA"


class TableFormat(StrEnum):
    """The form of a recomputed table."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help=f"Folder with the released data. Default: ${DATA}."),
]
OwnOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--own", metavar="DIR", help="Folder with predictions of our own resolvers (Table 20)."
    ),
]
OutputOption: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there instead.")
]


def table(
    number: Annotated[
        int | None, typer.Argument(metavar="N", help="Number of the table; none lists them.")
    ] = None,
    *,
    data: DataOption = None,
    form: Annotated[
        TableFormat, typer.Option("--format", "-f", help="The form of the table.")
    ] = TableFormat.TEXT,
    own: OwnOption = None,
    output: OutputOption = None,
) -> None:
    """Recompute a table of the paper and set it beside the printed one.

    Prediction files of systems that the paper does not have get rows of their own, marked and
    compared with nothing.
    """
    from hallmark.bench.studies.catalogue import STUDIES, study_of
    from hallmark.bench.studies.compare import compare

    if number is None:
        _write("\n".join(f"{n:3}  {study.title}" for n, study in STUDIES.items()), output)
        return
    report = compare(study_of(number), _folder(data, own))
    _write(_shown(report, form), output)
    if not report.agrees:
        raise typer.Exit(1)


def reproduce(
    *,
    data: DataOption = None,
    output: OutputOption = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables", metavar="DIR", help="Write every table and the figures' data there too."
        ),
    ] = None,
    own: OwnOption = None,
    finding: Annotated[
        str | None, typer.Option("--finding", metavar="NAME", help="Show one finding only.")
    ] = None,
) -> None:
    """Recompute all tables; report what agrees, what does not, and what the paper gets wrong."""
    from hallmark.bench.studies.findings import finding_of
    from hallmark.bench.studies.reproduce import (
        all_reports,
        document,
        finding_section,
    )

    folder = _folder(data, own)
    if finding is not None:
        _write(finding_section(folder, finding_of(finding)), output)
        _name_unusable(folder)
        if folder.problems:
            raise typer.Exit(1)
        return
    reports = all_reports(folder)
    _write(document(folder, reports), output)
    if tables is not None:
        _export(folder, reports, tables)
    if not all(report.agrees for report in reports):
        raise typer.Exit(1)


def plot(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of the plot; none lists them.")
    ] = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PREDICTIONS]...", help="Prediction files to draw as well."),
    ] = None,
    *,
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="SPLIT|FILE", help="What they are about.")
    ] = None,
    data: DataOption = None,
    only_mine: Annotated[
        bool, typer.Option("--only-mine", help="Leave the systems of the paper out.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A .png, .svg or .pdf file."),
    ] = None,
) -> None:
    """Draw a figure of the paper's systems and of your own."""
    from hallmark.bench.plots.catalogue import PLOTS, draw, save

    if name is None:
        _write("\n".join(f"{n:14} {found.title}" for n, found in PLOTS.items()), None)
        return
    own = _own(predictions or [], gold, data)
    at = _place(data)
    folder = None if only_mine or at is None else _folder(data)
    target = Path(f"{name}.png") if output is None else output
    try:
        save(draw(name, folder, own), target)
    finally:
        _name_unusable(folder)
    typer.echo(f"Wrote {target}")
    if folder is not None and folder.problems:
        raise typer.Exit(1)


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A released verdict file.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The prediction file to write.")
    ],
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Keep the last row of each key only.")
    ] = False,
    tool: Annotated[
        str | None,
        typer.Option("--tool", metavar="NAME", help="Column of a correctness matrix (CSV)."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Turn a released verdict file of another shape into a prediction file."""
    from hallmark.bench.convert import last_wins, read_released
    from hallmark.bench.entry import write_jsonl

    if source.suffix.lower() == ".csv":
        rows = _matrix_rows(source, tool, data)
    else:
        rows = read_released(source)
    kept = last_wins(rows) if checkpoint else rows
    write_jsonl(output, kept)
    typer.echo(f"Wrote {len(kept)} predictions to {output}")


def _matrix_rows(source: Path, tool: str | None, data: Path | None) -> list["Prediction"]:
    """Verdicts of one tool out of a correctness matrix of the development split."""
    from hallmark.bench.convert import labels_before, read_correctness_matrix

    folder = _folder(data)
    entries = folder.entries("dev_public")
    changed = folder.changed()
    if entries is None or changed is None:
        raise InputError(
            f"A correctness matrix needs dev_public.jsonl and changed_keys_dev_public.json; "
            f"{folder.root} lacks one of them."
        )
    found = read_correctness_matrix(source, labels_before(entries, changed))
    if tool not in found:
        raise InputError(f"Say which column to convert with --tool: {', '.join(found)}.")
    return found[tool]


def _shown(report: "Report", form: TableFormat) -> str:
    from hallmark.bench.studies import render

    match form:
        case TableFormat.TEXT:
            return render.as_text(report)
        case TableFormat.MARKDOWN:
            return render.as_markdown(report)
        case TableFormat.CSV:
            return render.as_csv(report).rstrip("\n")
        case TableFormat.JSON:
            return render.as_json(report)


def _export(folder: "Folder", reports: list["Report"], tables: Path) -> None:
    from hallmark.bench.lines import write_text
    from hallmark.bench.plots.data import as_csv
    from hallmark.bench.plots.subjects import paper_subjects
    from hallmark.bench.studies.export import export

    written = export(reports, tables)
    write_text(tables / "figures.csv", as_csv(paper_subjects(folder)))
    typer.echo(f"Wrote {len(written) + 1} files to {tables}", err=True)


def _name_unusable(folder: "Folder | None") -> None:
    """Say on stderr which inputs could not be used, where no table says it."""
    from hallmark.report.escape import harmless

    for problem in dict.fromkeys([] if folder is None else folder.problems):
        typer.echo(f"Unusable: {harmless(problem)}", err=True)


def _own(predictions: list[Path], gold: str | None, data: Path | None) -> list["Subject"]:
    """The user's prediction files as subjects, named by their file names."""
    if not predictions:
        return []
    if gold is None:
        raise InputError("Say what the predictions are about: --gold SPLIT or --gold FILE.")
    from hallmark.bench.align import align
    from hallmark.bench.convert import read_released
    from hallmark.bench.dataset import load_split
    from hallmark.bench.plots.subjects import own_subject

    split = load_split(gold, _place(data))
    return [own_subject(p.stem, align(split.entries, read_released(p))) for p in predictions]


def _place(data: Path | None) -> Path | None:
    named = os.environ.get(DATA)
    return data or (Path(named) if named else None)


def _folder(data: Path | None, own: Path | None = None) -> "Folder":
    from hallmark.bench.studies.folder import open_folder

    at = _place(data)
    if at is None:
        raise InputError(f"Where are the released data? Say --data DIR, or set {DATA}.")
    return open_folder(at, own)


def _write(text: str, output: Path | None) -> None:
    from hallmark.cli.output import destination

    with destination(output) as stream:
        stream.write(text if text.endswith("\n") else text + "\n")
