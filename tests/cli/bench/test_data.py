"""What do the commands that count, show, check and prepare data print, write and return?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.main import main

GOLD = Path(__file__).parents[3] / "examples" / "bench" / "gold.jsonl"


def run(*arguments: str) -> int:
    """Run `hallmark bench ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    return int(stopped.value.code or 0)


def test_stats_counts_and_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", str(GOLD)) == 0
    assert "20 entries, 10 valid, 10 hallucinated" in capsys.readouterr().out
    assert run("stats", str(GOLD), "--format", "json") == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["n"] == 20
    assert sum(counts["types"].values()) == 10


def test_stats_says_where_a_split_is_not_as_released(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dev_public.jsonl").write_bytes(GOLD.read_bytes())
    assert run("stats", "dev_public", "--data", str(tmp_path)) == 0
    assert "was released with 513 valid" in capsys.readouterr().out


def test_show_prints_one_entry_or_offers_near_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "ref01", "--gold", str(GOLD)) == 0
    assert "{ref01," in capsys.readouterr().out
    assert run("show", "ref011", "--gold", str(GOLD)) == 2
    assert "Did you mean ref11, ref01" in capsys.readouterr().err


def test_shown_text_cannot_drive_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"bibtex_key": "k", "label": "VALID", "fields": {"title": "a\x1b[2Jb\u202ec"}}
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert run("show", "k", "--gold", str(path)) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_validate_tells_fit_from_unfit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", str(GOLD)) == 0
    twice = tmp_path / "twice.jsonl"
    twice.write_bytes(GOLD.read_bytes() * 2)
    assert run("validate", str(twice)) == 1
    assert "lines 1, 21" in capsys.readouterr().out
    assert run("validate", str(twice), "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["fit"] is False
    assert run("validate", str(tmp_path / "missing.jsonl")) == 2


def test_a_warning_is_an_error_when_asked_so(tmp_path: Path) -> None:
    row = json.loads(GOLD.read_text(encoding="utf-8").splitlines()[0])
    del row["fields"]["booktitle"]
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert run("validate", str(path)) == 0
    assert run("validate", str(path), "--strict") == 1


def test_the_blind_file_can_be_audited_templated_and_run_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blind = tmp_path / "blind.jsonl"
    assert run("blind", str(GOLD), "--out", str(blind)) == 0
    assert "label" not in blind.read_text(encoding="utf-8")
    assert run("audit", str(blind)) == 0
    assert run("template", str(blind), "--out", str(tmp_path / "t.jsonl")) == 0
    assert run("template", str(GOLD)) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "t.jsonl").read_text(encoding="utf-8") in printed


@pytest.mark.parametrize("command", ["blind", "template"])
def test_a_command_that_writes_a_file_says_so_unless_it_is_to_be_quiet(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert run(command, str(GOLD), "--out", str(out)) == 0
    assert capsys.readouterr().err == f"written to {out}\n"
    assert run(command, str(GOLD), "--out", str(out), "--quiet") == 0
    assert capsys.readouterr().err == ""
    assert run(command, str(GOLD)) == 0
    assert capsys.readouterr().err == ""


def test_the_gold_file_is_never_written_over() -> None:
    before = GOLD.read_bytes()
    assert run("blind", str(GOLD), "--out", str(GOLD)) == 2
    assert run("run", "random", "--gold", str(GOLD), "--out", str(GOLD)) == 2
    assert GOLD.read_bytes() == before


def test_audit_returns_one_where_it_finds_a_leak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("audit", str(GOLD)) == 0
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    rows[1]["bibtex_key"] = rows[0]["bibtex_key"]
    leaky = tmp_path / "leaky.jsonl"
    leaky.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    capsys.readouterr()
    assert run("audit", str(leaky), "--format", "json") == 1
    report = json.loads(capsys.readouterr().out)
    assert [one["check"] for one in report["findings"] if not one["note"]] == ["key-collision"]
    assert run("audit", str(tmp_path)) == 1


def test_a_blind_file_and_a_split_by_name_can_be_validated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blind = str(tmp_path / "dev_public_blind.jsonl")
    assert run("blind", str(GOLD), "--out", blind) == 0
    assert run("validate", blind) == 0
    assert run("validate", "dev_public_blind", "--data", str(tmp_path)) == 0
    assert capsys.readouterr().out.endswith("dev_public_blind: fit to use\n")


def test_a_blind_file_is_no_gold_file_and_says_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blind = str(tmp_path / "blind.jsonl")
    assert run("blind", str(GOLD), "--out", blind) == 0
    assert run("stats", blind) == 2
    told = capsys.readouterr().err
    assert "lines 1-20: `label` is missing in every row; it is a blind file" in told


def test_a_folder_is_no_gold_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", str(tmp_path)) == 2
    assert "is a folder; name a file in it" in capsys.readouterr().err
