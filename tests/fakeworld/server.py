"""How is the fake world reached over real sockets?"""

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from http import HTTPStatus

from tests.fakeworld.wire import Answer, Call
from tests.fakeworld.world import World

_LONGEST_HEAD = 1 << 16


class Server:
    """The world on a port of loopback; `scale` divides all its waiting times."""

    def __init__(self, world: World, *, scale: float = 1.0) -> None:
        self._world = world
        self._scale = scale
        self._open: set[asyncio.Task[None]] = set()

    async def start(self, port: int = 0) -> asyncio.Server:
        """Begin to listen; port 0 chooses a free one."""
        return await asyncio.start_server(self._connected, "127.0.0.1", port, limit=_LONGEST_HEAD)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while call := await _read(reader):
                answer, latency_s = self._world.handle(call)
                await asyncio.sleep(latency_s / self._scale)
                if not await self._send(writer, answer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        except asyncio.CancelledError:
            return  # only `stop` cancels, and waits for nothing more than the end
        finally:
            self._open.discard(task)
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer) -> bool:
        """Send an answer; return whether the connection goes on."""
        if answer.closed:
            return False
        writer.write(_head(answer))
        await writer.drain()
        size = -(-len(answer.body) // answer.parts) or 1
        for start in range(0, len(answer.body), size):
            await asyncio.sleep(answer.pause_s / self._scale)
            writer.write(answer.body[start : start + size])
            await writer.drain()
        if answer.cut:
            _reset(writer)
        return not answer.cut

    async def stop(self) -> None:
        """End all connections."""
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Have the connection end with a reset instead of an orderly close."""
    found: socket.socket = writer.get_extra_info("socket")
    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def _read(reader: asyncio.StreamReader) -> Call | None:
    """Read one request, None at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    headers = {
        name.strip().lower(): value.strip()
        for name, mark, value in (line.partition(":") for line in lines[1:])
        if mark
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return call_of(method, target, headers, body)


def call_of(method: str, target: str, headers: dict[str, str], body: bytes) -> Call:
    """Return a request to `/SERVICE/path?query`."""
    address, _, query = target.partition("?")
    service, mark, path = address.lstrip("/").partition("/")
    return Call(service, method, mark + path, query, headers, body)


def _head(answer: Answer) -> bytes:
    length = len(answer.body) if answer.length is None else answer.length
    headers = (
        ("Content-Type", answer.content_type),
        ("Content-Length", str(length)),
        *answer.headers,
    )
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@contextlib.contextmanager
def serving(world: World, *, scale: float = 1.0, port: int = 0) -> Iterator[str]:
    """Serve the world from a thread of its own; yields its address."""
    ready = threading.Event()
    found: list[str] = []
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        server = Server(world, scale=scale)
        listening = await server.start(port)
        host, chosen = listening.sockets[0].getsockname()[:2]
        found.append(f"http://{host}:{chosen}")
        ready.set()
        await stop.wait()
        listening.close()
        await server.stop()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    if not ready.wait(timeout=10):
        raise RuntimeError("the fake world did not start within 10 s")
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=10)
        loop.close()
