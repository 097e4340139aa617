"""When is a signal that ends this process heard while an event loop runs?

Its handler raises. Within a loop that happens in the midst of any task: what the task is about to
keep is lost, or code that takes the end of a task for its own time-out swallows it, and the run
goes on. So signals are only noted while a loop runs, and raised when it has stopped.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Answer = TypeVar("Answer")

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def noted(loop: asyncio.AbstractEventLoop) -> Iterator[tuple[list[int], "asyncio.Future[None]"]]:
    """Note the signals that end this process, for as long as a loop runs.

    Yields:
        The signals that came, which are to be raised again (`raise_again`) when the loop has
        stopped; and a future that is done when the first of them is there.
    """
    came: list[int] = []
    told: asyncio.Future[None] = loop.create_future()

    def note(number: int, _: object) -> None:
        came.append(number)
        loop.call_soon_threadsafe(_tell, told)

    with _handled_by(note):
        yield came, told


def run_unless_told(task: "asyncio.Task[Any]", runner: asyncio.Runner) -> None:
    """Run a loop until a task is done, or until a signal comes: the task is under way then.

    Raises:
        what the handler of the signal raises: `KeyboardInterrupt` for Ctrl-C.
    """
    with noted(runner.get_loop()) as (came, told):
        runner.run(_first_of(task, told))
    raise_again(came)


def run(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine to its end like `asyncio.run`; a signal cancels it, and is raised then.

    Raises:
        what the coroutine raises, or the handler of the signal.
    """
    with asyncio.Runner() as runner:
        task = runner.get_loop().create_task(coroutine)
        try:
            run_unless_told(task, runner)
        finally:
            if task.cancel():
                runner.run(_over(task))
        return task.result()


def raise_again(numbers: Iterable[int]) -> None:
    """Send this process the signals that were noted."""
    for number in numbers:
        signal.raise_signal(number)


def _tell(told: "asyncio.Future[None]") -> None:
    if not told.done():
        told.set_result(None)


@contextmanager
def _handled_by(note: Callable[[int, object], None]) -> Iterator[None]:
    """Put a handler in the place of others of this program for the signals that end a process."""
    numbers = [getattr(signal, name, None) for name in _ENDING]
    before = {one: signal.getsignal(one) for one in numbers if one is not None}
    ours = {one: handler for one, handler in before.items() if callable(handler)}
    if threading.current_thread() is not threading.main_thread():
        ours = {}  # signals are the main thread's
    for number in ours:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)


async def _over(task: "asyncio.Task[Any]") -> None:
    await asyncio.wait({task})


async def _first_of(task: "asyncio.Task[Any]", told: "asyncio.Future[None]") -> None:
    either: set[asyncio.Future[Any]] = {task, told}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
