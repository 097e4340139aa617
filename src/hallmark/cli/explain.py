"""Why does one reference have its verdict?"""

import difflib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from hallmark.cli.calibration_file import calibration_of
from hallmark.cli.locate import index_path
from hallmark.cli.options import (
    CalibrationOption,
    FolderOfTables,
    IndexOption,
    InputFormatOption,
    PolicyOption,
    TodayOption,
)
from hallmark.cli.run import Wish, day, look, read_all
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.judge.profiles import policy_of
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Entry, FailedEntry, Reference
from hallmark.records.verdict import Result
from hallmark.report.escape import visible
from hallmark.report.evidence import explanation
from hallmark.report.letter import letter
from hallmark.verifier import Verifier

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def explain(
    key: Annotated[str, typer.Argument(help="The entry's citation key.")],
    file: Annotated[str, typer.Argument(help="The file; - is standard input.")],
    *,
    index: IndexOption = None,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
    policy: PolicyOption = "default",
    input_format: InputFormatOption = None,
    today: TodayOption = None,
    calibration: CalibrationOption = None,
    as_letter: Annotated[
        bool,
        typer.Option("--letter", help="Write it as a neutral letter to the entry's author."),
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write the letter in Markdown.")
    ] = False,
) -> None:
    """Show everything that the verdict on the entry KEY of FILE rests on."""
    if markdown and not as_letter:
        raise InputError("--markdown goes with --letter.")
    if Path(key).is_file() and not Path(file).exists():
        key, file = file, key
    show(
        key,
        [file],
        write=_letter_in(markdown=markdown) if as_letter else _explanation,
        index=index,
        policy=policy,
        input_format=input_format,
        today=today,
        calibration=calibration,
    )


def show(
    key: str,
    files: Sequence[str],
    *,
    index: Path | None,
    policy: str,
    input_format: str | None,
    today: str | None,
    calibration: Path | None = None,
    write: "Write | None" = None,
) -> None:
    """Write the explanation, or what `write` makes of it, of every entry of this key in the files.

    Raises:
        InputError: there is no such entry, or a file cannot be read.
        IndexProblem: the index cannot be opened.
        UnknownName: there is no such policy.
    """
    as_of, model, chosen = day(today), calibration_of(calibration), policy_of(policy)
    entries = list(_named(key, files, input_format))
    place = index_path(index)
    opened = None if place is None else open_index(place)
    verifier = Verifier(opened, policy=chosen, today=as_of, calibration=model)
    for entry in entries:
        sys.stdout.write(_explained(verifier, entry, write or _explanation))


Write: TypeAlias = Callable[[Reference, Evidence, Result], str]
"""Turns a verdict and what it rests on into text."""


def _explanation(reference: Reference, evidence: Evidence, result: Result) -> str:
    return explanation(reference, evidence, result, look(Wish(), sys.stdout)) + "\n"


def _letter_in(*, markdown: bool) -> Write:
    def write(reference: Reference, evidence: Evidence, result: Result) -> str:
        return letter(reference, evidence, result, markdown=markdown) + "\n"

    return write


def _explained(verifier: Verifier, entry: Entry, write: Write) -> str:
    if isinstance(entry, FailedEntry):
        place = visible(f"{entry.location.file}:{entry.location.line}")
        return f"{place} could not be read: {visible(entry.reason)}\n"
    return write(entry, *verifier.explain(entry))


def _named(key: str, files: Sequence[str], input_format: str | None) -> Iterator[Entry]:
    """Yield every entry of this key; raises InputError with the nearest key if there is none."""
    others: set[str] = set()
    found = False
    for entry in read_all(files, input_format):
        if entry.key == key:
            found = True
            yield entry
        elif not found and entry.key:
            others.add(entry.key)
    if not found:
        near = difflib.get_close_matches(key, others, n=1)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        raise InputError(f"There is no entry `{key}` in {', '.join(files)}.{hint}")
