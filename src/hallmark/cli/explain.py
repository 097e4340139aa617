"""Why does one reference have its verdict?"""

import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.calibration_file import calibration_of
from hallmark.cli.locate import index_path
from hallmark.cli.options import (
    CalibrationOption,
    IndexOption,
    InputFormatOption,
    PolicyOption,
    Strictness,
    TodayOption,
)
from hallmark.cli.run import Wish, day, look, read_all
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.judge.policy import POLICIES
from hallmark.records.reference import Entry, FailedEntry
from hallmark.report.escape import visible
from hallmark.report.evidence import explanation
from hallmark.verifier import Verifier

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def explain(
    key: Annotated[str, typer.Argument(help="The entry's citation key.")],
    file: Annotated[str, typer.Argument(help="The file; - is standard input.")],
    *,
    index: IndexOption = None,
    policy: PolicyOption = Strictness.DEFAULT,
    input_format: InputFormatOption = None,
    today: TodayOption = None,
    calibration: CalibrationOption = None,
) -> None:
    """Show everything that the verdict on the entry KEY of FILE rests on."""
    show(
        key,
        [file],
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
    policy: Strictness,
    input_format: str | None,
    today: str | None,
    calibration: Path | None = None,
) -> None:
    """Write the explanation of every entry of this key in the files.

    Raises:
        InputError: there is no such entry, or a file cannot be read.
        IndexProblem: the index cannot be opened.
    """
    as_of, model = day(today), calibration_of(calibration)
    entries = list(_named(key, files, input_format))
    place = index_path(index)
    opened = None if place is None else open_index(place)
    verifier = Verifier(opened, policy=POLICIES.get(policy), today=as_of, calibration=model)
    for entry in entries:
        sys.stdout.write(_explained(verifier, entry))


def _explained(verifier: Verifier, entry: Entry) -> str:
    if isinstance(entry, FailedEntry):
        place = visible(f"{entry.location.file}:{entry.location.line}")
        return f"{place} could not be read: {visible(entry.reason)}\n"
    evidence, result = verifier.explain(entry)
    return explanation(entry, evidence, result, look(Wish(), sys.stdout)) + "\n"


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
