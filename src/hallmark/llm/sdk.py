"""How is a vendor's SDK kept to its end-point, to bounded bodies and to the headers it needs?

The SDKs bring their HTTP client; this makes the one that they are given. It follows no redirection
(that would carry the key elsewhere), reads no packed body (a small one may unpack to gigabytes) and
sends no header that the environment adds for another end-point. What an SDK raises is translated
here, for both.
"""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Iterable
from functools import cache
from typing import Any, NamedTuple

import httpx2
from msgspec import structs

from hallmark._hiding import hide
from hallmark._waiting import Clock
from hallmark.llm.attempt import (
    LARGEST,
    Attempt,
    Secrets,
    malformed,
    refused,
    too_slow,
    unconnected,
)
from hallmark.llm.interface import Failure, ModelSpec, Reply, Request

_CONNECT_S = 15.0
_DEEPEST = 64
"""Levels of nesting in a turn that goes back: an argument of a tool has three or four."""
_SENT = frozenset(
    {
        "accept",
        "anthropic-version",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-api-key",
        "x-stainless-raw-response",  # the SDKs look for it to know what to return
    }
)
_VENDORS = frozenset({"openai-organization", "openai-project"})


_USUAL_TOKENS = 4800
"""Tokens for which `timeout_s` is meant: slow services of large models write 40 in a second."""


class Unread(Exception):
    """A body that is not read, and why."""


class Errors(NamedTuple):
    """The exceptions of one SDK."""

    status: type[Exception]
    timeout: type[Exception]
    connection: type[Exception]
    base: type[Exception]


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error where it is too large."""

    def __init__(self, stream: httpx2.AsyncByteStream, largest: int) -> None:
        self._stream = stream
        self._largest = largest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > self._largest:
                raise Unread(f"It sent more than {self._largest // 2**20} MB.")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def patient(spec: ModelSpec, request: Request) -> ModelSpec:
    """Return a model as it is waited for: a reply that may be long is given the time it takes.

    A reply that is given up is on the bill all the same, and is asked for again.
    """
    tokens = request.max_tokens or spec.max_tokens
    return structs.replace(spec, timeout_s=spec.timeout_s * max(1.0, tokens / _USUAL_TOKENS))


def http_client(spec: ModelSpec, key: str, *, largest: int = LARGEST) -> httpx2.AsyncClient:
    """Return the HTTP client of one request: nothing of it outlives the event loop of a run."""

    async def trimmed(request: httpx2.Request) -> None:
        for name in list(request.headers):
            allowed = name in _SENT or (name in _VENDORS and not spec.base_url)
            if not allowed or (not key and name in {"authorization", "x-api-key"}):
                del request.headers[name]
        request.headers["accept-encoding"] = "identity"

    async def bounded(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            raise Unread("It sent a packed body, which was not asked for.")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, largest)

    waits = httpx2.Timeout(spec.timeout_s, connect=min(_CONNECT_S, spec.timeout_s))
    return httpx2.AsyncClient(
        verify=_certificates(),
        timeout=waits,
        follow_redirects=False,
        event_hooks={"request": [trimmed], "response": [bounded]},
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Return what connections are checked by; reading it takes a tenth of a second."""
    return httpx2.create_ssl_context()


def arguments(body: dict[str, Any], *known: str) -> dict[str, Any]:
    """Return the arguments of an SDK's call for a body.

    Only what it cannot do without goes under its own name: the SDKs drop parameters that the newest
    models do not take (temperature, for one), while older models and other servers still do.
    """
    rest = {name: value for name, value in body.items() if name not in known}
    return {name: body[name] for name in known} | {"extra_body": rest}


async def guarded(
    spec: ModelSpec, secrets: Secrets, errors: Errors, clock: Clock, asking: Awaitable[Attempt]
) -> Attempt:
    """Return what comes of asking, whatever the SDK raises, and how long it took.

    Args:
        spec: who is asked.
        secrets: what the words of the service may repeat, but we may not.
        errors: what the SDK raises.
        clock: measures the time.
        asking: the request on its way.

    Raises:
        ModelStopped: no further question would be answered.
    """
    began = clock.now()
    attempt = await _translated(spec, secrets, errors, clock, asking)
    outcome = structs.replace(_without(secrets, attempt.outcome), seconds=clock.now() - began)
    return structs.replace(attempt, outcome=outcome)


