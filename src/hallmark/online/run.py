"""How do the live sources come to be asked, many references at a time?

References are taken in windows. Within a window the identifiers of all open references go out
together, in batches; then each reference that is still open is asked about by title, wave after
wave, until its verdict can no longer change. Results come in the order of the references, each as
soon as it and those before it are ready. Nothing here knows a protocol: the client is handed in.
"""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import chain, islice

from msgspec import Struct, structs

from hallmark._signals import run_unless_told
from hallmark.online import plan
from hallmark.online.careful import Careful
from hallmark.online.case import Case
from hallmark.online.health import Health
from hallmark.online.plan import Need, Step
from hallmark.records.answer import Answer, Unavailable
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Entry, FailedEntry, Reference
from hallmark.records.verdict import Contradicted, Result, Verdict, Verified
from hallmark.sources.cache import Cache
from hallmark.sources.interface import (
    Ask,
    KnownVenue,
    LiveSource,
    SourceSpec,
    UnknownVenue,
    VenueSource,
    Way,
)
from hallmark.text.venues import VenueClaim, VenueKind
from hallmark.verifier import Verifier, internal_error, result_of

WINDOW = 200
"""References whose identifiers are asked about together: batches of the services hold 50 to 500."""
WINDOWS = 2
"""Windows that are under way at a time: the slow tail of one need not hold up the next."""

_UNKNOWN_VENUE = "HM502"


class _Open(Struct):
    """A reference that is being asked about."""

    case: Case
    need: Need


class Checked(Struct, frozen=True):
    """A row with what it rests on; the evidence of an entry that could not be read is None."""

    entry: Entry
    result: Result
    evidence: Evidence | None = None


_Begun = _Open | Checked


