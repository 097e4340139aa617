"""Do `hallmark cache info` and `clear` show and drop what is kept?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.cache import cache_path
from hallmark.cli.main import main
from hallmark.records.answer import Absent, Found
from hallmark.records.source import Question
from hallmark.sources.cache import Cache
from hallmark.sources.interface import Way
from hallmark.sources.specs import SOURCES
from tests.fakeworld.records import JOURNAL

NOW = 1_800_000_000.0


def call(*arguments: str) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def fill(folder: Path) -> None:
    cache = Cache(cache_path({"HALLMARK_CACHE": str(folder)}))
    found = Found((JOURNAL,), ("doi",))
    cache.put(
        SOURCES.get("crossref")(None).spec, Way.DOI, Question("", doi=JOURNAL.doi), found, NOW
    )
    cache.put(
        SOURCES.get("crossref")(None).spec,
        Way.DOI,
        Question("", doi="10.5555/none"),
        Absent(("doi",)),
        NOW,
    )
    cache.put(
        SOURCES.get("arxiv")(None).spec, Way.TITLE, Question(JOURNAL.title), Absent(("title",)), NOW
    )


def test_an_empty_cache_says_so_and_makes_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("cache", "info") == 0
    assert "nothing is kept" in capsys.readouterr().out
    assert call("cache", "clear") == 0
    assert "0 answers dropped" in capsys.readouterr().out
    assert not folder.exists()


def test_what_is_kept_is_counted_by_source_and_outcome(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(folder)
    assert call("cache", "info") == 0
    printed = capsys.readouterr().out
    assert "3 answers" in printed
    assert "oldest 2027-01-15" in printed
    call("cache", "info", "--json")
    told = json.loads(capsys.readouterr().out)
    assert [(row["source"], row["outcome"], row["answers"]) for row in told["answers"]] == [
        ("arxiv", "absent", 1),
        ("crossref", "absent", 1),
        ("crossref", "found", 1),
    ]
    assert told["bytes"] > 0


def test_the_answers_of_one_source_or_of_all_are_dropped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(folder)
    assert call("cache", "clear", "crossref") == 0
    assert capsys.readouterr().out == "2 answers of crossref dropped.\n"
    assert call("cache", "clear") == 0
    assert capsys.readouterr().out == "1 answer dropped.\n"


def test_an_unknown_source_drops_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(folder)
    assert call("cache", "clear", "crosref") == 2
    assert "Did you mean `crossref`?" in capsys.readouterr().err


def test_a_damaged_file_is_replaced_and_that_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    (folder / "answers.sqlite").write_bytes(b"no database at all " * 100)
    assert call("cache", "info") == 0
    printed = capsys.readouterr()
    assert "damaged" in printed.err
    assert "nothing is kept" in printed.out


def test_a_folder_that_cannot_be_used_is_told_in_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "kept"
    (place / "answers.sqlite").mkdir(parents=True)
    monkeypatch.setenv("HALLMARK_CACHE", str(place))
    assert call("cache", "info") == 2
    assert "HALLMARK_CACHE" in capsys.readouterr().err
