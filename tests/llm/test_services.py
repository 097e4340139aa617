"""Both wire formats, through the real SDKs, against the scripted server."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from hallmark._waiting import Clock
from hallmark.errors import ModelStopped
from hallmark.llm.calls import Patience
from hallmark.llm.interface import (
    Assistant,
    Caps,
    Failure,
    Message,
    ModelSpec,
    Reply,
    Request,
    Stop,
    ToolResult,
    ToolSpec,
    Trouble,
    Usage,
    User,
)
from hallmark.llm.models import find
from hallmark.llm.session import OpenModel, open_model
from tests.llm.server import Bytes, Endless, Line, Refuse, Reset, Say, Seen, Server, Slow

KEY = "sk-secret-0123456789"
OPENAI, ANTHROPIC = "gpt-5.1", "claude-sonnet-4.6-native"
BOTH = pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
ONCE = Patience(attempts=1)
TOOL = ToolSpec(
    "look_up", "Looks a work up.", {"type": "object", "properties": {"q": {"type": "string"}}}
)
SCHEMA = {"type": "object", "properties": {"label": {"type": "string"}}, "required": ["label"]}


def environ_of(server: Server) -> dict[str, str]:
    return {
        "HALLMARK_LLM_AT": server.url,
        "OPENAI_API_KEY": KEY,
        "ANTHROPIC_API_KEY": KEY,
        "OPENROUTER_API_KEY": KEY,
    }


def question(*messages: Message, **more: Any) -> Request:
    return Request(messages=messages or (User("Is it real?"),), **more)


def asked(
    server: Server,
    spec: ModelSpec | str,
    *requests: Request,
    patience: Patience = ONCE,
    cache: Path | None = None,
    caps: Caps | None = None,
) -> list[Reply | Failure]:
    """Ask one question after the other."""

    async def all_of(model: OpenModel) -> list[Reply | Failure]:
        return [await model.ask(request) for request in requests]

    with open_model(
        spec, environ=environ_of(server), patience=patience, cache=cache, caps=caps
    ) as model:
        return asyncio.run(all_of(model))


def one(
    line: Line, spec: ModelSpec | str, request: Request | None = None
) -> tuple[Reply | Failure, Seen]:
    """Ask one question of a server that has one line to say."""
    with Server([line]) as server:
        [outcome] = asked(server, spec, request or question())
        return outcome, server.requests[0]


def reply(line: Line, spec: ModelSpec | str, request: Request | None = None) -> Reply:
    outcome, _ = one(line, spec, request)
    assert isinstance(outcome, Reply)
    return outcome


def failure(line: Line, spec: ModelSpec | str) -> Failure:
    outcome, _ = one(line, spec)
    assert isinstance(outcome, Failure)
    return outcome


@BOTH
def test_a_reply_comes_with_text_tokens_and_the_model_that_answered(name: str) -> None:
    said = Say('{"label": "VALID"}', tokens=(500, 30), cached=200, reasoning=10, model="snapshot-7")
    got = reply(said, name)
    assert got.text == '{"label": "VALID"}'
    assert got.usage == Usage(500, 200, 30, 10)
    assert (got.stop, got.model, got.kept) == (Stop.END, "snapshot-7", False)
    assert got.seconds > 0


@BOTH
@pytest.mark.parametrize(
    ("line", "stop"),
    [
        (Say('{"label": "VA', stop="length"), Stop.LENGTH),
        (Say("I would rather not.", stop="refusal"), Stop.REFUSAL),
        (Say(""), Stop.END),
        (Say("```json\n{}\n```"), Stop.END),
        (Say("It looks real to me."), Stop.END),
    ],
)
def test_why_a_reply_ended_is_told(name: str, line: Say, stop: Stop) -> None:
    got = reply(line, name)
    assert (got.stop, got.text) == (stop, line.text)


def test_a_filtered_reply_is_told_as_filtered() -> None:
    assert reply(Say("", stop="filter"), OPENAI).stop is Stop.FILTER
    flagged = Refuse(403, "Your input was flagged")
    assert reply(flagged, OPENAI).stop is Stop.FILTER


@BOTH
def test_tools_are_offered_and_calls_come_back_with_their_arguments(name: str) -> None:
    line = Say("Let me see.", calls=(("look_up", '{"q": "x"}'), ("nonsense", "{}")))
    got, seen = one(line, name, question(tools=(TOOL,)))
    assert isinstance(got, Reply)
    assert got.stop is Stop.TOOLS
    assert [call.name for call in got.calls] == ["look_up", "nonsense"]
    assert json.loads(got.calls[0].arguments) == {"q": "x"}
    assert "tool_choice" not in seen.body
    assert "look_up" in json.dumps(seen.body["tools"])


def test_arguments_that_are_no_json_come_back_as_they_are() -> None:
    got = reply(Say(calls=(("look_up", '{"q": '),)), OPENAI, question(tools=(TOOL,)))
    assert got.calls[0].arguments == '{"q": '


@BOTH
def test_a_turn_goes_back_as_it_came_thinking_and_signature_included(name: str) -> None:
    first = Say("Hm.", thinking="secret thoughts", calls=(("look_up", '{"q": "x"}'),))
    with Server([first, Say("{}")]) as server:
        start = question(tools=(TOOL,), effort="low")
        [got] = asked(server, name, start)
        assert isinstance(got, Reply)
        turn = Assistant(got.text, got.calls, got.opaque)
        result = ToolResult(got.calls[0].id, "look_up", "nothing found")
        rest = question(*start.messages, turn, result, User("Your verdict, please."))
        asked(server, name, rest)
        second = server.requests[1].body
    if name == OPENAI:
        roles = [turn["role"] for turn in second["messages"]]
        assert roles == ["user", "assistant", "tool", "user"]
        assert second["messages"][1]["reasoning_content"] == "secret thoughts"
        assert second["messages"][2]["tool_call_id"] == got.calls[0].id
        assert "tools" not in second
    else:
        _, assistant, user = second["messages"]
        assert assistant["content"][0] == {
            "type": "thinking", "thinking": "secret thoughts", "signature": "c2lnbmVk",
        }  # fmt: skip
        assert [block["type"] for block in user["content"]] == ["tool_result", "text"]
        assert second["tool_choice"] == {"type": "none"}
        assert second["tools"][0]["name"] == "look_up"


@BOTH
def test_a_turn_of_ours_goes_out_without_the_providers_own_json(name: str) -> None:
    with Server([Say("", calls=(("look_up", "{}"),)), Say("{}")]) as server:
        [got] = asked(server, name, question(tools=(TOOL,)))
        assert isinstance(got, Reply)
        turn = Assistant("Well.", got.calls)
        result = ToolResult(got.calls[0].id, "look_up", "nothing")
        asked(server, name, question(User("?"), turn, result))
        said = server.requests[1].body["messages"][1]
    assert "Well." in json.dumps(said)
    assert got.calls[0].id in json.dumps(said)


def test_openai_is_asked_as_the_paper_asked_it() -> None:
    _, seen = one(Say("{}"), OPENAI)
    assert seen.path == "/v1/chat/completions"
    assert seen.body == {
        "model": "gpt-5.1", "messages": [{"role": "user", "content": "Is it real?"}],
        "temperature": 0.0, "seed": 42, "max_completion_tokens": 1024,
    }  # fmt: skip


def test_anthropic_is_asked_as_the_paper_asked_it() -> None:
    _, seen = one(Say("{}"), ANTHROPIC)
    assert seen.path == "/v1/messages"
    assert seen.body == {
        "model": "claude-sonnet-4-6", "temperature": 0.0, "max_tokens": 256,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Is it real?"}]}],
    }  # fmt: skip


def test_a_local_server_is_asked_with_the_parameters_that_all_of_them_know() -> None:
    spec = find("openai:llama3.1:8b@http://127.0.0.1:8000/v1")
    got, seen = one(Say("{}"), spec)
    assert isinstance(got, Reply)
    assert seen.body["model"] == "llama3.1:8b"
    assert seen.body["max_tokens"] == 1024
    assert "authorization" not in seen.headers


def test_a_model_without_temperature_is_sent_none() -> None:
    _, seen = one(Say("{}"), "claude-opus-4.7-native")
    assert "temperature" not in seen.body


def test_the_system_prompt_and_the_form_of_the_answer_are_sent() -> None:
    request = question(system="You check citations.", schema=SCHEMA)
    _, seen = one(Say("{}"), OPENAI, request)
    assert seen.body["messages"][0] == {"role": "system", "content": "You check citations."}
    assert seen.body["response_format"]["json_schema"]["schema"] == SCHEMA
    _, seen = one(Say("{}"), ANTHROPIC, request)
    assert seen.body["system"] == "You check citations."
    assert seen.body["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}


@pytest.mark.parametrize(
    ("structured", "sent"), [("json", {"type": "json_object"}), ("none", None)]
)
def test_a_model_is_held_to_a_form_only_as_far_as_it_can_be(structured: Any, sent: Any) -> None:
    spec = structs.replace(find(OPENAI), structured=structured)
    _, seen = one(Say("{}"), spec, question(schema=SCHEMA))
    assert seen.body.get("response_format") == sent


@BOTH
def test_reasoning_is_asked_for_and_then_no_temperature_sent(name: str) -> None:
    _, seen = one(Say("{}"), name, question(effort="low", max_tokens=4096))
    assert "temperature" not in seen.body
    if name == OPENAI:
        assert seen.body["reasoning_effort"] == "low"
    else:
        assert seen.body["thinking"] == {"type": "adaptive"}
        assert seen.body["output_config"] == {"effort": "low"}


@pytest.mark.parametrize("name", ["gemini-3.1-pro", "deepseek-v4-pro"])
def test_whoever_else_speaks_openais_format_is_sent_a_temperature_with_an_effort(name: str) -> None:
    """llama.cpp's server draws at random without one, whatever the effort."""
    _, seen = one(Say("{}"), name)
    assert seen.body["temperature"] == 0.0


