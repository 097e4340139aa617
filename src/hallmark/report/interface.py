"""What is a report format?

A format turns results into text while they arrive. To add one: write a class that obeys
`Report`, register a function that makes it under its name in `report.formats`, and the
conformance suite in tests/report holds it to the laws: every result once, in order within its
section, nothing from outside unescaped, bounded memory.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, TextIO

from msgspec import Struct

from hallmark.records.verdict import Result
from hallmark.report.summary import Summary


class RunInfo(Struct, frozen=True, kw_only=True):
    """What a report says of the run itself.

    `files` are named as the user named them. `index` is the place of the local index, None where
    there is none; `records` is how many records it holds and `as_of` the date on
    which it was built ("2021-09-07"). `today` is the date of the check.
    """

    files: tuple[str, ...]
    policy: str = "default"
    index: str | None = None
    records: int | None = None
    as_of: str = ""
    today: str = ""
    version: str = ""


class Look(Struct, frozen=True, kw_only=True):
    """How a report is written.

    `only_problems` leaves out results that report nothing; `quiet` leaves out heads and counts
    too, where the format has any. `width` is in terminal cells. `ascii` avoids signs that the
    output's encoding lacks. `names` gives the name of a finding's code ("near-miss-title").
    """

    only_problems: bool = False
    quiet: bool = False
    colour: bool = False
    width: int = 80
    ascii: bool = False
    names: Mapping[str, str] = {}


class Report(Protocol):
    """A report under way.

    `begin` is called once, `add` for each result, `end` once unless something failed on the way,
    and `close` in every case.
    """

    def begin(self, run: RunInfo) -> None:
        """Start the report."""
        ...

    def add(self, result: Result) -> None:
        """Take in one result; formats that stream write it at once."""
        ...

    def end(self, summary: Summary) -> None:
        """Write what is left."""
        ...

    def close(self) -> None:
        """Give back what the report holds; the stream stays open."""
        ...


MakeReport = Callable[[TextIO, Look], Report]
"""Makes a report that writes to a text stream; it does not close the stream."""
