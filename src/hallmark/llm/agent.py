"""How does a model use tools until it answers, within a budget, whatever it asks for?

Turn by turn: the model is asked, and every call of its reply is answered, by the tool or by an
error in words. Each call counts, also one that could not be carried out. When all calls are used,
one more turn asks for the verdict and offers no tools. No reply of a model can raise an exception,
make more calls than the budget, or make a tool see arguments that it does not take.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, structs

from hallmark.llm.interface import (
    Assistant,
    Failure,
    Message,
    Model,
    Reply,
    Request,
    Stop,
    ToolCall,
    ToolResult,
    User,
)
from hallmark.llm.tools import (
    Refused,
    Tool,
    as_data,
    as_error,
    canonical,
    clean,
    read_arguments,
    texts_of,
)

MOST_CALLS = 5
"""Calls of tools for one entry (the paper, B.2.4)."""
MOST_EXTRA_CALLS = 20
"""Calls of one reply beyond the budget that are still told that none are left. Models that call in
parallel ask for a dozen at once; more are a run-away reply, and all would be sent back and paid."""
_ENDS = (Stop.FILTER, Stop.REFUSAL)
"""Replies that end a conversation, whatever else they hold."""
_LONGEST_KEPT = 500
"""Characters of a reply's text, of a wrong call and of a result that a record keeps."""
LONGEST_KEPT_ARGUMENTS = 2000
"""Characters of the arguments of a call that was carried out: they name its kept result."""
_MOST_KEPT = 20
"""Calls of one turn that a record keeps."""


class CallOutcome(StrEnum):
    """What came of a call."""

    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    UNKNOWN_TOOL = "unknown-tool"
    BAD_ARGUMENTS = "bad-arguments"
    REPEATED = "repeated"
    OVER_BUDGET = "over-budget"


MISTAKES = frozenset(
    {
        CallOutcome.UNKNOWN_TOOL,
        CallOutcome.BAD_ARGUMENTS,
        CallOutcome.REPEATED,
        CallOutcome.OVER_BUDGET,
    }
)
"""Calls that the model should not have made."""


class Use(Struct, frozen=True, kw_only=True):
    """One call of a model.

    Attributes:
        tool: the name, as the model wrote it.
        arguments: in their canonical form, or as they came where they do not fit.
        outcome: what came of it; unanswered means that a source failed.
        text: what the model was sent for it.
        texts: the strangers' texts within that, as they are before JSON escapes them.
    """

    tool: str
    arguments: str
    outcome: CallOutcome
    text: str
    texts: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what the model was sent."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


class Turn(Struct, frozen=True):
    """What came back for one question, and the calls that it held."""

    came: Reply | Failure
    uses: tuple[Use, ...] = ()


class Transcript(Struct, frozen=True):
    """A conversation from its first question to its end; never without a turn.

    `calls_refused` is how many calls the last reply made, where they were so many that none was
    carried out and the conversation ended; otherwise 0.
    """

    turns: tuple[Turn, ...]
    calls_refused: int = 0

    @property
    def last(self) -> Reply | Failure:
        """What the conversation ended with: it holds the answer, if there is one."""
        return self.turns[-1].came

    @property
    def came(self) -> tuple[Reply | Failure, ...]:
        """All that came back, in order."""
        return tuple(turn.came for turn in self.turns)

    @property
    def uses(self) -> tuple[Use, ...]:
        """All calls, in order."""
        return tuple(use for turn in self.turns for use in turn.uses)

    @property
    def used_a_tool(self) -> bool:
        """Whether any tool told the model anything; otherwise it answered from memory."""
        return self.count(CallOutcome.ANSWERED) > 0

    @property
    def mistakes(self) -> int:
        """How many calls were none of a tool, did not fit, were repeated, or one too many."""
        return sum(use.outcome in MISTAKES for use in self.uses)

    @property
    def shown(self) -> tuple[str, ...]:
        """Every text of others that tools showed the model, as sent and unescaped."""
        return tuple(text for use in self.uses for text in (use.text, *use.texts))

    def count(self, outcome: CallOutcome) -> int:
        """Return how many calls came to this."""
        return sum(use.outcome is outcome for use in self.uses)

    def tools(self) -> tuple[str, ...]:
        """Return the names of the tools that answered, each once, in order."""
        answered = (use.tool for use in self.uses if use.outcome is CallOutcome.ANSWERED)
        return tuple(dict.fromkeys(answered))

    def record(self) -> list[dict[str, Any]]:
        """Return the conversation for a file: a row for each turn, with long texts cut."""
        return [_row(turn) for turn in self.turns]


