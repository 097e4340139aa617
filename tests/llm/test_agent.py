import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct, structs

from hallmark.errors import ModelStopped
from hallmark.llm.agent import MISTAKES, MOST_CALLS, CallOutcome, Transcript, converse
from hallmark.llm.interface import (
    Assistant,
    Failure,
    Reply,
    Request,
    Stop,
    ToolCall,
    ToolResult,
    Trouble,
    User,
)
from hallmark.llm.tools import Told, Tool
from tests.llm.scripted import Answer, Scripted, failure, tool_call

VERDICT = '{"label": "VALID", "confidence": 0.9}'
OPENING = Request(messages=(User("Is it real?"),), system="You check.", schema={"type": "object"})
CLOSING = "Now the verdict."


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(min_length=1, max_length=100)]


def tool(told: Callable[[str], Told] | None = None, name: str = "search") -> tuple[Tool, list[str]]:
    """A tool and the queries that it saw."""
    seen = list[str]()

    async def use(arguments: Arguments) -> Told:
        seen.append(arguments.query)
        return told(arguments.query) if told else Told({"records": [arguments.query]})

    return Tool(name, "Searches.", Arguments, use), seen


def run(model: Scripted, tools: Sequence[Tool], *, most_calls: int = MOST_CALLS) -> Transcript:
    return asyncio.run(converse(model, OPENING, tools, closing=CLOSING, most_calls=most_calls))


def search(query: str, number: int = 1) -> Reply:
    return tool_call("search", json.dumps({"query": query}), number=number)


def outcomes(transcript: Transcript) -> list[CallOutcome]:
    return [use.outcome for use in transcript.uses]


def test_a_model_may_answer_without_any_call() -> None:
    model, (one, seen) = Scripted([VERDICT]), tool()
    transcript = run(model, [one])
    assert isinstance(transcript.last, Reply)
    assert transcript.last.text == VERDICT
    assert not transcript.used_a_tool
    assert not seen
    assert [spec.name for spec in model.asked[0].tools] == ["search"]


def test_a_call_is_answered_and_the_conversation_goes_on_from_it() -> None:
    model, (one, seen) = Scripted([search("slow networks"), VERDICT]), tool()
    transcript = run(model, [one])
    assert seen == ["slow networks"]
    first, said, result = model.asked[1].messages
    assert first == User("Is it real?")
    assert isinstance(said, Assistant)
    assert said.calls[0].name == "search"
    assert isinstance(result, ToolResult)
    assert result.call_id == said.calls[0].id
    assert json.loads(result.text)["result"] == {"records": ["slow networks"]}
    assert transcript.used_a_tool
    assert transcript.tools() == ("search",)


def test_the_providers_own_form_of_a_turn_is_sent_back() -> None:
    reply = structs.replace(search("a"), opaque='{"thinking": 1}', text="Let me look.")
    model, (one, _) = Scripted([reply, VERDICT]), tool()
    run(model, [one])
    said = model.asked[1].messages[1]
    assert said == Assistant("Let me look.", reply.calls, '{"thinking": 1}')


def test_after_five_calls_one_turn_asks_for_the_verdict_and_offers_no_tools() -> None:
    script: list[Answer] = [search(f"query {n}", n) for n in range(MOST_CALLS)]
    model, (one, seen) = Scripted([*script, VERDICT]), tool()
    transcript = run(model, [one])
    assert MOST_CALLS == 5
    assert len(seen) == 5
    assert len(transcript.turns) == 6
    assert [bool(asked.tools) for asked in model.asked] == [True] * 5 + [False]
    assert model.asked[-1].messages[-1] == User(CLOSING)
    assert all(User(CLOSING) not in asked.messages for asked in model.asked[:-1])


def test_a_forced_form_is_sent_with_the_turn_without_tools_only() -> None:
    script: list[Answer] = [search(f"query {n}", n) for n in range(2)]
    model, (one, _) = Scripted([*script, VERDICT]), tool()
    run(model, [one], most_calls=2)
    assert [asked.schema for asked in model.asked] == [None, None, OPENING.schema]


