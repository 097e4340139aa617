"""What came of asking a service once, and is it worth asking again?

Everything that a vendor's SDK can raise becomes an `Attempt` here, in one place, or `ModelStopped`
where no further question could fare better: the key is refused, the model is unknown, the account
is empty.
"""

from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from hallmark._hiding import hide
from hallmark._waiting import clock_of, retry_after_s
from hallmark.errors import ModelStopped
from hallmark.llm.interface import Failure, ModelSpec, Reply, Request, Stop, Trouble

LARGEST = 8 * 2**20
"""Bytes of a reply that are read at the most: 8,192 tokens of reasoning are about 50 kB."""
_SHOWN = 300
"""Characters of a service's own words that a message repeats."""
_PASSING = frozenset({408, 409, 429})
_UNPAID = frozenset({400, 401, 402, 403, 404, 413, 422, 429, 503, 529})
"""Statuses of refusals: nothing was worked on. After other failures a bill may still come."""
_SERVER_ERRORS = 500
_UNPAYABLE = (400, 403, 429)
_NO_MONEY = (
    "insufficient_quota", "billing_hard_limit", "billing_not_active", "billing_error",
    "credit balance is too low",
)  # fmt: skip
"""What services say of an empty account. Their ordinary rate limits speak of billing, too."""
_FLAGGED = ("flagged", "moderation")


class Attempt(Struct, frozen=True, kw_only=True):
    """What came of one attempt.

    Attributes:
        outcome: the reply, or why there is none.
        passing: whether asking again may help.
        wait_s: seconds that the service asks to wait before; None where it says nothing.
        billed: whether it may have to be paid for although there is no reply.
    """

    outcome: Reply | Failure
    passing: bool = False
    wait_s: float | None = None
    billed: bool = False


class Adapter(Protocol):
    """Asks one service once."""

    async def ask(self, request: Request) -> Attempt:
        """Ask once.

        Raises:
            ModelStopped: no further question would be answered.
        """
        ...


class Secrets:
    """The key of an end-point, "" for none; neither shown nor written anywhere."""

    __slots__ = ("key",)

    def __init__(self, key: str = "") -> None:
        self.key = key

    def __repr__(self) -> str:
        return "Secrets(...)"

    def shown(self, text: str) -> str:
        """Return words of a service as they may be shown: short, printable, without the key."""
        plain = " ".join(hide(text[: 16 * _SHOWN], (self.key,)).split())[:_SHOWN]
        return "".join(letter for letter in plain if letter.isprintable())


def too_slow(spec: ModelSpec) -> Attempt:
    """Return the attempt of a request that was given up."""
    detail = f"No reply within {spec.timeout_s:g} s."
    return Attempt(outcome=Failure(Trouble.TIMEOUT, detail), passing=True, billed=True)


def unconnected(reason: str = "", where: str = "", *, sent: bool = True) -> Attempt:
    """Return the attempt of a request whose connection failed, at the start or later.

    Args:
        reason: what the SDK calls it.
        where: the address, where it is not the vendor's own.
        sent: whether there was a connection, so that the request may have been worked on.
    """
    to = f" to {where}" if where else ""
    detail = f"The connection{to} failed ({reason})." if reason else f"The connection{to} failed."
    return Attempt(outcome=Failure(Trouble.CONNECTION, detail), passing=True, billed=sent)


def malformed(why: str) -> Attempt:
    """Return the attempt whose reply could not be understood."""
    return Attempt(outcome=Failure(Trouble.MALFORMED, why), billed=True)


def refused(
    spec: ModelSpec,
    secrets: Secrets,
    status: int,
    words: str,
    headers: Mapping[str, str],
    now: float,
) -> Attempt:
    """Return the attempt of a request that was answered with a status of failure.

    Args:
        spec: who was asked.
        secrets: what the words of the service may repeat, but we may not.
        status: the HTTP status.
        words: what the service says.
        headers: of the response.
        now: seconds since 1970, for a Retry-After that is a date where the service tells no time.

    Raises:
        ModelStopped: no further question would be answered.
    """
    said = secrets.shown(words)
    _stop_where_hopeless(spec, status, said, with_key=bool(secrets.key))
    if status == 403:  # noqa: PLR2004 - OpenRouter's way to say that the input was flagged
        return Attempt(outcome=Reply(text="", stop=Stop.FILTER, model=spec.id))
    trouble = (
        Trouble.RATE_LIMIT if status == 429  # noqa: PLR2004
        else Trouble.SERVER if status >= _SERVER_ERRORS or status in _PASSING
        else Trouble.REQUEST
    )  # fmt: skip
    return Attempt(
        outcome=Failure(trouble, _sentence(f"It answered with status {status}", said)),
        passing=status >= _SERVER_ERRORS or status in _PASSING,
        wait_s=_told_s(headers, now),
        billed=status not in _UNPAID,
    )


def _sentence(what: str, said: str) -> str:
    """Return one sentence, with a service's own words in it where it had any."""
    words = said.rstrip(".")
    return f"{what}: {words}." if words else f"{what}."


def _stop_where_hopeless(spec: ModelSpec, status: int, said: str, *, with_key: bool) -> None:
    lower = said.lower()
    again = "What was answered is kept; then run the same command again."
    key = spec.key or "the key"
    if status == 402 or (status in _UNPAYABLE and any(words in lower for words in _NO_MONEY)):  # noqa: PLR2004
        raise ModelStopped(
            f"The account of `{key}` cannot pay for {spec.name} (status {status}: {said}). "
            f"Put money on it. {again}"
        )
    if status == 401 or (status == 403 and not any(one in lower for one in _FLAGGED)):  # noqa: PLR2004
        refusal = f"refuses the key of `{key}`" if with_key else "answers only with a key"
        remedy = (
            f"Set the variable {key} to a key that may use this model." if spec.key
            else "Name the variable that holds a key as `key` in its row."
        )  # fmt: skip
        raise ModelStopped(
            f"The end-point of {spec.name} {refusal} (status {status}: {said}). {remedy} {again}"
        )
    if status == 404:  # noqa: PLR2004
        raise ModelStopped(
            f"There is no model `{spec.id}`{_at(spec)} (status 404: {said}). Name another model, "
            f"or correct its address.{_path_hint(spec)}"
        )


def _at(spec: ModelSpec) -> str:
    return f" at {spec.base_url}" if spec.base_url else ""


def _path_hint(spec: ModelSpec) -> str:
    """Return what is often missing in an address, "" where it is there."""
    if spec.provider != "openai" or not spec.base_url or urlsplit(spec.base_url).path.strip("/"):
        return ""
    return f" Most servers of this kind answer under /v1: try {spec.base_url.rstrip('/')}/v1."


def _told_s(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a service asks to wait, None where it says nothing.

    Besides Retry-After (RFC 9110) this reads the milliseconds and fractions of OpenAI's services.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value or "")
    return seconds if seconds is not None else retry_after_s(value, clock_of(headers, now))


def _number(text: str) -> float | None:
    plain = text.strip()
    if not plain.isascii() or not plain.replace(".", "", 1).isdigit():
        return None
    return float(plain[:12])
