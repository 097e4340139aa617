import os
import stat
from pathlib import Path
from typing import Any, TextIO

import pytest

from hallmark import _files
from hallmark.cli.output import destination, write_whole
from hallmark.errors import InputError, OutputError


def test_a_report_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    with destination(path) as out:
        out.write("half")
        assert not path.exists()
        out.write(" and half")
    assert path.read_text() == "half and half"
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


def interrupt(out: TextIO) -> None:
    out.write("new")
    raise KeyboardInterrupt


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), destination(path) as out:
        interrupt(out)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "paper.bib"
    path.write_text("@misc{a,}")
    link = tmp_path / "same.bib"
    link.symlink_to(path)
    with pytest.raises(InputError, match="one of the inputs"), destination(link, [str(path)]):
        pass
    assert path.read_text() == "@misc{a,}"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match="No such file or directory"),
        destination(tmp_path / "none" / "report.json"),
    ):
        pass


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="folder"), destination(tmp_path) as out:
        out.write("x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told() -> None:
    with pytest.raises(OutputError, match="No space left"), destination(Path("/dev/full")) as out:
        out.write("x" * 100_000)


def test_a_special_file_is_written_to_directly() -> None:
    with destination(Path(os.devnull)) as out:
        out.write("x")
    assert Path(os.devnull).exists()


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with destination(Path("-")) as out:
        out.write("shown")
    assert capsys.readouterr().out == "shown"


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder"), destination(tmp_path):
        pass


def test_a_link_stays_a_link_and_its_file_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with destination(link) as out:
        out.write("new")
    write_whole(link, real.read_bytes() + b"er")
    assert link.is_symlink()
    assert real.read_text() == "newer"
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_a_name_as_long_as_a_file_system_takes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 127)
    write_whole(path, b"whole")
    assert path.read_bytes() == b"whole"


def test_a_pipe_or_device_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    draft = _files.draft_of(pipe)
    draft.write_bytes(b"new")
    with pytest.raises(OSError, match="no file"):
        _files.settle(draft, pipe)
    draft.unlink()
    for path in (pipe, link):
        with pytest.raises(OSError, match="no file"):
            _files.write_whole(path, b"new")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(tmp_path.iterdir()) == [link, pipe]


def test_a_signal_while_the_draft_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def interrupted(path: Path, *arguments: Any, **more: Any) -> Any:
        opened(path, *arguments, **more).close()
        raise SystemExit(143)

    monkeypatch.setattr(Path, "open", interrupted)
    with pytest.raises(SystemExit), destination(tmp_path / "report"):
        pass
    assert list(tmp_path.iterdir()) == []
