"""What does `hallmark study noise` print, write and return?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.main import main
from tests.metamorphic.made import records
from tests.metamorphic.worlds import index as built


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("noise") / "made"
    built(folder, records(200, seed=31))
    return folder / "index"


def run(place: Path, *arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["study", "noise", "--index", str(place), "--today", "2026-01-01", *arguments])
    return int(stopped.value.code or 0)


def test_the_study_goes_to_the_terminal(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(place, "--valid", "20", "--corrupted", "14") == 0
    shown = capsys.readouterr().out
    assert "20 valid entries in realistic citation styles and 14 corrupted ones" in shown
    assert "all corrupted" in shown


def test_the_study_is_written_as_json(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "noise.json"
    assert run(place, "--valid", "20", "--corrupted", "0", "--seed", "7", "-q", "-o", str(out)) == 0
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["schema"] == "hallmark-noise/1"
    assert data["wanted"] == {"valid": 20, "corrupted": 0, "seed": 7}
    assert data["valid"]["checked"] == 20


def test_a_missing_index_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none") == 2
    assert "There is no index" in capsys.readouterr().err
