"""A scripted server on loopback that speaks the wire formats of OpenAI and of Anthropic.

    with Server([Say('{"label": "VALID"}'), Refuse(429, retry_after="1")]) as server:
        environ = {"HALLMARK_LLM_AT": server.url, "OPENAI_API_KEY": "sk-test"}

Each request takes the next line of the script (or what a function of the request returns). The
server remembers what it saw in `requests`.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_STOPS_OF_OPENAI = {
    "end": "stop",
    "length": "length",
    "filter": "content_filter",
    "tools": "tool_calls",
}
_STOPS_OF_ANTHROPIC = {
    "end": "end_turn", "length": "max_tokens", "refusal": "refusal", "tools": "tool_use",
    "filter": "refusal",
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """A request: where it went, its headers in lower case, and its body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All that was said in the conversation, as JSON."""
        return json.dumps(self.body.get("messages"), ensure_ascii=False)


@dataclass(frozen=True)
class Say:
    """A reply: `stop` is end, length, filter, refusal or tools; `thinking` comes before the text."""

    text: str = ""
    stop: str = "end"
    calls: tuple[tuple[str, str], ...] = ()
    thinking: str = ""
    tokens: tuple[int, int] = (100, 20)
    cached: int = 0
    reasoning: int = 0
    model: str = ""


@dataclass(frozen=True)
class Refuse:
    """A failure with a status."""

    status: int
    message: str = "no"
    code: str = ""
    retry_after: str = ""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bytes:
    """Any response at all."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Endless:
    """A body that goes on for so many megabytes."""

    megabytes: int = 1024


@dataclass(frozen=True)
class Reset:
    """The connection is torn down, before the reply or, `late`, in the middle of it."""

    late: bool = False


@dataclass(frozen=True)
class Slow:
    """A reply that begins after some seconds."""

    seconds: float
    then: "Say" = field(default_factory=Say)


Line = Say | Refuse | Bytes | Endless | Reset | Slow
Script = Iterable[Line] | Callable[[Seen], Line]


class Server:
    """The server; use it in a `with` statement."""

    def __init__(self, script: Script) -> None:
        self._lines = script if callable(script) else iter(list(script))
        self._lock = threading.Lock()
        self.requests: list[Seen] = []
        self.under_way = 0
        self.most_at_once = 0
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def next_line(self, seen: Seen) -> Line:
        with self._lock:
            self.requests.append(seen)
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
            if callable(self._lines):
                return self._lines(seen)
            return next(self._lines, Refuse(400, "the script is over"))

    def done(self) -> None:
        with self._lock:
            self.under_way -= 1


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    owner: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone away is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Be silent."""

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(size) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.path, headers, body)
        line = self.server.owner.next_line(seen)
        try:
            self._answer(line, seen)
        finally:
            self.server.owner.done()

    def _answer(self, line: Line, seen: Seen) -> None:
        match line:
            case Slow(seconds=seconds, then=then):
                time.sleep(seconds)
                self._answer(then, seen)
            case Say() if seen.body.get("stream"):
                self._send(200, _events(line, seen.body), "text/event-stream")
            case Say() if "messages" in seen.path:
                self._send(200, json.dumps(message(line, seen.body)).encode())
            case Say():
                self._send(200, json.dumps(completion(line, seen.body)).encode())
            case Refuse():
                told = {"message": line.message, "type": "error", "code": line.code or None}
                after = {"Retry-After": line.retry_after} if line.retry_after else {}
                body = json.dumps({"type": "error", "error": told}).encode()
                self._send(line.status, body, headers={**after, **line.headers})
            case Bytes():
                self._send(line.status, line.body, line.content_type, line.headers)
            case Endless():
                self._pour(line.megabytes)
            case Reset(late=late):
                self._reset(late)

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _pour(self, megabytes: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        for _ in range(megabytes):
            self.wfile.write(b" " * 2**20)
        self.close_connection = True

    def _reset(self, late: bool) -> None:
        if late:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.wfile.flush()
            time.sleep(0.05)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def completion(line: Say, asked: dict[str, Any]) -> dict[str, Any]:
    """A reply in OpenAI's format."""
    said: dict[str, Any] = {"role": "assistant", "content": line.text or None, "refusal": None}
    if line.stop == "refusal":
        said |= {"content": None, "refusal": line.text or "I cannot help with that."}
    if line.thinking:
        said["reasoning_content"] = line.thinking
    if line.calls:
        said["tool_calls"] = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": given}}
            for n, (name, given) in enumerate(line.calls)
        ]
    stop = "tools" if line.calls and line.stop == "end" else line.stop
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1,
        "model": line.model or asked["model"],
        "choices": [
            {"index": 0, "message": said, "finish_reason": _STOPS_OF_OPENAI.get(stop, "stop")}
        ],
        "usage": {
            "prompt_tokens": line.tokens[0], "completion_tokens": line.tokens[1],
            "total_tokens": sum(line.tokens),
            "prompt_tokens_details": {"cached_tokens": line.cached},
            "completion_tokens_details": {"reasoning_tokens": line.reasoning},
        },
    }  # fmt: skip


def message(line: Say, asked: dict[str, Any]) -> dict[str, Any]:
    """A reply in Anthropic's format."""
    blocks: list[dict[str, Any]] = []
    if line.thinking:
        blocks.append({"type": "thinking", "thinking": line.thinking, "signature": "c2lnbmVk"})
    if line.text:
        blocks.append({"type": "text", "text": line.text})
    for number, (name, given) in enumerate(line.calls):
        arguments = json.loads(given)
        blocks.append(
            {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
        )
    stop = "tools" if line.calls and line.stop == "end" else line.stop
    return {
        "id": "msg_1", "type": "message", "role": "assistant",
        "model": line.model or asked["model"],
        "content": blocks, "stop_reason": _STOPS_OF_ANTHROPIC[stop], "stop_sequence": None,
        "usage": {
            "input_tokens": line.tokens[0] - line.cached, "output_tokens": line.tokens[1],
            "cache_read_input_tokens": line.cached, "cache_creation_input_tokens": 0,
            "output_tokens_details": {"thinking_tokens": line.reasoning},
        },
    }  # fmt: skip


def _events(line: Say, asked: dict[str, Any]) -> bytes:
    """A reply in Anthropic's format as a stream of events, each text in two pieces."""
    whole = message(line, asked)
    start = whole | {"content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(whole["content"]):
        empty, deltas = _pieces(block)
        events.append({"type": "content_block_start", "index": index, "content_block": empty})
        events += [{"type": "content_block_delta", "index": index, "delta": one} for one in deltas]
        events.append({"type": "content_block_stop", "index": index})
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": ending, "usage": whole["usage"]})
    events.append({"type": "message_stop"})
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    match block["type"]:
        case "thinking":
            signed = {"type": "signature_delta", "signature": block["signature"]}
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            return block | {"thinking": "", "signature": ""}, [thought, signed]
        case "tool_use":
            given = json.dumps(block["input"])
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": given}]
        case _:
            text = block["text"]
            half = len(text) // 2
            halves = (text[:half], text[half:])
            return block | {"text": ""}, [{"type": "text_delta", "text": one} for one in halves]
