"""What do all services of the fake world answer, and what were they asked?"""

import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from email.utils import formatdate

from msgspec import Struct, structs

from hallmark.records.work import Version
from hallmark.sources.interface import Rate
from tests.fakeworld import faults
from tests.fakeworld.knobs import Fault, Knobs, everything
from tests.fakeworld.library import Holding, Library, holdings_of
from tests.fakeworld.services import (
    acl,
    arxiv,
    biorxiv,
    crossref,
    datacite,
    dblp,
    doi_org,
    europepmc,
    googlebooks,
    openalex,
    openlibrary,
    openreview,
    pubmed,
    semanticscholar,
)
from tests.fakeworld.wire import NOT_FOUND, Answer, Call

SERVICES: dict[str, Callable[[Library, Call], Answer]] = {
    "crossref": crossref.answer,
    "datacite": datacite.answer,
    "doi_org": doi_org.answer,
    "dblp": dblp.answer,
    "acl": acl.answer,
    "openreview": openreview.answer,
    "openreview-2": openreview.answer_first,
    "arxiv": arxiv.answer,
    "openalex": openalex.answer,
    "semanticscholar": semanticscholar.answer,
    "europepmc": europepmc.answer,
    "pubmed": pubmed.answer,
    "biorxiv": biorxiv.answer,
    "openlibrary": openlibrary.answer,
    "googlebooks": googlebooks.answer,
}
"""What answers for each service; "NAME-2" is the second address of one."""

HELD_ALONE: dict[str, Callable[[Version], bool]] = {
    "arxiv": lambda version: version.preprint and version.arxiv is not None,
    "biorxiv": lambda version: (version.doi or "").startswith(("10.1101/", "10.64898/")),
    "acl": lambda version: (version.doi or "").startswith(acl.PREFIX),
}
"""What services hold by their nature, whatever their knobs say."""


class Asked(Struct, frozen=True):
    """One line of the log: when which service was asked what, and what it answered."""

    at: float
    call: Call
    status: int
    fault: Fault | None = None
    over_limit: bool = False

    @property
    def service(self) -> str:
        """The name of the service."""
        return self.call.service


