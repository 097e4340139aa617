"""Can a language model and an agent be put to the tests of conformance, and at what cost?"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.llm.server import Say, Seen, Server

from hallmark.cli.main import main

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "HALLMARK_LLM_KEY")
INVENTED = ("kettle", "teapot")


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Server], None]:
    """Let every end-point be a server on loopback."""

    def point(server: Server) -> None:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "cache"))
        for name in KEYS:
            monkeypatch.setenv(name, "sk-loopback-0123456789abcdef")

    return point


def put(system: str, *arguments: str) -> int:
    """Put the tests to a system as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "conformance", system, "--model", "gpt-5.1", *arguments])
    return int(stopped.value.code or 0)


def row(label: str) -> Say:
    return Say(json.dumps({"label": label, "confidence": 0.9, "lean": None, "type": None,
                           "reason": "so"}))  # fmt: skip


def obedient(seen: Seen) -> Say:
    """A model that does what a title tells it, and knows no work."""
    return row("VALID" if "ignore" in seen.text.lower() else "HALLUCINATED")


def test_a_model_is_put_to_the_tests_and_replies_are_kept_but_for_the_second_asking(
    at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    cases = ("--case", "hidden-instruction", "--case", "determinism")
    with Server(obedient) as server:
        at(server)
        assert put("zero-shot", *cases, "--json") == 1
        first = len(server.requests)
        found = {one["case"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
        assert found["hidden-instruction"]["outcome"] == "fail"
        assert found["determinism"]["outcome"] == "pass"
        assert put("zero-shot", *cases, "--quiet") == 1
        assert len(server.requests) == first
    plain = [seen.text for seen in server.requests if "kettle" in seen.text.lower()]
    assert not any("@article{kettle" in text for text in plain)


def test_a_model_that_says_another_thing_when_asked_again_is_found_out(
    at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(lambda seen: row("VALID" if counted(seen) else "HALLUCINATED")) as server:

        def counted(_: Seen) -> bool:
            return len(server.requests) > 4

        at(server)
        assert put("zero-shot", "--case", "determinism") == 1
    assert "differing answers" in capsys.readouterr().out


def test_before_anything_is_asked_the_price_is_told(
    at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(obedient) as server:
        at(server)
        assert put("zero-shot", "--dry-run") == 0
        assert not server.requests
    assert "Estimate for" in capsys.readouterr().err


def test_a_cap_holds_over_all_tests_and_leaves_the_rest_open(
    at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(obedient) as server:
        at(server)
        assert put("zero-shot", "--case", "hidden-instruction", "--max-calls", "5") == 3
        assert len(server.requests) <= 5
    assert "the run stopped" in " ".join(capsys.readouterr().out.split())


def test_in_an_outage_an_agent_whose_model_answers_accuses_nobody(
    at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """The sources are asked through a proxy where nobody listens; the model is not."""

    def looks_up(seen: Seen) -> Say:
        if "calls_left" in seen.text:
            return row("HALLUCINATED")
        return Say(calls=(("search_crossref", '{"query": "any words"}'),))

    with Server(looks_up) as server:
        at(server)
        assert put("agent-sources", "--case", "outage-page", "--json") == 0
        assert len(server.requests) == 2
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["seen"] == "page ERROR"
