"""Agents from the command line's request to the wire: the vendors' SDKs, and sources on loopback."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.agent import Agent
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from hallmark.bench.systems.tool_cache import FILE
from hallmark.errors import ModelStopped
from tests.bench.systems.test_agent import FLAG, GLOVE, INVENTED, REAL, VALID, world
from tests.fakeworld.knobs import Fault, always
from tests.fakeworld.records import JOURNAL
from tests.fakeworld.server import serving
from tests.fakeworld.world import World
from tests.llm.server import Line, Refuse, Say, Seen, Server
from tests.llm.test_services import ANTHROPIC, BOTH, KEY, OPENAI, environ_of

QUAY = "planted.person@quay.example"


@pytest.fixture
def played() -> World:
    return world()


@pytest.fixture
def address(played: World) -> Iterator[str]:
    with serving(played) as at:
        yield at


def request(server: Server, address: str, folder: Path, name: str, **more: Any) -> Request:
    environ = {
        **environ_of(server),
        "HALLMARK_SOURCES_AT": address,
        "HALLMARK_CACHE": str(folder / "shared"),
        "HALLMARK_CONTACT": QUAY,
        "OPENALEX_API_KEY": "planted-openalex-7c1d",
    }
    return Request(model=name, today="2026-12-02", cache=folder / "kept", environ=environ, **more)


def run(system: str, asked: Request, *entries: BlindEntry) -> list[Prediction]:
    made = build(system, asked)
    assert isinstance(made, Agent)
    return list(made.predict(entries))


def results(seen: Seen) -> list[dict[str, Any]]:
    """What tools returned, as either format carries it."""
    found = []
    for turn in seen.body["messages"]:
        if turn["role"] == "tool":
            found.append(turn["content"])
        elif isinstance(turn["content"], list):
            found += [b["content"] for b in turn["content"] if b["type"] == "tool_result"]
    return [json.loads(text) for text in found]


def looked_up(seen: Seen) -> Line:
    """Three searches in one turn, then a flag where any of them found nothing."""
    told = results(seen)
    if not told:
        title = JOURNAL.title if "Tidal Memory" in seen.text else "Clouds That Nobody Wrote"
        given = json.dumps({"query": title, "limit": 3})
        names = ("search_crossref", "search_openalex", "search_arxiv")
        return Say(text="Let me look.", calls=tuple((name, given) for name in names))
    answers = [one["result"] for one in told]
    missing = [one for one in answers if one["answered"] and not one["records"]]
    return Say(FLAG if missing else VALID)


@BOTH
def test_an_agent_speaks_both_formats(name: str, address: str, tmp_path: Path) -> None:
    with Server(looked_up) as server:
        (prediction,) = run("agent-sources", request(server, address, tmp_path, name), REAL)
    assert prediction.label is Label.HALLUCINATED
    assert prediction.extra["tools_used"] == ["search_crossref", "search_openalex", "search_arxiv"]
    assert prediction.extra["tokens_in"] == 200
    first, second = server.requests
    assert len(first.body["tools"]) == 4
    assert [len(one["result"]["records"]) > 0 for one in results(second)] == [True, True, False]
    roles = [turn["role"] for turn in second.body["messages"]]
    assert (
        roles
        == {
            OPENAI: ["system", "user", "assistant", "tool", "tool", "tool"],
            ANTHROPIC: ["user", "assistant", "user"],
        }[name]
    )


@BOTH
def test_the_last_turn_cannot_call(name: str, address: str, tmp_path: Path) -> None:
    def greedy(seen: Seen) -> Line:
        number = len(results(seen))
        if number == 5:
            return Say(VALID)
        return Say(calls=(("search_arxiv", json.dumps({"query": f"waves {number}"})),))

    with Server(greedy) as server:
        (prediction,) = run("agent-sources", request(server, address, tmp_path, name), REAL)
    assert prediction.label is Label.VALID
    assert prediction.calls == 6
    last = server.requests[-1].body
    assert "All calls of tools are used" in json.dumps(last["messages"][-1])
    if name == OPENAI:
        assert "tools" not in last
    else:
        assert last["tool_choice"] == {"type": "none"}


@BOTH
def test_in_a_total_outage_the_model_is_told_so(name: str, tmp_path: Path, played: World) -> None:
    for each in ("crossref", "openalex", "arxiv", "datacite", "doi_org"):
        played.turn(each, always(Fault.FORBIDDEN))
    with serving(played) as at, Server(looked_up) as server:
        (prediction,) = run("agent-sources", request(server, at, tmp_path, name), INVENTED)
    assert (prediction.label, prediction.extra["error"]) == (Label.ERROR, "sources")
    assert prediction.extra["tool_calls_unanswered"] == 3
    assert all("did not answer" in str(one["result"]) for one in results(server.requests[-1]))


@BOTH
def test_replayed_offline_nothing_is_asked(name: str, address: str, tmp_path: Path) -> None:
    with Server(looked_up) as server:
        asked = request(server, address, tmp_path, name)
        live = run("agent-sources", asked, REAL, INVENTED)
    offline = Request(model=name, today="2026-12-03", cache=tmp_path / "kept", offline=True)
    replayed = run("agent-sources", offline_at(offline, asked), REAL, INVENTED)
    assert [_told(one) for one in replayed] == [_told(one) for one in live]
    with pytest.raises(ModelStopped, match="is kept"):
        run("agent-sources", offline_at(offline, asked), GLOVE)


def offline_at(offline: Request, asked: Request) -> Request:
    """The request of a replay: the same address of the model, and no source at all."""
    environ = {"HALLMARK_LLM_AT": asked.environ["HALLMARK_LLM_AT"]}
    return Request(
        model=offline.model, today=offline.today, cache=offline.cache, offline=True, environ=environ
    )


def _told(prediction: Prediction) -> dict[str, Any]:
    row = prediction.row()
    return {name: value for name, value in row.items() if name not in {"kept", "seconds"}}


@BOTH
def test_our_verifier_is_called_over_the_wire(name: str, index: Path, tmp_path: Path) -> None:
    def trusting(seen: Seen) -> Line:
        told = results(seen)
        if not told:
            return Say(calls=(("verify_reference", "{}"),))
        return Say(VALID if "agrees" in told[0]["result"]["result"] else FLAG)

    with Server(trusting) as server:
        asked = request(server, "http://127.0.0.1:9", tmp_path, name, index=index)
        (prediction,) = run("agent-hallmark", asked, GLOVE)
    assert prediction.label is Label.VALID
    assert prediction.extra["tools_used"] == ["verify_reference"]


def test_our_verifier_asks_live_sources_where_that_is_wished(
    index: Path, address: str, played: World, tmp_path: Path
) -> None:
    with Server(lambda _: Say(VALID)) as server:
        asked = request(server, address, tmp_path, OPENAI, index=index, options={"live": "yes"})
        run("tool-augmented", asked, REAL)
        shown = server.requests[0].text
        before = len(played.log)
        run("tool-augmented", asked, REAL)
    assert before > 0
    assert len(played.log) == before
    assert len(server.requests) == 1
    assert JOURNAL.title[:30] in shown
    assert "crossref" in shown


def test_no_key_and_no_contact_is_kept_or_told(address: str, tmp_path: Path) -> None:
    def leaky(seen: Seen) -> Line:
        return looked_up(seen) if len(seen.body["messages"]) < 4 else Refuse(400, f"{KEY} is bad")

    with Server(leaky) as server:
        asked = request(server, address, tmp_path, OPENAI)
        (prediction,) = run("agent-sources", asked, REAL)
    made = build("agent-sources", asked)
    texts = [repr(prediction), repr(dict(made.settings)), repr(made)]
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == FILE for path in (tmp_path / "kept").iterdir())
    for secret in (KEY, QUAY, "planted-openalex-7c1d"):
        assert all(secret not in text for text in texts)
        assert all(secret.encode() not in content for content in files)


CLI = "from hallmark.cli.main import main; main()"


def _started(folder: Path, environ: dict[str, str], out: str) -> "subprocess.Popen[str]":
    command = [
        sys.executable, "-c", CLI, "bench", "run", "agent-sources", "--model", OPENAI, "--gold",
        str(folder / "blind.jsonl"), "--out", str(folder / out), "--cache", str(folder / "kept"),
    ]  # fmt: skip
    return subprocess.Popen(
        command,
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{k: v for k, v in row.items() if k not in {"kept", "seconds"}} for row in rows]


@pytest.mark.slow
def test_killed_and_run_again_it_ends_with_the_same_predictions(
    address: str, tmp_path: Path
) -> None:
    entries: list[dict[str, Any]] = [
        {"bibtex_key": f"k{n}", "fields": {**(REAL if n % 2 else INVENTED).fields, "note": str(n)}}
        for n in range(12)
    ]
    lines = "".join(json.dumps(entry) + "\n" for entry in entries)
    (tmp_path / "blind.jsonl").write_text(lines, encoding="utf-8")

    def slowly(seen: Seen) -> Line:
        time.sleep(0.02)
        return looked_up(seen)

    with Server(slowly) as server:
        environ = dict(request(server, address, tmp_path, OPENAI).environ)
        killed = _started(tmp_path, environ, "killed.jsonl")
        deadline = time.monotonic() + 60
        while len(server.requests) < 9 and time.monotonic() < deadline:
            time.sleep(0.005)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert not (tmp_path / "killed.jsonl").exists()
        resumed = _started(tmp_path, environ, "killed.jsonl")
        said, _ = resumed.communicate(timeout=120)
        assert resumed.returncode == 0, said
        asked = len(server.requests)
        undisturbed = request(server, address, tmp_path / "other", OPENAI)
        blind = [BlindEntry(str(one["bibtex_key"]), "misc", one["fields"]) for one in entries]
        whole = run("agent-sources", undisturbed, *blind)
    assert _rows(tmp_path / "killed.jsonl") == [
        json.loads(json.dumps(_told(prediction))) for prediction in whole
    ]
    # A kill may cost what was under way, at most four questions at a time.
    assert asked <= 2 * len(entries) + 4
