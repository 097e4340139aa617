"""How patient is a run with live sources?"""

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """How patient and how large a run may be.

    Attributes:
        attempts: times a request is sent at the most, the first included.
        backoff_s: seconds before the second attempt; doubled for each further one, with jitter.
        patience_s: seconds that one attempt may take from its turn on, and that a pause before
            the next one may last.
        queue_s: seconds that a request waits for its turn at the most; the longest queue of a run
            is what a service allows times what it is asked.
        connect_s: seconds for a connection to be made.
        read_s: seconds without a byte after which a reply is given up.
        largest: bytes of a body, unpacked, that are read at the most.
        redirects: redirections within a service that are followed.
        max_requests: requests of the whole run; None for no limit.
        budget_s: seconds of the whole run; None for no limit.
    """

    attempts: int = 3
    backoff_s: float = 1.0
    patience_s: float = 60.0
    queue_s: float = 6 * 3600.0
    connect_s: float = 10.0
    read_s: float = 20.0
    largest: int = 16 * 2**20
    redirects: int = 3
    max_requests: int | None = None
    budget_s: float | None = None
