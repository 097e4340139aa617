"""What is the body of a response, unpacked and bounded, and is it data at all?"""

import zlib
from collections.abc import AsyncIterator
from typing import Any

import httpx

_CHUNK = 2**16


async def read_body(response: httpx.Response, largest: int) -> bytes | str:
    """Return the unpacked body, or why there is none; never unpacks more than `largest` bytes."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"identity", "gzip", ""}:
        return f"It sent an encoding that was not asked for (`{coding[:20]}`)."
    chunks = response.aiter_raw(_CHUNK)
    parts: list[bytes] = []
    size = 0
    try:
        async for part in _unpacked(chunks, largest) if coding == "gzip" else chunks:
            size += len(part)
            if size > largest:
                return f"It sent more than {largest // 2**20} MB."
            parts.append(part)
    except zlib.error as error:
        return f"It sent a body that cannot be unpacked ({error})."
    return b"".join(parts)


async def _unpacked(chunks: AsyncIterator[bytes], largest: int) -> AsyncIterator[bytes]:
    """Unpack gzip step by step, so that a small body never becomes a huge one in memory."""
    unpacker: Any = zlib.decompressobj(zlib.MAX_WBITS | 16)
    size = 0
    async for chunk in chunks:
        waiting = chunk
        while waiting and size <= largest:
            part = unpacker.decompress(waiting, _CHUNK)
            size += len(part)
            yield part
            waiting = unpacker.unconsumed_tail
    if not unpacker.eof and size <= largest:
        raise zlib.error("it is cut off")


def is_page(content_type: str, body: bytes, accept: str) -> bool:
    """Whether a body is a web page in place of data: a bot wall, or a portal's log-in."""
    if "html" in accept:
        return False
    start = body[:512].lstrip().lower()
    return "text/html" in content_type.lower() or start.startswith((b"<!doctype html", b"<html"))
