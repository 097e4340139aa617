from pathlib import Path

import pytest

from hallmark.index import open_index
from tests.cli.test_check import call
from tests.index.helpers import record, write_records


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_records(tmp_path / "made.jsonl", [record("A Study of Reefs", doi="10.5555/a")])
    (tmp_path / "rw.csv").write_text("doi,nature\n10.5555/a,Retraction\nnone,Retraction\n")
    return tmp_path


def test_a_table_is_added_and_told(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = files / "idx"
    assert call("index", "build", files / "made.jsonl", "--out", out) == 0
    assert call("index", "add", f"retractions:{files / 'rw.csv'}", "--index", out) == 0
    told = capsys.readouterr().err
    assert "retraction-watch" in told
    assert "1  skipped: no DOI or PubMed id of the work" in told
    bib = files / "a.bib"
    bib.write_text("@misc{a, title={A Study of Reefs}, doi={10.5555/a}}\n")
    call("check", bib, "--index", out)
    assert "HM305 The work" in capsys.readouterr().out


def test_a_table_can_be_given_with_the_records(files: Path) -> None:
    out = files / "idx"
    table = f"retractions:{files / 'rw.csv'}"
    assert call("index", "build", files / "made.jsonl", table, "--out", out, "-q") == 0
    assert open_index(out).by_doi("10.5555/a")
    assert {one.format for one in open_index(out).info().sources} == {"records", "retractions"}


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        (["retractions:none.csv"], "There is no file"),
        (["retractions:made.jsonl"], "no table of retractions"),
        (["retractions:rw.csv", "retractions:made.jsonl"], "one table of retractions"),
    ],
)
def test_what_cannot_be_added_is_said_in_one_sentence(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    sources: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(files)
    assert call("index", "build", "made.jsonl", "--out", "idx", "-q") == 0
    assert call("index", "add", *sources, "--index", "idx") == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown
