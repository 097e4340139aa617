"""What is a question to a language model, and what can come back?

A `Request` goes to a `Model`, and a `Reply` or a `Failure` comes back: never an exception for what
the model or its service did. A model that must not be asked any more (no money left, no key)
raises `ModelStopped`, which ends the run and leaves it resumable. Every value here is frozen and
turns to JSON as it stands, so that requests can be digested and replies kept.
"""

from enum import StrEnum
from typing import Any, Literal, Protocol

from msgspec import Struct

Effort = Literal["none", "minimal", "low", "medium", "high"]
Structured = Literal["schema", "json", "none"]
Provider = Literal["openai", "anthropic"]


class ModelSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table of models.

    Attributes:
        name: ours, as given to --model.
        id: the provider's.
        provider: whose wire format the end-point speaks: "openai" or "anthropic".
        base_url: of the end-point; empty for the vendor's own.
        key: the environment variable of the key; empty where none is needed.
        cutoff: last month of the training data, "YYYY-MM"; empty where nobody knows.
        cutoff_disclosed: whether the vendor published it; otherwise it is an upper bound.
        temperature: what is sent; None where the end-point takes none. With an effort it is sent
            neither to OpenAI's own end-point nor in Anthropic's format, which refuse it then.
        seeded: whether the end-point takes a seed.
        max_tokens: completion tokens asked for by default, hidden reasoning included.
        agent_tokens: the same for each turn of a model that may call tools; 0 for as many.
        limit: name of the parameter that carries them: "max_completion_tokens" or "max_tokens".
        effort: how much reasoning is asked for, "none", "minimal", "low", "medium" or "high"; None
            where the end-point decides.
        thinking_share: the share of the tokens that reasoning may use, sent to OpenRouter as a
            number of tokens in the place of the effort; 0 sends the effort.
        structured: how the form of an answer is enforced: "schema" sends its JSON schema, "json"
            asks for any JSON, "none" leaves it to the prompt.
        input_price: US dollars per million prompt tokens; None where unknown.
        output_price: US dollars per million completion tokens; None where unknown.
        priced: the date of the prices, "YYYY-MM-DD".
        timeout_s: seconds to wait for one reply of up to 4800 tokens; where more are asked for, it
            is waited for longer in proportion.
        at_once: requests under way at a time.
        per_minute: requests that may start in a minute; 0 for no limit.
    """

    name: str
    id: str
    provider: Provider = "openai"
    base_url: str = ""
    key: str = ""
    cutoff: str = ""
    cutoff_disclosed: bool = False
    temperature: float | None = 0.0
    seeded: bool = True
    max_tokens: int = 1024
    agent_tokens: int = 0
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    effort: Effort | None = None
    thinking_share: float = 0.0
    structured: Structured = "none"
    input_price: float | None = None
    output_price: float | None = None
    priced: str = ""
    timeout_s: float = 120.0
    at_once: int = 4
    per_minute: int = 0


class Caps(Struct, frozen=True):
    """What one run may use: US dollars, tokens of both kinds, and calls that are paid for."""

    cost: float | None = None
    tokens: int | None = None
    calls: int | None = None


class ToolSpec(Struct, frozen=True):
    """A tool as a model sees it: `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolCall(Struct, frozen=True):
    """A model's wish to use a tool; `arguments` is the JSON text as it came, not yet checked."""

    id: str
    name: str
    arguments: str


class User(Struct, frozen=True, tag="user"):
    """What we say."""

    text: str


class Assistant(Struct, frozen=True, tag="assistant"):
    """What the model said: `opaque` is the provider's own JSON of the turn, to be sent back."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    opaque: str = ""


class ToolResult(Struct, frozen=True, tag="tool"):
    """What a tool answered to one call."""

    call_id: str
    name: str
    text: str


Message = User | Assistant | ToolResult


class Request(Struct, frozen=True, kw_only=True):
    """A question to a model.

    Attributes:
        messages: the conversation so far; the last one is ours.
        system: the system prompt; empty for none.
        tools: what the model may call; it is never forced to.
        schema: JSON schema of the answer, sent where the model can be held to one.
        max_tokens: completion tokens; None for the model's default.
        effort: reasoning; None for the model's default.
        seed: sent where the model takes one.
        sample: tells repeated, otherwise equal questions apart, so that each is asked anew.
    """

    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    schema: dict[str, Any] | None = None
    max_tokens: int | None = None
    effort: Effort | None = None
    seed: int = 42
    sample: int = 0


class Stop(StrEnum):
    """Why a reply ended."""

    END = "end"
    TOOLS = "tools"
    LENGTH = "length"
    FILTER = "filter"
    REFUSAL = "refusal"


class Usage(Struct, frozen=True):
    """Tokens of a reply: prompt, of it kept by the provider; completion, of it hidden reasoning.

    `counted` is false where the service told no numbers that can be believed: they are 0 then, and
    what the reply costs is not known. `cost` is what the service itself says that it took, in US
    dollars; 0 where it says nothing.
    """

    input: int = 0
    cached_input: int = 0
    output: int = 0
    reasoning: int = 0
    counted: bool = True
    cost: float = 0.0


class Reply(Struct, frozen=True, kw_only=True):
    """What a model answered: `model` is the id that it reports, `kept` that nobody was asked."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    stop: Stop = Stop.END
    usage: Usage = Usage()
    model: str = ""
    seconds: float = 0.0
    opaque: str = ""
    kept: bool = False


class Trouble(StrEnum):
    """Why there is no reply."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMIT = "rate-limit"
    SERVER = "server"
    REQUEST = "request"
    MALFORMED = "malformed"


class Failure(Struct, frozen=True):
    """No reply: `detail` is for people and never holds a key."""

    trouble: Trouble
    detail: str
    seconds: float = 0.0


class Model(Protocol):
    """Something that answers questions."""

    @property
    def spec(self) -> ModelSpec:
        """Its row in the table of models."""
        ...

    async def ask(self, request: Request) -> Reply | Failure:
        """Answer one question.

        Raises:
            ModelStopped: nothing more may be asked in this run.
        """
        ...