def _without(secrets: Secrets, outcome: Reply | Failure) -> Reply | Failure:
    """Return an outcome without the key, which an end-point may spell in escapes of JSON."""
    if isinstance(outcome, Failure):
        return outcome
    key = (secrets.key,)
    calls = tuple(
        structs.replace(call, name=hide(call.name, key), arguments=hide(call.arguments, key))
        for call in outcome.calls
    )
    return structs.replace(
        outcome,
        text=hide(outcome.text, key),
        calls=calls,
        model=hide(outcome.model, key),
        opaque=outcome.opaque if _may_go_back(outcome.opaque, key) else "",
    )


def _may_go_back(opaque: str, key: tuple[str, ...]) -> bool:
    """Whether a turn holds no key, and is not nested so deeply that writing it would fail."""
    try:
        turn = json.loads(opaque or "null")
    except RecursionError:
        return False
    level = [turn]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            spelled = json.dumps(turn, ensure_ascii=False)
            return hide(spelled, key) == spelled
    return False


def _inside(value: object) -> Iterable[object]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()


async def _translated(
    spec: ModelSpec, secrets: Secrets, errors: Errors, clock: Clock, asking: Awaitable[Attempt]
) -> Attempt:
    try:
        async with asyncio.timeout(spec.timeout_s):
            return await asking
    except Unread as error:
        return malformed(str(error))
    except (TimeoutError, errors.timeout, httpx2.TimeoutException) as error:
        return too_slow(spec) if _may_have_left(error) else _no_connection(spec, error)
    except errors.status as error:
        return _of_status(spec, secrets, error, clock.shared())
    except (errors.connection, httpx2.HTTPError, OSError) as error:
        cause = error.__cause__ or error  # the SDKs wrap what our client raises
        if isinstance(cause, Unread):
            return malformed(str(cause))
        return _no_connection(spec, cause)
    except (errors.base, httpx2.InvalidURL, httpx2.StreamError) as error:
        return malformed(f"Its reply could not be understood ({type(error).__name__}).")


def _may_have_left(error: BaseException) -> bool:
    """Whether a request can have been worked on: there was a connection."""
    never = (httpx2.ConnectError, httpx2.ConnectTimeout)
    return not isinstance(error, never) and not isinstance(error.__cause__, never)


def _no_connection(spec: ModelSpec, error: BaseException) -> Attempt:
    cause = error.__cause__ if isinstance(error.__cause__, httpx2.HTTPError) else error
    sent = _may_have_left(error)
    return unconnected(type(cause).__name__, spec.base_url, sent=sent)


def _of_status(spec: ModelSpec, secrets: Secrets, error: Exception, now: float) -> Attempt:
    response = getattr(error, "response", None)
    if not isinstance(response, httpx2.Response):
        return malformed("It answered with a failure that could not be understood.")
    words = _words(getattr(error, "body", None)) or response.text
    return refused(spec, secrets, response.status_code, words, response.headers, now)


def _words(body: object) -> str:
    """Return what a service says about a failure: the message of its JSON, with the code."""
    if not isinstance(body, dict):
        return ""
    inner = body.get("error")
    told = inner if isinstance(inner, dict) else body
    if not isinstance(told.get("message"), str):
        return ""  # some keep what was wrong in an object of their own: then all of it is shown
    passed_on = told.get("metadata")  # what OpenRouter was told by whom it asked
    raw = passed_on.get("raw") if isinstance(passed_on, dict) else None
    message = told["message"]
    names = (told.get("code"), told.get("type"))
    new = dict.fromkeys(one for one in names if isinstance(one, str) and one not in message)
    named = f"[{', '.join(filter(None, new))}]" if any(new) else ""
    parts = (message.rstrip(". ") if named else message, named, raw)
    return " ".join(part for part in parts if isinstance(part, str) and part)
