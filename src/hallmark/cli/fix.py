"""How are corrections written to a new file, shown as a diff, and told?"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, TextIO, TypeAlias

import typer
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.cli.mend import Mended, Row, State, mend
from hallmark.cli.output import must_not_be_input, write_whole
from hallmark.correct.document import difference
from hallmark.errors import InputError
from hallmark.parse.input import open_input
from hallmark.parse.interface import detect
from hallmark.records.finding import Safety
from hallmark.records.verdict import Result
from hallmark.report.escape import harmless, visible
from hallmark.verifier import Verifier

_BIBTEX = "bibtex"

FixOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--fix",
        metavar="OUT.bib",
        help="Write a copy of the file with the safe corrections made; never the file itself.",
    ),
]
UnsafeOption: TypeAlias = Annotated[
    bool,
    typer.Option("--unsafe-fixes", help="Make those corrections too that a person should look at."),
]
DiffOption: TypeAlias = Annotated[
    bool,
    typer.Option("--diff", help="Show the corrections as a unified diff, instead of the report."),
]


class Fixing(Struct, frozen=True, kw_only=True):
    """What the user wants corrected, and where it goes."""

    files: tuple[str, ...]
    out: Path | None = None
    diff: bool = False
    unsafe: bool = False
    input_format: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether anything is to be corrected."""
        return self.out is not None or self.diff

    def must_be_possible(self, others: Sequence[Path | None] = ()) -> None:
        """Raise InputError where it cannot be done, before any work is.

        Args:
            others: further files that are written in the same run.
        """
        if not self.wanted:
            if self.unsafe:
                raise InputError("--unsafe-fixes goes with --fix OUT.bib or --diff.")
            return
        if len(self.files) != 1 or self.files[0] == "-":
            raise InputError(
                "Corrections are made in one file at a time, which is read twice. Name one .bib "
                "file, and no standard input."
            )
        _must_be_bibtex(self.files[0], self.input_format)
        if self.out is not None:
            _must_be_new(self.out, self.files, others)

    def report_place(self, output: Path | None) -> Path | None:
        """Return where the report goes; nowhere, where the diff stands in its place."""
        return Path(os.devnull) if self.diff and output is None else output

    def finish(self, results: Sequence[Result], verifier: Verifier) -> Mended:
        """Make the corrections; write the file, show the diff."""
        name = self.files[0]
        try:
            data = read_bytes(Path(name))
        except OSError as error:
            raise InputError(f"{name} cannot be read again: {error.strerror}.") from error
        mended = mend(
            name,
            data,
            results,
            check=verifier.check_one,
            venues=verifier.venues,
            unsafe=self.unsafe,
        )
        if self.out is not None:
            write_whole(self.out, mended.data, self.files)
        if self.diff:
            new = str(self.out) if self.out is not None else name
            shown = difference(mended.before, mended.after, visible(name), visible(new))
            sys.stdout.write(harmless(shown))
        return mended


def _must_be_bibtex(name: str, input_format: str | None) -> None:
    source = open_input(name)
    try:
        found = input_format or detect(source)
    finally:
        source.close()
    if found != _BIBTEX:
        raise InputError(
            f"{name} is read as {found}; corrections are made in .bib files only. Without --fix "
            "and --diff the report tells what to change."
        )


def _must_be_new(out: Path, files: Sequence[str], others: Sequence[Path | None]) -> None:
    if str(out) == "-":
        raise InputError("--fix writes to a file. Name one, or use --diff to see the changes.")
    if out.is_dir():
        raise InputError(f"{out} is a folder. Name a file in it: --fix {out / 'fixed.bib'}")
    must_not_be_input(out, files)
    if any(one is not None and one.absolute() == out.absolute() for one in others):
        raise InputError(f"Two outputs cannot both go to {out}. Choose another name.")


class Suggested:
    """Passes results on, and keeps those that carry a suggestion."""

    def __init__(self) -> None:
        self.kept: list[Result] = []

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield the results unchanged."""
        for result in results:
            if result.verdict.suggestion is not None:
                self.kept.append(result)
            yield result


def tell(mended: Mended, fixing: Fixing, out: TextIO) -> None:
    """Write which corrections were made, which were left, and why."""
    made, left, refused = ([row for row in mended.rows if row.state is state] for state in State)
    place = f" in {visible(str(fixing.out))}" if fixing.out is not None else ""
    head = f"{_counted(len(made))} made{place}, {len(left)} left, {len(refused)} impossible"
    lines = (f"  {row.state:8} {visible(row.key)}, {_what(row)}" for row in mended.rows)
    out.writelines(f"{line}\n" for line in (head, *lines))


def _counted(count: int) -> str:
    return f"{count} correction{'' if count == 1 else 's'}"


def _what(row: Row) -> str:
    place = f"line {row.line}: {', '.join(map(visible, row.fields))}"
    if row.state is State.REFUSED:
        return f"{place}: {visible(row.reason)}"
    edits = "; ".join(f"{_shown(old)} -> {_shown(new)}" for old, new in row.edits)
    if row.safety is Safety.SAFE:
        return f"{place}: {edits}"
    left = row.state is State.LEFT
    return f"{place}: {edits} [look at it{'; --unsafe-fixes makes it' if left else ''}]"


def _shown(source: str) -> str:
    return visible(source) or "nothing"
