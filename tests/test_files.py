"""What a user names as a file is read within bounds, whoever reads it."""

import ast
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark import _files
from hallmark.bench.audit.canary import tokens_of_metadata
from hallmark.bench.build.earlier import read_earlier
from hallmark.bench.build.generate.ask import read_raw
from hallmark.bench.build.origins.coded import find_scheme
from hallmark.bench.build.origins.rows import read_table
from hallmark.bench.build.plan import read_plan
from hallmark.bench.build.preprints import read_preprints
from hallmark.bench.build.scrape.recipe import read_recipe
from hallmark.bench.dataset import digest
from hallmark.bench.entry import read_entries, read_predictions
from hallmark.bench.sealing.key import find_key
from hallmark.bench.sealing.seal import read_sealed
from hallmark.bench.systems.prescreen import read_prefixes
from hallmark.cli.evidence import read_kept
from hallmark.errors import InputError
from hallmark.index.counts import read_counts
from hallmark.llm.models import find as find_model
from hallmark.study.pairs import read as read_pairs

ENDLESS = Path("/dev/zero")
SOURCE = Path(_files.__file__).parent
OWN_READERS = {
    "_files.py": "the reader itself",
    "text/knowledge.py": "lies below it; takes regular files of a bounded size only",
    "index/source.py": "a part of an index that was found to be one",
    "index/counts.py": "a part of an index that was found to be one",
    "index/build.py": "a part of an index that was found to be one",
    "study/reduced.py": "a part of an index that was found to be one",
    "bench/systems/external/install.py": "a note of ours in a folder of ours",
    "bench/build/origins/coded.py": "schemes of the package; those of users are tested above",
    "bench/studies/printed.py": "files of the package",
    "bench/systems/external/rows.py": "files of the package",
    "bench/studies/folder.py": "regular files of a folder",
    "cli/bench/live.py": "a regular file that is copied as it is",
}


@pytest.mark.parametrize(
    "read",
    [
        digest,
        lambda path: find_scheme(f"{path}.toml"),
        lambda path: find_model(f"{path}.toml"),
        lambda path: find_key({}, path, "name"),
        lambda path: list(read_kept(path)),
        lambda path: read_earlier(path.parent / "folder"),
        lambda path: read_table(path, {}),
        read_counts,
        read_entries,
        read_pairs,
        read_plan,
        read_predictions,
        read_prefixes,
        read_preprints,
        read_raw,
        read_recipe,
        read_sealed,
        tokens_of_metadata,
    ],
)
def test_a_device_without_end_is_refused_by_every_reader(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    (tmp_path / "zero").symlink_to(ENDLESS)
    (tmp_path / "zero.toml").symlink_to(ENDLESS)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "manifest.json").symlink_to(ENDLESS)
    with pytest.raises(InputError, match=r"without end|longer than|larger than"):
        read(tmp_path / "zero")


@pytest.mark.parametrize("size", [0, 1, 100, 101])
def test_a_file_of_just_the_limit_is_read_and_one_byte_more_is_not(
    tmp_path: Path, size: int
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * size)
    if size <= 100:
        assert _files.read_bytes(file, 100) == b"x" * size
        return
    with pytest.raises(OSError, match="larger than 100 bytes; split it"):
        _files.read_bytes(file, 100)


def test_a_pipe_is_read_whole_within_the_limit(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for size, told in ((100, ""), (101, "larger than 100 bytes")):
        writer = threading.Thread(target=pipe.write_bytes, args=(b"x" * size,))
        writer.start()
        if told:
            with pytest.raises(OSError, match=told):
                _files.read_bytes(pipe, 100)
        else:
            assert len(_files.read_bytes(pipe, 100)) == size
        writer.join()


def test_a_line_that_does_not_end_is_refused_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"one\n" + b"x" * 12)
    lines = _files.read_lines(file, 10)
    assert next(lines) == b"one\n"
    with pytest.raises(OSError, match="Line 2 is longer than 10 bytes"):
        next(lines)


def test_text_has_line_feeds_only(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert _files.read_text(file, "utf-8-sig") == "a\nb\nc\n"


def test_no_module_reads_a_whole_file_on_its_own() -> None:
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(map(_reads_a_path, ast.walk(ast.parse(path.read_text("utf-8")))))
    }
    assert found - OWN_READERS.keys() == set()


def _reads_a_path(node: ast.AST) -> bool:
    """Tell a call of `read_bytes` or `read_text` on a path from one on a file of the package."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="read_bytes" | "read_text")):
            name = ast.unparse(owner)
            return "files(" not in name
        case _:
            return False


def test_a_folder_is_written_whole_and_what_a_killed_run_left_of_it_is_swept_up(
    tmp_path: Path,
) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, check=True, text=True)  # fmt: skip
    left = tmp_path / f".out.{ended.stdout.strip()}.part"
    running = tmp_path / f".out.{os.getppid()}.part"
    other = tmp_path / f".outer.{ended.stdout.strip()}.part"
    for folder in (left, running, other):
        folder.mkdir()
        (folder / "half").write_bytes(b"x")
    _files.write_folder({"a": b"1", "b/c": b"2"}, tmp_path / "out")
    assert (tmp_path / "out" / "b" / "c").read_bytes() == b"2"
    assert not left.exists()
    assert running.exists()
    assert other.exists()


def test_a_folder_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory|exists"):
        _files.write_folder({"a": b"1", "a/b": b"2"}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
