"""Do the commands take policies by name and by file, and show them?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.options import POLICY_HELP
from hallmark.judge.profiles import NAMES, SETTINGS, digest, policy_of
from tests.cli.test_check import PAPER_BIB, TODAY, call, rows

OURS = 'version = 1\nextends = "strict"\ndescription = "Ours."\n[findings]\nHM601 = "note"\n'


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("HALLMARK_INDEX", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ours.toml"
    path.write_text(OURS, encoding="utf-8")
    return path


def test_the_help_names_every_policy() -> None:
    assert all(name in POLICY_HELP for name in NAMES)


def test_the_list_has_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("policy", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)


def test_what_is_shown_is_a_file_to_start_from(
    ours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("policy", "show", "ours") == 0
    ours.with_name("again.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert digest(policy_of("again", ours.parent)) == digest(policy_of("ours", ours.parent))


def test_only_what_is_changed_can_be_shown(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("policy", "show", "ours.toml", "--changed", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["name"] == "ours"
    assert "future_years" not in {one["key"] for one in shown["choices"]}
    assert {"key": "HM601", "value": "note", "reason": "", "policy": "ours"} in shown["choices"]
    assert call("policy", "show", "default", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["choices"]) == len(SETTINGS)


def test_what_a_terminal_would_obey_is_written_out(
    ours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = 'version = 1\ndescription = "a\\u001b[2Jb"\n# red \u202e dog\nfuture_years = 2\n'
    ours.write_text(text, encoding="utf-8")
    assert call("policy", "show", "ours") == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize(
    "command",
    [
        ["check", str(PAPER_BIB)],
        ["explain", "key", str(PAPER_BIB)],
        ["replay", "evidence.jsonl"],
        ["policy", "show"],
    ],
)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("strickt", "Did you mean `strict`?"),
        ("bad.toml", "bad.toml: `future_years` is -1; it must be"),
        ("missing.toml", "The policy missing.toml cannot be read"),
    ],
)
def test_a_policy_that_is_none_is_one_message_before_any_work(
    command: list[str], name: str, said: str, ours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours.with_name("bad.toml").write_text("version = 1\nfuture_years = -1\n", encoding="utf-8")
    option = [name] if command[0] == "policy" else ["--policy", name]
    assert call(*command, *option) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_a_file_judges_and_its_name_is_reported(ours: Path, paper_index: Path) -> None:
    common: list[str | Path] = ["--index", paper_index, "-f", "json", "-q", *TODAY]
    assert call("check", PAPER_BIB, *common, "-o", "plain.json") == 1
    assert call("check", PAPER_BIB, *common, "-o", "ours.json", "--policy", ours) == 1
    assert rows(Path("plain.json"))["false-year"]["status"] == "contradicted"
    assert rows(Path("ours.json"))["false-year"]["status"] != "contradicted"
    page: list[str | Path] = ["-f", "markdown", "-o", "ours.md", *TODAY]
    call("check", PAPER_BIB, "--index", paper_index, *page, "--policy", ours)
    assert "policy ours" in Path("ours.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*NAMES, "ours.toml"])
def test_evidence_of_one_policy_is_judged_by_any_other_as_a_check_would(
    name: str, ours: Path, paper_index: Path
) -> None:
    common: list[str | Path] = ["-f", "json", "-q"]
    index: list[str | Path] = ["--index", paper_index, *TODAY]
    kept = ["--store-evidence", "evidence.jsonl"]
    call("check", PAPER_BIB, *common, *index, *kept, "-o", "default.json")
    call("check", PAPER_BIB, *common, *index, "--policy", name, "-o", "checked.json")
    call("replay", "evidence.jsonl", *common, "--policy", name, "-o", "replayed.json")
    checked, replayed = rows(Path("checked.json")), rows(Path("replayed.json"))
    assert {key: row["status"] for key, row in checked.items()} == {
        key: row["status"] for key, row in replayed.items()
    }
    assert [row["findings"] for row in checked.values()] == [
        row["findings"] for row in replayed.values()
    ]


def test_evidence_never_names_a_file_to_read(
    ours: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = ["--store-evidence", "evidence.jsonl", "-o", "report.txt", "-q"]
    call("check", PAPER_BIB, "--index", paper_index, *TODAY, *kept, "--policy", ours)
    capsys.readouterr()
    assert call("replay", "evidence.jsonl", "-q") == 2
    told = capsys.readouterr()
    assert "was judged by the policy `ours`, which does not come with the program" in told.err
    assert told.out == ""
    assert call("replay", "evidence.jsonl", "--policy", ours) == 1
    assert "0 of " in capsys.readouterr().err
