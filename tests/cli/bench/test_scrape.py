"""Can a person scrape works, over real sockets, stop and go on, and what leaves the machine?"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bench.build.scrape.made import world_of
from tests.fakeworld.knobs import Fault, Knobs
from tests.fakeworld.server import serving
from tests.fakeworld.world import World

from hallmark.cli.main import main

RECIPE = """
years = [2021, 2024]
confirm = ["crossref", "openalex", "dblp"]
[[list]]
source = "dblp"
venue = "NeurIPS"
years = [2022, 2022]
most = 3
[[list]]
source = "pubmed"
since = "2023-01-01"
until = "2023-12-31"
most = 3
"""


def run(*arguments: str) -> int:
    """Run `hallmark bench build scrape ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "build", "scrape", *arguments])
    return int(stopped.value.code or 0)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world that plays all services, in a folder with a recipe."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENALEX_API_KEY", "planted-openalex-7c1d/+x")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    world = world_of()
    with serving(world) as address:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", address)
        yield world


def test_works_are_scraped_into_records(
    served: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("recipe.toml", "--out", "out.jsonl") == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len({row["title"] for row in rows}) == 6
    assert not (tmp_path / "out.jsonl.journal").exists()
    told = capsys.readouterr()
    assert "6 works" in told.out
    assert "Requests: " in told.err
    kept = "".join(one.read_text("utf-8") for one in tmp_path.glob("*.jsonl*"))
    assert "planted" not in kept + told.out + told.err
    assert run("recipe.toml", "--out", "out.jsonl") == 2
    assert "--fresh" in capsys.readouterr().err
    assert run("recipe.toml", "--out", "out.jsonl", "--fresh") == 0


def test_what_was_not_answered_is_asked_when_the_command_is_given_again(
    served: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served.turn("pubmed", Knobs(faults=((Fault.FORBIDDEN, 1.0),)))
    assert run("recipe.toml", "--out", "out.jsonl") == 1
    assert "unanswered" in capsys.readouterr().err
    served.turn("pubmed", Knobs())
    asked = len(served.asked("dblp"))
    assert run("recipe.toml", "--out", "out.jsonl") == 0
    assert len(served.asked("dblp")) == asked
    assert "6 works" in capsys.readouterr().out


def test_no_more_is_asked_than_is_allowed(served: World) -> None:
    assert run("recipe.toml", "--out", "out.jsonl", "--max-requests", "2") == 1
    assert len(served.log) == 2


def test_another_recipe_does_not_go_on_with_this_one(
    served: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("recipe.toml", "--out", "out.jsonl", "--max-requests", "2") == 1
    (tmp_path / "recipe.toml").write_text(RECIPE.replace("most = 3", "most = 2"), "utf-8")
    assert run("recipe.toml", "--out", "out.jsonl") == 2
    assert "another kind" in capsys.readouterr().err
    assert len(served.log) == 2
