"""Whatever an end-point tells of tokens, names and reasons: no cap is overrun, no reply is lost."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, structs

from hallmark._waiting import Clock, retry_after_s
from hallmark.bench.usage import Usage as Summary
from hallmark.bench.usage import in_words
from hallmark.cli.main import main
from hallmark.errors import ModelStopped
from hallmark.llm import told
from hallmark.llm.attempt import Secrets, refused
from hallmark.llm.calls import Patience
from hallmark.llm.interface import Caps, Failure, Reply, Request, Stop, Usage, User
from hallmark.llm.models import find
from hallmark.llm.session import open_model
from tests.llm.server import Bytes, Server

GOLD = str(Path(__file__).parents[2] / "examples" / "bench" / "gold.jsonl")
HOSTILE: list[Any] = [
    -5, 10**30, 1e9, 1.5, "12", "", None, True, [], {}, [12], {"n": 12},
    told.MOST_TOKENS + 1,
]  # fmt: skip
ANSWER = '{"label": "VALID", "confidence": 0.5}'
OPENAI, ANTHROPIC = "gpt-5.1", "claude-sonnet-4.6-native"


def chat(**odd: Any) -> Bytes:
    """A reply in OpenAI's format, with some members in other forms."""
    body = {
        "choices": [
            {"message": {"content": ANSWER}, "finish_reason": odd.pop("finish_reason", "stop")}
        ],
        **odd,
    }
    return Bytes(json.dumps(body).encode())


def message(**odd: Any) -> Bytes:
    """A reply in Anthropic's format, with some members in other forms."""
    odd["stop_reason"] = odd.pop("finish_reason", "end_turn")
    body = {"content": [{"type": "text", "text": ANSWER}], "role": "assistant", **odd}
    return Bytes(json.dumps(body).encode())


FORMATS = pytest.mark.parametrize(
    ("name", "said", "prompt", "completion"),
    [
        (OPENAI, chat, "prompt_tokens", "completion_tokens"),
        (ANTHROPIC, message, "input_tokens", "output_tokens"),
    ],
)
Said = Callable[..., Bytes]


def asked(line: Bytes, name: str, times: int = 1, caps: Caps | None = None) -> tuple[Any, str, int]:
    """The last outcome, the account, and how many requests were seen."""
    request = Request(messages=(User("?"),))
    keys = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
    with Server([line] * 20) as server:
        environ = {"HALLMARK_LLM_AT": server.url, **keys}
        with open_model(name, environ=environ, caps=caps, patience=Patience(attempts=1)) as model:

            async def every() -> object:
                outcome: object = None
                for _ in range(times):
                    try:
                        outcome = await model.ask(request)
                    except ModelStopped as stop:
                        return stop
                return outcome

            outcome = asyncio.run(every())
            return outcome, "\n".join(model.account()), len(server.requests)


@FORMATS
@pytest.mark.parametrize("number", HOSTILE, ids=repr)
def test_numbers_of_tokens_that_are_none_are_unknown_and_lose_no_reply(
    name: str, said: Said, prompt: str, completion: str, number: Any
) -> None:
    for usage in ({prompt: number, completion: 3}, {prompt: 3, completion: number}):
        got, account, _ = asked(said(usage=usage), name)
        assert isinstance(got, Reply)
        assert (got.text, got.usage) == (ANSWER, Usage(counted=False))
        assert "counted no tokens of 1 replies" in account
        assert "Cost: $0.0" in account
        assert "Cost: $0.0000" not in account  # what it can be at the most


@FORMATS
@pytest.mark.parametrize("usage", [*HOSTILE, [{"prompt_tokens": 1}]], ids=repr)
def test_usage_that_is_no_object_is_unknown(
    name: str, said: Said, prompt: str, completion: str, usage: Any
) -> None:
    got, _, _ = asked(said(usage=usage), name)
    assert isinstance(got, Reply)
    assert not got.usage.counted


@FORMATS
def test_where_tokens_are_not_counted_caps_count_the_most_they_can_be(
    name: str, said: Said, prompt: str, completion: str
) -> None:
    usage = {prompt: -(10**9), completion: -(10**9)}
    limit = find(name).max_tokens
    stopped, _, requests = asked(said(usage=usage), name, times=9, caps=Caps(tokens=3 * limit))
    assert "cap of this run is reached" in str(stopped)
    assert requests == 2


@FORMATS
@pytest.mark.parametrize("odd", [7, None, ["x"], {"a": 1}, 1.5, "\x1b[2J" + "x" * 10**6], ids=type)
def test_a_name_of_a_model_and_a_reason_of_any_form_lose_no_reply(
    name: str, said: Said, prompt: str, completion: str, odd: Any
) -> None:
    got, _, _ = asked(said(model=odd, finish_reason=odd), name)
    assert isinstance(got, Reply)
    assert (got.text, got.stop) == (ANSWER, Stop.END)
    assert len(got.model) <= 200
    assert got.model.isprintable()


@given(st.lists(st.integers() | st.floats() | st.text() | st.none(), min_size=5, max_size=5))
def test_what_is_told_is_a_sum_that_can_be_or_unknown(parts: list[Any]) -> None:
    first, second, output, cached, reasoning = parts
    found = told.usage((first, second), output, cached=cached, reasoning=reasoning)
    numbers = (found.input, found.cached_input, found.output, found.reasoning)
    assert all(0 <= number <= told.MOST_TOKENS for number in numbers)
    assert found.counted == (found.input + found.output > 0)
    if found.counted:
        assert (found.input, found.output) == (first + (second or 0), output)


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_an_object_or_nothing(data: bytes) -> None:
    assert isinstance(told.numbers(Raw(data)), dict)


