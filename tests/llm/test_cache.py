"""Kept replies: what tells questions apart, and what the file survives."""

import multiprocessing
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.errors import InputError, ModelStopped
from hallmark.llm.cache import FILE, Cache, digest
from hallmark.llm.interface import (
    Assistant,
    Reply,
    Request,
    Stop,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    User,
)
from hallmark.llm.models import find

SPEC = find("gpt-5.1")
ASKED = Request(messages=(User("Is it real?"),))
REPLY = Reply(text="yes", usage=Usage(10, 2, 5, 1), model="snapshot", seconds=1.5, opaque="{}")

OTHERS: list[dict[str, Any]] = [
    {"messages": (User("Is it real!"),)},
    {"messages": (User("Is it real?"), Assistant("yes"), User("sure?"))},
    {"messages": (User("Is it real?"), Assistant("yes", opaque="{}"), User("sure?"))},
    {"messages": (User("Is it real?"), Assistant("", (ToolCall("1", "f", "{}"),)), ToolResult("1", "f", "x"))},
    {"system": "You check."},
    {"tools": (ToolSpec("f", "does", {}),)},
    {"schema": {"type": "object"}},
    {"max_tokens": 8192},
    {"effort": "low"},
    {"seed": 43},
    {"sample": 1},
]  # fmt: skip
ELSEWHERE: list[dict[str, Any]] = [{"id": "x"}, {"provider": "anthropic"}, {"temperature": 1.0},
    {"temperature": None}, {"max_tokens": 99}, {"effort": "high"}, {"thinking_share": 0.5}]  # fmt: skip


def test_whatever_can_change_a_reply_changes_the_digest() -> None:
    digests = [digest(SPEC, "", ASKED), digest(SPEC, "http://h", ASKED)]
    digests += [digest(SPEC, "", structs.replace(ASKED, **one)) for one in OTHERS]
    digests += [digest(structs.replace(SPEC, **one), "", ASKED) for one in ELSEWHERE]
    assert len(set(digests)) == len(digests) == 20


@pytest.mark.parametrize(
    "same",
    [{"name": "mine"}, {"input_price": 9.0}, {"timeout_s": 1.0}, {"at_once": 99}, {"key": "OTHER"},
     {"cutoff": "2030-01"}, {"structured": "none"}],
)  # fmt: skip
def test_what_cannot_change_a_reply_does_not(same: dict[str, Any]) -> None:
    assert digest(structs.replace(SPEC, **same), "", ASKED) == digest(SPEC, "", ASKED)


def test_a_default_that_is_written_out_is_the_same_question() -> None:
    assert digest(SPEC, "", structs.replace(ASKED, max_tokens=1024)) == digest(SPEC, "", ASKED)


def test_the_seed_does_not_matter_where_none_is_sent() -> None:
    spec = find("claude-sonnet-4.6-native")
    assert digest(spec, "", structs.replace(ASKED, seed=1)) == digest(spec, "", ASKED)


def test_the_order_of_keys_in_a_schema_does_not_matter() -> None:
    one = structs.replace(ASKED, schema={"a": 1, "b": {"c": 2, "d": 3}})
    other = structs.replace(ASKED, schema={"b": {"d": 3, "c": 2}, "a": 1})
    assert digest(SPEC, "", one) == digest(SPEC, "", other)


def test_a_digest_never_changes_between_versions() -> None:
    """Kept replies are worth money: whoever changes this makes all of them useless."""
    assert digest(SPEC, "", ASKED) == (
        "c0979e915ef051ab862b9d5d07e6891290dfb87556cc32286918c3897f3f31fa"
    )


@given(
    st.text(st.characters(codec="utf-8"), max_size=50), st.integers(0, 10**9), st.sampled_from(Stop)
)
def test_a_reply_comes_back_as_it_was(text: str, tokens: int, stop: Stop) -> None:
    cache = Cache(Path(":memory:"))
    reply = Reply(text=text, calls=(ToolCall("1", text, text),), stop=stop,
                  usage=Usage(tokens, 0, tokens), opaque=text)  # fmt: skip
    assert cache.get("k") is None
    assert cache.put("k", "gpt-5.1", reply, 0.0) == reply
    assert cache.get("k") == reply


def test_replies_outlive_the_process(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / FILE)
    cache.put("k", "gpt-5.1", structs.replace(REPLY, kept=True), 0.0)
    cache.close()
    assert Cache(tmp_path / "deep" / FILE).get("k") == REPLY


def test_the_first_reply_to_a_question_is_the_reply(tmp_path: Path) -> None:
    one, other = Cache(tmp_path / FILE), Cache(tmp_path / FILE)
    one.put("k", "gpt-5.1", REPLY, 0.0)
    assert other.put("k", "gpt-5.1", structs.replace(REPLY, text="no"), 1.0) == REPLY


def _fill(path: Path, number: int) -> None:
    cache = Cache(path)
    for item in range(50):
        cache.put(f"{number}-{item}", "gpt-5.1", REPLY, 0.0)
        cache.put("all", "gpt-5.1", REPLY, 0.0)


def test_several_processes_share_the_file(tmp_path: Path) -> None:
    path = tmp_path / FILE
    spawn = multiprocessing.get_context("fork")
    workers = [spawn.Process(target=_fill, args=(path, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with sqlite3.connect(path) as table:
        assert table.execute("SELECT count(*) FROM replies").fetchone() == (151,)
    table.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\1" * 5000]
)
def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot be used .* left as it is"):
        Cache(path)
    assert path.read_bytes() == content


def test_a_file_of_something_else_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with sqlite3.connect(path) as table:
        table.execute("CREATE TABLE mine (x)")
    table.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="it holds something else"):
        Cache(path)
    assert path.read_bytes() == before


def test_a_file_of_a_later_version_is_told(tmp_path: Path) -> None:
    Cache(tmp_path / FILE).close()
    with sqlite3.connect(tmp_path / FILE) as table:
        table.execute("PRAGMA user_version = 9")
    table.close()
    with pytest.raises(InputError, match="format 9"):
        Cache(tmp_path / FILE)


def test_damage_in_the_middle_is_told(tmp_path: Path) -> None:
    cache = Cache(tmp_path / FILE)
    cache.put("k", "gpt-5.1", REPLY, 0.0)
    with sqlite3.connect(tmp_path / FILE) as table:
        table.execute("UPDATE replies SET reply = '{\"text\": '")
    table.close()
    with pytest.raises(InputError, match="the reply k cannot be read"):
        cache.get("k")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be used"):
        Cache(tmp_path / "file" / FILE)


def test_a_reply_that_cannot_be_kept_stops_the_run(tmp_path: Path) -> None:
    cache = Cache(tmp_path / FILE)
    cache._table.execute("PRAGMA query_only = ON")
    with pytest.raises(ModelStopped, match="could not be kept"):
        cache.put("k", "gpt-5.1", REPLY, 0.0)


def test_replies_can_be_read_from_where_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    cache = Cache(folder / FILE)
    cache.put("k", "gpt-5.1", REPLY, 0.0)
    cache.close()
    (folder / FILE).chmod(0o444)
    folder.chmod(0o555)
    try:
        assert Cache(folder / FILE, read_only=True).get("k") == REPLY
    finally:
        folder.chmod(0o755)


def test_a_missing_file_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There are no kept replies"):
        Cache(tmp_path / FILE, read_only=True)


def test_a_place_that_cannot_be_written_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / FILE, tmp_path):
        with pytest.raises(InputError) as problem:
            Cache(path)
        assert "Make room, or the folder" in str(problem.value)
        assert "Move it away" not in str(problem.value)
