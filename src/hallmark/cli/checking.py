"""How does a run of `check` go, from what the user wished to the exit code?"""

import contextlib
import os
import sys
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from hallmark.cli.calibration_file import calibration_of
from hallmark.cli.evidence import Keeper, Kept
from hallmark.cli.fix import Fixing, Suggested, tell
from hallmark.cli.llm import LlmWish
from hallmark.cli.locate import index_path
from hallmark.cli.online import OnlineWish, Opened, recorded_day
from hallmark.cli.options import Format, Only
from hallmark.cli.output import must_be_file, must_differ, must_not_be_input
from hallmark.cli.queue import triage_of
from hallmark.cli.run import NOTHING, Wish, day, exit_code, first_read, read_all, report
from hallmark.index import LocalIndex, open_index
from hallmark.judge.calibrate import Calibration
from hallmark.judge.policy import Policy
from hallmark.judge.profiles import policy_of
from hallmark.judge.triage import Triage
from hallmark.records.opinion import ModelUse
from hallmark.records.reference import Entry, FailedEntry
from hallmark.records.verdict import Result
from hallmark.report.escape import harmless
from hallmark.report.interface import RunInfo
from hallmark.verifier import Verifier

if TYPE_CHECKING:
    from hallmark.cli.assistant import Assistant
    from hallmark.online.run import Checked

INTERRUPTED = 130
"""Exit code of a run that was interrupted, as shells give it."""

MAX_WORKERS = 61
"""Processes that a pool can have on every system."""

NO_INDEX = """\
No index was found, so only faults that an entry shows by itself can be judged (a future year,
placeholder names); of every other reference nothing can be told. Build the starter index once:

    hallmark index build --out .hallmark/starter starter
"""


class Asked(Struct, frozen=True, kw_only=True):
    """What the user asked of a run; see the options of `check`."""

    files: tuple[str, ...]
    online: OnlineWish
    llm: LlmWish
    fixing: Fixing
    index: Path | None = None
    policy: str = "default"
    form: Format = Format.TERMINAL
    output: Path | None = None
    only: Only | None = None
    quiet: bool = False
    workers: int = 0
    store_evidence: Path | None = None
    input_format: str | None = None
    today: str | None = None
    calibration: Path | None = None
    queue: int | None = None
    prevalence: float | None = None

    @property
    def wish(self) -> Wish:
        """What the report is to be: nothing, where a diff stands in its place."""
        return Wish(
            form=self.form,
            output=self.fixing.report_place(self.output),
            only=self.only,
            quiet=self.quiet or self.fixing.diff,
        )


class Prepared(Struct, frozen=True, kw_only=True):
    """What a run works with, once everything that can be wrong with the wishes was looked at."""

    asked: Asked
    policy: Policy
    today: date
    calibration: Calibration | None
    triage: Triage | None
    entries: Iterator[Entry]
    index: LocalIndex | None
    verifier: Verifier


def run(asked: Asked) -> int:
    """Check, report, correct; return the exit code.

    Raises:
        HallmarkError: a wish cannot be met, or an input or output cannot be used.
    """
    ready = prepare(asked)
    stream = Stream(ready)
    if asked.llm.dry_run:
        stream.rehearse()
        return INTERRUPTED if stream.interrupted else NOTHING
    suggested = Suggested()
    with contextlib.ExitStack() as stack:
        results = suggested.watch(stream.results(_keeper(ready, stack)))
        summary = report(results, _run_info(ready), asked.wish, ready.triage, stream.model_use)
        if not asked.quiet:
            stream.say()
        if stream.interrupted:
            return INTERRUPTED
    if asked.fixing.wanted:
        mended = asked.fixing.finish(suggested.kept, ready.verifier)
        if not asked.quiet:
            tell(mended, asked.fixing, sys.stderr)
    return exit_code(summary)


def prepare(asked: Asked) -> Prepared:
    """Look at all wishes, read the first reference, open the index.

    Raises:
        HallmarkError: a wish cannot be met, or an input or output cannot be used.
    """
    policy = policy_of(asked.policy)
    asked.online.check()
    asked.llm.check()
    asked.fixing.must_be_possible((asked.output, asked.store_evidence))
    today = day(asked.today or recorded_day(asked.online))
    calibration = calibration_of(asked.calibration)
    triage = triage_of(asked.queue, asked.prevalence, calibration)
    _outputs_must_be_possible(asked)
    entries = first_read(
        read_all(asked.files, asked.input_format),
        f"There are no references in {', '.join(asked.files)}.",
    )
    index = open_or_none(asked.index, quiet=asked.quiet or asked.online.wanted)
    verifier = Verifier(
        index,
        policy=policy,
        today=today,
        workers=asked.workers or min(os.cpu_count() or 1, MAX_WORKERS),
        calibration=calibration,
    )
    return Prepared(
        asked=asked,
        policy=policy,
        today=today,
        calibration=calibration,
        triage=triage,
        entries=entries,
        index=index,
        verifier=verifier,
    )


