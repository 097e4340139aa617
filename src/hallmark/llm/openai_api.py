"""How is a question asked in OpenAI's format (chat completions), and what does the reply say?

Spoken by OpenAI, OpenRouter, and the servers of vLLM, llama.cpp and Ollama.
https://platform.openai.com/docs/api-reference/chat
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import openai
from msgspec import UNSET, Raw, Struct, UnsetType, field

from hallmark._hiding import hide_bytes
from hallmark._waiting import Clock
from hallmark.llm import told
from hallmark.llm.attempt import Attempt, Secrets, malformed, refused
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
from hallmark.llm.models import OPENROUTER
from hallmark.llm.sdk import Errors, arguments, guarded, http_client, patient

HOME = "https://api.openai.com/v1"
_ERRORS = Errors(
    openai.APIStatusError, openai.APITimeoutError, openai.APIConnectionError, openai.OpenAIError
)
_STOPS = {
    "length": Stop.LENGTH,
    "content_filter": Stop.FILTER,
    "tool_calls": Stop.TOOLS,
    "function_call": Stop.TOOLS,
}


class OpenAIAdapter:
    """Asks an end-point that speaks OpenAI's format.

    Args:
        spec: the model.
        secrets: its key.
        base_url: where it is asked.
        clock: measures how long a reply takes.
    """

    def __init__(self, spec: ModelSpec, secrets: Secrets, base_url: str, clock: Clock) -> None:
        self._spec = spec
        self._secrets = secrets
        self._base_url = base_url or HOME
        self._clock = clock

    async def ask(self, request: Request) -> Attempt:
        """Ask once; see `attempt.Adapter`."""
        spec = patient(self._spec, request)
        asking = self._asked(spec, request)
        return await guarded(spec, self._secrets, _ERRORS, self._clock, asking)

    async def _asked(self, spec: ModelSpec, request: Request) -> Attempt:
        client = openai.AsyncOpenAI(
            api_key=self._secrets.key or "none",
            base_url=self._base_url,
            max_retries=0,
            timeout=spec.timeout_s,
            http_client=http_client(spec, self._secrets.key),
        )
        async with client:
            create: Callable[..., Any] = client.chat.completions.with_raw_response.create
            body = payload(spec, request)
            response = await create(**arguments(body, "model", "messages"))
        return read(spec, self._secrets, hide_bytes(response.content, (self._secrets.key,)))


def payload(spec: ModelSpec, request: Request) -> dict[str, Any]:
    """Return the body of a request."""
    effort = request.effort or spec.effort
    body: dict[str, Any] = {
        "model": spec.id,
        "messages": [*_system(request.system), *_turns(request.messages)],
        spec.limit: request.max_tokens or spec.max_tokens,
    }
    if spec.temperature is not None and (spec.base_url or effort in {None, "none"}):
        body["temperature"] = spec.temperature  # OpenAI's own models refuse it while they reason
    if spec.seeded:
        body["seed"] = request.seed
    body |= _thinking(spec, effort, body[spec.limit])
    if request.tools:
        body["tools"] = [
            {"type": "function", "function": msgspec.to_builtins(tool)} for tool in request.tools
        ]
    form = _form(spec, request)
    if form is not None:
        body["response_format"] = form
    return body


def _thinking(spec: ModelSpec, effort: Effort | None, tokens: int) -> dict[str, Any]:
    """Return how much reasoning is asked for: an effort, or a number of tokens."""
    if effort is None:
        return {}
    if spec.thinking_share and effort != "none":
        return {"reasoning": {"max_tokens": int(spec.thinking_share * tokens)}}
    return {"reasoning_effort": effort}


def _form(spec: ModelSpec, request: Request) -> dict[str, Any] | None:
    if request.schema is None:
        return None
    match spec.structured:
        case "schema":
            inner = {"name": "answer", "strict": True, "schema": request.schema}
            return {"type": "json_schema", "json_schema": inner}
        case "json":
            return {"type": "json_object"}
        case "none":
            return None


def _system(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def _turns(messages: Iterable[Message]) -> list[dict[str, Any]]:
    return [_turn(message) for message in messages]


def _turn(message: Message) -> dict[str, Any]:
    match message:
        case User(text=text):
            return {"role": "user", "content": text}
        case ToolResult(call_id=call_id, text=text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case Assistant(opaque=opaque) if opaque:
            return msgspec.json.decode(opaque, type=dict[str, Any])
        case Assistant(text=text, calls=calls):
            said: dict[str, Any] = {"role": "assistant", "content": text or None}
            if calls:
                said["tool_calls"] = [_call(call) for call in calls]
            return said


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


class _Function(Struct, frozen=True):
    name: str = ""
    arguments: Any = ""


class _Call(Struct, frozen=True):
    function: _Function = _Function()
    id: str | None = None


class _Said(Struct, frozen=True):
    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(Struct, frozen=True):
    message: Raw
    finish_reason: Any = None


class _Failure(Struct, frozen=True):
    message: str = ""
    code: int | str | None = None


class _Response(Struct, frozen=True):
    choices: list[_Choice] | None = None
    model: Any = None
    usage: Raw = Raw(b"{}")
    error: _Failure | str | UnsetType | None = field(default=UNSET)


def read(spec: ModelSpec, secrets: Secrets, body: bytes) -> Attempt:
    """Return what the body of a response says.

    Raises:
        ModelStopped: it says, with a status of success, that nothing will be answered.
    """
    try:
        response = msgspec.json.decode(body, type=_Response)
        if not response.choices:
            return _failed(spec, secrets, response)
        choice = response.choices[0]
        said = msgspec.json.decode(choice.message, type=_Said)
        return Attempt(outcome=_reply(spec, response, choice, said))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return malformed(secrets.shown(f"Its reply is no chat completion ({error})."))


def _failed(spec: ModelSpec, secrets: Secrets, response: _Response) -> Attempt:
    """Return the failure that OpenRouter reports in the body of a success."""
    match response.error:
        case _Failure(message=message, code=int() as code) if code >= 400:  # noqa: PLR2004
            return refused(spec, secrets, code, message, {}, 0.0)
        case _Failure(message=message):
            return malformed(secrets.shown(f"Its reply is an error: {message}"))
        case _:
            return malformed("Its reply holds no answer.")


def _reply(spec: ModelSpec, response: _Response, choice: _Choice, said: _Said) -> Reply:
    calls = tuple(
        ToolCall(
            id=call.id or f"call_{number}",
            name=call.function.name,
            arguments=_arguments(call.function.arguments),
        )
        for number, call in enumerate(said.tool_calls or (), start=1)
    )
    named = all(call.id for call in said.tool_calls or ())
    return Reply(
        text=_text(said.content) or said.refusal or "",
        calls=calls,
        stop=_stop(choice, said, calls),
        usage=_usage(spec, response.usage),
        model=told.name(response.model),
        opaque=_opaque(choice.message) if named else "",
    )


def _stop(choice: _Choice, said: _Said, calls: tuple[ToolCall, ...]) -> Stop:
    if said.refusal:
        return Stop.REFUSAL
    stop = _STOPS.get(told.word(choice.finish_reason), Stop.END)
    if stop is Stop.END and calls:
        return Stop.TOOLS
    return Stop.END if stop is Stop.TOOLS and not calls else stop


def _text(content: str | list[dict[str, Any]] | None) -> str:
    """Return the text of a turn; some servers send it in parts."""
    if not isinstance(content, list):
        return content or ""
    texts = (part.get("text") for part in content if part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _arguments(found: object) -> str:
    """Return the arguments of a call as JSON text; some servers send the object itself."""
    return found if isinstance(found, str) else msgspec.json.encode(found).decode()


def _usage(spec: ModelSpec, given: Raw) -> Usage:
    """Return the tokens of a reply, and what OpenRouter was charged by whom it asked.

    https://openrouter.ai/docs/use-cases/usage-accounting; other services count in other units.
    """
    counts = told.numbers(given)
    return told.usage(
        (counts.get("prompt_tokens"),),
        counts.get("completion_tokens"),
        cached=told.members(counts.get("prompt_tokens_details")).get("cached_tokens"),
        reasoning=told.members(counts.get("completion_tokens_details")).get("reasoning_tokens"),
        cost=counts.get("cost") if spec.base_url == OPENROUTER else None,
    )


def _opaque(message: Raw) -> str:
    """Return a turn as it came, without what is empty: servers refuse empty lists of calls."""
    turn = msgspec.json.decode(message, type=dict[str, Raw])
    empty = (b"null", b"[]")
    full = {name: value for name, value in turn.items() if bytes(value).strip() not in empty}
    if "content" not in full:
        full["content"] = Raw(b"null")
    full.setdefault("role", Raw(b'"assistant"'))
    return msgspec.json.encode(full).decode()