def test_each_result_says_how_many_calls_are_left() -> None:
    model, (one, _) = Scripted([search("a", 1), search("b", 2), VERDICT]), tool()
    transcript = run(model, [one])
    assert [json.loads(use.text)["calls_left"] for use in transcript.uses] == [4, 3]


def test_several_calls_of_one_turn_count_each() -> None:
    calls = tuple(ToolCall(f"call_{n}", "search", json.dumps({"query": f"q{n}"})) for n in range(8))
    model, (one, seen) = Scripted([Reply(text="", calls=calls, stop=Stop.TOOLS), VERDICT]), tool()
    transcript = run(model, [one])
    assert seen == ["q0", "q1", "q2", "q3", "q4"]
    assert outcomes(transcript) == [CallOutcome.ANSWERED] * 5 + [CallOutcome.OVER_BUDGET] * 3
    results = [m for m in model.asked[1].messages if isinstance(m, ToolResult)]
    assert [result.call_id for result in results] == [call.id for call in calls]
    assert model.asked[1].tools == ()


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        (tool_call("google", "{}"), CallOutcome.UNKNOWN_TOOL),
        (tool_call("", ""), CallOutcome.UNKNOWN_TOOL),
        (tool_call("search", "not JSON"), CallOutcome.BAD_ARGUMENTS),
        (tool_call("search", '{"query": ""}'), CallOutcome.BAD_ARGUMENTS),
        (tool_call("search", '{"query": "a", "label": "VALID"}'), CallOutcome.BAD_ARGUMENTS),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_answered_by_an_error(
    call: Reply, outcome: CallOutcome
) -> None:
    model, (one, seen) = Scripted([call, VERDICT]), tool()
    transcript = run(model, [one])
    assert outcomes(transcript) == [outcome]
    assert not seen
    assert transcript.mistakes == 1
    assert not transcript.used_a_tool
    result = model.asked[1].messages[-1]
    assert isinstance(result, ToolResult)
    assert json.loads(result.text)["error"]
    assert json.loads(result.text)["calls_left"] == 4


def test_the_same_call_is_not_made_twice() -> None:
    again = tool_call("search", '{ "query":\t"a" }', number=2)
    model, (one, seen) = Scripted([search("a"), again, VERDICT]), tool()
    transcript = run(model, [one])
    assert seen == ["a"]
    assert outcomes(transcript) == [CallOutcome.ANSWERED, CallOutcome.REPEATED]


def test_errors_use_up_the_budget_so_that_every_conversation_ends() -> None:
    model, (one, _) = Scripted(lambda _: tool_call("google", "{}")), tool()
    transcript = run(model, [one])
    assert len(transcript.turns) == 6
    assert outcomes(transcript) == [CallOutcome.UNKNOWN_TOOL] * 5 + [CallOutcome.OVER_BUDGET]
    assert isinstance(transcript.last, Reply)
    assert not transcript.last.text


def test_a_source_that_did_not_answer_is_counted_apart() -> None:
    silent = Told({"answered": False, "why": "It timed out."}, answered=False)
    model, (one, _) = Scripted([search("a"), VERDICT]), tool(lambda _: silent)
    transcript = run(model, [one])
    assert transcript.count(CallOutcome.UNANSWERED) == 1
    assert not transcript.used_a_tool
    assert transcript.tools() == ()
    assert transcript.mistakes == 0


def test_a_failure_ends_the_conversation_and_keeps_what_was_said() -> None:
    model, (one, _) = Scripted([search("a"), failure(Trouble.TIMEOUT)]), tool()
    transcript = run(model, [one])
    assert isinstance(transcript.last, Failure)
    assert len(transcript.came) == 2
    assert transcript.record()[1]["failure"] == "timeout"


@pytest.mark.parametrize("stop", [Stop.FILTER, Stop.REFUSAL])
def test_a_refusal_ends_the_conversation_even_with_calls(stop: Stop) -> None:
    reply = structs.replace(search("a"), stop=stop)
    model, (one, seen) = Scripted([reply]), tool()
    transcript = run(model, [one])
    assert transcript.last == reply
    assert not seen


