import asyncio
import hashlib
import sqlite3
from pathlib import Path

import pytest

from hallmark.bench.systems.tool_cache import ToolCache, key_of
from hallmark.errors import InputError, ModelStopped
from hallmark.llm.tools import Told

ARGUMENTS = '{"limit":5,"query":"slow networks"}'
FOUND = Told({"records": [{"title": "Slow Networks"}]})


class Asked:
    """Carries calls out, and counts them."""

    def __init__(self, told: Told = FOUND) -> None:
        self.told = told
        self.times = 0

    async def __call__(self) -> Told:
        self.times += 1
        return self.told


def through(cache: ToolCache, asked: Asked, arguments: str = ARGUMENTS) -> Told:
    return asyncio.run(cache.through("search", arguments, asked))


def test_the_key_is_the_sha256_of_tool_and_arguments() -> None:
    text = "search::" + ARGUMENTS
    assert key_of("search", ARGUMENTS) == hashlib.sha256(text.encode()).hexdigest()


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    asked = Asked()
    for _ in range(2):
        cache = ToolCache(tmp_path / "deep" / "tools.sqlite", today="2026-12-02")
        assert through(cache, asked) == FOUND
        cache.close()
    assert asked.times == 1
    (kept,) = ToolCache(tmp_path / "deep" / "tools.sqlite").rows()
    assert (kept.tool, kept.arguments, kept.asked) == ("search", ARGUMENTS, "2026-12-02")


@pytest.mark.parametrize(
    "told", [Told({"why": "down"}, answered=False), Told({"registered": True}, whole=False)]
)
def test_a_failure_is_never_kept(tmp_path: Path, told: Told) -> None:
    cache, asked = ToolCache(tmp_path / "tools.sqlite"), Asked(told)
    assert through(cache, asked) == told
    assert through(cache, asked) == told
    assert asked.times == 2
    assert not list(cache.rows())


def test_offline_only_what_is_kept_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "tools.sqlite"
    through(ToolCache(path), Asked())
    offline, asked = ToolCache(path, offline=True), Asked()
    assert through(offline, asked) == FOUND
    with pytest.raises(ModelStopped, match=r"No result of the tool search is kept.*--offline"):
        through(offline, asked, '{"query":"another"}')
    assert asked.times == 0


def test_offline_without_a_file_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no kept results"):
        ToolCache(tmp_path / "tools.sqlite", offline=True)
    with pytest.raises(InputError, match="no kept results"):
        ToolCache(None, offline=True)
    assert not list(tmp_path.iterdir())


def test_answers_of_a_mirror_are_nobody_elses(tmp_path: Path) -> None:
    path, other = tmp_path / "tools.sqlite", Told({"records": []})
    through(ToolCache(path, place="http://mirror.example"), Asked(other))
    own, asked = ToolCache(path), Asked()
    assert through(own, asked) == FOUND
    assert asked.times == 1
    assert through(ToolCache(path, offline=True), asked) == FOUND
    mirrored = ToolCache(path, place="http://mirror.example", offline=True)
    assert through(mirrored, asked) == other


def test_without_a_file_nothing_is_kept() -> None:
    cache, asked = ToolCache(None), Asked()
    through(cache, asked)
    through(cache, asked)
    assert asked.times == 2
    assert list(cache.rows()) == []


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + b"x" * 500])
def test_a_damaged_file_is_told_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tools.sqlite"
    path.write_bytes(content)
    with pytest.raises(InputError, match="left as it is"):
        ToolCache(path)
    assert path.read_bytes() == content


def test_a_database_of_others_is_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "tools.sqlite"
    table = sqlite3.connect(path)
    table.execute("CREATE TABLE theirs (x)")
    table.close()
    with pytest.raises(InputError, match="something else"):
        ToolCache(path)


def test_a_result_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tools.sqlite"
    through(ToolCache(path), Asked())
    table = sqlite3.connect(path)
    with table:
        table.execute("UPDATE results SET result = '['")
    table.close()
    with pytest.raises(InputError, match="a result of search cannot be read"):
        through(ToolCache(path), Asked())


def test_a_result_that_cannot_be_kept_stops_the_run(tmp_path: Path) -> None:
    path = tmp_path / "tools.sqlite"
    cache = ToolCache(path)
    table = sqlite3.connect(path)
    table.execute("DROP TABLE results")
    table.close()
    with pytest.raises((ModelStopped, InputError)):
        through(cache, Asked())
