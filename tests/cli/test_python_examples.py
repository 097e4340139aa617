"""The Python examples of the documentation run."""

import re
from datetime import date
from pathlib import Path

import pytest
from msgspec import structs

import hallmark
from hallmark import Verifier, open_index
from hallmark.judge.calibrate import Calibration, packaged
from hallmark.parse.interface import read
from hallmark.records.reference import Reference
from tests.fakeworld.server import serving
from tests.fakeworld.world import World

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
    _, opened, _, matched = blocks("docs/python-api.md")
    references = {entry.key: entry for entry in read(PAPER_BIB)}
    names: dict[str, object] = {"reference": references["false-year"]}
    exec(opened.replace(".hallmark/starter", str(paper_index)), names)
    exec(matched, names)
    assert "HM601 year 2018 -> 2014" in capsys.readouterr().out


def test_the_example_with_live_sources_runs(
    paper_index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    online = blocks("docs/python-api.md")[2].replace(".hallmark/starter", str(paper_index))
    (reference,) = (one for one in read(PAPER_BIB) if one.key == "he2016deep")
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path))
    with serving(World([])) as place:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", place)
        exec(online, {"references": [reference]})
    assert capsys.readouterr().out == "he2016deep verified\n"


def test_a_check_takes_a_date_and_a_calibration(paper_index: Path, tmp_path: Path) -> None:
    bib = tmp_path / "late.bib"
    bib.write_text("@book{late, title={Any}, author={A. Bee}, year={2031}}", encoding="utf-8")
    (now,) = hallmark.check(bib, paper_index, today=date(2026, 1, 1))
    (later,) = hallmark.check(bib, paper_index, today=date(2032, 1, 1))
    assert (now.verdict.type, later.verdict.type) == ("future_date", None)
    model = packaged().model
    raised = Calibration(structs.replace(model, intercept=model.intercept + 1.0))
    (usual,) = hallmark.check(bib, paper_index, today=date(2032, 1, 1), calibration=packaged())
    (other,) = hallmark.check(bib, paper_index, today=date(2032, 1, 1), calibration=raised)
    assert usual == later
    assert other.verdict.probability != later.verdict.probability


def test_the_public_names_are_listed_before_they_are_loaded() -> None:
    assert set(hallmark.__all__) <= set(dir(hallmark))
    for name in hallmark.__all__:
        assert getattr(hallmark, name) is not None


def test_a_verifier_explains(paper_index: Path) -> None:
    verifier = Verifier(open_index(paper_index))
    reference = next(entry for entry in read(PAPER_BIB) if entry.key == "he2016deep")
    assert isinstance(reference, Reference)
    evidence, result = verifier.explain(reference)
    assert result.status == "verified"
    assert evidence.works
