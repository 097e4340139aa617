"""How are many questions asked at a time, and their answers handed out one by one, in order?

Systems answer entry by entry, while a service is asked about several at a time. Here is the one
place where the two meet. A question that is under way when the run ends is given the time to come
in (`calls.py`), so that nothing is lost that was paid for.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

from hallmark._signals import noted, raise_again, run_unless_told
from hallmark.errors import ModelStopped

Item = TypeVar("Item")
Answer = TypeVar("Answer")

FAILURES_THAT_STOP = 3
"""Failures in a row after which a run stops instead of being filled with them."""
_AHEAD = 4
"""Items, as a multiple of those under way, that may be begun before the first one is handed out:
one slow answer does not hold up all the others."""


def answered(
    ask: Callable[[Item], Awaitable[Answer]],
    items: Iterable[Item],
    at_once: int,
    *,
    failed: Callable[[Answer], bool] | None = None,
    failures_that_stop: int = FAILURES_THAT_STOP,
    ending: Callable[[], Awaitable[None]] | None = None,
) -> Generator[Answer, None, None]:
    """Ask about all items and yield the answers in the order of the items.

    Items are taken as they are needed. Who stops early closes this before what it asks with is
    closed: until then replies under way come in. Failures are held back until an answer follows
    that is none, so that those at which a run stops are asked again when it is resumed. A run that
    ends early, by an error, Ctrl-C or `close`, cancels what is under way. Signals that end the
    process are raised when no task is in the midst of its work.

    Args:
        ask: the question; what it raises is raised at its place in the order.
        items: what to ask about.
        at_once: items that are asked about at a time, from 1 on.
        failed: whether an answer is a failure; none is where this is missing.
        failures_that_stop: failures in a row that stop the run, from 1 on.
        ending: called when all is over, however it ended: closes what `ask` opened.

    Raises:
        ModelStopped: so many failures followed one another, or `ask` raised it.
    """
    held: list[Answer] = []
    for answer in _in_order(ask, items, at_once, ending):
        if failed is None or not failed(answer):
            yield from held
            held.clear()
            yield answer
            continue
        held.append(answer)
        if len(held) >= failures_that_stop:
            raise ModelStopped(_gave_up(held))
    yield from held


def _gave_up(held: list[Answer]) -> str:
    last = " ".join(str(getattr(held[-1], "detail", "") or held[-1]).split())[:300]
    last = "".join(letter for letter in last if letter.isprintable())
    last = last if last.endswith((".", "!", "?", "…")) else f"{last}."
    return (
        f"{len(held)} failures in a row, the last: {last} What was answered before is kept. "
        "Run the same command again when the cause is gone: it goes on from there."
    )


def _in_order(
    ask: Callable[[Item], Awaitable[Answer]],
    items: Iterable[Item],
    at_once: int,
    ending: Callable[[], Awaitable[None]] | None,
) -> Iterator[Answer]:
    if at_once < 1:
        raise ValueError(f"at_once must be at least 1, not {at_once}")
    waiting: deque[asyncio.Task[Answer]] = deque()
    broken = False
    rest = iter(items)

    async def one(item: Item, places: asyncio.Semaphore) -> Answer:
        nonlocal broken
        async with places:
            try:
                return await ask(item)
            except BaseException:
                broken = True
                raise

    def begin(loop: asyncio.AbstractEventLoop, places: asyncio.Semaphore) -> None:
        while not broken and len(waiting) < _AHEAD * at_once:
            try:
                item = next(rest)
            except StopIteration:
                return
            waiting.append(loop.create_task(one(item, places)))

    with asyncio.Runner() as runner:
        places = asyncio.Semaphore(at_once)
        closed = False
        try:
            begin(runner.get_loop(), places)
            while waiting:
                run_unless_told(waiting[0], runner)
                yield waiting.popleft().result()
                begin(runner.get_loop(), places)
        except GeneratorExit:
            closed = True
            raise
        finally:
            came = _give_up(waiting, ending, runner)
            if not closed:  # who closes is ending already, and may be unable to hear of it
                raise_again(came)


def _give_up(
    tasks: Iterable["asyncio.Task[Answer]"],
    ending: Callable[[], Awaitable[None]] | None,
    runner: asyncio.Runner,
) -> list[int]:
    """Give up what is under way, and close what was opened; return the signals that came."""
    with noted(runner.get_loop()) as (came, told):
        runner.run(_ended(tasks, ending, told))
    return came


async def _ended(
    tasks: Iterable["asyncio.Task[Answer]"],
    ending: Callable[[], Awaitable[None]] | None,
    told: "asyncio.Future[None]",
) -> None:
    try:
        await _cancelled(tasks, told)
    finally:
        if ending is not None:
            await ending()


async def _cancelled(tasks: Iterable["asyncio.Task[Answer]"], told: "asyncio.Future[None]") -> None:
    """Cancel tasks and wait until they have ended; nobody asks for what they raised.

    Where a signal tells that nobody wants to wait for them, they are cancelled once more.
    """
    left = list(tasks)
    for task in left:
        task.cancel()
    every = asyncio.gather(*left, return_exceptions=True)
    either: set[asyncio.Future[Any]] = {every, told}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    every.cancel()
    await asyncio.wait({every})
