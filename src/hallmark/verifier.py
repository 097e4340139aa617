"""How does a stream of references become a stream of verdicts?

plan -> ask -> match -> judge, n in, n out, in order. This is the only place that knows
concurrency, and the only one with a guard around one reference.
"""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, date, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hallmark._processes import follow_parent
from hallmark.errors import SourceProblem
from hallmark.judge.calibrate import Calibration
from hallmark.judge.charge import charge
from hallmark.judge.decide import decide, decide_failed
from hallmark.judge.grounds import grounds_of
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.judge.profiles import policy_of
from hallmark.match.compare import compare_works
from hallmark.match.venue import doi_facts
from hallmark.parse.interface import read
from hallmark.records.answer import (
    Absent,
    Answer,
    Found,
    Registered,
    SourceAnswer,
    Unavailable,
    VenueYear,
)
from hallmark.records.evidence import ComparedWork, Evidence
from hallmark.records.reference import Entry, FailedEntry, Reference
from hallmark.records.source import Question
from hallmark.records.verdict import SUBTESTS, Result, SourceStatus, Unresolved, Verdict
from hallmark.records.work import Notice, Version
from hallmark.text import knowledge
from hallmark.text.venues import VenueTable

if TYPE_CHECKING:
    from hallmark.index import LocalIndex

NO_INDEX = Unavailable("No index was given; build one: hallmark index build --out DIR SOURCE...")

_PARALLEL = 2
_PAIR = 2
_SMALL = 1000
"""References up to which starting processes costs more than it brings."""
_BATCH = 100
_AHEAD = 4
"""Batches per process that are read ahead: bounds the memory."""

_ENCODER = msgspec.msgpack.Encoder()
_ENTRIES = msgspec.msgpack.Decoder(list[Entry])
_RESULTS = msgspec.msgpack.Decoder(list[Result])


class Verifier:
    """Checks references against a local index.

    Args:
        index: the local index, or None; then only faults that need no source are found.
        policy: the judge's numbers and switches.
        today: the date that decides what lies in the future; the machine's date by default.
        workers: processes to check with; more than one pays from some thousands of references on.
        calibration: states P(hallucinated); the packaged one by default.

    Example:
        >>> from hallmark import Verifier, open_index
        >>> verifier = Verifier(open_index("starter.idx"))  # doctest: +SKIP
        >>> for result in verifier.check(read("paper.bib")):  # doctest: +SKIP
        ...     print(result.key, result.status)
    """

    def __init__(
        self,
        index: "LocalIndex | None" = None,
        *,
        policy: Policy = DEFAULT,
        today: date | None = None,
        workers: int = 1,
        calibration: Calibration | None = None,
    ) -> None:
        self._index = index
        self._policy = policy
        self._calibration = calibration
        self._today = (today or datetime.now(UTC).date()).isoformat()  # noqa: TID251 - the edge
        self._workers = workers
        self._venues = VenueTable.curated() if index is None else index.venues

    def check(self, entries: Iterable[Entry]) -> Iterator[Result]:
        """Yield one result for each entry, in order; raises nothing for a bad entry."""
        if self._workers < _PARALLEL or self._index is None:
            yield from map(self.check_one, entries)
            return
        entries = iter(entries)
        first = list(islice(entries, _SMALL))
        if len(first) < _SMALL:
            yield from map(self.check_one, first)
            return
        yield from self._check_in_processes(chain(first, entries), self._index.path)

    def _check_in_processes(self, entries: Iterable[Entry], index: Path) -> Iterator[Result]:
        """Check in batches, a bounded number of them at a time; results come in order."""
        pool = ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(
                str(index),
                self._policy,
                self._today,
                self._calibration,
                knowledge.chosen(),
            ),
        )
        waiting: deque[Future[bytes]] = deque()
        finished = False
        try:
            for batch in _batches(entries):
                waiting.append(pool.submit(_check_batch, _ENCODER.encode(batch)))
                if len(waiting) > _AHEAD * self._workers:
                    yield from _RESULTS.decode(waiting.popleft().result())
            while waiting:
                yield from _RESULTS.decode(waiting.popleft().result())
            finished = True
        except BrokenProcessPool as error:
            raise SourceProblem(
                "A process that checked references ended unexpectedly; it may have run out of "
                "memory. Check with one process: --workers 1."
            ) from error
        finally:
            pool.shutdown(wait=finished, cancel_futures=True)

    def check_one(self, entry: Entry) -> Result:
        """Return the result for one entry."""
        if isinstance(entry, FailedEntry):
            return Result(entry.key or "", entry.location, decide_failed(entry))
        return self.explain(entry)[1]

    def explain(self, reference: Reference) -> tuple[Evidence, Result]:
        """Return the whole evidence for one reference, and the result that follows from it.

        Like `check`, it raises nothing for a bad reference; the evidence is empty then.
        """
        try:
            evidence = self.gather(reference)
            verdict = self.judge(reference, evidence)
        except Exception as error:  # noqa: BLE001 - one faulty reference must not end the run
            return Evidence(today=self._today), internal_error(reference, error)
        return evidence, result_of(reference, evidence, verdict)

    @property
    def has_index(self) -> bool:
        """Whether there is an index to ask."""
        return self._index is not None

    @property
    def venues(self) -> VenueTable:
        """The venues that are known."""
        return self._venues

    def judge(self, reference: Reference, evidence: Evidence) -> Verdict:
        """Return the verdict that follows from evidence, however it was gathered."""
        return decide(reference, evidence, self._policy, self._calibration)

    def gather(self, reference: Reference) -> Evidence:
        """Ask the sources about one reference and compare what they hold with it."""
        claim = self._venues.resolve(reference.venue)
        answer = self._ask(reference)
        versions = answer.versions if isinstance(answer, Found) else ()
        coverage = answer.coverage if isinstance(answer, Found | Absent) else ()
        as_of = self._index.as_of if self._index is not None else ""
        works = compare_works(reference, versions, claim)
        notices, own_notice = self._notices(reference)
        return Evidence(
            answers=(SourceAnswer("index", answer, as_of),),
            venue=claim,
            works=works,
            coverage=(*coverage, *self._listings(versions, coverage)),
            doi_facts=doi_facts(reference, claim),
            together=self._together(reference, works),
            notices=notices,
            own_notice=own_notice,
            today=self._today,
        )

    def _notices(self, reference: Reference) -> tuple[tuple[Notice, ...], Notice | None]:
        if self._index is None or (reference.doi is None and reference.pmid is None):
            return (), None
        return self._index.notices(Question.about(reference))

    def _listings(
        self, versions: Iterable[Version], known: Iterable[VenueYear]
    ) -> Iterator[VenueYear]:
        """Yield what is held of the venues and years at which records of the work were found."""
        if self._index is None:
            return
        asked = {(row.venue_id, row.year) for row in known}
        for version in versions:
            if version.venue_id is None or version.year is None or version.preprint:
                continue
            place = (version.venue_id, version.year)
            if place not in asked:
                asked.add(place)
                row = self._index.coverage(*place)
                if row is not None:
                    yield row

    def _together(self, reference: Reference, works: Iterable[ComparedWork]) -> bool | None:
        """Return whether claimed authors of whom no record names any published together."""
        if self._index is None or len(reference.authors) < _PAIR:
            return None
        if any(one.authors.matched_share for work in works for one in work.versions):
            return None
        return self._index.published_together([one.display for one in reference.authors])

    def _ask(self, reference: Reference) -> Answer:
        if self._index is None:
            return NO_INDEX
        if not reference.title and reference.doi is None and reference.arxiv is None:
            return Absent(searched=())
        return self._index.look_up(Question.about(reference))


