"""What has this run been answered already?

The same request is not sent twice in a run: its reply is remembered, packed, until there is too
much of them. What then goes is what was not asked for the longest.
"""

import hashlib
from collections import OrderedDict

import zstandard
from msgspec import Struct

from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Reply, Request

MOST_BYTES = 4 * 2**20
"""Bytes of packed bodies that are remembered at the most: of some two thousand replies."""
MOST = 4000
"""Replies that are remembered at the most; what was answered before that, the cache holds."""


class _Kept(Struct, frozen=True):
    """A reply with its body packed, or the reason why there is none."""

    packed: bytes = b""
    status: int = 0
    content_type: str = ""
    url: str = ""
    unavailable: str = ""


class Memo:
    """The replies of a run, bounded in number and bytes.

    Args:
        most_bytes: bytes of packed bodies.
        most: replies.
    """

    def __init__(self, *, most_bytes: int = MOST_BYTES, most: int = MOST) -> None:
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._most_bytes = most_bytes
        self._most = most
        self.size = 0

    def get(self, key: str) -> Reply | Unavailable | None:
        """Return the reply to a request, None where none is remembered."""
        short = bytes.fromhex(key)
        found = self._kept.get(short)
        if found is None:
            return None
        self._kept.move_to_end(short)
        if found.unavailable:
            return Unavailable(found.unavailable)
        body = zstandard.decompress(found.packed)
        return Reply(found.status, body, found.content_type, found.url)

    def put(self, key: str, reply: Reply | Unavailable) -> None:
        """Remember a reply; one that would fill the memory alone is not remembered."""
        kept = _packed(reply)
        if len(kept.packed) > self._most_bytes:
            return
        short = bytes.fromhex(key)
        self._drop(short)
        self._kept[short] = kept
        self.size += len(kept.packed)
        while self.size > self._most_bytes or len(self._kept) > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: bytes) -> None:
        gone = self._kept.pop(key, None)
        if gone is not None:
            self.size -= len(gone.packed)


def _packed(reply: Reply | Unavailable) -> _Kept:
    if isinstance(reply, Unavailable):
        return _Kept(unavailable=reply.reason)
    packed = bytes(memoryview(zstandard.compress(reply.body)))  # a copy without spare room
    return _Kept(packed, reply.status, reply.content_type, reply.url)


def digest(request: Request) -> str:
    """Return the identity of a request: everything that it asks, without keys and contact."""
    parts: list[str | bytes] = [request.source, request.url, repr(request.params)]
    parts.append(request.body or b"")
    if request.again:
        parts.append(str(request.again))
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        hashed.update(len(data).to_bytes(8) + data)
    return hashed.hexdigest()
