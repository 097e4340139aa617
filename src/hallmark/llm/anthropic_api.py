"""How is a question asked in Anthropic's format (messages), and what does the reply say?

https://platform.claude.com/docs/en/api/messages
"""

from collections.abc import Callable, Iterable
from typing import Any

import anthropic
import msgspec
from msgspec import Raw, Struct

from hallmark._hiding import hide_bytes
from hallmark._waiting import Clock
from hallmark.llm import told
from hallmark.llm.attempt import Attempt, Secrets, malformed
from hallmark.llm.interface import (
    Assistant,
    Effort,
    Message,
    ModelSpec,
    Reply,
    Request,
    Stop,
    ToolCall,
    ToolResult,
    Usage,
    User,
)
from hallmark.llm.sdk import Errors, arguments, guarded, http_client, patient

HOME = "https://api.anthropic.com"
STREAMED = 16_000
"""Completion tokens above which a reply is streamed: idle connections are cut after minutes."""
_ERRORS = Errors(
    anthropic.APIStatusError,
    anthropic.APITimeoutError,
    anthropic.APIConnectionError,
    anthropic.AnthropicError,
)
_NO_MESSAGE = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the SDK raises where the events are not what they should be."""
_STOPS = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "tool_use": Stop.TOOLS,
    "refusal": Stop.REFUSAL,
}


class AnthropicAdapter:
    """Asks an end-point that speaks Anthropic's format; see `OpenAIAdapter` for the arguments."""

    def __init__(self, spec: ModelSpec, secrets: Secrets, base_url: str, clock: Clock) -> None:
        self._spec = spec
        self._secrets = secrets
        self._base_url = (base_url or HOME).removesuffix("/v1")
        self._clock = clock

    async def ask(self, request: Request) -> Attempt:
        """Ask once; see `attempt.Adapter`."""
        spec = patient(self._spec, request)
        asking = self._asked(spec, request)
        return await guarded(spec, self._secrets, _ERRORS, self._clock, asking)

    async def _asked(self, spec: ModelSpec, request: Request) -> Attempt:
        client = anthropic.AsyncAnthropic(
            api_key=self._secrets.key or "none",
            base_url=self._base_url,
            max_retries=0,
            timeout=spec.timeout_s,
            http_client=http_client(spec, self._secrets.key),
        )
        body = arguments(payload(spec, request), "model", "messages", "max_tokens")
        async with client:
            if body["max_tokens"] > STREAMED:
                came = await _streamed(client, body)
            else:
                create: Callable[..., Any] = client.messages.with_raw_response.create
                came = await (await create(**body)).read()
        if not came:
            return malformed("Its reply holds no message.")
        return read(self._secrets, hide_bytes(came, (self._secrets.key,)))


async def _streamed(client: anthropic.AsyncAnthropic, body: dict[str, Any]) -> bytes:
    """Return the message that a stream of events adds up to, b"" where it adds up to none.

    Some servers send the whole message at once although a stream was asked for.
    """
    async with client.messages.stream(**body) as stream:
        if "event-stream" not in stream.response.headers.get("content-type", ""):
            return await stream.response.aread()
        try:
            return (await stream.get_final_message()).to_json(indent=None).encode()
        except _NO_MESSAGE:
            return b""


def payload(spec: ModelSpec, request: Request) -> dict[str, Any]:
    """Return the body of a request."""
    effort = request.effort or spec.effort
    thinks = effort not in {None, "none"}
    body: dict[str, Any] = {
        "model": spec.id,
        "messages": _turns(request.messages),
        "max_tokens": request.max_tokens or spec.max_tokens,
    }
    if request.system:
        body["system"] = request.system
    if spec.temperature is not None and not thinks:
        body["temperature"] = spec.temperature
    if thinks:
        body["thinking"] = {"type": "adaptive"}
    output = _output(spec, request, effort if thinks else None)
    if output:
        body["output_config"] = output
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    elif used := _used(request.messages):
        body["tools"] = used
        body["tool_choice"] = {"type": "none"}
    return body


def _output(spec: ModelSpec, request: Request, effort: Effort | None) -> dict[str, Any]:
    """Return how the answer is to be: thought about how hard, and of which form."""
    output: dict[str, Any] = {}
    if effort is not None:
        output["effort"] = "low" if effort == "minimal" else effort
    if request.schema is not None and spec.structured == "schema":
        output["format"] = {"type": "json_schema", "schema": request.schema}
    return output


def _used(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return the tools that were called: a conversation with calls has to name them to the end."""
    names = dict.fromkeys(
        call.name for turn in messages if isinstance(turn, Assistant) for call in turn.calls
    )
    return [{"name": name, "input_schema": {"type": "object"}} for name in names]


def _turns(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return the turns of a conversation; what we say between two replies is one turn."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role, content = _turn(message)
        if turns and role == "user" and turns[-1]["role"] == "user":
            turns[-1]["content"] += content
        else:
            turns.append({"role": role, "content": content})
    return turns


def _turn(message: Message) -> tuple[str, list[dict[str, Any]]]:
    match message:
        case User(text=text):
            return "user", [{"type": "text", "text": text}]
        case ToolResult(call_id=call_id, text=text):
            return "user", [{"type": "tool_result", "tool_use_id": call_id, "content": text}]
        case Assistant(opaque=opaque) if opaque:
            return "assistant", msgspec.json.decode(opaque, type=list[dict[str, Any]])
        case Assistant(text=text, calls=calls):
            said: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
            return "assistant", said + [_use(call) for call in calls]


def _use(call: ToolCall) -> dict[str, Any]:
    try:
        given = msgspec.json.decode(call.arguments, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        given = {}
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given}


class _Block(Struct, frozen=True):
    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = Raw(b"{}")


class _Response(Struct, frozen=True):
    content: Raw
    model: Any = None
    stop_reason: Any = None
    usage: Raw = Raw(b"{}")


def read(secrets: Secrets, body: bytes) -> Attempt:
    """Return what the body of a response says."""
    try:
        response = msgspec.json.decode(body, type=_Response)
        blocks = msgspec.json.decode(response.content, type=list[_Block])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return malformed(secrets.shown(f"Its reply is no message ({error})."))
    calls = tuple(
        ToolCall(block.id or f"call_{number}", block.name or "", bytes(block.input).decode())
        for number, block in enumerate(blocks, start=1)
        if block.type == "tool_use"
    )
    reply = Reply(
        text="".join(block.text or "" for block in blocks if block.type == "text"),
        calls=calls,
        stop=_stop(response.stop_reason, calls),
        usage=_usage(response.usage),
        model=told.name(response.model),
        opaque=bytes(response.content).decode() if blocks else "",
    )
    return Attempt(outcome=reply)


def _stop(reason: object, calls: tuple[ToolCall, ...]) -> Stop:
    stop = _STOPS.get(told.word(reason), Stop.END)
    if stop is Stop.END and calls:
        return Stop.TOOLS
    return Stop.END if stop is Stop.TOOLS and not calls else stop


def _usage(given: Raw) -> Usage:
    counts = told.numbers(given)
    cached = counts.get("cache_read_input_tokens")
    return told.usage(
        (counts.get("input_tokens"), cached, counts.get("cache_creation_input_tokens")),
        counts.get("output_tokens"),
        cached=cached,
        reasoning=told.members(counts.get("output_tokens_details")).get("thinking_tokens"),
    )
