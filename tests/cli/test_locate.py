from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from hallmark.cli.locate import index_path, needed_index, user_data
from hallmark.cli.main import app, main
from hallmark.errors import IndexMissing


def test_a_given_place_is_used_whether_anything_is_there_or_not(tmp_path: Path) -> None:
    assert index_path(tmp_path / "none", environ={"HALLMARK_INDEX": "x"}) == tmp_path / "none"


def test_the_environment_comes_next(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    found = index_path(None, environ={"HALLMARK_INDEX": "named"}, here=tmp_path / "here")
    assert found == Path("named")


def test_then_the_starter_index_here(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    assert index_path(None, environ={}, here=here, data=tmp_path) == here


def test_then_the_one_in_the_users_data_folder(tmp_path: Path) -> None:
    (tmp_path / "starter").mkdir()
    found = index_path(None, environ={}, here=tmp_path / "none", data=tmp_path)
    assert found == tmp_path / "starter"


def test_there_may_be_none(tmp_path: Path) -> None:
    assert index_path(None, environ={}, here=tmp_path / "none", data=tmp_path) is None


def test_where_one_is_needed_and_there_is_none_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="hallmark index build --out"):
        needed_index(None, environ={}, here=tmp_path / "none", data=tmp_path)
    assert needed_index(None, environ={"HALLMARK_INDEX": "named"}) == Path("named")


def commands(group: Any, name: str = "hallmark") -> Iterator[tuple[str, Any]]:
    if not hasattr(group, "list_commands"):
        yield name, group
        return
    context = typer.Context(group)
    for one in group.list_commands(context):
        yield from commands(group.get_command(context, one), f"{name} {one}")


def test_every_command_that_takes_an_index_says_where_else_it_looks() -> None:
    helps = {
        name: str(getattr(option, "help", ""))
        for name, command in commands(typer.main.get_command(app))
        for option in command.params
        if "--index" in option.opts
    }
    assert len(helps) > 10
    assert [name for name, text in helps.items() if "$HALLMARK_INDEX" not in text] == []


@pytest.mark.parametrize("place", ["named", "here"])
@pytest.mark.parametrize(
    "command",
    [
        "bench run hallmark --gold gold.jsonl --out out.jsonl",
        "bench conformance hallmark --case order --quiet",
        "check refs.bib",
        "index info",
    ],
)
def test_commands_find_the_index_by_one_rule(
    command: str,
    place: str,
    paper_index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("HALLMARK_INDEX", raising=False)
    (tmp_path / "refs.bib").write_text("@misc{a, title={No such work at all}}\n", "utf-8")
    (tmp_path / "gold.jsonl").write_text(
        '{"bibtex_key": "a", "fields": {"title": "No such work at all"}, "label": "VALID"}\n',
        "utf-8",
    )
    assert "index build" in told(command, capsys)
    if place == "named":
        monkeypatch.setenv("HALLMARK_INDEX", str(paper_index))
    else:
        (tmp_path / ".hallmark").mkdir()
        (tmp_path / ".hallmark" / "starter").symlink_to(paper_index)
    assert "index build" not in told(command, capsys)


def told(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main(command.split())
    return capsys.readouterr().err


def test_the_users_data_folder_follows_the_platform() -> None:
    assert user_data({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/hallmark")
    assert user_data({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/hallmark")
    assert user_data({}, "darwin").parts[-3:] == ("Library", "Application Support", "hallmark")
    assert user_data({}, "linux").parts[-3:] == (".local", "share", "hallmark")
