"""Is it worth asking a host that has just failed?"""

from msgspec import Struct

FAILURES = 5
"""Failures in a row after which a host is left alone for a while."""
PAUSE_S = 60.0
"""Seconds for which it is left alone; then one request tries it again."""


class Circuit(Struct):
    """The state of one host: closed (asked), open (left alone), half open (one request tries)."""

    failures: float = 0.0
    opened_at: float | None = None
    trying: bool = False
    openings: int = 0

    def allows(self, now: float) -> bool:
        """Whether a request may be sent; the first one after the pause tries the host."""
        if self.opened_at is None:
            return True
        if now - self.opened_at < PAUSE_S or self.trying:
            return False
        self.trying = True
        return True

    def is_closed_or_tried(self) -> bool:
        """Whether what was allowed a while ago may still be sent."""
        return self.opened_at is None or self.trying

    def succeeded(self) -> None:
        """Note an answer: the host is asked as usual."""
        self.failures, self.opened_at, self.trying = 0.0, None, False

    def failed(self, now: float, weight: float = 1.0) -> None:
        """Note a failure of some weight; after some in a row the host is left alone."""
        self.failures += weight
        if self.trying or (self.opened_at is None and self.failures >= FAILURES):
            self.opened_at, self.trying = now, False
            self.openings += 1

    def given_up(self) -> None:
        """Note that a request that was to try the host was not sent after all."""
        self.trying = False
