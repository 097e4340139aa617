import json
import os
from pathlib import Path

import pytest
from tests.bench.systems.external.conftest import Install, installed
from tests.bench.systems.external.test_system import FAKE
from typer.testing import CliRunner

from hallmark.cli.bench import app
from hallmark.errors import InputError

__all__ = ["installed"]

GOLD = '{"bibtex_key": "a", "label": "VALID", "fields": {"title": "A fake one"}}\n'


def call(*arguments: str, root: Path) -> tuple[int, str]:
    environ = {"HALLMARK_TOOLS": str(root)}
    result = CliRunner().invoke(app, arguments, env=environ, catch_exceptions=True)
    if isinstance(result.exception, InputError):
        raise result.exception
    return result.exit_code, result.stdout


def test_the_list_says_of_every_tool_whether_it_can_be_used(installed: Install) -> None:
    root = installed("bibtex-updater@1.2.0", FAKE)
    code, output = call("tools", "list", root=root)
    assert code == 0
    assert "bibtex-updater 1.2.0: usable (1 packages" in output
    assert "harcx 0.2.0: not usable: not installed" in output
    code, output = call("tools", "list", "--json", root=root)
    usable = {row["name"]: row["usable"] for row in json.loads(output)}
    assert usable["tool:bibtex-updater@1.2.0"]
    assert not usable["tool:verify-citations"]


def test_the_statuses_of_a_tool_are_shown_with_their_reasons(tmp_path: Path) -> None:
    _, output = call("tools", "statuses", "citecheck-refs", root=tmp_path)
    assert "NOT_FOUND: HALLUCINATED (documented):" in output
    assert "any other: ERROR" in output


def test_tools_are_rows_of_the_list_of_systems(installed: Install) -> None:
    root = installed("bibtex-updater", FAKE)
    rows = json.loads(call("systems", "--json", root=root)[1])
    external = {row["name"]: row for row in rows if row["kind"] == "external"}
    assert external["tool:bibtex-updater"]["usable"]
    assert "tools install harcx" in external["tool:harcx"]["missing"]
    assert "tool:harcx" in call("systems", root=root)[1]


def test_a_tool_is_run_over_a_file_like_any_system(installed: Install, tmp_path: Path) -> None:
    root, out = installed("bibtex-updater", FAKE), tmp_path / "out.jsonl"
    (tmp_path / "gold.jsonl").write_text(GOLD, encoding="utf-8")
    gold = str(tmp_path / "gold.jsonl")
    code, _ = call("run", "tool:bibtex-updater", "--gold", gold, "--out", str(out), root=root)
    assert code == 0
    row = json.loads(out.read_text(encoding="utf-8"))
    assert (row["label"], row["native"]) == ("HALLUCINATED", ["doi_mismatch"])
    manifest = json.loads(Path(f"{out}.manifest.json").read_text(encoding="utf-8"))
    assert manifest["settings"]["version"] == "1.12.0"


def test_a_tool_that_is_not_installed_is_told(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(GOLD, encoding="utf-8")
    gold, out = str(tmp_path / "gold.jsonl"), str(tmp_path / "out.jsonl")
    with pytest.raises(InputError, match="bench tools install harcx"):
        call("run", "tool:harcx", "--gold", gold, "--out", out, root=tmp_path)


def test_a_tool_that_cannot_be_run_is_not_installed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Rust"):
        call("tools", "install", "hallucinator", "--quiet", root=tmp_path)


def test_conformance_ends_with_its_outcome(installed: Install) -> None:
    root = installed("bibtex-updater", FAKE)
    code, output = call("conformance", "tool:bibtex-updater", "--case", "order", root=root)
    assert code == 0
    assert "1 of 1 passed" in output
    code, output = call("conformance", "always-hallucinated", "--json", root=root)
    assert code == 1
    assert json.loads(output)["counts"]["fail"] > 0
    code, output = call("conformance", "doi-presence", "--markdown", root=root)
    assert "| test | outcome |" in output


def test_conformance_leaves_the_environment_as_it_was(tmp_path: Path) -> None:
    before = dict(os.environ)
    call("conformance", "always-valid", "--case", "outage-real", root=tmp_path)
    assert {k: v for k, v in os.environ.items() if "proxy" in k.lower()} == {
        k: v for k, v in before.items() if "proxy" in k.lower()
    }


def test_replay_has_no_conformance(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answers from a file"):
        call("conformance", "replay", root=tmp_path)
