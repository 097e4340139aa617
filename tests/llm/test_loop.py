import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import ModelStopped
from hallmark.llm.interface import Failure, Reply, Request, User
from hallmark.llm.loop import answered
from tests.llm.scripted import Scripted, failure


def _fails(answer: int) -> bool:
    return answer < 0


def _until_stopped(answers: Iterator[int]) -> tuple[list[int], str]:
    """What was handed out before a stop, and its message, "" for none."""
    seen: list[int] = []
    try:
        seen.extend(answers)
    except ModelStopped as stop:
        return seen, str(stop)
    return seen, ""


async def _itself(item: int) -> int:
    await asyncio.sleep(0)
    return item


@given(st.lists(st.integers(min_value=0)), st.integers(1, 6))
def test_the_answers_come_in_the_order_of_the_items(items: list[int], at_once: int) -> None:
    assert list(answered(_itself, items, at_once)) == items


@given(st.lists(st.integers(0, 20), max_size=12), st.integers(1, 5))
def test_order_does_not_depend_on_who_answers_first(delays: list[int], at_once: int) -> None:
    async def ask(item: tuple[int, int]) -> int:
        for _ in range(item[1]):
            await asyncio.sleep(0)
        return item[0]

    items = list(enumerate(delays))
    assert list(answered(ask, items, at_once)) == list(range(len(items)))


def test_no_more_are_asked_at_once_than_allowed_and_all_places_are_used() -> None:
    model = Scripted(lambda _: "x", delay_s=0.002)
    items = [Request(messages=(User(str(number)),)) for number in range(20)]
    assert len(list(answered(model.ask, items, 3))) == 20
    assert model.most_at_once == 3


def test_a_slow_answer_does_not_hold_up_the_others() -> None:
    begun: list[int] = []

    async def ask(item: int) -> int:
        begun.append(item)
        await asyncio.sleep(0.05 if item == 0 else 0)
        return item

    first = next(answers := answered(ask, range(100), 2))
    assert first == 0
    assert len(begun) == 8  # four times as many as are asked at once, and no more
    assert isinstance(answers, Iterator)


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    answers = answered(_itself, items(), 2)
    assert [next(answers) for _ in range(3)] == [0, 1, 2]
    assert len(taken) < 20


def test_three_failures_in_a_row_stop_the_run_and_are_not_handed_out() -> None:
    items = [1, -1, 2, -2, -3, -4, 3]
    seen, message = _until_stopped(answered(_itself, items, 2, failed=_fails))
    assert seen == [1, -1, 2]
    assert message.startswith("3 failures in a row, the last: -4. ")


def test_two_failures_at_the_end_are_handed_out() -> None:
    assert list(answered(_itself, [1, -1, -2], 2, failed=_fails)) == [1, -1, -2]


@given(st.lists(st.integers(-1, 1), max_size=30), st.integers(1, 4))
def test_what_is_handed_out_is_a_beginning_of_the_answers(items: list[int], at_once: int) -> None:
    seen, message = _until_stopped(answered(_itself, items, at_once, failed=_fails))
    stopped = bool(message)
    assert seen == items[: len(seen)]
    text = "".join("x" if item < 0 else "." for item in items)
    assert stopped == ("xxx" in text)
    assert len(seen) == (text.index("xxx") if stopped else len(items))


def test_the_message_of_a_stop_tells_the_last_failure_on_one_printable_line() -> None:
    model = Scripted([failure(detail="It\x1b[31m failed\n(status 500).")] * 3)
    items = [Request(messages=(User("?"),))] * 3

    def failed(answer: Reply | Failure) -> bool:
        return isinstance(answer, Failure)

    with pytest.raises(ModelStopped) as caught:
        list(answered(model.ask, items, 1, failed=failed))
    assert "(status 500)." in str(caught.value)
    assert str(caught.value).isprintable()


def test_what_was_complete_before_a_stop_is_handed_out_first() -> None:
    async def ask(item: int) -> int:
        if item == 3:
            raise ModelStopped("no money left")
        await asyncio.sleep(0.01)
        return item

    seen, message = _until_stopped(answered(ask, range(100), 8))
    assert seen == [0, 1, 2]
    assert message == "no money left"


