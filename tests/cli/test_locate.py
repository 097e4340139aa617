from pathlib import Path

from hallmark.cli.locate import index_path, user_data


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


def test_the_users_data_folder_follows_the_platform() -> None:
    assert user_data({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/hallmark")
    assert user_data({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/hallmark")
    assert user_data({}, "darwin").parts[-3:] == ("Library", "Application Support", "hallmark")
    assert user_data({}, "linux").parts[-3:] == (".local", "share", "hallmark")