@pytest.mark.parametrize(("tokens", "thinking"), [(2048, 1024), (8192, 4096), (16384, 8192)])
def test_gemini_3_thinks_within_the_tokens_of_the_paper(tokens: int, thinking: int) -> None:
    """Table 30; 2048 of which 1024 are the default."""
    request = question() if tokens == 2048 else question(max_tokens=tokens)
    _, seen = one(Say("{}"), "gemini-3.1-pro", request)
    assert seen.body["max_completion_tokens"] == tokens
    assert seen.body["reasoning"] == {"max_tokens": thinking}
    assert "reasoning_effort" not in seen.body


def test_a_large_budget_is_streamed_where_the_vendor_wants_it() -> None:
    line = Say("It is real.", thinking="hm", calls=(("look_up", '{"q": "x"}'),), tokens=(500, 30))
    request = question(max_tokens=32_000, tools=(TOOL,), effort="high")
    got, seen = one(line, ANTHROPIC, request)
    assert isinstance(got, Reply)
    assert seen.body["stream"] is True
    assert (got.text, got.stop) == ("It is real.", Stop.TOOLS)
    assert json.loads(got.calls[0].arguments) == {"q": "x"}
    assert json.loads(got.opaque)[0]["signature"] == "c2lnbmVk"
    assert (got.usage.input, got.usage.output) == (500, 30)