class OnlineVerifier:
    """Checks references against the local index first, then against live sources.

    Args:
        verifier: judges by the index; one without an index leaves nearly everything open.
        sources: the live sources that may be asked, by name.
        ask: sends a request; see `sources.interface.Ask`.
        cache: the answers that were given lately; none by default.
        health: watches the answers; `probe` says whether sources are probed before they are asked.
        on_close: called when a run ends, for closing connections.
        now: the time in seconds since 1970, for the age of cached answers.
        thorough: asks every source about every reference by all that it takes, also where the
            verdict is settled: for recording what sources hold, not for checking.
    """

    def __init__(
        self,
        verifier: Verifier,
        sources: Mapping[str, LiveSource],
        ask: Ask,
        *,
        cache: Cache | None = None,
        health: Health | None = None,
        probe: bool = True,
        on_close: Callable[[], Awaitable[None]] | None = None,
        now: Callable[[], float] = time.time,  # noqa: TID251 - the age of cached answers
        thorough: bool = False,
    ) -> None:
        self._verifier = verifier
        self._sources = sources
        self._ask = ask
        self._cache = cache
        self.health = health or Health()
        self._careful = Careful(ask, self.health, probe=probe)
        self._on_close = on_close
        self._now = now
        self._thorough = thorough
        self._venues: dict[str, asyncio.Task[bool | None]] = {}

    def check(self, entries: Iterable[Entry]) -> Iterator[Result]:
        """Yield one result for each entry, in order; raises nothing for a bad entry."""
        for checked in self.check_with_evidence(entries):
            yield checked.result

    def check_with_evidence(self, entries: Iterable[Entry]) -> Iterator[Checked]:
        """Yield one result for each entry, in order, with what it rests on."""
        with asyncio.Runner() as runner:
            results = self.stream(entries)
            row: asyncio.Task[Checked | None] | None = None
            try:
                while True:
                    row = runner.get_loop().create_task(_next(results))
                    run_unless_told(row, runner)
                    if (checked := row.result()) is None:
                        return
                    yield checked
            finally:
                runner.run(self._close(results, row))

    async def stream(self, entries: Iterable[Entry]) -> AsyncGenerator[Checked, None]:
        """Yield one result for each entry, in order."""
        entries = iter(entries)
        waiting: deque[list[asyncio.Task[Checked]]] = deque()
        try:
            while True:
                while len(waiting) < WINDOWS and (window := list(islice(entries, WINDOW))):
                    waiting.append(self._start(window))
                if not waiting:
                    return
                for task in waiting[0]:
                    yield await task
                waiting.popleft()
        finally:
            for task in chain.from_iterable(waiting):
                task.cancel()

    async def explain(self, reference: Reference) -> tuple[Evidence, Result]:
        """Return the whole evidence for one reference, and the result that follows from it."""
        begun = self._begin(reference)
        if isinstance(begun, Checked):
            return self._verifier.explain(reference)
        await self._by_identifiers([begun])
        await self._by_title(begun)
        checked = self._checked(begun.case)
        return checked.evidence or Evidence(), checked.result

    def _start(self, window: Sequence[Entry]) -> list[asyncio.Task[Checked]]:
        """Begin with a window, and return the tasks whose results are its rows."""
        begun = asyncio.create_task(self._begin_all(window))
        return [
            asyncio.create_task(self._row(entry, number, begun))
            for number, entry in enumerate(window)
        ]

    async def _begin_all(self, window: Sequence[Entry]) -> list[_Begun]:
        """Check a window by the index, and ask about the identifiers of what is left open."""
        begun = [self._begin(entry) for entry in window]
        await self._by_identifiers([one for one in begun if isinstance(one, _Open)])
        return begun

    async def _row(
        self, entry: Entry, number: int, window: "asyncio.Task[list[_Begun]]"
    ) -> Checked:
        try:
            begun = (await window)[number]
            if isinstance(begun, Checked):
                return begun
            await self._by_title(begun)
            return self._checked(begun.case)
        except Exception as error:  # noqa: BLE001 - one faulty reference must not end the run
            if isinstance(entry, FailedEntry):
                return Checked(entry, self._verifier.check_one(entry))
            return Checked(entry, internal_error(entry, error))

    def _begin(self, entry: Entry) -> _Begun:
        """Return the result of an entry that the index settles, or a case for asking."""
        if isinstance(entry, FailedEntry):
            return Checked(entry, self._verifier.check_one(entry))
        try:
            evidence = self._verifier.gather(entry)
            if not self._verifier.has_index:
                evidence = structs.replace(evidence, answers=())
            verdict = self._verifier.judge(entry, evidence)
        except Exception as error:  # noqa: BLE001 - one faulty reference must not end the run
            return Checked(entry, internal_error(entry, error))
        wanted = plan.ALL if self._thorough else plan.need(entry, evidence, verdict)
        if wanted == plan.NOTHING:
            return Checked(entry, result_of(entry, evidence, verdict), evidence)
        return _Open(Case(entry, evidence, self._verifier.venues), wanted)

    async def _by_identifiers(self, cases: Sequence[_Open]) -> None:
        """Ask about identifiers: the registries, the resolver for what they lack, then DataCite."""
        open_cases = [one.case for one in cases if one.need.identifiers]
        usable = self._sources.keys()
        if self._thorough:
            await self._together(
                (case, step)
                for case in open_cases
                for step in plan.by_every_identifier(case.question, self._specs())
            )
            return
        await self._together(
            (case, step)
            for case in open_cases
            for step in plan.by_identifiers(case.reference, usable)
        )
        await self._together(
            (case, step)
            for case in open_cases
            for step in plan.by_resolver(case.reference, case.evidence(), usable)
        )
        await self._together(
            (case, step) for case in open_cases for step in plan.by_agency(case.evidence(), usable)
        )

    async def _by_title(self, one: _Open) -> None:
        """Ask about the title, wave after wave, until the verdict can no longer change."""
        if not one.need.title or (self._is_final(one.case) and not self._thorough):
            return
        case = one.case
        known = case.evidence()
        waves = plan.title_waves(case.reference, known, self._sources.keys())
        case.ought = plan.ought(case.reference, known, waves)
        if self._thorough:
            waves = (tuple(plan.by_every_title(case.question, self._specs())),)
        for wave in waves:
            await self._together((case, step) for step in wave)
            await self._about_venue(case, known.venue)
            if self._is_final(case):
                return

    def _specs(self) -> list[SourceSpec]:
        return [source.spec for source in self._sources.values()]

    async def _about_venue(self, case: Case, venue: VenueClaim) -> None:
        """Ask whether a venue exists before it is called invented."""
        if venue.kind is not VenueKind.UNKNOWN or case.venue_exists is not None:
            return
        if any(finding.code == _UNKNOWN_VENUE for finding in self._verdict(case).findings):
            case.venue_exists = await self._venue_exists(venue.name)

    async def _together(self, asked: Iterable[tuple[Case, Step]]) -> None:
        """Ask every source once for all that it is asked in the same way."""
        by_step: dict[Step, list[Case]] = defaultdict(list)
        for case, step in asked:
            if not case.asked(step.source, step.way):
                by_step[step].append(case)
        await asyncio.gather(*(self._put(step, cases) for step, cases in by_step.items()))

    async def _put(self, step: Step, cases: Sequence[Case]) -> None:
        """Put the questions of several references to one source, as far as they are not cached."""
        source = self._sources[step.source]
        fresh: list[Case] = []
        for case in cases:
            kept = self._kept(source, step.way, case)
            if kept is None:
                fresh.append(case)
            else:
                self._learn(source, step, case, kept)
        if not fresh:
            return
        await self._careful.probed(source)
        questions = [case.question for case in fresh]
        answers = await self._careful.look_up(source, step.way, questions)
        for case, answer in zip(fresh, answers, strict=True):
            self._learn(source, step, case, answer)
        if self.health.is_suspicious(step.source, step.way):
            await self._careful.probed_again(source)
        for case, answer in zip(fresh, answers, strict=True):
            if self._cache is not None and self.health.doubted(step.source, answer) is answer:
                self._cache.put(source.spec, step.way, case.question, answer, self._now())

    def _kept(self, source: LiveSource, way: Way, case: Case) -> Answer | None:
        if self._cache is None:
            return None
        return self._cache.get(source.spec, way, case.question, self._now())

    def _learn(self, source: LiveSource, step: Step, case: Case, answer: Answer) -> None:
        self.health.observe(step.source, step.way, answer)
        case.add(source.spec, step.way, answer)

    async def _venue_exists(self, name: str) -> bool | None:
        """Return whether a venue end-point knows a name: each name is asked about once a run."""
        if name not in self._venues:
            self._venues[name] = asyncio.create_task(self._ask_venue(name))
        return await asyncio.shield(self._venues[name])

    async def _ask_venue(self, name: str) -> bool | None:
        """Ask one venue end-point after the other; None where none of them tells."""
        told: list[bool] = []
        for source in self._sources.values():
            if not isinstance(source, VenueSource):
                continue
            match await source.venue(name, self._ask):
                case KnownVenue():
                    return True
                case UnknownVenue():
                    told.append(False)
                case Unavailable():
                    pass
        return False if told else None

    def _verdict(self, case: Case) -> Verdict:
        return self._verifier.judge(case.reference, case.evidence(self.health.doubted))

    def _is_final(self, case: Case) -> bool:
        """Whether no further answer could change the verdict, or add the work that is meant."""
        match self._verdict(case):
            case Verified():
                return True
            case Contradicted(work=work):
                return work is not None
            case _:
                return False

    def _checked(self, case: Case) -> Checked:
        evidence = case.evidence(self.health.doubted)
        verdict = self._verifier.judge(case.reference, evidence)
        result = result_of(case.reference, evidence, verdict)
        return Checked(case.reference, result, evidence)

    async def aclose(self) -> None:
        """Close connections; for those who ask with `explain`."""
        if self._on_close is not None:
            await self._on_close()

    async def _close(
        self, results: AsyncGenerator[Checked, None], row: "asyncio.Task[Checked | None] | None"
    ) -> None:
        """End a run: what is under way is given up, and connections are closed."""
        if row is not None and row.cancel():
            await asyncio.wait({row})
        await results.aclose()
        await self.aclose()


async def _next(results: AsyncGenerator[Checked, None]) -> Checked | None:
    return await anext(results, None)
