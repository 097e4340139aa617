"""What becomes of a good answer when something goes wrong?"""

import gzip
import json
from collections.abc import Callable
from email.utils import formatdate
from functools import cache
from typing import Any

from msgspec.structs import replace

from tests.fakeworld.knobs import Fault
from tests.fakeworld.wire import HTML, Answer, Call, as_json, as_text

WAIT_S = 2
"""What `Retry-After` says, in seconds."""
BOMB_BYTES = 256 << 20
_MEMBER = 8 << 20
SLOW_PARTS = 20
SLOW_PAUSE_S = 30.0
MOVED = "/~moved"
"""Where a service is found after it has moved; nothing goes wrong there."""
PAGE = (
    "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head>"
    "<body>Checking your browser before you go on.</body></html>\n"
)

Spoil = Callable[[Answer, Call, float], Answer]


def spoilt(fault: Fault, good: Answer, call: Call, now: float) -> Answer:
    """Return what is sent in place of a good answer.

    Args:
        fault: what goes wrong.
        good: what would have been sent.
        call: the request.
        now: the service's time in seconds since 1970.
    """
    return _SPOIL[fault](good, call, now)


def too_many(wait: str | None = None) -> Answer:
    """Return the answer to too many requests; `wait` is the value of `Retry-After`."""
    answer = as_json({"message": "Too Many Requests", "code": "429"}, 429)
    return answer if wait is None else replace(answer, headers=(("Retry-After", wait),))


def _busy() -> Answer:
    answer = as_text("Service Unavailable", 503)
    return replace(answer, headers=(("Retry-After", str(WAIT_S)),))


def _page(status: int) -> Answer:
    return as_text(PAGE, status, HTML)


def _redirect(where: str) -> Answer:
    return Answer(302, b"", "text/plain", (("Location", where),))


def _half(body: bytes) -> bytes:
    return body[: max(1, len(body) // 2)]


def _mixed(body: bytes) -> bytes:
    middle = len(body) // 2
    return body[:middle] + b'}{"]<' + body[middle:]


def _drifted(body: bytes) -> bytes:
    """Change the type of every value; XML gets other names."""
    try:
        return json.dumps(_other_type(json.loads(body))).encode()
    except ValueError:
        return body.replace(b"title", b"headline").replace(b"<id>", b"<key>")


def _other_type(value: Any) -> Any:
    match value:
        case dict():
            return {name: _other_type(one) for name, one in value.items()}
        case list():
            return {str(place): _other_type(one) for place, one in enumerate(value)}
        case str():
            return [value]
        case None:
            return 0
        case _:
            return {"value": value}


@cache
def _bomb() -> bytes:
    """Return a small body that unpacks to `BOMB_BYTES` of blanks, in many members."""
    return gzip.compress(b" " * _MEMBER, compresslevel=9) * (BOMB_BYTES // _MEMBER)


def _moved(_: Answer, call: Call, __: float) -> Answer:
    query = f"?{call.query}" if call.query else ""
    return _redirect(f"/{call.service}{MOVED}{call.path}{query}")


def _loop(_: Answer, call: Call, __: float) -> Answer:
    query = f"?{call.query}" if call.query else ""
    return _redirect(f"/{call.service}{call.path}{query}")


def _always(answer: Answer) -> Spoil:
    return lambda _, __, ___: answer


_ERROR = as_json({"error": "An internal error has happened.", "status": "error"})

_SPOIL: dict[Fault, Spoil] = {
    Fault.TOO_MANY: _always(too_many()),
    Fault.TOO_MANY_WAIT: _always(too_many(str(WAIT_S))),
    Fault.TOO_MANY_DATE: lambda _, __, now: too_many(formatdate(now + WAIT_S, usegmt=True)),
    Fault.SERVER_ERROR: _always(as_text("Internal Server Error", 500)),
    Fault.BAD_GATEWAY: _always(_page(502)),
    Fault.BUSY: _always(_busy()),
    Fault.FORBIDDEN: _always(_page(403)),
    Fault.UNAUTHORISED: _always(as_json({"error": "Unauthorized"}, 401)),
    Fault.BOT_200: _always(_page(200)),
    Fault.BOT_202: _always(_page(202)),
    Fault.ERROR_200: _always(_ERROR),
    Fault.EMPTY: lambda good, _, __: replace(good, status=200, body=b""),
    Fault.HOLDS_NOTHING: lambda good, _, __: good,
    Fault.CLOSED: lambda good, _, __: replace(good, closed=True),
    Fault.RESET: lambda good, _, __: replace(
        good, body=_half(good.body), length=len(good.body) + 1, cut=True
    ),
    Fault.SLOW: lambda good, _, __: replace(good, parts=SLOW_PARTS, pause_s=SLOW_PAUSE_S),
    Fault.CUT: lambda good, _, __: replace(good, body=_half(good.body)),
    Fault.MALFORMED: lambda good, _, __: replace(good, body=_mixed(good.body)),
    Fault.DRIFT: lambda good, _, __: replace(good, body=_drifted(good.body)),
    Fault.CHARSET: lambda good, _, __: replace(
        good, body=good.body.decode(errors="replace").encode("utf-16")
    ),
    Fault.BOMB: lambda good, _, __: replace(
        good, status=200, body=_bomb(), headers=(("Content-Encoding", "gzip"),)
    ),
    Fault.ELSEWHERE: _always(_redirect("https://elsewhere.example/")),
    Fault.PRIVATE: _always(_redirect("http://10.0.0.1/")),
    Fault.PLAIN: _always(_redirect("http://services.example/")),
    Fault.LOOP: _loop,
    Fault.MOVED: _moved,
}
"""What each fault does; `HOLDS_NOTHING` is the answer of a service without records."""
