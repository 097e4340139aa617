"""By which clock does a run wait, and how long does a service ask it to?"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime

from msgspec import Struct, field


class Clock(Struct, frozen=True):
    """The time, the way to wait, and the dice for jitter.

    `shared` is a clock that all processes have in common (seconds since 1970).
    """

    now: Callable[[], float] = time.monotonic
    shared: Callable[[], float] = time.time  # noqa: TID251 - limits are shared by processes
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    dice: random.Random = field(default_factory=random.Random)


def retry_after_s(value: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, None where it says nothing.

    Both forms of RFC 9110 are read, seconds and a date; a date that has passed asks for none.
    """
    if value is None:
        return None
    text = value.strip()
    if text.isdigit() and text.isascii():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def clock_of(headers: Mapping[str, str], now: float) -> float:
    """Return the time on the clock of whoever replied: its Date header, else ours."""
    try:
        return parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, OverflowError):
        return now