@given(st.text(max_size=60) | st.sampled_from(["-1", "1e9", "9" * 400, "Mon, 99 Foo 2020"]))
def test_a_wait_that_is_asked_for_is_never_negative(text: str) -> None:
    now = Clock().shared()
    for name in ("retry-after", "retry-after-ms"):
        found = refused(find(OPENAI), Secrets(), 429, "slow down", {name: text}, now)
        assert found.wait_s is None or found.wait_s >= 0
    seconds = retry_after_s(text, now)
    assert seconds is None or seconds >= 0


def test_a_wait_of_years_is_told_and_not_waited_for() -> None:
    line = Bytes(b"{}", status=429, headers={"Retry-After": "1000000000"})
    keys = {"OPENAI_API_KEY": "k"}
    with Server([line]) as server:
        environ = {"HALLMARK_LLM_AT": server.url, **keys}
        with open_model(OPENAI, environ=environ) as model:
            got = asyncio.run(model.ask(Request(messages=(User("?"),))))
    assert isinstance(got, Failure)
    assert "It asks to wait 1,000,000,000 s, and a run waits 300 s at the most." in got.detail


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ({"message": "Bad key.", "code": "invalid", "type": "invalid"}, "Bad key [invalid]"),
        ({"message": "bad key: invalid", "code": "invalid", "type": None}, "bad key: invalid"),
        ({"message": "Bad key.", "code": None, "type": ""}, "Bad key"),
    ],
)
def test_the_words_of_a_service_are_told_once(error: dict[str, Any], shown: str) -> None:
    line = Bytes(json.dumps({"error": error}).encode(), status=400)
    got, _, _ = asked(line, OPENAI)
    assert isinstance(got, Failure)
    assert got.detail == f"It answered with status 400: {shown}."
    stopped, _, _ = asked(Bytes(line.body, status=401), OPENAI)
    assert f"(status 401: {shown}" in str(stopped)


def test_a_run_tells_that_its_cost_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    with Server(lambda _: chat(usage={"prompt_tokens": -5, "completion_tokens": "x"})) as server:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        kept = ["--cache", str(tmp_path / "kept")]
        asking = ["bench", "run", "zero-shot", "--model", OPENAI, "--gold", GOLD, *kept]
        with pytest.raises(SystemExit) as stopped:
            main([*asking, "--out", str(out)])
    assert not stopped.value.code
    assert "cost unknown, for the tokens of 20 answers were not counted" in capsys.readouterr().err
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {row.get("cost") for row in rows} == {None}
    assert {row["uncounted"] for row in rows} == {1}


def test_a_known_cost_is_told_as_before() -> None:
    known = Summary(
        calls=1, kept=0, tokens_in=1, tokens_out=1, tokens_reasoning=0, cost=0.5, models=(),
        median_s=0.0, high_s=0.0,
    )  # fmt: skip
    assert "US$ 0.5000 by the listed prices" in in_words(known)


@pytest.mark.parametrize(
    ("cost", "counts"), [(0.5, 0.5), (0.0001, 0.00205), (7, 7.0), (0, 0.00205)]
)
def test_what_openrouter_was_charged_counts_where_it_is_more_than_its_list_says(
    cost: float, counts: float
) -> None:
    """It may have routed the question to somebody dearer than whom it lists."""
    line = chat(usage={"prompt_tokens": 1000, "completion_tokens": 100, "cost": cost})
    environ = {"OPENROUTER_API_KEY": "sk-x"}
    spec = structs.replace(find("deepseek-r1"), input_price=1.8, output_price=2.5)
    with (
        Server([line, line]) as server,
        open_model(
            spec, environ={**environ, "HALLMARK_LLM_AT": server.url}, caps=Caps(cost=8.0)
        ) as model,
    ):
        got = asyncio.run(model.ask(Request(messages=(User("Is it real?"),))))
        assert isinstance(got, Reply)
        assert got.usage.cost == cost
        assert model.totals().cost == pytest.approx(counts)
        told_of = [line for line in model.account() if "own count" in line]
        assert told_of == ([f"By the service's own count they cost ${cost:.4f}."] if cost else [])


@pytest.mark.parametrize("odd", [*HOSTILE, -0.5, 1e300, 1000.5, [0.5], {"total": 1}])
def test_a_cost_that_cannot_be_believed_is_none(odd: Any) -> None:
    line = chat(usage={"prompt_tokens": 10, "completion_tokens": 10, "cost": odd})
    with (
        Server([line]) as server,
        open_model(
            "deepseek-r1", environ={"OPENROUTER_API_KEY": "x", "HALLMARK_LLM_AT": server.url}
        ) as model,
    ):
        got = asyncio.run(model.ask(Request(messages=(User("Is it real?"),))))
        assert isinstance(got, Reply)
        assert got.usage.cost == (odd if odd in (12, 1.5) and not isinstance(odd, bool) else 0.0)


def test_only_openrouter_is_taken_to_count_in_dollars() -> None:
    line = chat(usage={"prompt_tokens": 10, "completion_tokens": 10, "cost": 5})
    with (
        Server([line]) as server,
        open_model(f"openai:x@{server.url}/v1", environ={}) as model,
    ):
        got = asyncio.run(model.ask(Request(messages=(User("Is it real?"),))))
        assert isinstance(got, Reply)
        assert got.usage.cost == 0.0
