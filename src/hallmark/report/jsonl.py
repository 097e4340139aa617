"""How are results written as JSON lines, one result a line, as soon as it is known?"""

from typing import TextIO

from hallmark.records.verdict import Result
from hallmark.report import wire
from hallmark.report.interface import Look, RunInfo
from hallmark.report.summary import Summary, is_problem


class JsonLines:
    """Streams; a line is the `Row` of docs/output.md. The counts are not part of it."""

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out = out
        self._only_problems = look.only_problems

    def begin(self, run: RunInfo) -> None:
        """Write nothing: every line is a result."""

    def add(self, result: Result) -> None:
        """Write the result's line."""
        if is_problem(result) or not self._only_problems:
            self._out.write(wire.dumps(wire.row(result)) + "\n")

    def end(self, summary: Summary) -> None:
        """Write nothing: every line is a result."""

    def close(self) -> None:
        """Nothing is held."""
