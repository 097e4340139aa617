"""What was recorded is replayed, bit for bit, without a network."""

import asyncio
from pathlib import Path

import pytest

from hallmark.errors import InputError, OutputError
from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Reply, Request
from hallmark.sources.recording import Recorder, Replay
from tests.sources.virtual import request

ANSWERS: dict[str, Reply | Unavailable] = {
    request("/a").url: Reply(200, b'{"a": "\xc3\xa9"}', "application/json", request("/a").url),
    request("/b").url: Reply(404, b"", "text/plain", request("/b").url),
    request("/c").url: Unavailable("It is down."),
    request("/d").url: Reply(200, bytes(range(256)) * 50, "", request("/d").url),
}


async def known(one: Request) -> Reply | Unavailable:
    return ANSWERS[one.url]


def record(path: Path) -> None:
    recorder = Recorder(path, "2026-12-02", known)

    async def run() -> None:
        for name in "abcda":
            await recorder.ask(request(f"/{name}"))

    asyncio.run(run())
    recorder.close()


def test_a_replay_gives_what_was_recorded(tmp_path: Path) -> None:
    record(tmp_path / "run.jsonl")
    replay = Replay(tmp_path / "run.jsonl")
    assert replay.today == "2026-12-02"
    for name in "abcd":
        one = request(f"/{name}")
        assert asyncio.run(replay.ask(one)) == ANSWERS[one.url]


def test_each_request_is_written_once(tmp_path: Path) -> None:
    record(tmp_path / "run.jsonl")
    assert len((tmp_path / "run.jsonl").read_bytes().splitlines()) == 5


def test_what_was_not_recorded_is_no_answer(tmp_path: Path) -> None:
    record(tmp_path / "run.jsonl")
    answer = asyncio.run(Replay(tmp_path / "run.jsonl").ask(request("/e")))
    assert isinstance(answer, Unavailable)


def test_an_unfinished_recording_leaves_the_old_one_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record(path)
    before = path.read_bytes()
    unfinished = Recorder(path, "2026-12-03", known)
    asyncio.run(unfinished.ask(request("/a")))
    assert path.read_bytes() == before
    unfinished.close()
    assert path.read_bytes() != before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b'{"key": "x"}\n', "is no recording"),
        (b"\xff\xfe", "is no recording"),
        (b'{"hallmark_recording": 9, "today": "2026-12-02"}\n', "format 9"),
        (b'{"hallmark_recording": 1, "today": "2026-12-02"}\n{"key": "x', "Line 2"),
        (b'{"hallmark_recording": 1, "today": "2026-12-02"}\n' + b"[" * 5000, "Line 2"),
    ],
)
def test_what_is_no_recording_is_told(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=told):
        Replay(tmp_path / "run.jsonl")


def test_a_missing_recording_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Replay(tmp_path / "none.jsonl")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        Recorder(tmp_path / "none" / "run.jsonl", "2026-12-02", known)


def test_a_body_that_was_tampered_with_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record(path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line.replace('"body":"', '"body":"!!') for line in lines) + "\n")
    reply = asyncio.run(Replay(path).ask(request("/a")))
    assert isinstance(reply, Reply)
    assert reply.body == b""


def test_a_recording_that_is_given_up_leaves_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    record(path)
    before = path.read_bytes()
    Recorder(path, "2026-12-03", known).close(complete=False)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["run.jsonl"]
