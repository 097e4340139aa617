"""Are tools ranked from result files alone, and never by answering least?"""

from pathlib import Path

import numpy as np
import pytest

from hallmark.bench.align import Stance
from hallmark.bench.evaluation import evaluate
from hallmark.bench.leaderboard import RANKABLE, leaderboard, read_results
from hallmark.bench.measures.labels import inverse_difficulty
from hallmark.bench.report import FORMATS
from hallmark.bench.report.board import render
from hallmark.bench.resample import Plan
from hallmark.errors import InputError, UnknownName
from tests.bench.made import TYPES, gold_row, said_row, write

SHORT = Plan(resamples=300)


def results(folder: Path, skill: dict[str, float], name: str = "gold", n: int = 200) -> Path:
    """Write result files of tools that are right with these probabilities."""
    rows = [gold_row(f"k{i}", TYPES[i % 14] if i % 2 else None) for i in range(n)]
    gold = write(folder / f"{name}.jsonl", rows)
    (folder / "results").mkdir(exist_ok=True)
    for i, (system, chance) in enumerate(skill.items()):
        rng = np.random.default_rng(i)
        answers = []
        for row in rows:
            truth = row["label"] == "HALLUCINATED"
            label = "HALLUCINATED" if truth == (rng.random() < chance) else "VALID"
            answers.append(said_row(row["bibtex_key"], label))
        path = write(folder / f"{system}.jsonl", answers)
        found = evaluate(path, gold, plan=SHORT)
        (folder / "results" / f"{name}-{system}.json").write_text(FORMATS.get("json")(found))
    return folder / "results"


def test_tools_stand_in_the_order_of_their_strict_value(tmp_path: Path) -> None:
    folder = results(tmp_path, {"good": 0.95, "fair": 0.8, "fairer": 0.81, "poor": 0.55})
    (board,) = leaderboard(folder, plan=SHORT).boards
    systems = [line.system for line in board.lines]
    assert (systems[0], systems[-1]) == ("good", "poor")
    assert (board.lines[0].rank.low, board.lines[0].rank.high) == (1, 1)
    assert board.lines[1].rank.high == 3
    values = [line.strict.value or 0 for line in board.lines]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("name", RANKABLE)
def test_every_rankable_measure_ranks_the_better_tool_first(tmp_path: Path, name: str) -> None:
    folder = results(tmp_path, {"poor": 0.6, "good": 0.95})
    (board,) = leaderboard(folder, name, plan=SHORT).boards
    assert [line.system for line in board.lines] == ["good", "poor"]


def test_the_selective_stance_alone_is_no_ground_for_a_ranking(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answering least"):
        leaderboard(results(tmp_path, {"a": 0.9}), stance=Stance.SELECTIVE)


def test_measures_of_confidence_cannot_be_ranked_from_result_files(tmp_path: Path) -> None:
    folder = results(tmp_path, {"a": 0.9})
    with pytest.raises(InputError, match="do not hold"):
        leaderboard(folder, "auroc")
    with pytest.raises(UnknownName):
        leaderboard(folder, "f2")


def test_several_gold_files_get_a_board_each_and_a_joint_strength(tmp_path: Path) -> None:
    results(tmp_path, {"a": 0.95, "b": 0.7}, "one")
    folder = results(tmp_path, {"b": 0.8, "c": 0.6}, "two", n=150)
    found = leaderboard(folder, plan=SHORT)
    assert [board.n for board in found.boards] == [200, 150]
    assert found.strengths["a"] > found.strengths["b"] > found.strengths["c"]
    assert "Plackett-Luce" in render(found)


def test_other_json_files_are_named_and_broken_results_refused(tmp_path: Path) -> None:
    folder = results(tmp_path, {"a": 0.9})
    (folder / "notes.json").write_text('{"a": 1}')
    assert leaderboard(folder, plan=SHORT).skipped == ["notes.json"]
    (folder / "broken.json").write_text('{"schema": "hallmark-evaluation/1"}')
    (folder / "cut.json").write_text("{")
    with pytest.raises(InputError, match=r"(?s)broken\.json.*cut\.json: not JSON"):
        read_results(folder)


def test_a_tool_with_two_results_on_one_gold_file_is_refused(tmp_path: Path) -> None:
    folder = results(tmp_path, {"a": 0.9})
    (folder / "again.json").write_text((folder / "gold-a.json").read_text())
    with pytest.raises(InputError, match="two result files"):
        leaderboard(folder)


def test_a_tool_whose_measure_is_undefined_is_named_but_not_ranked(tmp_path: Path) -> None:
    """A gold file without valid entries (the stress test but for its canary) has no FPR."""
    rows = [gold_row(f"k{i}", "merged_citation") for i in range(20)]
    gold = write(tmp_path / "gold.jsonl", rows)
    answers = write(tmp_path / "tool.jsonl", [said_row(r["bibtex_key"], "VALID") for r in rows])
    folder = tmp_path / "results"
    folder.mkdir()
    found = evaluate(answers, gold, plan=SHORT, names=["detection_rate", "false_positive_rate"])
    (folder / "tool.json").write_text(FORMATS.get("json")(found))
    board = leaderboard(folder, "false_positive_rate", plan=SHORT).boards[0]
    assert (board.lines, board.unranked) == ([], {"tool": "false_positive_rate is undefined"})
    assert "not ranked: tool" in render(leaderboard(folder, "false_positive_rate", plan=SHORT))
    assert leaderboard(folder, "detection_rate", plan=SHORT).boards[0].lines[0].rank.rank == 1
    assert leaderboard(folder, "mcc", plan=SHORT).boards[0].unranked == {"tool": "has no mcc"}


def test_an_empty_or_missing_folder_says_how_to_fill_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bench evaluate"):
        leaderboard(tmp_path)
    with pytest.raises(InputError, match="no folder"):
        leaderboard(tmp_path / "none")


def test_places_agree_with_the_interval_of_the_measure(tmp_path: Path) -> None:
    """Two tools whose intervals are far apart never change places."""
    folder = results(tmp_path, {"good": 0.97, "poor": 0.6})
    (board,) = leaderboard(folder, plan=SHORT).boards
    assert [(line.rank.low, line.rank.high) for line in board.lines] == [(1, 1), (2, 2)]


def test_inverse_difficulty_weighs_the_tier_that_tools_miss() -> None:
    weights = inverse_difficulty({"a": {1: 0.9, 2: 0.5, 3: 0.1}, "b": {1: 0.9, 2: 0.7, 3: 0.3}})
    assert weights == pytest.approx((0.1 * 3 / 1.3, 0.4 * 3 / 1.3, 0.8 * 3 / 1.3))