class Stream:
    """The results of a run, from the index, live sources and a model, as far as each is wished."""

    def __init__(self, ready: Prepared) -> None:
        self._ready = ready
        asked = ready.asked
        self._live = (
            Opened(asked.online, ready.verifier, ready.today) if asked.online.wanted else None
        )
        self._assistant = _assistant(ready) if asked.llm.wanted else None

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the run before everything was asked."""
        live = self._live is not None and self._live.interrupted
        return live or (self._assistant is not None and self._assistant.interrupted)

    def say(self) -> None:
        """Tell who was asked."""
        if self._live is not None:
            self._live.say()

    def model_use(self) -> ModelUse | None:
        """Return what was asked of a model so far, None where none was wished for."""
        return None if self._assistant is None else self._assistant.used()

    def rehearse(self) -> None:
        """Tell what would be asked of the model, and print the first question where wished."""
        if self._assistant is not None:
            for line in self._assistant.rehearse(self._rows(None)):
                print(harmless(line))  # noqa: T201 - the edge

    def results(self, keeper: Keeper | None) -> Iterator[Result]:
        """Yield the results, keeping what they rest on where that is asked for."""
        if self._assistant is not None:
            return self._assistant.heard(self._rows(keeper), may_ask=lambda: not self.interrupted)
        if self._live is None and keeper is None:
            return self._ready.verifier.check(self._ready.entries)
        return (row.result for row in self._rows(keeper))

    def _rows(self, keeper: Keeper | None) -> Iterator["Checked"]:
        """Yield the results with what they rest on: what evidence says, and no model."""
        ready = self._ready
        if self._live is not None:
            rows = self._live.results(ready.entries)
        else:
            rows = map(self._checked, ready.entries)
        for row in rows:
            if keeper is not None:
                keeper.add(Kept.checked(row.entry, row.evidence, row.result))
            yield row

    def _checked(self, entry: Entry) -> "Checked":
        from hallmark.online.run import Checked  # noqa: PLC0415 - loaded where it is used

        verifier = self._ready.verifier
        if isinstance(entry, FailedEntry):
            return Checked(entry, verifier.check_one(entry))
        evidence, result = verifier.explain(entry)
        return Checked(entry, result, evidence)


def _assistant(ready: Prepared) -> "Assistant":
    from hallmark.cli.assistant import Assistant  # noqa: PLC0415 - loaded where it is used

    return Assistant(
        ready.asked.llm,
        ready.policy,
        ready.calibration,
        quiet=ready.asked.quiet,
        hints=tuple(_hints(ready)),
    )


def _hints(ready: Prepared) -> Iterator[str]:
    """Yield what a user may not expect of a model, to be told before anything is sent."""
    if ready.index is None and not ready.asked.online.wanted:
        yield (
            "All references are open, since nothing was searched: there is no index here, and "
            "--online was not given. An index settles most of them for nothing."
        )
    if ready.asked.only is Only.PROBLEMS:
        yield (
            "--only problems leaves out open references, and so what the model says of them. "
            "Leave the option out to see it."
        )


def _keeper(ready: Prepared, stack: contextlib.ExitStack) -> Keeper | None:
    asked = ready.asked
    if asked.store_evidence is None:
        return None
    keeper = Keeper(asked.store_evidence, policy=ready.policy.name, inputs=asked.files)
    return stack.enter_context(keeper)


def _outputs_must_be_possible(asked: Asked) -> None:
    record = asked.online.record
    must_differ(asked.output, asked.store_evidence, record, asked.fixing.out)
    if record is not None:
        must_not_be_input(record, asked.files)
        must_be_file(record)


def open_or_none(given: Path | None, *, quiet: bool = False) -> LocalIndex | None:
    """Open the index; None, with a word about it, where there is none."""
    place = index_path(given)
    if place is None:
        if not quiet:
            print(NO_INDEX, file=sys.stderr)  # noqa: T201 - the edge
        return None
    return open_index(place)


def _run_info(ready: Prepared) -> RunInfo:
    """Return what the report says of this run."""
    index = ready.index
    return RunInfo(
        files=ready.asked.files,
        policy=ready.policy.name,
        index=None if index is None else str(index.path),
        records=None if index is None else index.records,
        as_of="" if index is None else index.as_of,
        today=ready.today.isoformat(),
        version=version("hallmark"),
    )
