"""What does `bench contribute` do?

Modules are imported inside the command, so that help starts at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallmark.report.escape import visible


def contribute(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The entries, a gold file.")],
    *,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The bundle, a new folder.")
    ],
    predictions: Annotated[
        list[Path] | None,
        typer.Option(
            "--predictions", metavar="FILE", help="Answers to all of the entries; repeatable."
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="SPLIT|FILE",
            help="A split that must hold none of the works; repeatable.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Folder of the splits (or $HALLMARK_DATA)."),
    ] = None,
) -> None:
    """Check entries, and answers of tools to them, and bundle them for a reviewer.

    Exit codes: 0 the bundle is written, 2 something cannot be taken as it is, or misuse.
    """
    from hallmark.bench.contribute import files_of, read_offer, write_bundle
    from hallmark.bench.dataset import load_split

    known = [load_split(name, data) for name in against or ()]
    offer = read_offer(file, predictions or (), known)
    write_bundle(files_of(offer), out)
    entries, answers = len(offer.split.entries), len(offer.predictions)
    typer.echo(
        f"{entries:,} entries and {answers} prediction files, written to {visible(str(out))}; "
        f"{len(offer.warnings)} kinds of warning, see REPORT.md"
    )