def test_nothing_new_is_begun_once_the_model_has_stopped() -> None:
    begun: list[int] = []

    async def ask(item: int) -> int:
        begun.append(item)
        if item == 1:
            raise ModelStopped("no money left")
        await asyncio.sleep(0.03)
        return item

    with pytest.raises(ModelStopped):
        list(answered(ask, range(1000), 2))
    assert len(begun) <= 8


def test_an_error_of_ours_is_raised_as_it_is() -> None:
    async def ask(item: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(answered(ask, [1], 1))


def test_closing_early_cancels_what_is_under_way_and_lets_it_finish_tidily() -> None:
    tidied: list[int] = []

    async def ask(item: int) -> int:
        try:
            await asyncio.sleep(0 if item == 0 else 60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            tidied.append(item)
            raise
        return item

    answers = answered(ask, range(3), 3)
    assert next(answers) == 0
    began = time.monotonic()
    answers.close()
    assert time.monotonic() - began < 5
    assert sorted(tidied) == [1, 2]


def test_ctrl_c_cancels_what_is_under_way() -> None:
    tidied: list[int] = []

    async def ask(item: int) -> int:
        if item == 0:
            return item
        try:
            await asyncio.sleep(60)
        finally:
            tidied.append(item)
        return item

    answers = answered(ask, range(3), 3)
    assert next(answers) == 0
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        next(answers)
    assert sorted(tidied) == [1, 2]


def _leave(number: int, _: object) -> None:
    raise SystemExit(128 + number)


@pytest.fixture
def leaving() -> Iterator[None]:
    """The signals raise, as in the command line."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, _leave) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("leaving")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("step", range(12))
def test_a_signal_never_breaks_into_the_work_of_a_task(number: signal.Signals, step: int) -> None:
    """Whatever moment it comes in: also when the awaited answer is there and the loop winds up."""
    broken: list[BaseException] = []
    kept: list[int] = []

    async def paid(item: int) -> None:
        for turn in range(step + 3):
            await asyncio.sleep(0)
            try:
                if turn == step and item == 1:
                    signal.raise_signal(number)
            except (KeyboardInterrupt, SystemExit) as error:
                broken.append(error)
                raise
        kept.append(item)

    async def ask(item: int) -> int:
        if item == 0:
            await asyncio.sleep(0)
            return item
        sent = asyncio.ensure_future(paid(item))
        try:
            await asyncio.shield(sent)
        except asyncio.CancelledError:
            await sent  # it is paid for
        return item

    with pytest.raises((KeyboardInterrupt, SystemExit)):
        list(answered(ask, range(3), 3))
    assert broken == []
    assert sorted(kept) == [1, 2]


@pytest.mark.usefixtures("leaving")
def test_a_second_signal_ends_the_wait_for_what_is_under_way() -> None:
    given_up: list[int] = []

    async def ask(item: int) -> int:
        for _ in range(2):  # waits on for its reply, until it is cancelled once more
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                given_up.append(item)
        raise asyncio.CancelledError

    for delay_s in (0.1, 0.3):
        threading.Timer(delay_s, os.kill, (os.getpid(), signal.SIGTERM)).start()
    began = time.monotonic()
    with pytest.raises(SystemExit):
        list(answered(ask, range(2), 2))
    assert time.monotonic() - began < 10
    assert sorted(given_up) == [0, 0, 1, 1]


@pytest.mark.usefixtures("leaving")
def test_a_signal_while_answers_are_closed_is_no_error_of_the_one_who_closes() -> None:
    async def ask(item: int) -> int:
        try:
            await asyncio.sleep(0 if item == 0 else 60)
        except asyncio.CancelledError:
            signal.raise_signal(signal.SIGTERM)
            raise
        return item

    answers = answered(ask, range(2), 2)
    assert next(answers) == 0
    answers.close()
    assert signal.getsignal(signal.SIGTERM) is _leave


def test_asking_nobody_at_a_time_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at_once"):
        list(answered(_itself, [1], 0))


def test_the_last_failure_ends_its_sentence() -> None:
    async def ask(_: int) -> str:
        return "boom"

    with pytest.raises(ModelStopped, match=r"the last: boom\. What was answered"):
        list(answered(ask, range(3), 1, failed=lambda _: True))
