"""Can a person make a benchmark from a plan and an index, and what is said where it fails?"""

import json
from pathlib import Path

import msgspec
import pytest
from tests.bench.build.little import WORKS

from hallmark.cli.main import main
from hallmark.index.build import build

PLAN = """
name = "little"
version = "1.0.0"
date = "2026-12-02"
attested = 1
years = [2013, 2024]
without_doi = 0.5
whole_lists = false
[splits.dev]
valid = 20
tiers = [8, 7, 3]
"""


def run(*arguments: str) -> int:
    """Run `hallmark bench build ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "build", *arguments])
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of made works."""
    folder = tmp_path_factory.mktemp("made")
    rows = [
        {
            "title": one.title,
            "authors": list(one.authors),
            "venue": one.venue,
            "year": one.year,
            "doi": one.doi,
            "arxiv": one.arxiv,
            "source": "alpha",
        }
        for one in WORKS
    ]
    source = folder / "records.jsonl"
    source.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    build(folder / "index", [str(source)], built="2026-12-01", counts={})
    return folder / "index"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan file."""
    file = tmp_path / "plan.toml"
    file.write_text(PLAN, encoding="utf-8")
    return file


def test_a_release_is_made_and_made_again_with_the_same_bytes(
    index: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outs = [tmp_path / name for name in ("one", "two")]
    for out in outs:
        code = run("release", "--plan", str(plan), "--index", str(index), "--out", str(out))
        assert code == 0, capsys.readouterr().err
    assert "dev: 20 valid, 18 hallucinated of 14 types" in capsys.readouterr().out
    first, second = ({one.name: one.read_bytes() for one in out.iterdir()} for out in outs)
    assert first == second
    manifest = json.loads(first["manifest.json"])
    assert set(manifest["inputs"]) == {"plan.toml"}
    assert manifest["index"]["records"] == len(WORKS)


def test_a_taken_place_and_a_plan_that_does_not_fit_are_refused_at_once(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = str(tmp_path / "no-index")
    assert run("release", "--plan", str(plan), "--index", none, "--out", str(tmp_path)) == 2
    assert "There is something at" in capsys.readouterr().err
    plan.write_text(PLAN.replace("valid = 20", "valid = -20"), encoding="utf-8")
    out = tmp_path / "out"
    assert run("release", "--plan", str(plan), "--index", none, "--out", str(out)) == 2
    assert "negative" in capsys.readouterr().err
    assert not out.exists()


def test_without_an_index_the_message_names_the_place(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none, out = tmp_path / "no-index", tmp_path / "out"
    assert run("release", "--plan", str(plan), "--index", str(none), "--out", str(out)) == 2
    assert "no-index" in capsys.readouterr().err
    assert not out.exists()


def test_the_help_tells_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    assert "release" in capsys.readouterr().out
