"""How does one request reach its service, politely, and what comes back?

The one client of all live sources. It waits for its turn and a free connection, sends, reads at
most a bounded body, tries again what may pass, and turns every failure into `Unavailable` in one
place. The same request is never sent twice in a run. Clock, sleep, dice and transport are handed
in.
"""

import asyncio
import hashlib
import random
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from msgspec import Struct, field

from hallmark.records.answer import Unavailable
from hallmark.sources.circuit import Circuit
from hallmark.sources.interface import Rate, Reply, Request, SourceSpec
from hallmark.sources.limits import Connection, Limits
from hallmark.sources.secrets import Secrets

AGENT = "hallmark/0.1 (checks citations; https://pypi.org/project/hallmark)"
_NO_RATE = Rate(1)


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


class Traffic(Struct):
    """What a host was asked in a run."""

    requests: int = 0
    failures: int = 0
    waited_s: float = 0.0


class _Sent(Struct, frozen=True):
    """What one attempt brought: a reply, or a failure that may pass (`again_in_s`) or will not."""

    reply: Reply | None = None
    reason: str = ""
    passing: bool = False
    again_in_s: float | None = None
    complained: bool = False
    refused: bool = False
    unreached: bool = False


class Clock(Struct, frozen=True):
    """The time, the way to wait, and the dice for jitter.

    `shared` is a clock that all processes have in common (seconds since 1970).
    """

    now: Callable[[], float] = time.monotonic
    shared: Callable[[], float] = time.time  # noqa: TID251 - limits are shared by processes
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    dice: random.Random = field(default_factory=random.Random)


