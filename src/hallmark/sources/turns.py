"""At which moment does a request leave, and is it its turn then?

A turn is taken when the connection stands and the headers are about to go out, and nobody else
takes one before they are out: whatever delays a request until then (a first connection, a busy
machine) never brings it closer to the next one. The transport tells of these two moments, as
httpcore does: it calls the extension `trace` of a request with names of events.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from hallmark._waiting import Clock
from hallmark.sources.interface import Rate
from hallmark.sources.limits import Connection, Limits

STARTED = "send_request_headers.started"
"""The end of the event's name when the headers are about to go out."""
ENDED = ("send_request_headers.complete", "send_request_headers.failed")
"""The ends of the names when they are out, or will never be."""
POLL_S = 0.02
"""Seconds after which one looks again whether a turn that others are about to use is over."""


class Unsent(Exception):
    """A request was not sent after all; the message is a sentence that says why."""


class Gate:
    """The way to one host, for the tasks of this process and, by the limits, for all processes.

    Args:
        limits: the turns of all hosts.
        host: whose turns.
        clock: the time, and the way to wait.
    """

    def __init__(self, limits: Limits, host: str, clock: Clock) -> None:
        self._limits = limits
        self._host = host
        self._clock = clock
        self._alone = asyncio.Lock()

    async def enter(self, rate: Rate) -> Connection:
        """Wait for a turn and take it; until the connection is left nobody else takes one.

        Raises:
            SourceProblem: the limits cannot be kept.
        """
        await self._alone.acquire()
        try:
            while True:
                held = self._limits.gate(self._host)
                wait_s = POLL_S
                if held is not None:
                    wait_s = self._taken(held, rate)
                    if wait_s == 0.0:
                        return held
                await self._clock.sleep(wait_s)
        except BaseException:
            self._alone.release()
            raise

    def _taken(self, held: Connection, rate: Rate) -> float:
        """Take the turn with the gate in hand, or let go of it and return how long to wait."""
        wait_s: float | None = None
        try:
            wait_s = self._limits.take(self._host, rate, self._clock.shared())
        finally:
            if wait_s != 0.0:
                held.release()
        return wait_s

    def leave(self, held: Connection, rate: Rate) -> None:
        """Note that the request has gone out just now, and let others pass."""
        try:
            self._limits.sent(self._host, rate, self._clock.shared())
        finally:
            held.release()
            self._alone.release()


class Turn:
    """The turn of one request; `trace` is its extension of this name.

    Args:
        gate: the way to the host.
        rate: what the host allows.
        leaving: called when the turn is taken; it may raise `Unsent`.
    """

    def __init__(self, gate: Gate, rate: Rate, leaving: Callable[[], None]) -> None:
        self._gate = gate
        self._rate = rate
        self._leaving = leaving
        self._held: Connection | None = None
        self.taken = False

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Take the turn before the headers go out, and end it after."""
        if event.endswith(STARTED) and not _is_for_a_proxy(info) and self._held is None:
            self._held = await self._gate.enter(self._rate)
            self._leaving()
            self.taken = True
        elif event.endswith(ENDED):
            self.end()

    def end(self) -> None:
        """End the turn, if it has not ended."""
        held, self._held = self._held, None
        if held is not None:
            self._gate.leave(held, self._rate)


def _is_for_a_proxy(info: Mapping[str, Any]) -> bool:
    """Whether the headers only open a tunnel through a proxy."""
    return getattr(info.get("request"), "method", b"") == b"CONNECT"


class Announcing(httpx.AsyncBaseTransport):
    """A transport that tells of the headers of what it hands to another one.

    For transports that are no network, and tell nothing themselves.

    Args:
        inner: what answers.
        connect: waited for before the headers go out, as for a connection.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, connect: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self._inner = inner
        self._connect = connect

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Tell, and have the request answered."""
        if self._connect is not None:
            await self._connect()
        trace = request.extensions.get("trace")
        if trace is not None:
            await trace(f"handed.{STARTED}", {})
            await trace(f"handed.{ENDED[0]}", {})
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the other one."""
        await self._inner.aclose()
