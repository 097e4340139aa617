"""How is one question asked until there is a reply, politely and within the caps?

Requests wait for a free place and for their turn; what may pass is tried again, as late as the
service asks. A request that is under way when the run ends is given some seconds to come in, so
that it is not paid for in vain; everything that waits is given up at once.
"""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct, structs

from hallmark._waiting import Clock
from hallmark.llm.attempt import Adapter, Attempt
from hallmark.llm.book import Amount
from hallmark.llm.interface import Failure, ModelSpec, Reply, Request, Trouble
from hallmark.llm.ledger import Ledger, most, of
from hallmark.llm.totals import Tally

T = TypeVar("T")
_LIMITED = 4
"""How much longer pauses are after too many requests, where no time is told: with five of them a
limit that holds for a minute is outlasted."""


class Patience(Struct, frozen=True, kw_only=True):
    """How often and how long a question is asked.

    Attributes:
        attempts: requests for one question at the most; the paper tries again five times.
        backoff_s: seconds before the second one; doubled for each further one, with jitter.
        longest_backoff_s: seconds of such a pause at the most.
        longest_pause_s: seconds of a pause that a service asks for which a run waits.
        grace_s: seconds that a request under way is given when the run ends.
    """

    attempts: int = 6
    backoff_s: float = 1.0
    longest_backoff_s: float = 60.0
    longest_pause_s: float = 300.0
    grace_s: float = 30.0


class PerLoop(Generic[T]):
    """Something that each event loop has its own of: a model may outlive the loop of one run."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._things: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = WeakKeyDictionary()

    def get(self) -> T:
        """Return what the running loop has."""
        loop = asyncio.get_running_loop()
        if loop not in self._things:
            self._things[loop] = self._make()
        return self._things[loop]


class Pace:
    """When may the next request start?

    Args:
        per_minute: requests that may start in a minute; 0 for no limit.
        clock: the time.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._step_s = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._next = clock.now()

    async def turn(self) -> None:
        """Wait until a request may start, and take its turn."""
        while (wait_s := self._next - self._clock.now()) > 0:
            await self._clock.sleep(wait_s)
        self._next = self._clock.now() + self._step_s

    def pause(self, seconds: float) -> None:
        """Let nothing start for some seconds: the service asked for that."""
        self._next = max(self._next, self._clock.now() + seconds)


class Caller:
    """Asks one service.

    Args:
        spec: the model.
        adapter: makes what asks once; called when the first request is about to leave.
        ledger: what may be spent.
        tally: counts what is asked.
        patience: how often and how long.
        clock: time, sleep and dice.
        tell: told once, in a sentence, when a question has to be sent again.
    """

    def __init__(
        self,
        spec: ModelSpec,
        adapter: Callable[[], Adapter],
        *,
        ledger: Ledger,
        tally: Tally,
        patience: Patience,
        clock: Clock,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._tell = tell
        self._spec = spec
        self._make = adapter
        self._adapter: Adapter | None = None
        self._ledger = ledger
        self._tally = tally
        self._patience = patience
        self._clock = clock
        self._places = PerLoop(lambda: asyncio.Semaphore(spec.at_once))
        self._pace = Pace(spec.per_minute, clock)

    async def ask(self, request: Request) -> Reply | Failure:
        """Answer one question.

        Raises:
            ModelStopped: nothing more may be asked in this run.
        """
        failure = Failure(Trouble.REQUEST, "It was not asked.")
        for number in range(self._patience.attempts):
            async with self._places.get():
                await self._pace.turn()
                attempt, ending = await self._within_caps(request)
            match attempt.outcome:
                case Reply() as reply:
                    return reply
                case Failure() as failure:
                    last = ending or not attempt.passing or number + 1 == self._patience.attempts
                    failure = self._told_of_pause(attempt, failure)
                    if not last:
                        self._tell_once(failure)
                    if last or not await self._waited(attempt, number):
                        break
        self._tally.failed(failure)
        return failure

    def _tell_once(self, failure: Failure) -> None:
        """Tell that a question is sent again: until a run gives up, half a minute may pass."""
        if self._tell is None:
            return
        self._tell(
            f"{self._spec.name} does not answer: {failure.detail} Each question is sent up to "
            f"{self._patience.attempts} times, with longer and longer pauses."
        )
        self._tell = None

    def _told_of_pause(self, attempt: Attempt, failure: Failure) -> Failure:
        """Add to a failure that the service asks for a pause for which no run waits."""
        longest = self._patience.longest_pause_s
        if attempt.wait_s is None or attempt.wait_s <= longest:
            return failure
        told = (
            f"It asks to wait {attempt.wait_s:,.0f} s, and a run waits {longest:g} s at the most."
        )
        return structs.replace(failure, detail=f"{failure.detail} {told}")

    async def _waited(self, attempt: Attempt, number: int) -> bool:
        """Wait before the next attempt; False where the service asks for too long a pause."""
        told = attempt.wait_s is not None
        limited = getattr(attempt.outcome, "trouble", None) is Trouble.RATE_LIMIT
        first = self._patience.backoff_s * (_LIMITED if limited and not told else 1)
        longest = min(self._patience.longest_backoff_s, first * 2**number)
        pause_s = longest / 2 + self._clock.dice.random() * longest / 2
        told_s = attempt.wait_s or 0.0
        if told_s > self._patience.longest_pause_s:
            return False
        if limited or told:
            self._pace.pause(max(told_s, pause_s))  # it holds for all questions
        else:
            await self._clock.sleep(pause_s)
        return True

    async def _within_caps(self, request: Request) -> tuple[Attempt, bool]:
        """Send once, and book what it cost; also tell whether the run is ending."""
        if self._adapter is None:
            self._adapter = self._make()
        held = most(self._spec, request)
        await self._ledger.set_aside(held, self._spec.name)
        spent, doubtful = Amount(), True
        try:
            attempt, ending = await self._sent(self._adapter, request)
            spent, doubtful = self._price(attempt, held)
        except Exception:
            doubtful = False  # refused for good
            raise
        finally:
            self._ledger.settle(held, spent, doubtful=doubtful)
            if doubtful:
                self._tally.doubtful += held
        if isinstance(attempt.outcome, Reply):
            self._tally.replied(attempt.outcome, spent.cost)
        return attempt, ending

    def _price(self, attempt: Attempt, held: Amount) -> tuple[Amount, bool]:
        """Return what an attempt cost, and whether it may cost what was set aside."""
        match attempt.outcome:
            case Failure():
                return Amount(), attempt.billed
            case Reply(usage=usage):  # the most it can cost, where it was not counted
                known = usage.counted and usage.input + usage.output > 0
                return (of(self._spec, usage) if known else held), False

    async def _sent(self, adapter: Adapter, request: Request) -> tuple[Attempt, bool]:
        """Send once. Where the run ends meanwhile, let the reply come in, but not for long."""
        self._tally.requests += 1
        sending = asyncio.ensure_future(adapter.ask(request))
        try:
            return await asyncio.shield(sending), False
        except asyncio.CancelledError:
            if not sending.cancelled():
                await _finished(sending, self._patience.grace_s)
            if sending.cancelled():
                raise
            return sending.result(), True


async def _finished(sending: "asyncio.Future[Attempt]", grace_s: float) -> None:
    """Wait for a request, and cancel it when its time is up or nobody wants to wait."""
    try:
        await asyncio.wait({sending}, timeout=grace_s)
    finally:
        if not sending.done():
            sending.cancel()
            await asyncio.wait({sending})