class World:
    """All services over one set of records.

    Args:
        records: what exists; services hold what their knobs say of it.
        knobs: how each service behaves; those not named behave well.
        clock: the time in seconds since 1970.
        seed: of the choice which requests go wrong.
    """

    def __init__(
        self,
        records: Iterable[Version] | Iterable[Holding],
        knobs: Mapping[str, Knobs] | None = None,
        *,
        clock: Callable[[], float] = time.time,  # noqa: TID251 - the edge: a server has a clock
        seed: int = 7,
    ) -> None:
        listed = list(records)
        versions = [one for one in listed if isinstance(one, Version)]
        self._records = holdings_of(versions) + [one for one in listed if isinstance(one, Holding)]
        self._knobs = dict(knobs or {})
        self._clock = clock
        self._seed = seed
        self._libraries: dict[str, Library] = {}
        self._whole: Library | None = None
        self._recent: dict[str, deque[float]] = {}
        self._counts: Counter[str] = Counter()
        self._lock = threading.RLock()
        self.log: list[Asked] = []

    def turn(self, service: str, knobs: Knobs) -> None:
        """Give a service other knobs from now on."""
        with self._lock:
            self._knobs[service] = knobs
            self._libraries.pop(service, None)
            self._counts[service] = 0

    def warm(self) -> None:
        """Stock every service now, so that no first request has to wait for it."""
        for service in SERVICES:
            self._library(service, self.knobs(service))

    def handle(self, call: Call) -> tuple[Answer, float]:
        """Return the answer to a request, and the seconds until it is sent."""
        with self._lock:
            return self._handle(call)

    def asked(self, service: str) -> list[Call]:
        """Return the requests to one service, in order."""
        return [one.call for one in self.log if one.service == service]

    def over_limit(self) -> list[Asked]:
        """Return the requests that came above the limit of their service."""
        return [one for one in self.log if one.over_limit]

    def knobs(self, service: str) -> Knobs:
        """Return how a service behaves: a second address as the first, unless it is named."""
        return self._knobs.get(service) or self._knobs.get(service.partition("-")[0]) or Knobs()

    def _handle(self, call: Call) -> tuple[Answer, float]:
        if call.service not in SERVICES:
            return NOT_FOUND, 0.0
        knobs, now = self.knobs(call.service), self._clock()
        self._counts[call.service] += 1
        moved = call.path.startswith(faults.MOVED + "/")
        fault = None if moved else self._fault(call.service, knobs)
        over = self._is_over(call.service, knobs.rate, now)
        answer = self._answer(call, knobs, fault, over=over, now=now)
        date = ("Date", formatdate(now + knobs.skew_s, usegmt=True))
        answer = structs.replace(answer, headers=(*answer.headers, date, *_told(knobs)))
        self.log.append(Asked(now, call, answer.status, fault, over))
        return answer, knobs.latency_s

    def _answer(
        self, call: Call, knobs: Knobs, fault: Fault | None, *, over: bool, now: float
    ) -> Answer:
        if over:
            return faults.too_many(str(faults.WAIT_S) if knobs.tells_rate else None)
        if knobs.needs_key and not _has_key(call, knobs.needs_key):
            return faults.spoilt(Fault.UNAUTHORISED, NOT_FOUND, call, now)
        path = call.path.removeprefix(faults.MOVED)
        library = _EMPTY if fault is Fault.HOLDS_NOTHING else self._library(call.service, knobs)
        good = SERVICES[call.service](library, structs.replace(call, path=path))
        return good if fault is None else faults.spoilt(fault, good, call, now + knobs.skew_s)

    def _fault(self, service: str, knobs: Knobs) -> Fault | None:
        number = self._counts[service]
        if not knobs.faults or (knobs.until is not None and number > knobs.until):
            return None
        drawn = random.Random(f"{self._seed} {service} {number}").random()
        for fault, share in knobs.faults:
            drawn -= share
            if drawn < 0:
                return fault
        return None

    def _is_over(self, service: str, rate: Rate | None, now: float) -> bool:
        """Whether this request is one too many within the period of the limit."""
        if rate is None:
            return False
        recent = self._recent.setdefault(service, deque())
        while recent and recent[0] <= now - rate.per_s * (1 - _ROUNDING):
            recent.popleft()
        if len(recent) >= rate.requests:
            return True
        recent.append(now)
        return False

    def _library(self, service: str, knobs: Knobs) -> Library:
        if service not in self._libraries:
            self._libraries[service] = self._stocked(service.partition("-")[0], knobs)
        return self._libraries[service]

    def _stocked(self, name: str, knobs: Knobs) -> Library:
        """Return what a service holds; those that hold everything share one library."""
        is_whole = knobs.share >= 1.0 and not knobs.corrupt and not knobs.stale
        if is_whole and knobs.holds is everything and name not in HELD_ALONE:
            self._whole = self._whole or Library(self._records)
            return self._whole
        by_nature = HELD_ALONE.get(name, everything)
        held = [
            one
            for one in self._records
            if by_nature(one.version) and knobs.holds(one.version) and _in_share(name, one, knobs)
        ]
        return Library(self._worn(name, one, knobs) for one in held)

    def _worn(self, name: str, one: Holding, knobs: Knobs) -> Holding:
        """Return a record as a careless service has it."""
        dice = random.Random(f"worn {name} {one.number}")
        drawn = dice.random()
        if drawn < knobs.corrupt:
            other = dice.choice(self._records).version
            version = structs.replace(one.version, title=other.title, authors=other.authors)
            return structs.replace(one, version=version)
        if drawn < knobs.corrupt + knobs.stale:
            version = structs.replace(one.version, doi=None, venue="", venue_raw="")
            return structs.replace(one, version=version)
        return one


_EMPTY = Library([])
_ROUNDING = 1e-4
"""Share of a period within which two moments are the same."""


def _in_share(name: str, one: Holding, knobs: Knobs) -> bool:
    if knobs.share >= 1.0:
        return True
    return random.Random(f"held {name} {one.number}").random() < knobs.share


def _told(knobs: Knobs) -> tuple[tuple[str, str], ...]:
    if knobs.rate is None or not knobs.tells_rate:
        return ()
    return (
        ("X-Rate-Limit-Limit", f"{knobs.rate.requests:g}"),
        ("X-Rate-Limit-Interval", f"{knobs.rate.per_s:g}s"),
    )


def _has_key(call: Call, name: str) -> bool:
    return bool(call.params.get(name) or call.headers.get(name.lower()))
