"""When is a signal heard that comes while an event loop runs?"""

import asyncio
import signal

import pytest

from hallmark import _signals


async def twice(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


def test_a_coroutine_is_run_to_its_end() -> None:
    assert _signals.run(twice(21)) == 42


def test_what_a_coroutine_raises_is_raised() -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        _signals.run(fail())


def test_ctrl_c_cancels_it_and_is_raised_after_it_has_ended() -> None:
    steps: list[str] = []

    async def work() -> None:
        signal.raise_signal(signal.SIGINT)
        steps.append("went on")
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            steps.append("ended")

    with pytest.raises(KeyboardInterrupt):
        _signals.run(work())
    assert steps == ["went on", "ended"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_coroutine_that_takes_its_end_for_something_else_swallows_no_signal() -> None:
    async def deaf() -> int:
        signal.raise_signal(signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return 1
        return 2

    with pytest.raises(KeyboardInterrupt):
        _signals.run(deaf())


def test_a_signal_that_this_program_ignores_stays_ignored() -> None:
    async def work() -> int:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        return 1

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert _signals.run(work()) == 1
    finally:
        signal.signal(signal.SIGINT, before)
