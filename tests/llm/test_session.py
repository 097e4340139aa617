"""A model as a run opens it: what is kept is never asked twice, and keys stay where they are."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.errors import InputError, ModelStopped, UnknownName
from hallmark.llm.cache import FILE
from hallmark.llm.calls import Patience
from hallmark.llm.interface import Caps, Failure, Reply, Request, User
from hallmark.llm.ledger import Ledger
from hallmark.llm.loop import answered
from hallmark.llm.models import find
from hallmark.llm.session import OpenModel, open_model
from tests.llm.server import Bytes, Line, Refuse, Say, Seen, Server, Slow, completion
from tests.llm.test_calls import Times
from tests.llm.test_services import KEY, ONCE, OPENAI, asked, environ_of, question

NOBODY = "http://127.0.0.1:9"


def ask(model: OpenModel, *requests: Request) -> list[Reply | Failure]:
    async def all_of() -> list[Reply | Failure]:
        return list(await asyncio.gather(*(model.ask(request) for request in requests)))

    return asyncio.run(all_of())


def numbered(n: int) -> list[Request]:
    return [question(User(f"Question {number}")) for number in range(n)]


def test_a_kept_reply_is_not_asked_again_and_costs_nothing(tmp_path: Path) -> None:
    with Server([Say("first"), Say("second")]) as server:
        [new] = asked(server, OPENAI, question(), cache=tmp_path)
        [kept] = asked(server, OPENAI, question(), cache=tmp_path, caps=Caps(calls=0))
        [other] = asked(server, OPENAI, question(sample=1), cache=tmp_path)
        assert isinstance(new, Reply)
        assert isinstance(other, Reply)
        assert kept == structs.replace(new, kept=True)
        assert (new.text, new.kept, other.text) == ("first", False, "second")
        assert len(server.requests) == 2


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with Server([Refuse(500), Say("fine")]) as server:
        [first] = asked(server, OPENAI, question(), cache=tmp_path)
        [then] = asked(server, OPENAI, question(), cache=tmp_path)
    assert isinstance(first, Failure)
    assert isinstance(then, Reply)


def test_the_same_question_at_the_same_time_is_asked_once() -> None:
    with (
        Server(lambda _: Slow(0.05, Say("yes"))) as server,
        open_model(OPENAI, environ=environ_of(server)) as model,
    ):
        outcomes = ask(model, question(), question(), question(sample=1))
        kept = [outcome.kept for outcome in outcomes if isinstance(outcome, Reply)]
        assert kept == [False, True, False]
        assert len(server.requests) == 2
        assert model.totals().kept == 1


def test_offline_only_kept_replies_count_and_neither_key_nor_service_is_needed(
    tmp_path: Path,
) -> None:
    with Server([Say("yes")]) as server:
        asked(server, OPENAI, question(), cache=tmp_path)
        world = {"HALLMARK_LLM_AT": server.url}
    with open_model(OPENAI, environ=world, cache=tmp_path, offline=True) as model:
        [kept] = ask(model, question())
        assert isinstance(kept, Reply)
        assert kept.kept
        with pytest.raises(ModelStopped, match=r"question about `Is it real\?` \([0-9a-f]{12}\)"):
            ask(model, question(seed=7))


def test_offline_without_kept_replies_is_a_mistake(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="folder of kept replies"),
        open_model(OPENAI, environ={}, offline=True),
    ):
        pass
    with (
        pytest.raises(InputError, match="There are no kept replies"),
        open_model(OPENAI, environ={}, cache=tmp_path, offline=True),
    ):
        pass


def test_a_missing_key_is_told_with_its_variable_and_nothing_is_sent() -> None:
    with (
        Server([Say("yes")]) as server,
        open_model(OPENAI, environ={"HALLMARK_LLM_AT": server.url}) as model,
    ):
        with pytest.raises(ModelStopped, match="set the variable OPENAI_API_KEY"):
            ask(model, question())
        assert server.requests == []


def test_the_address_for_tests_must_be_of_this_machine() -> None:
    world = {"HALLMARK_LLM_AT": "http://evil.example", "OPENAI_API_KEY": KEY}
    with pytest.raises(InputError, match="of this machine"), open_model(OPENAI, environ=world):
        pass


def test_an_unknown_model_is_told_when_it_is_opened() -> None:
    with pytest.raises(UnknownName), open_model("gpt-1", environ={}):
        pass


def test_the_cost_of_a_model_without_price_cannot_be_capped() -> None:
    with (
        pytest.raises(InputError, match="price is not known"),
        open_model("openai:new-model", environ={}, caps=Caps(cost=1.0)),
    ):
        pass


def test_a_cap_stops_the_run_and_says_how_to_go_on(tmp_path: Path) -> None:
    with (
        Server(lambda _: Say("yes")) as server,
        open_model(OPENAI, environ=environ_of(server), caps=Caps(calls=3), cache=tmp_path) as model,
    ):
        seen: list[Reply | Failure] = []
        with pytest.raises(ModelStopped, match=r"3 calls.* with a higher cap"):
            seen.extend(answered(model.ask, numbered(10), 2))
        assert len(server.requests) == 3
        assert len(ask(model, *numbered(3))) == 3  # kept ones may still be read


@pytest.mark.parametrize(("cost", "says"), [(0.001, "0.001"), (1e-5, "0.00001"), (0.0, "0.00")])
def test_a_cap_is_told_as_it_was_given_however_small(cost: float, says: str) -> None:
    with (
        open_model(OPENAI, environ={"OPENAI_API_KEY": "x"}, caps=Caps(cost=cost)) as model,
        pytest.raises(ModelStopped, match=rf"the cost of \${says} \("),
    ):
        ask(model, question())


def test_models_of_one_run_may_share_their_caps() -> None:
    ledger = Ledger(Caps(calls=1))
    with (
        Server(lambda _: Say("yes")) as server,
        open_model(OPENAI, environ=environ_of(server), ledger=ledger) as one,
        open_model("gpt-5.4", environ=environ_of(server), ledger=ledger) as other,
    ):
        ask(one, question())
        with pytest.raises(ModelStopped, match="cap of this run"):
            ask(other, question())


def test_the_account_tells_what_was_asked_and_what_it_cost() -> None:
    script: list[Line] = [
        Refuse(429), Say("a", tokens=(1000, 100), cached=400, reasoning=60), Refuse(400), Refuse(500),
    ]  # fmt: skip
    with (
        Server(script) as server,
        open_model(
            OPENAI, environ=environ_of(server), patience=Patience(attempts=2, backoff_s=0.001)
        ) as model,
    ):
        assert list(model.account()) == ["gpt-5.1: 0 new replies to 0 requests, 0 kept ones."]
        for request in numbered(2):
            ask(model, request)
        lines = list(model.account())
        assert lines[:3] == [
            "gpt-5.1: 1 new replies to 3 requests, 0 kept ones; without a reply: 1 request.",
            "Tokens: 1,000 in (400 of them kept by the service), 100 out (60 of them reasoning).",
            f"Cost: $0.0022 by the prices of {find(OPENAI).priced}.",
        ]
        assert lines[3].startswith("A reply took 0.")
        ask(model, question(User("Question 9")))
        assert list(model.account())[-1].startswith(
            "Perhaps on the bill without a reply: 1 requests"
        )


def test_a_model_without_price_says_so() -> None:
    with (
        Server([Say("a")]) as server,
        open_model("openai:new-model", environ=environ_of(server)) as model,
    ):
        ask(model, question())
        assert "Cost: not known, for openai:new-model has no price in the table." in list(
            model.account()
        )


def test_replies_that_can_no_longer_be_kept_stop_the_run_after_the_one_that_is_paid(
    tmp_path: Path,
) -> None:
    with (
        Server(lambda _: Say("yes")) as server,
        open_model(OPENAI, environ=environ_of(server), cache=tmp_path) as model,
    ):
        assert model._cache is not None
        model._cache._table.execute("PRAGMA query_only = ON")
        [paid] = ask(model, question())
        assert isinstance(paid, Reply)
        with pytest.raises(ModelStopped, match="could not be kept"):
            ask(model, question(seed=7))
        assert len(server.requests) == 1


def test_a_reply_under_way_is_kept_when_the_run_is_closed(tmp_path: Path) -> None:
    script: list[Line] = [Say("first"), Slow(0.3, Say("second"))]
    with Server(script) as server:
        with open_model(OPENAI, environ=environ_of(server), cache=tmp_path) as model:
            answers = answered(model.ask, numbered(2), 2)
            first = next(answers)
            assert isinstance(first, Reply)
            answers.close()
        with open_model(OPENAI, environ=environ_of(server), cache=tmp_path, offline=True) as model:
            outcomes = ask(model, *numbered(2))
        assert all(isinstance(outcome, Reply) for outcome in outcomes)
        assert len(server.requests) == 2


def _says(text: str) -> str:
    """A completion that says a text, in its call as well."""
    return json.dumps(
        completion(Say(text, calls=(("look_up", f'{{"q": "{text}"}}'),)), {"model": text})
    )


def test_keys_are_written_and_shown_nowhere(tmp_path: Path) -> None:
    """An end-point that repeats the key in everything it says."""
    escaped = KEY.replace("-", "\\u002d")
    script: list[Line] = [
        Say(f"Your key is {KEY}."),
        Bytes(_says("ESCAPED").replace("ESCAPED", escaped).encode()),
        Refuse(400, f"bad request with {KEY}"),
        Bytes(f"no json {KEY}".encode()),
        Bytes(f'{{"error": {{"message": "{KEY}"}}}}'.encode()),
        Refuse(401, f"invalid key {KEY}"),
    ]
    shown: list[str] = []
    with Server(script) as server:
        with open_model(OPENAI, environ=environ_of(server), cache=tmp_path, patience=ONCE) as model:
            shown += [repr(model), repr(vars(model)), repr(model.spec)]
            for request in numbered(5):
                shown += [repr(outcome) for outcome in ask(model, request)]
            with pytest.raises(ModelStopped) as caught:
                ask(model, question())
            shown += [repr(caught.value), *model.account(), repr(model.totals())]
            assert model._caller is not None
            adapter = model._caller._adapter
            shown += [repr(adapter), repr(vars(adapter))]
        sent = [seen.headers["authorization"] for seen in server.requests]
        assert sent == [f"Bearer {KEY}"] * 6  # it was sent, of course
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert kept
    for text in (*shown, kept.decode("latin-1")):
        assert KEY not in text
        assert escaped not in text


def test_the_sdks_are_loaded_when_they_are_needed_only() -> None:
    code = (
        "import sys, hallmark.llm.session, hallmark.llm.models, hallmark.llm.loop\n"
        "with hallmark.llm.session.open_model('gpt-5.1', environ={}): pass\n"
        "print([name for name in ('openai', 'anthropic', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "sdk"), [(OPENAI, "openai"), ("claude-opus-4.7-native", "anthropic")]
)
def test_a_missing_sdk_is_told_with_the_command_that_installs_it(name: str, sdk: str) -> None:
    code = (
        "import asyncio, sys\n"
        f"sys.modules[{sdk!r}] = None\n"
        "from hallmark.llm.session import open_model\n"
        "from hallmark.llm.interface import Request, User\n"
        "keys = {'OPENAI_API_KEY': 'x', 'ANTHROPIC_API_KEY': 'x'}\n"
        f"with open_model({name!r}, environ=keys) as model:\n"
        "    try: asyncio.run(model.ask(Request(messages=(User('?'),))))\n"
        "    except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ModelStopped Asking")
    assert "pip install '.[llm]'" in done.stdout


RUN = """
import sys
from pathlib import Path
from hallmark.llm.interface import Request, User
from hallmark.llm.loop import answered
from hallmark.llm.session import open_model
at, folder, n = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
requests = [Request(messages=(User(f"Question {number}"),)) for number in range(n)]
with open_model(
    "gpt-5.1", environ={"HALLMARK_LLM_AT": at, "OPENAI_API_KEY": "sk-x"}, cache=folder
) as model:
    for reply in answered(model.ask, requests, 3):
        print(reply.text, flush=True)
