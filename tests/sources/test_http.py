"""One request reaches its service politely, and every failure is no answer."""

import asyncio
import gzip
import logging
from pathlib import Path

import httpx
import pytest

from hallmark._waiting import retry_after_s
from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Reply, Request
from hallmark.sources.limits import MARGIN
from hallmark.sources.memo import digest
from hallmark.sources.patience import Settings
from hallmark.sources.secrets import CONTACT, Secrets, from_environment
from tests.sources.virtual import (
    OTHER,
    SPEC,
    START,
    Handler,
    Script,
    Virtual,
    client,
    json_reply,
    moved,
    reply,
    request,
)

KEY = "s3cret-key/+value"
MAIL = "ada@made.example"


def asked(
    script: Handler,
    folder: Path,
    *requests: Request,
    virtual: Virtual | None = None,
    secrets: Secrets | None = None,
    settings: Settings | None = None,
) -> list[Reply | Unavailable]:
    async def run() -> list[Reply | Unavailable]:
        sender = client(script, folder, virtual=virtual, secrets=secrets, settings=settings)
        try:
            return [await sender.ask(one) for one in requests or (request(),)]
        finally:
            await sender.aclose()

    return asyncio.run(run())


def reason(answer: Reply | Unavailable) -> str:
    assert isinstance(answer, Unavailable), answer
    return answer.reason


def test_a_reply_comes_back_whole(tmp_path: Path) -> None:
    [found] = asked(Script(json_reply()), tmp_path)
    assert found == Reply(200, b'{"ok": true}', "application/json", request().url)


@pytest.mark.parametrize("status", [400, 404, 410, 422])
def test_what_is_said_about_one_question_is_a_reply(status: int, tmp_path: Path) -> None:
    script = Script(json_reply(status=status))
    [found] = asked(script, tmp_path)
    assert isinstance(found, Reply)
    assert found.status == status
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    "failure",
    [
        json_reply(status=500),
        json_reply(status=503),
        httpx.ConnectError("no route"),
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("broken off"),
    ],
)
def test_what_may_pass_is_tried_again(failure: Handler | Exception, tmp_path: Path) -> None:
    script = Script(failure, json_reply())
    assert isinstance(asked(script, tmp_path)[0], Reply)
    assert len(script.requests) == 2


def test_what_does_not_pass_is_no_answer_after_some_attempts(tmp_path: Path) -> None:
    script = Script(json_reply(status=502))
    assert "502" in reason(asked(script, tmp_path)[0])
    assert len(script.requests) == 3


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_is_not_tried_again(status: int, tmp_path: Path) -> None:
    script = Script(json_reply(status=status))
    assert "refuses" in reason(asked(script, tmp_path)[0])
    assert len(script.requests) == 1


@pytest.mark.parametrize("value", ["7", "Fri, 15 Jan 2027 08:00:07 GMT"])
def test_retry_after_is_obeyed(value: str, tmp_path: Path) -> None:
    virtual = Virtual()
    script = Script(json_reply(status=429, retry_after=value), json_reply())
    assert isinstance(asked(script, tmp_path, virtual=virtual)[0], Reply)
    assert virtual.passed >= 7


def test_retry_after_is_read_in_both_forms() -> None:
    assert retry_after_s("12", START) == 12
    assert retry_after_s("Fri, 15 Jan 2027 08:00:09 GMT", START) == 9
    assert retry_after_s("Fri, 15 Jan 2021 08:00:09 GMT", START) == 0
    for nonsense in (None, "", "soon", "-3", "٣", "9" * 400):
        assert retry_after_s(nonsense, START) in (None, 999_999_999.0)


def test_a_wait_beyond_the_patience_is_no_answer(tmp_path: Path) -> None:
    virtual = Virtual()
    script = Script(json_reply(status=429, retry_after="86400"))
    assert "429" in reason(asked(script, tmp_path, virtual=virtual)[0])
    assert len(script.requests) == 1
    assert virtual.passed < 10


def test_complaints_slow_later_requests_down(tmp_path: Path) -> None:
    virtual = Virtual()
    script = Script(json_reply(status=429), json_reply())
    wanted = [request(f"/{n}") for n in range(6)]
    asked(script, tmp_path, *wanted, virtual=virtual)
    assert virtual.passed > 6 / 2 * 1.5


def test_requests_keep_the_distance_that_is_allowed(tmp_path: Path) -> None:
    virtual = Virtual()
    asked(Script(json_reply()), tmp_path, *[request(f"/{n}") for n in range(21)], virtual=virtual)
    assert virtual.passed == pytest.approx(10.0 * MARGIN)