def test_a_whole_message_in_the_place_of_a_stream_is_read() -> None:
    """As LiteLLM's proxy answers for some models, whatever was asked for."""
    body = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "It is real."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    line = Bytes(json.dumps(body).encode())
    got, seen = one(line, ANTHROPIC, question(max_tokens=32_000))
    assert seen.body["stream"] is True
    assert isinstance(got, Reply)
    assert (got.text, got.usage) == ("It is real.", Usage(7, 0, 3))


def test_counts_that_come_at_the_end_of_a_stream_are_read() -> None:
    """As LiteLLM's proxy tells them: nothing at the start, all at the end."""
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {
            "id": "m", "type": "message", "role": "assistant", "content": [], "model": "tiny",
            "stop_reason": None, "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0,
         "delta": {"type": "text_delta", "text": "yes"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
         "usage": {"input_tokens": 1, "output_tokens": 4, "cache_read_input_tokens": 23}},
        {"type": "message_stop"},
    ]  # fmt: skip
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]
    line = Bytes("".join(lines).encode(), content_type="text/event-stream")
    got, _ = one(line, ANTHROPIC, question(max_tokens=32_000))
    assert isinstance(got, Reply)
    assert (got.text, got.usage) == ("yes", Usage(24, 23, 4))


def test_a_stream_that_is_none_is_told_as_malformed() -> None:
    request = question(max_tokens=32_000)
    for body in (b"data: {\n\n", b"event: message_stop\ndata: {}\n\n", b""):
        outcome, _ = one(Bytes(body, content_type="text/event-stream"), ANTHROPIC, request)
        assert isinstance(outcome, Failure)
        assert outcome.trouble is Trouble.MALFORMED
        assert outcome.detail == "Its reply holds no message."


