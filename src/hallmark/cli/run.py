"""How do results become a report, a summary and an exit code?"""

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from msgspec import Struct, structs

from hallmark.cli.options import Format, Only
from hallmark.cli.output import destination
from hallmark.cli.progress import Progress
from hallmark.errors import InputError
from hallmark.judge.codes import CODES
from hallmark.judge.triage import Triage
from hallmark.parse.interface import read
from hallmark.records.opinion import ModelUse
from hallmark.records.reference import Entry
from hallmark.records.verdict import Result
from hallmark.report.formats import FORMATS
from hallmark.report.interface import Look, RunInfo
from hallmark.report.summary import Summary, Tally

NOTHING, PROBLEMS, INCOMPLETE = 0, 1, 3

_T = TypeVar("_T")
_NAMES = {"unresolved": "cannot be told"}


class Wish(Struct, frozen=True, kw_only=True):
    """What the user asked of the report."""

    form: Format = Format.TERMINAL
    output: Path | None = None
    only: Only | None = None
    quiet: bool = False


def report(
    results: Iterable[Result],
    run: RunInfo,
    wish: Wish,
    triage: Triage | None = None,
    model: Callable[[], ModelUse | None] = lambda: None,
) -> Summary:
    """Write the report of a stream of results, and the queue where one is wished.

    Args:
        results: the results, in order.
        run: what the report says of the run.
        wish: what the user asked of the report.
        triage: makes the queue; None for none.
        model: tells, once all results are in, what was asked of a language model.

    Returns:
        The counts.
    """
    tally = Tally()
    progress = Progress(sys.stderr, on=not wish.quiet)
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(destination(wish.output, run.files))
        writer = stack.enter_context(
            contextlib.closing(FORMATS.get(wish.form)(out, look(wish, out)))
        )
        writer.begin(run)
        for result in results:
            tally.add(result)
            writer.add(result)
            if triage is not None:
                triage.add(result)
            progress.step()
        progress.end()
        summary = _with_queue(structs.replace(tally.summary(), model=model()), triage)
        writer.end(summary)
        out.flush()
    if not wish.quiet and not _seen(wish):
        print(one_line(summary), file=sys.stderr)  # noqa: T201 - the edge
    return summary


def _with_queue(summary: Summary, triage: Triage | None) -> Summary:
    """Return the summary with the queue; what the index knows of the venues has its say."""
    if triage is None:
        return summary
    share = None if summary.holdings is None else summary.holdings.share
    return structs.replace(summary, queue=triage.queue(share))


def exit_code(summary: Summary) -> int:
    """Return what the command line reports; an incomplete check outranks what it found."""
    if summary.incomplete:
        return INCOMPLETE
    return PROBLEMS if summary.problems else NOTHING


def one_line(summary: Summary) -> str:
    """Return the counts in one line."""
    counts = ", ".join(
        f"{count:,} {_NAMES.get(status, status.replace('_', ' '))}"
        for status, count in summary.statuses.items()
        if count
    )
    noun = "reference" if summary.references == 1 else "references"
    return f"{summary.references:,} {noun}: {counts or 'none'}"


def look(wish: Wish, out: TextIO, environ: Mapping[str, str] = os.environ) -> Look:
    """Return how the report is to look on this stream."""
    on_terminal = out.isatty()
    return Look(
        only_problems=wish.only is Only.PROBLEMS,
        quiet=wish.quiet,
        colour=on_terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb",
        width=shutil.get_terminal_size().columns if on_terminal else 80,
        ascii=not _can_write(out, "✗✓…–"),
        names={code: row.name for code, row in CODES.items()},
    )


def day(text: str | None) -> date:
    """Return the date that a check is made as of; today by default."""
    if text is None:
        return datetime.now(UTC).date()  # noqa: TID251 - the edge reads the clock
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"`{text}` is no date. Write it as YYYY-MM-DD.") from None


def must_be_files(names: Sequence[str]) -> None:
    """Raise InputError unless every name is a file, or "-", before any work is done."""
    for name in names:
        if name == "-":
            continue
        path = Path(name)
        if path.is_dir():
            raise InputError(f"{name} is a folder. Name the files in it.")
        if not path.exists():
            raise InputError(f"There is no file {name}. Check the name, or use - for input.")


def read_all(names: Sequence[str], input_format: str | None) -> Iterator[Entry]:
    """Yield the entries of all files, in order; all files must be there before one is read.

    Raises:
        InputError: a file is missing or cannot be read.
        UnknownName: there is no such format.
    """
    must_be_files(names)
    for name in names:
        yield from read(name, format=input_format, stdin=_standard_input())


def first_read(items: Iterator[_T], none: str) -> Iterator[_T]:
    """Read the first item, so that what cannot be read is told before anything is written.

    Raises:
        InputError: there is no item, which `none` says; or the first one cannot be read.
    """
    first = next(items, None)
    if first is None:
        raise InputError(none)
    return chain([first], items)


def _standard_input() -> BinaryIO | None:
    """Return standard input as bytes; None where the process was started without one."""
    return getattr(sys.stdin, "buffer", None)


def _seen(wish: Wish) -> bool:
    """Whether the report itself shows the counts to the person at the terminal."""
    return wish.form is Format.TERMINAL and wish.output is None and sys.stdout.isatty()


def _can_write(out: TextIO, text: str) -> bool:
    try:
        text.encode(getattr(out, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
