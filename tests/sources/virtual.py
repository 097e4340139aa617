"""A clock that only moves when somebody waits, and a transport that answers from a script."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import httpx
from msgspec import structs

from hallmark._waiting import Clock
from hallmark.sources.http import Client
from hallmark.sources.interface import Rate, Request, SourceSpec
from hallmark.sources.limits import Limits
from hallmark.sources.patience import Settings
from hallmark.sources.secrets import Secrets
from hallmark.sources.turns import Announcing

START = 1_800_000_000.0
SPEC = SourceSpec(
    name="made",
    title="Made",
    base="https://api.made.example",
    rate=Rate(2.0),
    keyed_rate=Rate(10.0),
    key_variable="MADE_KEY",
    key_header="x-api-key",
    contact_param="mailto",
)
OTHER = structs.replace(SPEC, name="other", title="Other", base="https://other.example")

Handler = Callable[[httpx.Request], httpx.Response]


class Virtual:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.waits.append(seconds)
        self.passed += seconds

    def clock(self) -> Clock:
        """Return the clock of a client."""
        return Clock(
            now=lambda: self.passed,
            shared=lambda: START + self.passed,
            sleep=self.sleep,
            dice=random.Random(1),
        )


class Script:
    """Answers requests one after the other, the last answer again and again; keeps them all."""

    def __init__(self, *answers: Exception | Handler) -> None:
        self._answers: Sequence[Exception | Handler] = answers
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer."""
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer(request)


def client(
    script: Handler,
    folder: Path,
    *,
    virtual: Virtual | None = None,
    secrets: Secrets | None = None,
    settings: Settings | None = None,
) -> Client:
    """Return a client whose network is a script."""
    return Client(
        [SPEC, OTHER],
        Limits(folder),
        secrets=secrets,
        settings=settings,
        clock=(virtual or Virtual()).clock(),
        transport=Announcing(httpx.MockTransport(script)),
    )


def request(path: str = "/works", **more: object) -> Request:
    """A request to the made service."""
    return structs.replace(Request("made", f"{SPEC.base}{path}"), **more)


class Body(httpx.AsyncByteStream):
    """A body that is sent as it is."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body in pieces."""
        for start in range(0, len(self._data), 1000):
            yield self._data[start : start + 1000]


def reply(status: int, body: bytes, **headers: str) -> Handler:
    """Answer with this, as often as it is asked for; "_" in names of headers stands for "-"."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: httpx.Response(status, headers=named, stream=Body(body))


def json_reply(text: str = '{"ok": true}', status: int = 200, **headers: str) -> Handler:
    """Answer with JSON."""
    return reply(status, text.encode(), content_type="application/json", **headers)


def moved(place: str) -> Handler:
    """Redirect."""
    return reply(302, b"", location=place)
