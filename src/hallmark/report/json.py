"""How is a whole run written as one JSON document?

The summary stands before the results, and is known only after them: rows wait in a spool.
"""

from typing import TextIO

from hallmark.records.verdict import Result
from hallmark.report import wire
from hallmark.report.interface import Look, RunInfo
from hallmark.report.spool import Spool
from hallmark.report.summary import Summary, is_problem


class JsonDocument:
    """Writes the `Document` of docs/output.md, one result a line."""

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out = out
        self._only_problems = look.only_problems
        self._rows = Spool()
        self._run = RunInfo(files=())

    def begin(self, run: RunInfo) -> None:
        """Remember the run."""
        self._run = run

    def add(self, result: Result) -> None:
        """Keep the result's row."""
        if is_problem(result) or not self._only_problems:
            comma = ",\n" if self._rows.count else ""
            self._rows.add(comma + wire.dumps(wire.row(result)))

    def end(self, summary: Summary) -> None:
        """Write the document."""
        head = wire.dumps(wire.totals(self._run, summary))
        self._out.write(f'{{"schema": "{wire.SCHEMA}",\n"summary": {head},\n')
        if summary.queue is not None:
            self._out.write(f'"queue": {wire.dumps(summary.queue)},\n')
        self._out.write('"results": [\n')
        self._rows.pour(self._out)
        self._out.write("\n]}\n")

    def close(self) -> None:
        """Forget the rows."""
        self._rows.close()