@BOTH
@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        (Refuse(429), Trouble.RATE_LIMIT),
        (Refuse(500), Trouble.SERVER),
        (Refuse(503), Trouble.SERVER),
        (Refuse(529), Trouble.SERVER),
        (Refuse(408), Trouble.SERVER),
        (Refuse(400, "temperature is not supported"), Trouble.REQUEST),
        (Refuse(413), Trouble.REQUEST),
        (Refuse(307, headers={"Location": "http://127.0.0.1:1/"}), Trouble.REQUEST),
        (Reset(), Trouble.CONNECTION),
        (Reset(late=True), Trouble.CONNECTION),
        (Bytes(b"<html>wall</html>", content_type="text/html"), Trouble.MALFORMED),
        (Bytes(b""), Trouble.MALFORMED),
        (Bytes(b"{}"), Trouble.MALFORMED),
        (Bytes(b"null"), Trouble.MALFORMED),
        (Bytes(b'{"choices": [], "content": 3}'), Trouble.MALFORMED),
        (Bytes(b"[" * 100_000), Trouble.MALFORMED),
        (Bytes(b'{"choices": [{"message": ' + b"[" * 100_000), Trouble.MALFORMED),
        (Bytes(b"\xff\xfe"), Trouble.MALFORMED),
        (Bytes(b"{}", headers={"Content-Encoding": "gzip"}), Trouble.MALFORMED),
        (Endless(), Trouble.MALFORMED),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_every_failure_is_a_value_of_its_kind(name: str, line: Line, trouble: Trouble) -> None:
    got = failure(line, name)
    assert got.trouble is trouble
    assert got.detail.startswith(("It answered with status ", "The connection failed", "It"))
    assert got.detail.isprintable()
    assert got.seconds > 0


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_server_that_does_not_run_is_told_with_its_address(kind: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"

    with open_model(f"{kind}:x@{address}", environ={}, patience=ONCE) as model:
        got = asyncio.run(model.ask(question()))
    assert isinstance(got, Failure)
    assert got.detail == f"The connection to {address} failed (ConnectError)."


@BOTH
def test_a_slow_service_is_given_up(name: str) -> None:
    spec = structs.replace(find(name), timeout_s=0.2)
    got = failure(Slow(0.5), spec)
    assert got.trouble is Trouble.TIMEOUT
    assert got.detail == "No reply within 0.2 s."


@BOTH
def test_a_reply_that_may_be_long_is_waited_for_longer(name: str) -> None:
    spec = structs.replace(find(name), timeout_s=0.2)
    with Server([Slow(0.5)]) as server:
        [got] = asked(server, spec, question(max_tokens=15_000))
    assert isinstance(got, Reply)


@BOTH
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (Refuse(401, f"bad key {KEY}"), "API_KEY"),
        (Refuse(403, "not allowed"), "API_KEY"),
        (Refuse(404, "no such model"), "no model"),
        (Refuse(402, "Insufficient credits"), "Put money on it"),
        (Refuse(429, "You exceeded your quota", code="insufficient_quota"), "Put money on it"),
    ],
    ids=repr,
)
def test_what_no_further_question_could_change_stops_the_run(
    name: str, line: Line, says: str
) -> None:
    with pytest.raises(ModelStopped, match=says) as caught:
        one(line, name)
    assert KEY not in str(caught.value)


