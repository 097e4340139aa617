"""How is the fake world reached without sockets, on a clock of one's own?"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx

from tests.fakeworld.server import call_of
from tests.fakeworld.wire import Answer
from tests.fakeworld.world import World


class WorldTransport(httpx.AsyncBaseTransport):
    """A transport for httpx that ends in the world.

    Args:
        world: what answers; addresses are `http://any.host/SERVICE/path`.
        sleep: waits; a virtual clock makes latencies cost nothing.
    """

    def __init__(
        self, world: World, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._world = world
        self._sleep = sleep

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request as the server would."""
        target = request.url.raw_path.decode("ascii")
        headers = {name.lower(): value for name, value in request.headers.items()}
        call = call_of(request.method, target, headers, await request.aread())
        answer, latency_s = self._world.handle(call)
        await self._sleep(latency_s)
        if answer.closed:
            raise httpx.RemoteProtocolError("Server disconnected without sending a response.")
        length = len(answer.body) if answer.length is None else answer.length
        told = [("Content-Type", answer.content_type), ("Content-Length", str(length))]
        stream = _Body(answer, self._sleep)
        return httpx.Response(answer.status, headers=[*told, *answer.headers], stream=stream)


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: Answer, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._answer = answer
        self._sleep = sleep

    async def __aiter__(self) -> AsyncIterator[bytes]:
        body = self._answer.body
        size = -(-len(body) // self._answer.parts) or 1
        for start in range(0, len(body), size):
            await self._sleep(self._answer.pause_s)
            yield body[start : start + size]
        if self._answer.cut:
            raise httpx.ReadError("Connection reset by peer")