def test_a_key_raises_the_rate(tmp_path: Path) -> None:
    virtual = Virtual()
    asked(
        Script(json_reply()),
        tmp_path,
        *[request(f"/{n}") for n in range(21)],
        virtual=virtual,
        secrets=Secrets({"made": KEY}),
    )
    assert virtual.passed == pytest.approx(2.0 * MARGIN)


def test_the_same_request_is_sent_once(tmp_path: Path) -> None:
    script = Script(json_reply())

    async def run() -> set[Reply | Unavailable]:
        sender = client(script, tmp_path)
        replies = await asyncio.gather(*(sender.ask(request()) for _ in range(9)))
        replies.append(await sender.ask(request()))
        await sender.aclose()
        return set(replies)

    assert len(asyncio.run(run())) == 1
    assert len(script.requests) == 1


def test_requests_differ_by_all_that_they_ask() -> None:
    many = [
        request(),
        request("/other"),
        request(params=(("a", "b"),)),
        request(params=(("a", "c"),)),
        request(body=b"x"),
        request(source="other"),
    ]
    assert len({digest(one) for one in many}) == len(many)


def test_a_host_that_fails_again_and_again_is_left_alone_and_tried_later(tmp_path: Path) -> None:
    virtual = Virtual()
    script = Script(*[json_reply(status=500)] * 6, json_reply())
    answers = asked(script, tmp_path, *[request(f"/{n}") for n in range(4)], virtual=virtual)
    assert "left alone" in reason(answers[3])
    assert len(script.requests) == 5

    async def later() -> Reply | Unavailable:
        clock = Virtual()
        sender = client(script, tmp_path, virtual=clock)
        for n in range(3):
            await sender.ask(request(f"/x{n}"))
        clock.passed += 61
        return await sender.ask(request("/again"))

    assert isinstance(asyncio.run(later()), Reply)


def test_a_host_that_only_complains_is_left_alone_in_the_end(tmp_path: Path) -> None:
    """However long the queue is, some complaints in a row end it: it costs minutes, not hours."""
    virtual = Virtual()
    script = Script(json_reply(status=503, retry_after="2"))
    wanted = [request(f"/{n}") for n in range(50)]
    answers = asked(script, tmp_path, *wanted, virtual=virtual)
    assert all(isinstance(one, Unavailable) for one in answers)
    assert len(script.requests) == 25
    assert virtual.passed < 1800


def test_another_service_is_asked_while_one_is_left_alone(tmp_path: Path) -> None:
    def answer(sent: httpx.Request) -> httpx.Response:
        return json_reply(status=500 if "made" in sent.url.host else 200)(sent)

    other = Request("other", f"{OTHER.base}/works")
    answers = asked(answer, tmp_path, *[request(f"/{n}") for n in range(4)], other)
    assert isinstance(answers[-1], Reply)


@pytest.mark.parametrize("status", [200, 202, 404])
def test_a_web_page_in_place_of_data_is_no_answer(status: int, tmp_path: Path) -> None:
    page = reply(status, b"<!DOCTYPE html><title>Are you human?</title>", content_type="text/html")
    assert "web page" in reason(asked(Script(page), tmp_path)[0])
    lying = reply(status, b"  <html>", content_type="application/json")
    assert "web page" in reason(asked(Script(lying), tmp_path / "2")[0])


def packed(data: bytes, *, cut: int = 0) -> Handler:
    whole = gzip.compress(data)
    sent = whole[: len(whole) - cut]
    return reply(200, sent, content_encoding="gzip", content_type="application/json")


def test_packed_bodies_are_unpacked(tmp_path: Path) -> None:
    [found] = asked(Script(packed(b'{"a": 1}')), tmp_path)
    assert isinstance(found, Reply)
    assert found.body == b'{"a": 1}'


def test_a_small_body_that_unpacks_to_a_huge_one_is_no_answer(tmp_path: Path) -> None:
    small = Settings(largest=2**20)
    bomb = packed(b" " * (2**26))
    assert "more than 1 MB" in reason(asked(Script(bomb), tmp_path, settings=small)[0])


@pytest.mark.parametrize("cut", [1, 12])
def test_a_body_that_is_cut_off_is_no_answer(cut: int, tmp_path: Path) -> None:
    broken = packed(b'{"a": 1}' * 20, cut=cut)
    assert "unpacked" in reason(asked(Script(broken), tmp_path)[0])