async def converse(
    model: Model,
    opening: Request,
    tools: Sequence[Tool],
    *,
    closing: str,
    most_calls: int = MOST_CALLS,
) -> Transcript:
    """Ask a model, answer its calls, and go on until it calls no more or has used its calls.

    Args:
        model: who is asked.
        opening: the first question. Its schema is sent with the turns that offer no tools only:
            servers that force a form upon replies keep models from calling.
        tools: what may be called; their names differ.
        closing: what asks for the verdict when all calls are used.
        most_calls: calls in all, from 0 on; with 0 no tool is ever offered.

    Raises:
        ModelStopped: the model, or a tool, may not be asked any more in this run.
    """
    desk = _Desk(tools, most_calls)
    messages: tuple[Message, ...] = opening.messages
    turns = list[Turn]()
    while True:
        came = await model.ask(_asked(opening, messages, desk))
        closed = not desk.left
        if isinstance(came, Failure) or not came.calls or came.stop in _ENDS:
            return Transcript((*turns, Turn(came)))
        if len(came.calls) > most_calls + MOST_EXTRA_CALLS:
            return Transcript((*turns, Turn(came)), calls_refused=len(came.calls))
        uses = [await desk.answer(call) for call in came.calls]
        turns.append(Turn(came, tuple(uses)))
        if closed:
            return Transcript(tuple(turns))
        messages = (*messages, *_exchange(came, uses))
        if not desk.left:
            messages = (*messages, User(closing))


def _asked(opening: Request, messages: tuple[Message, ...], desk: "_Desk") -> Request:
    """Return the next question; tools and a forced form exclude each other."""
    if not desk.left:
        return structs.replace(opening, messages=messages, tools=())
    return structs.replace(opening, messages=messages, tools=desk.specs, schema=None)


def _exchange(reply: Reply, uses: Sequence[Use]) -> list[Message]:
    """Return a reply and what its calls brought, as the conversation goes on from them."""
    said = Assistant(reply.text, reply.calls, reply.opaque)
    results = [
        ToolResult(call.id, call.name, use.text)
        for call, use in zip(reply.calls, uses, strict=True)
    ]
    return [said, *results]


class _Desk:
    """Answers the calls of one conversation, and counts them."""

    def __init__(self, tools: Sequence[Tool], most_calls: int) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._made = set[tuple[str, str]]()
        self.specs = tuple(tool.spec for tool in tools)
        self.left = most_calls if tools else 0

    async def answer(self, call: ToolCall) -> Use:
        """Carry out a call, or say why not; it raises nothing but `ModelStopped`."""
        if not self.left:
            reason = "no calls are left; answer from what you have"
            return self._error(call, CallOutcome.OVER_BUDGET, reason)
        self.left -= 1
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools)
            reason = f"there is no tool of this name; there are: {names}"
            return self._error(call, CallOutcome.UNKNOWN_TOOL, reason)
        arguments = read_arguments(tool, call.arguments)
        if isinstance(arguments, Refused):
            return self._error(call, CallOutcome.BAD_ARGUMENTS, arguments.reason)
        made = (tool.name, canonical(arguments))
        if made in self._made:
            reason = "this very call was made before; its result stands above"
            return self._error(call, CallOutcome.REPEATED, reason)
        self._made.add(made)
        return await self._carried_out(tool, arguments)

    async def _carried_out(self, tool: Tool, arguments: Struct) -> Use:
        told = await tool.use(arguments)
        return Use(
            tool=tool.name,
            arguments=canonical(arguments),
            outcome=CallOutcome.ANSWERED if told.answered else CallOutcome.UNANSWERED,
            text=as_data(tool.name, told, self.left),
            texts=tuple(texts_of(clean(told.data))),
        )

    def _error(self, call: ToolCall, outcome: CallOutcome, reason: str) -> Use:
        return Use(
            tool=call.name,
            arguments=call.arguments,
            outcome=outcome,
            text=as_error(call.name, reason, self.left),
        )


def _row(turn: Turn) -> dict[str, Any]:
    came = turn.came
    if isinstance(came, Failure):
        return {"failure": came.trouble.value, "detail": _kept(came.detail)}
    row: dict[str, Any] = {"text": _kept(came.text), "stop": came.stop.value}
    if turn.uses:
        row["calls"] = [_use_row(use) for use in turn.uses[:_MOST_KEPT]]
    if len(turn.uses) > _MOST_KEPT:
        row["further_calls"] = len(turn.uses) - _MOST_KEPT
    return row


def _use_row(use: Use) -> dict[str, Any]:
    longest = _LONGEST_KEPT if use.outcome in MISTAKES else LONGEST_KEPT_ARGUMENTS
    return {
        "tool": _kept(use.tool),
        "arguments": _kept(use.arguments, longest),
        "outcome": use.outcome.value,
        "sha256": use.digest,
        "result": _kept(use.text),
    }


def _kept(text: str, longest: int = _LONGEST_KEPT) -> str:
    """Return the beginning of a text as every file can hold it."""
    return text[:longest].encode("utf-8", "replace").decode("utf-8")