def check(
    path: str | Path,
    index: "LocalIndex | str | Path | None" = None,
    *,
    policy: Policy | str = DEFAULT,
    workers: int = 1,
    today: date | None = None,
    calibration: Calibration | None = None,
) -> Iterator[Result]:
    """Check every reference of a file, in order.

    Args:
        path: a .bib, .json (CSL), .ris or .jsonl file, or "-" for standard input.
        index: a local index, open or by path; without one only self-evident faults are found.
        policy: the name of a policy ("strict"), a file ("my.toml"), or a policy of one's own.
        workers: processes to check with.
        today: the date that decides what lies in the future; the machine's date by default.
        calibration: states P(hallucinated); the packaged one by default.

    Raises:
        InputError: the file cannot be read, or a policy file is not valid.
        IndexProblem: the index cannot be opened.
        UnknownName: there is no such policy.
    """
    from hallmark.index import open_index  # noqa: PLC0415 - loaded only where it is used

    opened = open_index(Path(index)) if isinstance(index, str | Path) else index
    chosen = policy_of(policy) if isinstance(policy, str) else policy
    verifier = Verifier(
        opened, policy=chosen, workers=workers, today=today, calibration=calibration
    )
    return verifier.check(read(str(path)))


def replay(
    reference: Reference,
    evidence: Evidence,
    policy: Policy = DEFAULT,
    calibration: Calibration | None = None,
) -> Result:
    """Judge stored evidence again; no source is asked."""
    return result_of(reference, evidence, decide(reference, evidence, policy, calibration))


def result_of(reference: Reference, evidence: Evidence, verdict: Verdict) -> Result:
    """Return the row for one reference."""
    return Result(
        key=reference.key,
        location=reference.location,
        verdict=verdict,
        sources=tuple(_status(one) for one in evidence.answers),
        title=reference.title,
        grounds=grounds_of(reference, evidence, verdict),
    )


def _status(answer: SourceAnswer) -> SourceStatus:
    match answer.answer:
        case Found():
            return SourceStatus(answer.source, "found", answer.as_of)
        case Absent():
            return SourceStatus(answer.source, "absent", answer.as_of)
        case Registered(agency):
            return SourceStatus(answer.source, "registered", answer.as_of, agency)
        case Unavailable(reason):
            return SourceStatus(answer.source, "unavailable", answer.as_of, reason)


def internal_error(reference: Reference, error: Exception) -> Result:
    """Return the row of a reference whose check failed: a fault of ours, and no finding."""
    message = f"The check of this reference failed ({type(error).__name__}: {error})."
    verdict = Unresolved(
        probability=0.5,
        reason=message,
        findings=(charge("HM902", message).finding,),
        subtests=dict.fromkeys(SUBTESTS),
        source_failed=True,
    )
    return Result(reference.key, reference.location, verdict, title=reference.title)


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Cut the entries into lists of `_BATCH`."""
    entries = iter(entries)
    while batch := list(islice(entries, _BATCH)):
        yield batch


_worker: list[Verifier] = []
"""The verifier of this process, where it is a worker."""


def _start_worker(
    index: str,
    policy: Policy,
    today: str,
    calibration: Calibration | None,
    tables: Path | None,
) -> None:
    """Open the index in a worker process."""
    from hallmark.index import open_index  # noqa: PLC0415 - loaded only where it is used

    follow_parent(tables)
    day = date.fromisoformat(today)
    opened = open_index(Path(index))
    _worker[:] = [Verifier(opened, policy=policy, today=day, calibration=calibration)]


def _check_batch(entries: bytes) -> bytes:
    """Check a batch of entries in a worker process."""
    verifier = _worker[0]
    return _ENCODER.encode([verifier.check_one(entry) for entry in _ENTRIES.decode(entries)])
