"""The Python examples of the documentation run."""

import re
from pathlib import Path

import pytest

from hallmark import Verifier, open_index
from hallmark.parse.interface import read
from hallmark.records.reference import Reference

ROOT = Path(__file__).parent.parent.parent
PAPER_BIB = str(ROOT / "examples" / "paper.bib")


def blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python-api.md"])
def test_the_first_example_runs_and_finds_what_is_false(
    page: str, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = blocks(page)[0]
    assert len(code.strip().splitlines()) == 5
    code = code.replace("paper.bib", PAPER_BIB).replace(".hallmark/starter", str(paper_index))
    exec(code, {})
    shown = capsys.readouterr().out
    assert "false-title near_miss_title" in shown
    assert "vaswani2017attention" not in shown


def test_the_other_examples_run(paper_index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, opened, matched = blocks("docs/python-api.md")
    references = {entry.key: entry for entry in read(PAPER_BIB)}
    names: dict[str, object] = {"reference": references["false-year"]}
    exec(opened.replace(".hallmark/starter", str(paper_index)), names)
    exec(matched, names)
    assert "HM601 year 2018 -> 2014" in capsys.readouterr().out


def test_a_verifier_explains(paper_index: Path) -> None:
    verifier = Verifier(open_index(paper_index))
    reference = next(entry for entry in read(PAPER_BIB) if entry.key == "he2016deep")
    assert isinstance(reference, Reference)
    evidence, result = verifier.explain(reference)
    assert result.status == "verified"
    assert evidence.works