class Client:
    """Sends the requests of all sources; `ask` is what sources are handed.

    Args:
        specs: what is known of the sources that may ask.
        limits: the turns of all hosts.
        secrets: keys and contact address.
        settings: how patient and how large the run may be.
        clock: time, sleep and dice.
        transport: in place of the network, for tests.
    """

    def __init__(
        self,
        specs: Iterable[SourceSpec],
        limits: Limits,
        *,
        secrets: Secrets | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._limits = limits
        self._secrets = secrets or Secrets()
        self._settings = settings or Settings()
        self._clock = clock or Clock()
        self._transport = transport
        self._http: httpx.AsyncClient | None = None
        self._asked: dict[str, asyncio.Task[Reply | Unavailable]] = {}
        self._circuits: dict[str, Circuit] = {}
        self._queues: dict[str, asyncio.Semaphore] = {}
        self._began = self._clock.now()
        self.traffic: dict[str, Traffic] = {}
        self.requests = 0
        self.dropped_keys: list[str] = []

    async def ask(self, request: Request) -> Reply | Unavailable:
        """Send one request, or wait for the same one that is under way; never raises."""
        key = digest(request)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(self._answer(request))
        return await asyncio.shield(self._asked[key])

    async def aclose(self) -> None:
        """Close all connections; what is under way is given up."""
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        self._asked.clear()
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    def open_circuits(self) -> list[str]:
        """Return the hosts that are left alone for now because they failed again and again."""
        return sorted(host for host, one in self._circuits.items() if one.opened_at is not None)

    async def _answer(self, request: Request) -> Reply | Unavailable:
        spec = self._specs.get(request.source)
        if spec is None:
            return Unavailable(f"No source is named `{request.source}`.")
        if spec.needs_key and spec.name not in self._secrets.keys:
            return Unavailable(f"{spec.title} answers only with a key: set {spec.key_variable}.")
        host = f"{spec.name}@{_host(request.url)}"
        circuit = self._circuits.setdefault(host, Circuit())
        failed = _Sent(reason="It was not asked.")
        for attempt in range(self._settings.attempts):
            if not circuit.allows(self._clock.now()):
                return Unavailable(f"{spec.title} is left alone after repeated failures.")
            sent = await self._turn(request, spec, host)
            if isinstance(sent, Unavailable):
                circuit.given_up()
                return sent if attempt == 0 else Unavailable(failed.reason)
            if sent.reply is not None:
                circuit.succeeded()
                return sent.reply
            failed = sent
            self.traffic[host].failures += 1
            self._note(circuit, sent)
            if not sent.passing or not await self._pause(sent, attempt):
                break
        return Unavailable(self._secrets.hide(failed.reason))

    def _note(self, circuit: Circuit, sent: _Sent) -> None:
        """Count a failure against the host; a refusal of this one request is none."""
        if sent.passing and not sent.complained:
            circuit.failed(self._clock.now(), _UNREACHED if sent.unreached else 1)
        else:
            circuit.given_up()

    async def _pause(self, sent: _Sent, attempt: int) -> bool:
        """Wait before the next attempt; False if that would take too long."""
        wait_s = sent.again_in_s
        if wait_s is None:
            longest = self._settings.backoff_s * 2**attempt
            wait_s = longest / 2 + self._clock.dice.random() * longest / 2
        if attempt + 1 >= self._settings.attempts:
            return False
        if self._clock.now() + wait_s > self._end(self._settings.patience_s):
            return False
        await self._clock.sleep(wait_s)
        return True

    def _end(self, most_s: float) -> float:
        """Return when something that begins now must be over: in time, or with the run."""
        budget_s, until = self._settings.budget_s, self._clock.now() + most_s
        return until if budget_s is None else min(until, self._began + budget_s)

    async def _turn(self, request: Request, spec: SourceSpec, host: str) -> _Sent | Unavailable:
        """Wait for a turn and a connection, and send."""
        self._client()  # opened before the turn begins, for that takes a while
        rate = self._rate(spec, request)
        queue = self._queues.setdefault(host, asyncio.Semaphore(rate.connections))
        began = self._clock.now()
        async with queue:
            connection = await self._free(spec, host, rate, self._end(self._settings.queue_s))
            if isinstance(connection, Unavailable):
                return connection
            self.requests += 1
            counted = self.traffic.setdefault(host, Traffic())
            counted.requests += 1
            counted.waited_s += self._clock.now() - began
            try:
                until = self._end(self._settings.patience_s)
                return await self._within(self._send(request, spec, host), until)
            finally:
                connection.release()

    async def _free(
        self, spec: SourceSpec, host: str, rate: Rate, until: float
    ) -> Connection | Unavailable:
        """Wait until there is a free connection and a turn at the same time; take both."""
        most = self._settings.max_requests
        while True:
            if most is not None and self.requests >= most:
                return Unavailable(f"The run's {most} requests are used up.")
            if not self._circuits[host].is_closed_or_tried():
                return Unavailable(f"{spec.title} is left alone after repeated failures.")
            wait_s = _POLL_S
            connection = self._limits.connection(host, rate)
            if connection is not None:
                wait_s = self._limits.take(host, rate, self._clock.shared())
                if wait_s == 0.0 and self._clock.now() < until:
                    return connection
                connection.release()
            if self._clock.now() + wait_s >= until:
                return Unavailable(f"The time was up before {spec.title} could be asked politely.")
            await self._clock.sleep(wait_s)

    def _rate(self, spec: SourceSpec, request: Request) -> Rate:  # noqa: ARG002 - by way, later
        """Return what a host allows us, with the key and contact that we have."""
        if spec.keyed_rate is not None and spec.name in self._secrets.keys:
            return spec.keyed_rate
        if spec.contact_rate is not None and self._secrets.contact:
            return spec.contact_rate
        return spec.rate

    async def _within(self, sending: Awaitable[_Sent], until: float) -> _Sent:
        """Give a request up when its time is over."""
        left_s = max(0.1, until - self._clock.now())
        try:
            async with asyncio.timeout(left_s):
                return await sending
        except TimeoutError:
            return _Sent(reason=f"It did not answer within {left_s:.0f} s.")

    async def _send(self, request: Request, spec: SourceSpec, host: str) -> _Sent:
        """Send once, and follow redirections within the service."""
        url, seen = request.url, {request.url}
        for _ in range(self._settings.redirects + 1):
            sent = await self._once(request, spec, url)
            if isinstance(sent, str):
                target = urljoin(url, sent)
                if target in seen or not _may_follow(url, target, spec):
                    return _Sent(reason=f"It redirects to {_host(target) or 'nowhere'}.")
                seen.add(target)
                url = target
                continue
            if sent.refused and spec.name in self._secrets.keys and not spec.needs_key:
                self._secrets = self._secrets.without(spec.name)
                self.dropped_keys.append(spec.name)
                continue  # a dead key is worse than none
            if sent.complained:
                pause_s = sent.again_in_s or self._settings.backoff_s
                self._limits.complain(host, self._clock.shared(), pause_s)
            elif sent.reply is not None:
                self._limits.praise(host, self._clock.shared())
            return sent
        return _Sent(reason="It redirects again and again.")

    async def _once(self, request: Request, spec: SourceSpec, url: str) -> _Sent | str:
        """Send to one address; a string is the place that it redirects to."""
        params: tuple[tuple[str, str], ...] | None = None
        if url == request.url:
            params = (*request.params, *self._secrets.params(spec))
        headers = {
            "Accept": request.accept,
            "Accept-Encoding": "gzip",
            "User-Agent": self._agent(),
            **self._secrets.headers(spec),
        }
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        try:
            async with self._client().stream(
                "GET" if request.body is None else "POST",
                url,
                params=params,
                headers=headers,
                content=request.body,
            ) as response:
                if response.is_redirect:
                    return str(response.headers.get("location", ""))
                return await self._read(response, request)
        except httpx.HTTPError as error:
            return _failed(error)
        except httpx.StreamError:
            return _Sent(reason="Its body could not be read.")
        except (httpx.InvalidURL, UnicodeError) as error:
            return _Sent(reason=f"Its address cannot be used ({error}).")

    async def _read(self, response: httpx.Response, request: Request) -> _Sent:
        """Judge a response by its status, and read its body."""
        refused = self._refused(response)
        if refused is not None:
            return refused
        body = await _body(response, self._settings.largest)
        if isinstance(body, str):
            return _Sent(reason=body)
        kind = response.headers.get("content-type", "")
        if _is_page(kind, body, request.accept):
            return _Sent(reason=f"It sent a web page (status {response.status_code}), no data.")
        shown = self._secrets.hide_bytes(body)
        return _Sent(Reply(response.status_code, shown, kind, request.url))

    def _refused(self, response: httpx.Response) -> _Sent | None:
        """Return why a response is no answer, None where it is one."""
        status = response.status_code
        wait_s = retry_after_s(response.headers.get("retry-after"), self._clock.shared())
        if status == httpx.codes.TOO_MANY_REQUESTS:
            return _Sent(
                reason="It asks to be asked less (status 429).",
                passing=True,
                again_in_s=wait_s,
                complained=True,
            )
        if status in _REFUSALS:
            return _Sent(reason=f"It refuses to answer (status {status}).", refused=True)
        if status >= httpx.codes.INTERNAL_SERVER_ERROR:
            return _Sent(
                reason=f"It failed (status {status}).",
                passing=True,
                again_in_s=wait_s,
                complained=wait_s is not None,
            )
        return None

    def _agent(self) -> str:
        contact = self._secrets.contact
        return f"{AGENT} mailto:{contact}" if contact else AGENT

    def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            waits = httpx.Timeout(self._settings.read_s, connect=self._settings.connect_s)
            no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
            self._http = httpx.AsyncClient(
                http2=True, timeout=waits, transport=self._transport, cookies=no_cookies
            )
        return self._http


_POLL_S = 0.05
_UNREACHED = 2
"""How much heavier than a bad answer it weighs that a host could not be reached at all."""
_REFUSALS = frozenset({401, 403, 407, 451})
_CHUNK = 2**16


def digest(request: Request) -> str:
    """Return the identity of a request: everything that it asks, without keys and contact."""
    parts = (request.source, request.url, repr(request.params), request.body or b"")
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        hashed.update(len(data).to_bytes(8) + data)
    return hashed.hexdigest()


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


async def _body(response: httpx.Response, largest: int) -> bytes | str:
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


def _failed(error: httpx.HTTPError) -> _Sent:
    """Say what a failure of the network is, without the address: it may hold a key."""
    match error:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            reason = "No connection could be made in time."
        case httpx.TimeoutException():
            reason = "It stopped answering."
        case httpx.ConnectError():
            reason = "No connection could be made."
        case httpx.RemoteProtocolError() | httpx.ReadError():
            reason = "The connection broke off."
        case _:
            reason = f"The connection failed ({type(error).__name__})."
    unreached = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
    return _Sent(reason=reason, passing=True, unreached=unreached)


def _is_page(content_type: str, body: bytes, accept: str) -> bool:
    """Whether a body is a web page in place of data: a bot wall, or a portal's log-in."""
    if "html" in accept:
        return False
    start = body[:512].lstrip().lower()
    return "text/html" in content_type.lower() or start.startswith((b"<!doctype html", b"<html"))


def _host(url: str) -> str:
    """Return the host of an address, with the port where one is given."""
    try:
        return urlsplit(url).netloc.lower().rpartition("@")[2]
    except ValueError:
        return ""


def _may_follow(url: str, target: str, spec: SourceSpec) -> bool:
    """Whether a redirection stays within the service, and does not fall back to plain HTTP."""
    homes = {_host(base) for base in (spec.base, *spec.more_bases)}
    scheme = urlsplit(target).scheme
    return _host(target) in homes and scheme in {"https", urlsplit(url).scheme}
