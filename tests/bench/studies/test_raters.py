"""Does Table 41 hold for any raters, and does it compare only the paper's with print?"""

import json
from pathlib import Path

import pytest

from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.compare import Report, compare
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.raters import RATERS

GOLD = ("HALLUCINATED",) * 3 + ("VALID",) * 2
PAPER = tuple(RATERS.values())


def folder(root: Path, **ratings: str) -> Path:
    """Write gold and raters; a rating is a letter: V, H, U, E for an error, - for none."""
    words = {"V": "VALID", "H": "HALLUCINATED", "U": "UNCERTAIN", "E": None}
    (root / "predictions" / "raters").mkdir(parents=True)
    gold = [{"bibtex_key": f"k{n}", "gold_label": label} for n, label in enumerate(GOLD)]
    (root / "rater_gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in gold))
    for name, letters in ratings.items():
        rows = [
            {"bibtex_key": f"k{n}", "rater_id": name, "label": words[letter], "confidence": 0.9}
            for n, letter in enumerate(letters)
            if letter != "-"
        ]
        path = root / "predictions" / "raters" / f"{name.replace('_', '-')}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


def report(root: Path) -> Report:
    return compare(study_of(41), Folder(root, problems=[]))


def values(found: Report) -> dict[str, float | None]:
    return {c.cell.row: c.cell.value for c in found.cells if c.cell.value is not None}


def test_other_raters_get_every_statistic_and_no_printed_cell(tmp_path: Path) -> None:
    found = report(folder(tmp_path, ann="HHHVV", bob="HHVVH", cyd="UHHHV"))
    shown = values(found)
    mark = "(not in the paper)"
    assert shown[f"ann {mark} accuracy"] == 1.0
    assert shown[f"cyd {mark} accuracy"] == pytest.approx(0.8)
    assert shown[f"bob {mark} accuracy on recovered real papers"] == pytest.approx(0.5)
    assert shown["Majority accuracy of all 3 raters"] == 1.0
    assert shown["Majority accuracy on recovered real papers of all 3 raters"] == 1.0
    assert 0 < (shown["Fleiss kappa of all 3 raters"] or 0) < 1
    assert f"Cohen kappa ann {mark} and bob {mark}" in shown
    assert not [c for c in found.cells if c.printed is not None and c.cell.value is not None]


def test_the_papers_three_alone_get_the_printed_rows_alone(tmp_path: Path) -> None:
    found = report(folder(tmp_path, **dict.fromkeys(PAPER, "HHHVV")))
    assert values(found)["Fleiss kappa"] == 1.0
    assert {c.cell.row for c in found.cells} == {
        c.cell.row for c in found.cells if c.printed is not None
    }
    assert len(found.cells) == 14


def test_raters_beside_the_papers_count_in_rows_of_their_own(tmp_path: Path) -> None:
    ratings = dict.fromkeys(PAPER, "HHHVV") | {"ann": "VVVHH"}
    shown = values(report(folder(tmp_path, **ratings)))
    assert shown["Fleiss kappa"] == 1.0
    assert (shown["Fleiss kappa of all 4 raters"] or 0) < 1.0
    assert shown["Cohen kappa Claude Sonnet 4.6 and ann (not in the paper)"] == pytest.approx(
        -12 / 13
    )
    assert "Cohen kappa Claude Sonnet 4.6 and DeepSeek-V3.2 of all 4 raters" not in shown


def test_one_of_the_papers_raters_fills_its_own_printed_rows(tmp_path: Path) -> None:
    found = report(folder(tmp_path, **{PAPER[0]: "HHHVH"}))
    shown = values(found)
    assert shown["Claude Sonnet 4.6 accuracy"] == pytest.approx(0.8)
    assert "Fleiss kappa" not in shown
    assert "Majority accuracy" not in shown
    assert any("deepseek-v3-2" in need for need in found.missing)


def test_abstentions_failures_and_gaps_count_as_flags_and_gaps_are_told(tmp_path: Path) -> None:
    found = report(folder(tmp_path, ann="HHHUE", bob="HHH--"))
    shown = values(found)
    assert shown["ann (not in the paper) accuracy on recovered real papers"] == 0.0
    assert shown["bob (not in the paper) accuracy on recovered real papers"] == 0.0
    assert any("bob (not in the paper) rated 3 of 5" in note for note in found.notes)
    assert any("ann (not in the paper) failed on 1 of 5" in note for note in found.notes)


def test_a_tie_is_no_majority_and_two_raters_have_none(tmp_path: Path) -> None:
    found = report(folder(tmp_path, ann="HHHVV", bob="VVVVV", cyd="HHHVV", dan="VVVVV"))
    shown = values(found)
    assert shown["Majority accuracy on real-world hallucinations of all 4 raters"] == 0.0
    assert any("tie" in note for note in found.notes)


def test_without_gold_nothing_is_computed(tmp_path: Path) -> None:
    root = folder(tmp_path, ann="HHHVV")
    (root / "rater_gold.jsonl").unlink()
    found = report(root)
    assert values(found) == {}
    assert "rater_gold.jsonl" in found.missing