"""


def _numbered_answer(seen: Seen) -> Line:
    number = seen.text.split("Question ")[1].split('"')[0]
    return Slow(0.02, Say(f"Answer {number}"))


def _started(server: Server, folder: Path, n: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RUN, server.url, str(folder), str(n)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_replies(tmp_path: Path) -> None:
    n, kills = 30, 2
    expected = [f"Answer {number}" for number in range(n)]
    with Server(_numbered_answer) as server:
        for kill in range(kills):
            process = _started(server, tmp_path, n)
            before = len(server.requests)
            deadline = time.monotonic() + 30
            while len(server.requests) < before + 8 + kill and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            seen = (process.communicate()[0] or "").splitlines()
            assert seen == expected[: len(seen)]
            assert 0 < len(seen) < n
        process = _started(server, tmp_path, n)
        out, err = process.communicate(timeout=60)
        assert out.splitlines() == expected, err
        asked_for = [seen.text for seen in server.requests]
        # A kill may cost what was under way, three questions each, and nothing that was kept.
        assert n <= len(asked_for) <= n + 3 * kills
        process = _started(server, tmp_path, n)
        assert process.communicate(timeout=60)[0].splitlines() == expected
        assert len(server.requests) == len(asked_for)
    assert (tmp_path / FILE).exists()


@pytest.mark.slow
def test_ctrl_c_loses_nothing_that_was_sent(tmp_path: Path) -> None:
    n = 20
    with Server(_numbered_answer) as server:
        process = _started(server, tmp_path, n)
        deadline = time.monotonic() + 30
        while len(server.requests) < 8 and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode != 0
        process = _started(server, tmp_path, n)
        out, err = process.communicate(timeout=60)
        assert len(out.splitlines()) == n, err
        assert len(server.requests) == n  # each question was sent once in the two runs together


def test_an_address_where_nobody_answers_is_told_at_once_and_is_not_on_the_bill() -> None:
    told: list[str] = []
    times = Times()
    model = find(f"openai:m@{NOBODY}/v1")
    with open_model(model, environ={}, tell=told.append, clock=times.clock()) as opened:
        outcomes = ask(opened, *numbered(2))
        account = list(opened.account())
    assert all(isinstance(one, Failure) for one in outcomes)
    assert len(told) == 1
    assert f"does not answer: The connection to {NOBODY}/v1 failed (ConnectError)." in told[0]
    assert "sent up to 6 times" in told[0]
    assert not any("on the bill" in line for line in account)


def test_a_connection_that_broke_later_may_be_on_the_bill(tmp_path: Path) -> None:
    with Server([Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")]) as server:
        spec = find(f"openai:m@{server.url}/v1")
        with open_model(spec, environ={}, patience=ONCE) as opened:
            ask(opened, question())
            assert any("on the bill" in line for line in opened.account())


def test_a_question_knows_whether_its_reply_is_kept(tmp_path: Path) -> None:
    with Server([Say("first")]) as server:
        asked(server, OPENAI, question(), cache=tmp_path)
        with open_model(find(OPENAI), environ=environ_of(server), cache=tmp_path) as opened:
            assert opened.keeps(question())
            assert not opened.keeps(question(sample=1))
            assert not opened.keeps(question(User("\ud800")))
        with open_model(find(OPENAI), environ=environ_of(server)) as opened:
            assert not opened.keeps(question())


def test_a_question_without_a_kept_reply_is_named_by_what_it_is_about(tmp_path: Path) -> None:
    with Server([Say("first")]) as server:
        asked(server, OPENAI, question(), cache=tmp_path)
        about = "Is it real?\n<<<reference\n| @article{x,\n|   title = {On Clouds},\n>>>reference"
        with (
            open_model(find(OPENAI), environ={}, cache=tmp_path, offline=True) as opened,
            pytest.raises(ModelStopped, match=r"question about `title = \{On Clouds\},`"),
        ):
            ask(opened, question(User(about)))
