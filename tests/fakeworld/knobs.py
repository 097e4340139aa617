"""How does one service of the fake world misbehave, and what does it hold?"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from hallmark.records.work import Version
from hallmark.sources.interface import Rate


class Fault(StrEnum):
    """One way in which an answer goes wrong."""

    TOO_MANY = "429"
    TOO_MANY_WAIT = "429 with Retry-After in seconds"
    TOO_MANY_DATE = "429 with Retry-After as a date"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502, a web page"
    BUSY = "503 with Retry-After"
    FORBIDDEN = "403, a web page"
    UNAUTHORISED = "401"
    BOT_200 = "a web page with status 200"
    BOT_202 = "a web page with status 202"
    ERROR_200 = "an error object with status 200"
    EMPTY = "no body"
    HOLDS_NOTHING = "a well-formed answer that holds nothing"
    CLOSED = "the connection ends before the answer"
    RESET = "the connection ends within the body"
    SLOW = "a body that comes too slowly"
    CUT = "half a body, with a length that fits it"
    MALFORMED = "a body with bytes in the wrong places"
    DRIFT = "fields of other types"
    CHARSET = "text in another encoding than it says"
    BOMB = "a small body that unpacks to gigabytes"
    ELSEWHERE = "a redirect to another host"
    PRIVATE = "a redirect to a private address"
    PLAIN = "a redirect to http"
    LOOP = "a redirect to itself"
    MOVED = "a redirect to the right place on the same host"


ALWAYS = 1.0


def everything(_: Version) -> bool:
    """Hold every record."""
    return True


class Knobs(Struct, frozen=True, kw_only=True):
    """What a service does.

    Attributes:
        holds: which records it has.
        share: of these, the share that it has, in [0, 1]; which ones depends on its name only.
        latency_s: how long it takes to answer.
        rate: above how many requests it answers 429; None for no limit.
        tells_rate: whether it sends `X-Rate-Limit-*` and `Retry-After`.
        faults: what goes wrong, with the share of requests, in [0, 1]; the shares add up to 1 at
            most. Which requests they are depends on the seed and the number of the request.
        until: the number of requests after which faults end; None for never.
        corrupt: share of its records that have the title and authors of another one.
        stale: share of its records without DOI and venue, as before publication.
        skew_s: how far its clock is ahead.
        needs_key: the header or parameter without which it answers 401.
    """

    holds: Callable[[Version], bool] = everything
    share: float = 1.0
    latency_s: float = 0.0
    rate: Rate | None = None
    tells_rate: bool = True
    faults: tuple[tuple[Fault, float], ...] = ()
    until: int | None = None
    corrupt: float = 0.0
    stale: float = 0.0
    skew_s: float = 0.0
    needs_key: str = ""


def always(fault: Fault) -> Knobs:
    """Return a service of which every answer goes wrong in this way."""
    return Knobs(faults=((fault, ALWAYS),))
