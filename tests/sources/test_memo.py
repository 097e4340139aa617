"""What was answered is remembered, within bounds."""

import asyncio
import random
from pathlib import Path

import httpx
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Reply
from hallmark.sources.memo import Memo, digest
from tests.sources.virtual import Script, client, json_reply, reply, request


def reply_of(number: int, size: int = 1000) -> Reply:
    body = random.Random(number).randbytes(size)
    return Reply(200, body, "application/json", f"https://api.made.example/{number}")


def key(number: int) -> str:
    return digest(request(f"/{number}"))


@given(st.binary(max_size=50), st.integers(200, 499))
def test_a_reply_comes_back_as_it_was(body: bytes, status: int) -> None:
    memo, kept = Memo(), Reply(status, body, "text/xml", "https://api.made.example")
    memo.put(key(1), kept)
    assert memo.get(key(1)) == kept
    assert memo.get(key(2)) is None


def test_a_failure_is_remembered_for_the_run() -> None:
    memo = Memo()
    memo.put(key(1), Unavailable("It is down."))
    assert memo.get(key(1)) == Unavailable("It is down.")


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 900)), max_size=60))
def test_it_never_holds_more_than_it_may(replies: list[tuple[int, int]]) -> None:
    memo = Memo(most_bytes=3000, most=7)
    for number, size in replies:
        memo.put(key(number), reply_of(number, size))
        assert memo.size <= 3000
    held = [number for number in range(31) if memo.get(key(number)) is not None]
    assert len(held) <= 7
    assert not replies or memo.get(key(replies[-1][0])) is not None


def test_what_was_not_asked_for_longest_goes_first() -> None:
    memo = Memo(most=2)
    memo.put(key(1), reply_of(1))
    memo.put(key(2), reply_of(2))
    memo.get(key(1))
    memo.put(key(3), reply_of(3))
    assert memo.get(key(1)) is not None
    assert memo.get(key(2)) is None


def test_a_reply_that_would_fill_the_memory_alone_is_not_remembered() -> None:
    memo = Memo(most_bytes=100)
    memo.put(key(1), reply_of(1))
    assert memo.get(key(1)) is None


def test_a_question_that_is_put_anew_is_another_request() -> None:
    again = structs.replace(request(), again=1)
    assert digest(again) != digest(request())
    assert digest(structs.replace(request(), again=2)) != digest(again)


def test_the_client_holds_no_bodies_of_the_past(tmp_path: Path) -> None:
    """Of 60 replies of half a megabyte each no more is held than the memo may hold."""

    def large(sent: httpx.Request) -> httpx.Response:
        return reply(200, random.Random(sent.url.path).randbytes(2**19))(sent)

    async def go() -> int:
        sender = client(large, tmp_path)
        sender._memo = Memo(most_bytes=2**20)
        for number in range(60):
            assert isinstance(await sender.ask(request(f"/{number}")), Reply)
        assert not sender._under_way
        return sender._memo.size

    assert asyncio.run(go()) <= 2**20


def test_what_the_memo_lost_is_sent_once_more_and_nothing_else(tmp_path: Path) -> None:
    script = Script(json_reply())

    async def go() -> None:
        sender = client(script, tmp_path)
        sender._memo = Memo(most=1)
        for path in ("/1", "/1", "/2", "/2", "/1"):
            await sender.ask(request(path))

    asyncio.run(go())
    assert [sent.url.path for sent in script.requests] == ["/1", "/2", "/1"]
