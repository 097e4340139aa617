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


def test_a_sealed_release_grows_and_is_scored_in_shares_alone(
    index: Path,
    plan: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key, first, second = tmp_path / "key", tmp_path / "first", tmp_path / "second"
    hidden = "\n[splits.hidden]\nvalid = 25\nsealed = true\n"
    plan.write_text(PLAN + hidden, encoding="utf-8")
    made = ("--plan", str(plan), "--index", str(index))
    monkeypatch.delenv("HALLMARK_SEAL_KEY", raising=False)
    assert run("release", *made, "--out", str(first)) == 2
    assert "there is no key" in capsys.readouterr().err
    assert run("new-key", str(key)) == 0
    digits = key.read_text().strip()
    with_key = ("--key-file", str(key))
    assert run("release", *made, *with_key, "--out", str(first)) == 0, capsys.readouterr().err
    more = PLAN.replace("1.0.0", "1.1.0").replace("valid = 20", "valid = 8")
    plan.write_text(more.replace("tiers = [8, 7, 3]", "tiers = [3, 3, 1]"), encoding="utf-8")
    grown = ("add", "--to", str(first), *made, *with_key, "--out", str(second))
    assert run(*grown) == 0, capsys.readouterr().err
    assert "| dev | 38 | 53 | 15 | 0 | 0 |" in (second / "CHANGELOG.md").read_text()
    answers = tmp_path / "answers.jsonl"
    keys = [
        json.loads(row)["bibtex_key"]
        for row in (second / "hidden_blind.jsonl").read_text().splitlines()
    ]
    rows = [{"bibtex_key": one, "label": "HALLUCINATED", "confidence": 0.5} for one in keys]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored = ["bench", "score", str(answers), "--sealed", str(second / "sealed" / "hidden.sealed")]
    scored += [*with_key, "--uses", str(tmp_path / "uses.jsonl"), "--limit", "1"]
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        main(scored)
    told = capsys.readouterr()
    assert stopped.value.code in (None, 0), told.err
    assert "false-positive rate                0.960 of 25" in told.out
    assert "detection rate                     not told" in told.out
    assert "use 1 of 1" in told.err
    with pytest.raises(SystemExit) as stopped:
        main(scored)
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert "1 is the limit" in told.err
    written = "".join(
        one.read_text("utf-8", "replace")
        for one in tmp_path.rglob("*")
        if one.is_file() and one != key
    )
    assert digits not in written + told.out + told.err
