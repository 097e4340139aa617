"""What the headers of a reply say is heeded, as far as it makes sense."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark._waiting import clock_of
from hallmark.sources.interface import Rate, Reply
from hallmark.sources.limits import MARGIN
from hallmark.sources.told import SLOWEST_S, allowed_rate
from tests.sources.virtual import START, Script, Virtual, client, json_reply, request

OURS = Rate(2.0, connections=3)


def told(limit: str, interval: str) -> dict[str, str]:
    return {"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}


@pytest.mark.parametrize(
    ("limit", "interval", "expected"),
    [
        ("1", "1s", Rate(1.0, 1.0, 3)),
        ("1", "1", Rate(1.0, 1.0, 3)),
        ("30", "1m", Rate(30.0, 60.0, 3)),
        ("0.5", "1s", Rate(0.5, 1.0, 3)),
        ("50", "1s", OURS),
        ("2", "1s", OURS),
        ("", "1s", OURS),
        ("1", "", OURS),
        ("0", "1s", OURS),
        ("-1", "1s", OURS),
        ("1", "soon", OURS),
        ("1", "1day", OURS),
        ("1", "1h", OURS),
        ("٣", "1s", OURS),
    ],
)
def test_a_host_that_allows_less_is_asked_less(limit: str, interval: str, expected: Rate) -> None:
    assert allowed_rate(told(limit, interval), OURS) == expected


@given(st.text(max_size=12), st.text(max_size=12))
def test_no_header_makes_us_faster_or_stops_us(limit: str, interval: str) -> None:
    rate = allowed_rate(told(limit, interval), OURS)
    assert OURS.per_s / OURS.requests <= rate.per_s / rate.requests <= SLOWEST_S
    assert rate.connections == OURS.connections


def test_a_run_slows_down_as_the_host_says(tmp_path: Path) -> None:
    virtual = Virtual()
    script = Script(json_reply(x_rate_limit_limit="1", x_rate_limit_interval="2s"))

    async def go() -> None:
        sender = client(script, tmp_path, virtual=virtual)
        for number in range(6):
            assert isinstance(await sender.ask(request(f"/{number}")), Reply)

    asyncio.run(go())
    assert virtual.passed == pytest.approx(MARGIN * (0.5 + 4 * 2.0), rel=0.01)


def test_a_date_to_wait_for_is_read_on_the_clock_of_the_host(tmp_path: Path) -> None:
    """Its clock is an hour ahead of ours: it asks for 7 seconds, not for an hour."""
    virtual = Virtual()
    ahead = json_reply(
        status=429,
        date="Fri, 15 Jan 2027 09:00:00 GMT",
        retry_after="Fri, 15 Jan 2027 09:00:07 GMT",
    )
    script = Script(ahead, json_reply())

    async def go() -> Reply | object:
        return await client(script, tmp_path, virtual=virtual).ask(request())

    assert isinstance(asyncio.run(go()), Reply)
    assert 7 <= virtual.passed < 10


def test_without_a_date_of_its_own_our_clock_is_taken() -> None:
    assert clock_of({"date": "Fri, 15 Jan 2027 08:00:09 GMT"}, 5.0) == START + 9
    for nonsense in ({}, {"date": ""}, {"date": "yesterday"}, {"date": "Fri, 99 Jan"}):
        assert clock_of(nonsense, 5.0) == 5.0
