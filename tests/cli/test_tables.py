"""`--tables` takes a user's tables over the packaged ones; `hallmark tables` lists and checks them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hallmark.cli.main import main
from hallmark.text import knowledge
from hallmark.text.table_forms import TABLES

BIB = """@inproceedings{walrus, author = {Jane Q. Reviewer and Kim Lund}, title = {On the Relevant
Uses of Seals}, booktitle = {WALRUS}, year = {2021}}
"""


@pytest.fixture(autouse=True)
def packaged_again() -> Iterator[None]:
    yield
    knowledge.use(None)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "placeholders.tsv").write_text("jane q reviewer\talways\n")
    return folder


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "refs.bib"
    path.write_text(BIB)
    return path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return int(stop.value.code or 0)


def codes(out: str) -> list[set[str]]:
    """Return the codes found for each reference."""
    rows = [row for row in map(json.loads, out.splitlines()) if "key" in row]
    return [{finding["code"] for finding in row["findings"]} for row in rows]


def test_every_table_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tables") == 0
    out = capsys.readouterr().out
    assert all(line.split()[0] in TABLES for line in out.splitlines())
    assert len(out.splitlines()) == len(TABLES)


def test_a_folder_is_checked(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tables", mine) == 0
    assert capsys.readouterr().out == "placeholders.tsv: 1 row\n"


def test_a_bad_row_is_misuse_and_is_named(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (mine / "venues.tsv").write_text("x\tzoo\n")
    assert run("tables", mine) == 2
    assert "venues.tsv, line 1: type is 'zoo'" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["command", "program", "environment"])
def test_own_tables_are_used_wherever_they_are_named(
    place: str,
    mine: Path,
    bib: Path,
    paper_index: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = ["check", bib, "--index", paper_index, "--format", "jsonl", "--today", "2026-01-01"]
    run(*options)
    assert "HM102" not in codes(capsys.readouterr().out)[0]
    if place == "environment":
        monkeypatch.setenv("HALLMARK_TABLES", str(mine))
    in_front = ["--tables", mine] if place == "program" else []
    behind = ["--tables", mine] if place == "command" else []
    assert run(*in_front, *options, *behind) == 1
    assert "HM102" in codes(capsys.readouterr().out)[0]


def test_worker_processes_use_the_same_tables(
    mine: Path, bib: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bib.write_text("".join(BIB.replace("{walrus,", f"{{w{n},") for n in range(60)))
    options = ["--index", paper_index, "--format", "jsonl", "--workers", 2, "--today", "2026-01-01"]
    assert run("check", bib, *options, "--tables", mine) == 1
    found = codes(capsys.readouterr().out)
    assert len(found) == 60
    assert all("HM102" in one for one in found)


def test_an_index_is_built_with_own_venues(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mine / "venues.tsv").write_text("walrus\tconference\t2019-\t-\t.\tUses of Seals | WALRUS\n")
    record = {"title": "On Seals", "authors": ["Kim Lund"], "venue": "WALRUS", "year": 2021}
    records = tmp_path / "records.jsonl"
    records.write_text(json.dumps(record) + "\n")
    out = tmp_path / "index"
    assert run("index", "build", records, "--out", out, "--workers", 1, "--tables", mine) == 0
    assert run("index", "search", "On Seals", "--index", out, "--json") == 0
    assert '"walrus"' in capsys.readouterr().out
