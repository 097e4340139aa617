"""Which options do several commands share?"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer


class Format(StrEnum):
    """A report format."""

    TERMINAL = "terminal"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"


class Only(StrEnum):
    """Which results a report shows."""

    PROBLEMS = "problems"


IndexOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--index",
        metavar="DIR",
        help="The local index. Default: $HALLMARK_INDEX, ./.hallmark/starter, or the user's "
        "data folder.",
    ),
]

NamedIndexOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--index",
        metavar="DIR",
        help="A local index to compare with; none is used where none is named here, not even "
        "that of $HALLMARK_INDEX.",
    ),
]


def use_tables(folder: Path | None) -> Path | None:
    """Take a user's tables over the packaged ones, for the whole run."""
    if folder is not None:
        from hallmark.text import knowledge  # noqa: PLC0415 - loaded only where it is used

        knowledge.use(folder)
    return folder


FolderOfTables: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="DIR",
        callback=use_tables,
        is_eager=True,
        help="A folder of your own tables of venues, aliases, prefixes, names: see docs/tables.md. "
        "Default: $HALLMARK_TABLES.",
    ),
]
POLICY_HELP = (
    "How strict the judge is: default, strict, author, reviewer, venue-audit, or a file of your "
    "own; see hallmark policy list."
)
PolicyOption: TypeAlias = Annotated[
    str, typer.Option("--policy", metavar="NAME|FILE.toml", help=POLICY_HELP)
]
FormatOption: TypeAlias = Annotated[
    Format, typer.Option("--format", "-f", help="The form of the report.")
]
OutputOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the report there, whole or not at all."
    ),
]
OnlyOption: TypeAlias = Annotated[
    Only | None, typer.Option("--only", help="Leave out results that report nothing.")
]
QuietOption: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="No heads, counts or progress: results only.")
]
TodayOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--today", metavar="YYYY-MM-DD", help="Judge as of this date."),
]
CalibrationOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        metavar="MODEL.json",
        help="State probabilities by this model, written by `hallmark calibrate`.",
    ),
]
InputFormatOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--input-format",
        metavar="NAME",
        help="bibtex, jsonl, csl, ris or text (references as printed); found from the file's "
        "name and content by default.",
    ),
]