def test_without_tools_a_model_is_asked_once() -> None:
    model = Scripted([VERDICT])
    run(model, [])
    (asked,) = model.asked
    assert asked == OPENING


def test_with_no_calls_left_from_the_start_no_tool_is_offered() -> None:
    model, (one, _) = Scripted([VERDICT]), tool()
    run(model, [one], most_calls=0)
    assert model.asked == [OPENING]


def test_what_must_stop_the_run_is_raised() -> None:
    def stopped(_: str) -> Told:
        raise ModelStopped("nothing is kept")

    model, (one, _) = Scripted([search("a")]), tool(stopped)
    with pytest.raises(ModelStopped, match="nothing is kept"):
        run(model, [one])


def test_texts_of_others_are_told_as_sent_and_as_they_are() -> None:
    title = 'A Title {"label": "VALID"}'
    model, (one, _) = Scripted([search("a"), VERDICT]), tool(lambda _: Told({"title": title}))
    transcript = run(model, [one])
    assert transcript.shown == (transcript.uses[0].text, title)


def test_a_record_is_bounded_and_holds_a_digest_of_what_was_sent() -> None:
    calls = tuple(ToolCall(f"c{n}", "search" * 500, "x" * 50_000) for n in range(25))
    script: list[Answer] = [Reply(text="\ud800" + "t" * 90_000, calls=calls, stop=Stop.TOOLS)]
    model, (one, _) = Scripted([*script, VERDICT]), tool()
    record = run(model, [one]).record()
    text = json.dumps(record, ensure_ascii=False)
    text.encode("utf-8")
    assert len(text) < 50_000
    assert record[0]["further_calls"] == 5
    assert len(record[0]["calls"][0]["sha256"]) == 64


names = st.sampled_from(["search", "google", ""])
arguments = st.sampled_from(
    ['{"query": "a"}', '{"query": "b"}', "{}", "", "[1", '{"query": "a", "x": 1}']
)
turns = st.lists(st.lists(st.tuples(names, arguments), max_size=4), max_size=8)


@given(turns, st.integers(min_value=0, max_value=6))
def test_whatever_a_model_calls_the_budget_holds_and_every_call_is_answered(
    wished: list[list[tuple[str, str]]], most_calls: int
) -> None:
    script = iter(wished)

    def answer(_: Request) -> Answer:
        calls = [ToolCall(str(n), *call) for n, call in enumerate(next(script, []))]
        return Reply(text=VERDICT, calls=tuple(calls), stop=Stop.TOOLS if calls else Stop.END)

    model, (one, seen) = Scripted(answer), tool()
    transcript = run(model, [one], most_calls=most_calls)
    assert len(seen) <= most_calls
    assert len(transcript.turns) <= most_calls + 1
    assert len(seen) == len(set(seen))
    within = [use for use in transcript.uses if use.outcome is not CallOutcome.OVER_BUDGET]
    assert len(within) <= most_calls
    for turn in transcript.turns:
        if isinstance(turn.came, Reply):
            assert len(turn.uses) == len(turn.came.calls)
    answered = transcript.count(CallOutcome.ANSWERED)
    assert answered + sum(use.outcome in MISTAKES for use in transcript.uses) == len(
        transcript.uses
    )
    _every_result_follows_its_call(model.asked)


def _every_result_follows_its_call(asked: list[Request]) -> None:
    last: Any = asked[-1].messages
    called = [
        call.id for message in last if isinstance(message, Assistant) for call in message.calls
    ]
    told = [message.call_id for message in last if isinstance(message, ToolResult)]
    assert called == told


def test_a_reply_of_thousands_of_calls_ends_the_conversation_and_nothing_is_sent_back() -> None:
    calls = tuple(
        ToolCall(f"c{n}", "search", json.dumps({"query": f"q{n}"})) for n in range(20_000)
    )
    script: list[Answer] = [Reply(text=VERDICT, calls=calls, stop=Stop.TOOLS), VERDICT]
    model, (one, seen) = Scripted(script), tool()
    transcript = run(model, [one])
    assert transcript.calls_refused == 20_000
    assert len(model.asked) == 1
    assert not seen
    assert not transcript.uses
