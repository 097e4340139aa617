"""How are results written as JSON lines, one result a line, as soon as it is known?

One line for each result and no other, unless a queue was wished: that and the summary are a last
line then.
"""

from typing import TextIO

from hallmark.records.verdict import Result
from hallmark.report import wire
from hallmark.report.interface import Look, RunInfo
from hallmark.report.summary import Summary, is_problem


class JsonLines:
    """Streams; a line is the `Row` of docs/output.md, and the last one its `Closing`."""

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out = out
        self._look = look
        self._run = RunInfo(files=())

    def begin(self, run: RunInfo) -> None:
        """Remember the run."""
        self._run = run

    def add(self, result: Result) -> None:
        """Write the result's line."""
        if is_problem(result) or not self._look.only_problems:
            self._out.write(wire.dumps(wire.row(result)) + "\n")

    def end(self, summary: Summary) -> None:
        """Write the queue, where one was wished."""
        if summary.queue is not None:
            self._out.write(wire.dumps(wire.closing(self._run, summary)) + "\n")

    def close(self) -> None:
        """Nothing is held."""
