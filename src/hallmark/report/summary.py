"""What came of a whole run?"""

from collections import Counter

from msgspec import Struct

from hallmark.records.opinion import ModelUse
from hallmark.records.queue import Queue
from hallmark.records.verdict import NotChecked, Result, Unresolved
from hallmark.report.holdings import Holdings, HoldingsTally

STATUSES = ("verified", "contradicted", "not_found", "unresolved", "not_checked")
"""The five outcomes, in the order in which they are counted."""

_MOST_FAILURES = 5


class SourceCount(Struct, frozen=True, kw_only=True):
    """How often one source was asked, and what came of it; `as_of` says when an index was built."""

    name: str
    as_of: str = ""
    found: int = 0
    absent: int = 0
    unavailable: int = 0


class Summary(Struct, frozen=True, kw_only=True):
    """Counts over all results of a run.

    `problems` counts contradicted, not found and unreadable entries; `incomplete` counts
    references that could not be settled because a source failed; `failures` gives up to five
    different reasons. `types` and `codes` count the types and finding codes of problems.
    `holdings` says what the index holds of the venues that are cited, None where no reference names
    one or no index was asked. `queue` is the list for a person's time, None where none was wished;
    `model` what was asked of a language model, None where none was wished.
    """

    references: int = 0
    statuses: dict[str, int] = {}
    problems: int = 0
    unreadable: int = 0
    incomplete: int = 0
    types: dict[str, int] = {}
    codes: dict[str, int] = {}
    sources: tuple[SourceCount, ...] = ()
    failures: tuple[str, ...] = ()
    holdings: Holdings | None = None
    queue: Queue | None = None
    model: ModelUse | None = None

    def count(self, status: str) -> int:
        """Return how many results have this status."""
        return self.statuses.get(status, 0)


def is_unreadable(result: Result) -> bool:
    """Whether the entry could not be read."""
    return isinstance(result.verdict, NotChecked) and result.verdict.unreadable


def is_problem(result: Result) -> bool:
    """Whether the result is one to act on: contradicted, not found, or unreadable."""
    return result.status in {"contradicted", "not_found"} or is_unreadable(result)


def is_incomplete(result: Result) -> bool:
    """Whether the reference could not be settled because a source failed."""
    return isinstance(result.verdict, Unresolved) and result.verdict.source_failed


class Tally:
    """Counts results as they pass; its size is bounded whatever their number."""

    def __init__(self) -> None:
        self._statuses: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()
        self._sources: dict[tuple[str, str], Counter[str]] = {}
        self._failures: dict[str, None] = {}
        self._holdings = HoldingsTally()
        self._problems = self._unreadable = self._incomplete = 0

    def add(self, result: Result) -> None:
        """Count one result."""
        self._holdings.add(result)
        self._statuses[result.status] += 1
        self._unreadable += is_unreadable(result)
        self._incomplete += is_incomplete(result)
        if is_problem(result):
            self._problems += 1
            if result.verdict.type is not None:
                self._types[result.verdict.type] += 1
            self._codes.update({finding.code for finding in result.verdict.findings})
        for source in result.sources:
            self._sources.setdefault((source.name, source.as_of), Counter())[source.outcome] += 1
            if source.outcome == "unavailable" and len(self._failures) < _MOST_FAILURES:
                self._failures.setdefault(f"{source.name}: {source.detail}")

    def summary(self) -> Summary:
        """Return the counts so far."""
        return Summary(
            references=self._statuses.total(),
            statuses={status: self._statuses[status] for status in STATUSES},
            problems=self._problems,
            unreadable=self._unreadable,
            incomplete=self._incomplete,
            types=_by_name(self._types),
            codes=_by_name(self._codes),
            sources=tuple(
                _source_count(name, as_of, counts)
                for (name, as_of), counts in sorted(self._sources.items())
            ),
            failures=tuple(self._failures),
            holdings=self._holdings.holdings(),
        )


def _source_count(name: str, as_of: str, counts: Counter[str]) -> SourceCount:
    return SourceCount(
        name=name,
        as_of=as_of,
        found=counts["found"],
        absent=counts["absent"],
        unavailable=counts["unavailable"],
    )


def _by_name(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