def test_an_encoding_that_was_not_asked_for_is_no_answer(tmp_path: Path) -> None:
    odd = reply(200, b"x", content_encoding="br")
    assert "encoding" in reason(asked(Script(odd), tmp_path)[0])


def test_redirections_within_the_service_are_followed(tmp_path: Path) -> None:
    script = Script(moved("/v2/works"), json_reply())
    assert isinstance(asked(script, tmp_path)[0], Reply)
    assert script.requests[1].url.path == "/v2/works"


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example/works",
        "http://api.made.example/works",
        "//127.0.0.1/works",
        "file:///etc/passwd",
        "",
    ],
)
def test_redirections_to_elsewhere_are_not_followed(place: str, tmp_path: Path) -> None:
    script = Script(moved(place))
    assert "redirects" in reason(asked(script, tmp_path)[0])
    assert len(script.requests) == 1


def test_a_circle_of_redirections_ends(tmp_path: Path) -> None:
    hop = iter(range(100))

    def onwards(sent: httpx.Request) -> httpx.Response:
        return moved(f"/{next(hop)}")(sent)

    script = Script(onwards)
    assert "redirects" in reason(asked(script, tmp_path)[0])
    assert len(script.requests) <= 5


def test_a_run_may_be_limited_in_requests(tmp_path: Path) -> None:
    script = Script(json_reply())
    few = Settings(max_requests=2)
    answers = asked(script, tmp_path, *[request(f"/{n}") for n in range(5)], settings=few)
    assert [isinstance(one, Reply) for one in answers] == [True, True, False, False, False]
    assert "used up" in reason(answers[2])


def test_a_run_may_be_limited_in_time(tmp_path: Path) -> None:
    virtual = Virtual()
    short = Settings(budget_s=2.0)
    wanted = [request(f"/{n}") for n in range(20)]
    answers = asked(Script(json_reply()), tmp_path, *wanted, settings=short, virtual=virtual)
    assert 3 <= sum(isinstance(one, Reply) for one in answers) <= 6
    assert "time was up" in reason(answers[-1])
    assert virtual.passed <= 2.5


def test_keys_and_contact_go_to_their_service_only(tmp_path: Path) -> None:
    script = Script(json_reply())
    secrets = Secrets({"made": KEY}, MAIL)
    asked(script, tmp_path, request(), Request("other", f"{OTHER.base}/works"), secrets=secrets)
    made, other = script.requests
    assert made.headers["x-api-key"] == KEY
    assert made.url.params["mailto"] == MAIL
    assert "x-api-key" not in other.headers


def test_a_redirection_takes_no_parameters_along(tmp_path: Path) -> None:
    script = Script(moved("/v2/works"), json_reply())
    asked(script, tmp_path, secrets=Secrets({}, MAIL))
    assert "mailto" not in script.requests[1].url.params


def test_a_dead_key_is_dropped(tmp_path: Path) -> None:
    def answer(sent: httpx.Request) -> httpx.Response:
        return json_reply(status=403 if "x-api-key" in sent.headers else 200)(sent)

    script = Script(answer)
    answers = asked(script, tmp_path, request(), request("/2"), secrets=Secrets({"made": KEY}))
    assert all(isinstance(one, Reply) for one in answers)
    assert sum("x-api-key" in sent.headers for sent in script.requests) == 1


def test_secrets_are_in_no_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = json_reply(f'{{"self": "https://api.made.example?key={KEY}&mailto={MAIL}"}}')
    broken = httpx.ConnectError(f"cannot reach ?key={KEY}&mailto={MAIL}")
    secrets = Secrets({"made": KEY}, MAIL)
    answers = asked(Script(echo), tmp_path, secrets=secrets)
    answers += asked(Script(broken), tmp_path, secrets=secrets)
    texts = repr(answers) + "".join(
        record.getMessage() for record in caplog.records if record.name.startswith("hallmark")
    )
    for secret in (KEY, MAIL):
        assert secret not in texts
        assert all(secret.encode() not in path.read_bytes() for path in tmp_path.rglob("*.*"))


def test_keys_come_from_the_environment() -> None:
    found = from_environment([SPEC], {"MADE_KEY": f" {KEY} ", CONTACT: MAIL})
    assert (found.keys, found.contact) == ({"made": KEY}, MAIL)
    assert from_environment([SPEC], {"MADE_KEY": "  "}).keys == {}


def test_an_unknown_source_is_no_answer(tmp_path: Path) -> None:
    assert "nobody" in reason(asked(Script(json_reply()), tmp_path, request(source="nobody"))[0])