@BOTH
@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        (
            Refuse(
                429,
                "Rate limit reached for requests per min. Limit: 3 / min. Please add a payment method "
                "to your account to increase your rate limit. Visit https://platform.openai.com/account"
                "/billing to add a payment method.",
                code="rate_limit_exceeded",
            ),
            Trouble.RATE_LIMIT,
        ),
        (Refuse(422, "bad: title={On insufficient_quota and billing_error}"), Trouble.REQUEST),
        (Refuse(500, "failed over: credit balance is too low"), Trouble.SERVER),
    ],
    ids=repr,
)
def test_words_on_bills_that_are_no_refusal_for_want_of_money_stop_no_run(
    name: str, line: Refuse, trouble: Trouble
) -> None:
    assert failure(line, name).trouble is trouble


@BOTH
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (Refuse(429, "a.", code="insufficient_quota"), "Put money"),
        (Refuse(400, "Your credit balance is too low to access the API"), "Put money"),
        (Refuse(403, "x", code="billing_not_active"), "Put money"),
    ],
    ids=repr,
)
def test_an_empty_account_is_known_by_what_the_vendors_call_it(
    name: str, line: Line, says: str
) -> None:
    with pytest.raises(ModelStopped, match=says):
        one(line, name)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("HALLMARK_LLM_KEY", "answers only with a key .* Set the variable HALLMARK_LLM_KEY to"),
        ("", "answers only with a key .* Name the variable that holds a key as `key` in its row"),
    ],
)
def test_a_server_that_wants_a_key_where_none_was_sent_is_not_said_to_refuse_one(
    key: str, says: str
) -> None:
    """As the servers of llama.cpp and LiteLLM answer without a key."""
    spec = ModelSpec(name="own", id="own", base_url="http://127.0.0.1:1/v1", key=key)
    with pytest.raises(ModelStopped, match=says):
        one(Refuse(401, "Invalid API Key", code="authentication_error"), spec)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"message": {"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}, "type": "x"}', "seed"),
        (b'{"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}', "seed"),
        (b'{"error": "the field seed is not known"}', "seed"),
        (b'{"error": {"message": "Provider returned error", "metadata": {"raw": "no seed"}}}', "seed"),
        (b'{"error": {"message": "No.", "code": 400}}', "It answered with status 400: No."),
        (b"", "It answered with status 400."),
    ],
)  # fmt: skip
def test_what_a_server_says_of_a_failure_is_told_whatever_form_it_has(
    body: bytes, says: str
) -> None:
    """As Mistral's own end-point, FastAPI, older servers of Ollama and OpenRouter put it."""
    got = failure(Bytes(body, status=400), OPENAI)
    assert says in got.detail
    assert got.detail.endswith(".")


def test_an_error_in_the_body_of_a_success_is_an_error() -> None:
    late = Bytes(b'{"error": {"message": "Provider returned error", "code": 502}}')
    assert failure(late, "deepseek-r1").trouble is Trouble.SERVER
    odd = Bytes(b'{"error": {"message": "odd"}}')
    assert failure(odd, "deepseek-r1").detail == "Its reply is an error: odd"
    with pytest.raises(ModelStopped, match="Put money"):
        one(Bytes(b'{"error": {"message": "no credits", "code": 402}}'), "deepseek-r1")


