"""How does a tool that others wrote answer benchmark entries?

It is called as its users call it, from its own environment, over .bib files of as many entries as
its row allows. What it answers is settled by `settle`.
"""

import contextlib
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.external.bibliography import Keys, bibliography, keys_for
from hallmark.bench.systems.external.install import (
    Note,
    clean_environ,
    folder_of,
    last_words,
    program_of,
    state_of,
)
from hallmark.bench.systems.external.process import Ran, read_file, run_program
from hallmark.bench.systems.external.readers import Heard, read
from hallmark.bench.systems.external.rows import Tool, named
from hallmark.bench.systems.external.settle import Call, settle
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.spec import Option, Options, Request
from hallmark.errors import InputError

OPTIONS = (
    Option("batch", 0, "entries of one call; 0 is the number of the tool's row"),
    Option("timeout_s", 0.0, "seconds that one call may take; 0 is the time of the tool's row"),
    Option("keys", "safe", "safe: the tool sees keys of our making; own: those of the entries"),
)
HANDED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
"""How the network is reached, not who asks; handed to every tool, in either case of letters."""

_BIB, _OUT = "references.bib", "answers.out"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How a tool is called: by which program, over how many entries, for how long (seconds)."""

    tool: Tool
    version: str
    folder: Path
    digest: str
    batch: int
    timeout_s: float
    keys: Keys
    handed: Mapping[str, str]


class ExternalSystem:
    """A tool of others as a system.

    Args:
        plan: how it is called.
        clock: seconds, to time each call.
    """

    def __init__(self, plan: Plan, clock: Callable[[], float] = time.perf_counter) -> None:
        self._plan = plan
        self._clock = clock

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The tool, its version and packages, its command and what its statuses count as."""
        plan = self._plan
        return {
            "tool": plan.tool.name,
            "version": plan.version,
            "packages_digest": plan.digest,
            "command": " ".join((plan.tool.program, *plan.tool.arguments)),
            "row_digest": plan.tool.digest,
            "batch": plan.batch,
            "timeout_s": plan.timeout_s,
            "keys": plan.keys,
            "given_keys": ",".join(name for name in plan.tool.keys if plan.handed.get(name)),
        }

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Yield the tool's answers, one call after the other."""
        if not entries:
            return
        with _scratch() as scratch:
            home = scratch / "home"
            home.mkdir()
            for start in range(0, len(entries), self._plan.batch):
                batch = entries[start : start + self._plan.batch]
                yield from settle(self._plan.tool, batch, self._call(batch, scratch, home))

    def ask_nothing(self) -> Ran:
        """Call the tool over a file without entries and return how it ran."""
        with _scratch() as scratch:
            return self._run("", scratch, scratch)[0]

    def _call(self, batch: Sequence[BlindEntry], scratch: Path, home: Path) -> Call:
        keys = keys_for(batch, self._plan.keys)
        start = self._clock()
        work = scratch / "work"
        work.mkdir()
        ran, output = self._run(bibliography(batch, keys), work, home)
        shutil.rmtree(work, ignore_errors=True)
        seconds = self._clock() - start
        return Call(tuple(keys), *heard(self._plan, ran, output), seconds=seconds)

    def _run(self, bib: str, work: Path, home: Path) -> tuple[Ran, str | None]:
        plan = self._plan
        (work / _BIB).write_text(bib, encoding="utf-8", errors="replace")
        command = [
            str(program_of(plan.folder, plan.tool.program)),
            *(part.replace("{bib}", _BIB).replace("{out}", _OUT) for part in plan.tool.arguments),
        ]
        environ = clean_environ(plan.folder, home, plan.handed)
        count = max(1, min(plan.batch, bib.count("@")))
        limit = plan.timeout_s or plan.tool.call_s + plan.tool.entry_s * count
        ran = run_program(command, work, environ, limit)
        written = any("{out}" in part for part in plan.tool.arguments)
        return ran, read_file(work / _OUT) if written else ran.output


def heard(plan: Plan, ran: Ran, output: str | None) -> tuple[Heard, str]:
    """Return what a call said, and why it failed where it did.

    What a tool wrote before its time was over still counts; what it wrote before it crashed does
    not.
    """
    form, problem = plan.tool.output, ""
    if ran.problem:
        problem = ran.problem
    elif ran.exit_code is None:
        problem = "the tool did not end in time"
    elif ran.exit_code not in plan.tool.exits:
        words = last_words(ran.errors or ran.output)
        return Heard(()), f"the tool ended with exit code {ran.exit_code}: {words}"
    if form is None or not output:
        return Heard(()), problem or "the tool wrote no answers"
    twice = bool(plan.tool.twice and re.search(plan.tool.twice, output, re.MULTILINE))
    return msgspec.structs.replace(read(form, output), twice=twice), problem


def external_system(name: str, request: Request, options: Options) -> ExternalSystem:
    """Return the system behind `tool:NAME` or `tool:NAME@VERSION`.

    Raises:
        UnknownName: there is no such tool.
        InputError: it cannot be run here, or an option cannot be used.
    """
    which = named(name)
    if request.tools is None:
        raise InputError("No folder of tools was given.")
    state = state_of(request.tools, which)
    if state.problem or state.note is None:
        raise InputError(f"The tool `{which.name}` cannot be run: {state.problem}.")
    plan = _plan(which.tool, state.note, folder_of(request.tools, which), request, options)
    return ExternalSystem(plan)


def _plan(tool: Tool, note: Note, folder: Path, request: Request, options: Options) -> Plan:
    batch, timeout_s = options.integer("batch") or tool.batch, options.number("timeout_s")
    keys = options.text("keys")
    if batch < 1 or timeout_s < 0:
        raise InputError("The options batch and timeout_s cannot be negative.")
    if keys not in ("safe", "own"):
        raise InputError(f"The option keys is {keys[:40]!r}; give safe or own.")
    wanted = {*tool.keys, *HANDED, *(name.lower() for name in HANDED)}
    return Plan(
        tool=tool,
        version=note.version,
        folder=folder,
        digest=note.digest,
        batch=batch,
        timeout_s=timeout_s,
        keys=cast("Keys", keys),
        handed={name: text for name, text in request.environ.items() if name in wanted},
    )


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hallmark-tool-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
