"""How are the references of files checked?"""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.calibration_file import calibration_of
from hallmark.cli.evidence import Keeper, Kept
from hallmark.cli.explain import show
from hallmark.cli.fix import DiffOption, Fixing, FixOption, Suggested, UnsafeOption, tell
from hallmark.cli.locate import index_path
from hallmark.cli.online import (
    Budget,
    MaxRequests,
    NoCache,
    Offline,
    Online,
    OnlineWish,
    Opened,
    Record,
    ReplayFrom,
    Sources,
    Thorough,
    recorded_day,
)
from hallmark.cli.options import (
    CalibrationOption,
    FolderOfTables,
    Format,
    FormatOption,
    IndexOption,
    InputFormatOption,
    OnlyOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
)
from hallmark.cli.output import must_be_file, must_differ, must_not_be_input
from hallmark.cli.queue import PrevalenceOption, QueueOption, triage_of
from hallmark.cli.run import Wish, day, exit_code, first_read, read_all, report
from hallmark.index import LocalIndex, open_index
from hallmark.judge.policy import Policy
from hallmark.judge.profiles import policy_of
from hallmark.records.reference import Entry
from hallmark.records.verdict import Result
from hallmark.report.interface import RunInfo
from hallmark.verifier import Verifier

app = typer.Typer(add_completion=False, rich_markup_mode=None)

INTERRUPTED = 130
"""Exit code of a run that was interrupted, as shells give it."""

MAX_WORKERS = 61
"""Processes that a pool can have on every system."""

NO_INDEX = """\
No index was found, so only faults that an entry shows by itself can be judged (a future year,
placeholder names); of every other reference nothing can be told. Build the starter index once:

    hallmark index build --out .hallmark/starter starter
"""


@app.command()
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files to check; - is standard input.")
    ],
    *,
    index: IndexOption = None,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
    policy: PolicyOption = "default",
    form: FormatOption = Format.TERMINAL,
    output: OutputOption = None,
    only: OnlyOption = None,
    quiet: QuietOption = False,
    explain_key: Annotated[
        str | None,
        typer.Option("--explain", metavar="KEY", help="Show the whole evidence for one entry."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=0,
            max=MAX_WORKERS,
            help="Processes; 0: as many as there are cores.",
        ),
    ] = 0,
    store_evidence: Annotated[
        Path | None,
        typer.Option("--store-evidence", metavar="FILE", help="Keep what verdicts rest on."),
    ] = None,
    input_format: InputFormatOption = None,
    today: TodayOption = None,
    calibration: CalibrationOption = None,
    queue: QueueOption = None,
    prevalence: PrevalenceOption = None,
    online: Online = False,
    offline: Offline = False,
    sources: Sources = None,
    budget_s: Budget = None,
    max_requests: MaxRequests = None,
    record: Record = None,
    replay: ReplayFrom = None,
    no_cache: NoCache = False,
    thorough: Thorough = False,
    fix: FixOption = None,
    unsafe_fixes: UnsafeOption = False,
    diff: DiffOption = False,
) -> None:
    """Check the references of FILEs against the local index, and online where that is wished.

    Exit codes: 0 nothing to report, 1 problems found, 2 misuse or unreadable input, 3 some
    references could not be checked because a source failed.
    """
    if explain_key is not None:
        show(
            explain_key,
            files,
            index=index,
            policy=policy,
            input_format=input_format,
            today=today,
            calibration=calibration,
        )
        return
    chosen = policy_of(policy)
    wanted = OnlineWish(
        online=online,
        offline=offline,
        sources=sources,
        budget_s=budget_s,
        max_requests=max_requests,
        record=record,
        replay=replay,
        no_cache=no_cache,
        thorough=thorough,
    )
    wanted.check()
    fixing = Fixing(
        files=tuple(files), out=fix, diff=diff, unsafe=unsafe_fixes, input_format=input_format
    )
    fixing.must_be_possible((output, store_evidence))
    suggested = Suggested()
    as_of, model = day(today or recorded_day(wanted)), calibration_of(calibration)
    triage = triage_of(queue, prevalence, model)
    must_differ(output, store_evidence, record, fix)
    if record is not None:
        must_not_be_input(record, files)
        must_be_file(record)
    entries = first_read(
        read_all(files, input_format), f"There are no references in {', '.join(files)}."
    )
    opened = open_or_none(index, quiet=quiet or wanted.wanted)
    verifier = Verifier(
        opened,
        policy=chosen,
        today=as_of,
        workers=workers or min(os.cpu_count() or 1, MAX_WORKERS),
        calibration=model,
    )
    run = run_info(files, opened, chosen, as_of)
    wish = Wish(
        form=form, output=fixing.report_place(output), only=only, quiet=quiet or fixing.diff
    )
    with contextlib.ExitStack() as stack:
        keeper = None
        if store_evidence is not None:
            keeper = stack.enter_context(Keeper(store_evidence, policy=chosen.name, inputs=files))
        if wanted.wanted:
            live = Opened(wanted, verifier, as_of)
            results = suggested.watch(_online_results(live, entries, keeper))
            summary = report(results, run, wish, triage)
            if not quiet:
                live.say()
            if live.interrupted:
                raise typer.Exit(INTERRUPTED)
        else:
            results = suggested.watch(_results(verifier, entries, keeper))
            summary = report(results, run, wish, triage)
    if fixing.wanted:
        mended = fixing.finish(suggested.kept, verifier)
        if not quiet:
            tell(mended, fixing, sys.stderr)
    raise typer.Exit(exit_code(summary))


def open_or_none(given: Path | None, *, quiet: bool = False) -> LocalIndex | None:
    """Open the index; None, with a word about it, where there is none."""
    place = index_path(given)
    if place is None:
        if not quiet:
            print(NO_INDEX, file=sys.stderr)  # noqa: T201 - the edge
        return None
    return open_index(place)


def run_info(
    files: Iterable[str], index: LocalIndex | None, policy: Policy, today: date
) -> RunInfo:
    """Return what the report says of this run."""
    return RunInfo(
        files=tuple(files),
        policy=policy.name,
        index=None if index is None else str(index.path),
        records=None if index is None else index.records,
        as_of="" if index is None else index.as_of,
        today=today.isoformat(),
        version=version("hallmark"),
    )


def _results(
    verifier: Verifier, entries: Iterable[Entry], keeper: Keeper | None
) -> Iterator[Result]:
    """Yield the results, keeping what they rest on where that is asked for."""
    if keeper is None:
        yield from verifier.check(entries)
        return
    for entry in entries:
        kept = Kept.of(verifier, entry)
        keeper.add(kept)
        yield kept.result


def _online_results(
    live: Opened, entries: Iterable[Entry], keeper: Keeper | None
) -> Iterator[Result]:
    """Yield the results of a run with live sources, keeping what they rest on where asked for."""
    for checked in live.results(entries):
        if keeper is not None:
            keeper.add(Kept.checked(checked.entry, checked.evidence, checked.result))
        yield checked.result