def test_odd_but_harmless_replies_of_compatible_servers_are_read() -> None:
    body = {
        "choices": [
            {
                "message": {
                    "content": [
                        {"type": "text", "text": "a"},
                        {"type": "x"},
                        {"type": "text", "text": "b"},
                    ],
                    "tool_calls": [{"function": {"name": "f", "arguments": {"q": 1}}}],
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": -5, "completion_tokens": None},
    }
    got = reply(Bytes(json.dumps(body).encode()), OPENAI)
    assert (got.text, got.stop, got.usage) == ("ab", Stop.TOOLS, Usage(counted=False))
    assert (got.calls[0].id, got.calls[0].arguments) == ("call_1", '{"q":1}')
    assert got.opaque == ""  # our id would not be found in it


def test_what_is_empty_in_a_turn_does_not_go_back() -> None:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None,
        "tool_calls": [],
        "audio": None,
        "note": "kept",
    }
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    got = reply(Bytes(json.dumps(body).encode()), OPENAI)
    assert json.loads(got.opaque) == {"role": "assistant", "content": None, "note": "kept"}


@BOTH
def test_a_turn_that_nests_deeply_is_read_but_does_not_go_back(name: str) -> None:
    for depth, kept in ((50, True), (100, False), (900, False)):
        nested = b"[" * depth + b"]" * depth
        if name == OPENAI:
            turn = b'{"choices": [{"message": {"content": "yes", "extra": %s}}]}' % nested
        else:
            turn = b'{"content": [{"type": "text", "text": "yes", "extra": %s}]}' % nested
        outcome, _ = one(Bytes(turn), name)
        if isinstance(outcome, Reply):
            assert (outcome.text, bool(outcome.opaque)) == ("yes", kept)
        else:
            assert (depth, outcome.trouble) == (900, Trouble.MALFORMED)


def test_half_a_character_is_a_failure_and_nothing_is_sent() -> None:
    with Server([]) as server:
        [got] = asked(server, OPENAI, question(User("half \ud800 character")))
        assert isinstance(got, Failure)
        assert got.trouble is Trouble.REQUEST
        assert server.requests == []


@BOTH
def test_only_the_headers_that_are_needed_are_sent(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Leak: yes")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-leak")
    spec = structs.replace(find(name), base_url="http://127.0.0.1:9/v1")
    _, seen = one(Say("{}"), spec)
    assert "leak" not in json.dumps(seen.headers)
    told = {header for header in seen.headers if header.startswith("x-stainless")}
    assert told == {"x-stainless-raw-response"}
    assert seen.headers["accept-encoding"] == "identity"
    assert KEY in seen.headers.get("authorization", seen.headers.get("x-api-key", ""))


def test_several_requests_are_under_way_at_once_but_no_more_than_allowed() -> None:
    async def all_at_once(model: OpenModel) -> list[Reply | Failure]:
        requests = [question(User(str(number))) for number in range(12)]
        return list(await asyncio.gather(*(model.ask(request) for request in requests)))

    with (
        Server(lambda _: Slow(0.05, Say("{}"))) as server,
        open_model(OPENAI, environ=environ_of(server), at_once=3) as model,
    ):
        outcomes = asyncio.run(all_at_once(model))
        assert all(isinstance(outcome, Reply) for outcome in outcomes)
        assert server.most_at_once == 3


def test_a_model_may_be_asked_in_one_loop_after_the_other() -> None:
    with (
        Server(lambda _: Say("{}")) as server,
        open_model(OPENAI, environ=environ_of(server), clock=Clock()) as model,
    ):
        for number in range(3):
            assert isinstance(asyncio.run(model.ask(question(sample=number))), Reply)
