"""Does `hallmark index ...` say what it did, and what to do when it could not?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.index import _today
from hallmark.cli.main import main
from hallmark.cli.progress import Bar
from hallmark.errors import InputError
from tests.index.helpers import FIXTURES, record, write_records


def _run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.fixture
def built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    out = tmp_path / "idx"
    assert _run("index", "build", "--out", out, FIXTURES / "records.jsonl", "--workers", 1) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "5 records" in captured.err
    assert "2  skipped: line that is no record" in captured.err
    return out


def test_info_shows_sources_and_digest(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("index", "info", "--index", built) == 0
    assert "records                       5  records" in capsys.readouterr().out
    assert _run("index", "info", "--index", built, "--json") == 0
    assert json.loads(capsys.readouterr().out)["records"] == 5


def test_search_finds_by_title_doi_and_arxiv_id(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("attention to made up things", "10.5555/made.1", "arXiv:2001.00001"):
        assert _run("index", "search", text, "--index", built, "-n", 1) == 0
        assert "Ada Lovelace, Alan Turing, Grace Hopper" in capsys.readouterr().out
    assert _run("index", "search", "zzzz", "--index", built) == 1
    assert "No record found." in capsys.readouterr().out
    assert _run("index", "search", "result that was not", "--index", built, "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["retracted"] is True


def test_coverage_lists_a_venues_years(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("index", "coverage", "ICML", "--index", built) == 0
    assert "icml                     2020       1     1084  no (records)" in capsys.readouterr().out
    assert _run("index", "coverage", "--index", built, "--json") == 0
    assert json.loads(capsys.readouterr().out) == []
    assert _run("index", "coverage", "Zzyzx Meeting", "--index", built) == 2
    assert "no venue that the index knows" in capsys.readouterr().err


def test_verify_tells_a_sound_index_from_a_changed_one(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("index", "verify", "--index", built) == 0
    assert "is sound" in capsys.readouterr().out
    next(built.rglob("*.store")).write_bytes(b"x")
    assert _run("index", "verify", "--index", built) == 2
    assert "Build it again" in capsys.readouterr().err


def test_add_tells_the_new_whole(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = write_records(tmp_path / "more.jsonl", [record("One more title")])
    assert _run("index", "add", more, "--index", built, "--workers", 1) == 0
    assert "6 records" in capsys.readouterr().err
    assert _run("index", "add", more, "--index", built, "--workers", 1) == 2
    assert "in the index already" in capsys.readouterr().err


def test_an_unknown_format_is_answered_with_a_near_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"dblpp:{FIXTURES / 'dblp.xml'}"
    assert _run("index", "build", "--out", tmp_path / "idx", source) == 2
    assert "Did you mean `dblp`?" in capsys.readouterr().err


def test_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("index", "formats") == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed[0] == "dblp"
    assert listed[-1] == "starter"


def test_the_date_of_a_build_can_be_fixed() -> None:
    assert _today({"SOURCE_DATE_EPOCH": "86400"}) == "1970-01-02"
    with pytest.raises(InputError, match="seconds since 1970"):
        _today({"SOURCE_DATE_EPOCH": "tomorrow"})


def test_the_progress_bar_takes_what_a_build_tells() -> None:
    with Bar() as bar:
        bar.begin("[a] \x1b[31mname", 100)
        bar.more(50)
        bar.advance(150)
        for _ in range(3):
            bar.records(999)
