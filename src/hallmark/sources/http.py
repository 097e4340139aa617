"""How does one request reach its service, politely, and what comes back?

The one client of all live sources. It waits for its turn and a free connection, sends, reads at
most a bounded body, tries again what may pass, and turns every failure into `Unavailable` in one
place. The same request is not sent twice in a run. Clock, sleep, dice and transport are handed in.
"""

import asyncio
from collections.abc import Awaitable, Iterable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urljoin

import httpx
from msgspec import Struct

from hallmark._waiting import Clock, clock_of, retry_after_s
from hallmark.errors import SourceProblem
from hallmark.records.answer import Unavailable
from hallmark.sources.body import is_page, read_body
from hallmark.sources.broken import reason_of
from hallmark.sources.circuit import Circuit
from hallmark.sources.interface import Rate, Reply, Request, SourceSpec
from hallmark.sources.limits import Connection, Limits
from hallmark.sources.memo import Memo, digest
from hallmark.sources.patience import Settings
from hallmark.sources.redirect import host_of, may_follow
from hallmark.sources.secrets import Secrets
from hallmark.sources.told import allowed_rate
from hallmark.sources.turns import POLL_S, Gate, Turn, Unsent

LONGEST_PAUSE_S = 300.0
"""Seconds of a pause that a service asks for which a run waits; a longer one is no answer."""
AGENT = "hallmark/0.1 (checks citations; https://pypi.org/project/hallmark)"


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
    unsent: bool = False


class Client:
    """Sends the requests of all sources; `ask` is what sources are handed.

    Args:
        specs: what is known of the sources that may ask.
        limits: the turns of all hosts.
        secrets: keys and contact address.
        settings: how patient and how large the run may be.
        clock: time, sleep and dice.
        transport: in place of the network, for tests; it tells of the headers that it sends
            (`turns.Announcing` does).
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
        self._under_way: dict[str, asyncio.Task[Reply | Unavailable]] = {}
        self._memo = Memo()
        self._circuits: dict[str, Circuit] = {}
        self._queues: dict[str, asyncio.Semaphore] = {}
        self._gates: dict[str, Gate] = {}
        self._allowed: dict[str, Rate] = {}
        self._began = self._clock.now()
        self.traffic: dict[str, Traffic] = {}
        self.requests = 0
        self.dropped_keys: list[str] = []

    async def ask(self, request: Request) -> Reply | Unavailable:
        """Send one request, or wait for the same one that is under way; never raises."""
        key = digest(request)
        known = self._memo.get(key)
        if known is not None:
            return known
        if key not in self._under_way:
            self._under_way[key] = asyncio.ensure_future(self._remembered(key, request))
        return await asyncio.shield(self._under_way[key])

    async def _remembered(self, key: str, request: Request) -> Reply | Unavailable:
        """Send one request, and remember what came of it."""
        try:
            reply = await self._answer(request)
        finally:
            del self._under_way[key]
        self._memo.put(key, reply)
        return reply

    async def aclose(self) -> None:
        """Close all connections; what is under way is given up."""
        under_way = list(self._under_way.values())
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
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
        host = f"{spec.name}@{host_of(request.url)}"
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
        if not sent.passing:
            circuit.given_up()
            return
        weight = _UNREACHED if sent.unreached else _COMPLAINED if sent.complained else 1.0
        circuit.failed(self._clock.now(), weight)

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
        """Send when a turn comes; without limits that can be kept, not at all."""
        try:
            return await self._in_turn(request, spec, host)
        except SourceProblem as error:
            return Unavailable(str(error))

    async def _in_turn(self, request: Request, spec: SourceSpec, host: str) -> _Sent | Unavailable:
        """Wait until a connection is free and a turn near, and send."""
        rate = self._rate(spec, host)
        queue = self._queues.setdefault(host, asyncio.Semaphore(rate.connections))
        counted = self.traffic.setdefault(host, Traffic())
        began = self._clock.now()
        async with queue:
            connection = await self._free(spec, host, self._end(self._settings.queue_s))
            if isinstance(connection, Unavailable):
                return connection
            counted.waited_s += self._clock.now() - began
            try:
                until = self._end(self._settings.patience_s)
                sent = await self._within(self._send(request, spec, host), until)
            finally:
                connection.release()
        return Unavailable(sent.reason) if sent.unsent else sent

    async def _free(self, spec: SourceSpec, host: str, until: float) -> Connection | Unavailable:
        """Wait until a connection is free and a turn may be taken; take the connection."""
        while True:
            reason = self._over(spec, host)
            if reason:
                return Unavailable(reason)
            wait_s = self._limits.wait_s(host, self._clock.shared())
            if wait_s == 0.0 and self._clock.now() < until:
                connection = self._limits.connection(host, self._rate(spec, host))
                if connection is not None:
                    return connection
            if wait_s > LONGEST_PAUSE_S:
                return Unavailable(f"{spec.title} asks to be left alone for {wait_s:.0f} s.")
            wait_s = max(wait_s, POLL_S)
            if self._clock.now() + wait_s >= until:
                return Unavailable(f"The time was up before {spec.title} could be asked politely.")
            await self._clock.sleep(wait_s)

    def _over(self, spec: SourceSpec, host: str) -> str:
        """Return why nothing more may be sent to a host, "" where something may."""
        most = self._settings.max_requests
        if most is not None and self.requests >= most:
            return f"The run's {most} requests are used up."
        if not self._circuits[host].is_closed_or_tried():
            return f"{spec.title} is left alone after repeated failures."
        return ""

    def _leaving(self, spec: SourceSpec, host: str) -> None:
        """Count a request that goes out now; raises Unsent if it may not after all."""
        reason = self._over(spec, host)
        if reason:
            raise Unsent(reason)
        self.requests += 1
        self.traffic[host].requests += 1

    def _rate(self, spec: SourceSpec, host: str) -> Rate:
        """Return what a host allows us, with the key and contact that we have, and as it says."""
        if host in self._allowed:
            return self._allowed[host]
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
            sent = await self._once(request, spec, url, host)
            if isinstance(sent, str):
                url = urljoin(url, sent)
                if url in seen or not may_follow(request.url, url, spec):
                    return _Sent(reason=f"It redirects to {host_of(url) or 'nowhere'}.")
                seen.add(url)
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

    async def _once(self, request: Request, spec: SourceSpec, url: str, host: str) -> _Sent | str:
        """Send to one address when it is its turn; a string is the place that it redirects to."""
        turn = self._own_turn(spec, host)
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
                extensions={"trace": turn.trace},
            ) as response:
                if not turn.taken:
                    raise RuntimeError("the transport did not tell when it sent the headers")
                self._heed(response, spec, host)
                if response.is_redirect:
                    return str(response.headers.get("location", ""))
                return await self._read(response, request)
        except Unsent as error:
            return _Sent(reason=str(error), unsent=True)
        except httpx.HTTPError as error:
            return _failed(error)
        except httpx.StreamError:
            return _Sent(reason="Its body could not be read.")
        except (httpx.InvalidURL, UnicodeError) as error:
            return _Sent(reason=f"Its address cannot be used ({error}).")
        finally:
            turn.end()

    def _own_turn(self, spec: SourceSpec, host: str) -> Turn:
        """Return the turn of a request, which it takes when it leaves."""
        gate = self._gates.setdefault(host, Gate(self._limits, host, self._clock))
        return Turn(gate, self._rate(spec, host), lambda: self._leaving(spec, host))

    def _heed(self, response: httpx.Response, spec: SourceSpec, host: str) -> None:
        """Ask a host less often from now on, if it says that it allows less than we know."""
        known = self._rate(spec, host)
        told = allowed_rate(response.headers, known)
        if told is not known:
            self._allowed[host] = told

    async def _read(self, response: httpx.Response, request: Request) -> _Sent:
        """Judge a response by its status, and read its body."""
        refused = self._refused(response)
        if refused is not None:
            return refused
        body = await read_body(response, self._settings.largest)
        if isinstance(body, str):
            return _Sent(reason=body)
        kind = response.headers.get("content-type", "")
        if is_page(kind, body, request.accept):
            return _Sent(reason=f"It sent a web page (status {response.status_code}), no data.")
        shown = self._secrets.hide_bytes(body)
        return _Sent(Reply(response.status_code, shown, kind, request.url))

    def _refused(self, response: httpx.Response) -> _Sent | None:
        """Return why a response is no answer, None where it is one."""
        status = response.status_code
        now = clock_of(response.headers, self._clock.shared())
        wait_s = retry_after_s(response.headers.get("retry-after"), now)
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


_UNREACHED = 2.0
"""How much heavier than a bad answer it weighs that a host could not be reached at all."""
_COMPLAINED = 0.2
"""How much a complaint weighs: it is heeded first, but nothing else for long is no service."""
_REFUSALS = frozenset({401, 403, 407, 451})


def _failed(error: httpx.HTTPError) -> _Sent:
    unreached = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
    return _Sent(reason=reason_of(error), passing=True, unreached=unreached)
