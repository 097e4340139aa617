"""Does an evaluation say what is known about a tool, and nothing that is not?"""

import json
from pathlib import Path
from typing import Any

import pytest

from hallmark.bench.align import Stance
from hallmark.bench.entry import Label, Prediction, read_entries
from hallmark.bench.evaluation import Evaluation, evaluate
from hallmark.bench.report import FORMATS
from hallmark.bench.resample import Plan
from hallmark.errors import AlignmentError, InputError
from tests.bench.made import gold_row, said, said_row, write

SHORT = Plan(resamples=100)
REQUIRED = {
    "detection_rate", "false_positive_rate", "precision", "f1", "tier_weighted_f1", "mcc", "ece",
    "ece_equal_mass", "ece_paper", "brier", "auroc", "auprc", "tier3_f1", "aurc",
}  # fmt: skip


def run(
    folder: Path, bad: str, good: str, answers: dict[str, tuple[str, float]], **options: Any
) -> Evaluation:
    """Evaluate answers, key -> (label, confidence), on one-letter keys."""
    rows = [gold_row(key, "wrong_venue") for key in bad] + [gold_row(key) for key in good]
    gold = write(folder / "gold.jsonl", rows)
    said_rows = [said_row(key, label, sure) for key, (label, sure) in answers.items()]
    return evaluate(write(folder / "tool.jsonl", said_rows), gold, plan=SHORT, **options)


def value(evaluation: Evaluation, stance: str, name: str) -> float | None:
    return evaluation.stances[stance][name].value


HIT, PASS, OPEN = ("HALLUCINATED", 0.9), ("VALID", 0.9), ("UNCERTAIN", 0.5)
BROKEN = ("ERROR", 0.5)


def test_the_json_has_the_promised_shape(tmp_path: Path) -> None:
    found = run(tmp_path, "ab", "cd", {"a": HIT, "b": PASS, "c": PASS, "d": OPEN})
    record = json.loads(FORMATS.get("json")(found))
    assert set(record["gold"]) == {"name", "sha256", "n", "valid", "hallucinated"}
    assert set(record["stances"]) == {"conservative", "selective", "aggressive"}
    for measures in record["stances"].values():
        assert set(measures) >= REQUIRED
        assert all(set(estimate) == {"value", "ci"} for estimate in measures.values())
    for share in ("coverage", "error_rate"):
        assert set(record[share]) == {"value", "ci"}
    for group in ("per_type", "per_tier", "per_method"):
        assert isinstance(record[group], dict)
    assert record["provenance"]["seed"] == 42
    assert record["system"] == "tool"


def test_unanswered_entries_are_neither_right_nor_covered(tmp_path: Path) -> None:
    """Ten entries, three answers: coverage is 0.3, whatever the others would have been."""
    answers = {"g": PASS, "a": HIT, "b": PASS}
    with pytest.raises(AlignmentError, match="no prediction"):
        run(tmp_path, "abcdef", "ghij", answers)
    found = run(tmp_path, "abcdef", "ghij", answers, missing="abstain")
    assert (found.coverage.value, found.missing) == (0.3, 7)
    assert found.counts["selective"] == {"tp": 1, "fn": 1, "fp": 0, "tn": 1, "failed_valid": 0}
    assert value(found, "selective", "detection_rate") == 0.5
    assert value(found, "conservative", "detection_rate") == pytest.approx(1 / 6)
    assert value(found, "selective", "false_positive_rate") == 0.0


def test_answers_of_a_failed_tool_are_no_answers(tmp_path: Path) -> None:
    answers = {"c": PASS} | dict.fromkeys("abde", BROKEN)
    found = run(tmp_path, "ab", "cde", answers)
    assert (found.coverage.value, found.error_rate.value) == (0.2, 0.8)
    assert value(found, "selective", "detection_rate") is None
    assert value(found, "conservative", "detection_rate") == 0.0
    assert value(found, "aggressive", "detection_rate") == 0.0
    assert found.counts["conservative"]["tn"] == 1
    assert any("failed on 4 entries" in note for note in found.notes)


def test_a_gold_file_of_one_class_gives_valid_json_with_nulls(tmp_path: Path) -> None:
    found = run(tmp_path, "", "ab", {"a": PASS, "b": HIT})
    text = FORMATS.get("json")(found)
    record = json.loads(text, parse_constant=pytest.fail)
    measures = record["stances"]["conservative"]
    assert measures["detection_rate"] == {"value": None, "ci": None}
    assert measures["false_positive_rate"]["value"] == 0.5
    assert measures["precision"]["value"] == 0.0
    assert any("detection rate is undefined" in note for note in found.notes)


def test_repeating_a_good_answer_raises_no_score(tmp_path: Path) -> None:
    path = write(
        tmp_path / "tool.jsonl", [said_row("a", "HALLUCINATED")] * 2 + [said_row("b", "VALID")]
    )
    gold = write(tmp_path / "gold.jsonl", [gold_row("a", "wrong_venue"), gold_row("b")])
    with pytest.raises(AlignmentError, match=r"duplicate prediction: a \(lines 1-2\)"):
        evaluate(path, gold)


def test_a_key_twice_in_the_gold_file_is_refused(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [gold_row("a"), gold_row("a"), gold_row("b")])
    path = write(tmp_path / "tool.jsonl", [said_row("a", "VALID"), said_row("b", "VALID")])
    with pytest.raises(AlignmentError, match="duplicate key in the gold file: a"):
        evaluate(path, gold)


def test_bad_confidences_are_all_named(tmp_path: Path) -> None:
    answers: dict[str, Any] = {"a": PASS, "b": (HIT[0], "NaN"), "c": (HIT[0], 1.7)}
    with pytest.raises(InputError, match=r"(?s)line 2: .*line 3: "):
        run(tmp_path, "bc", "a", answers)


def test_a_tool_that_may_abstain_but_is_made_to_choose_has_a_fourth_stance(tmp_path: Path) -> None:
    entries = read_entries(
        write(tmp_path / "g.jsonl", [gold_row("a", "wrong_venue"), gold_row("b")])
    )
    write(tmp_path / "gold.jsonl", [entry.row() for entry in entries])
    forced = said("a", Label.UNCERTAIN, 0.7, forced_label=Label.HALLUCINATED)
    found = evaluate([forced, said("b", Label.VALID)], tmp_path / "gold.jsonl", plan=SHORT)
    assert value(found, "forced", "detection_rate") == 1.0
    assert value(found, "conservative", "detection_rate") == 0.0
    assert found.stances["forced"]["brier"].value == pytest.approx((0.3**2 + 0.1**2) / 2)


def test_predictions_can_be_given_without_a_file(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [gold_row("a", "wrong_venue"), gold_row("b")])
    answers: list[Prediction] = [said("a", Label.HALLUCINATED), said("b", Label.VALID)]
    found = evaluate(answers, gold, system="mine", names=["f1"], plan=SHORT)
    assert (found.system, value(found, "selective", "f1")) == ("mine", 1.0)
    assert found.provenance["predictions"] is None


RELEASED = {
    "gemini_2_5_pro": {"selective": (0.476, 0.050, 0.627), "conservative": (0.457, 0.049, 0.610)},
    "llama_4_maverick": {"conservative": (0.614, 0.146, 0.707)},
    "gpt_5_1_agentic_bibtex_updater": {"conservative": (0.980, 0.470, 0.824)},
}
NAMES = ("detection_rate", "false_positive_rate", "f1")


@pytest.mark.shared_data
@pytest.mark.parametrize("system", RELEASED)
def test_released_predictions_give_the_published_numbers(shared: Path, system: str) -> None:
    data = shared / "data/hallmark"
    path = data / f"predictions/dev_public/{system}.jsonl"
    found = evaluate(path, "dev_public", data=data, plan=SHORT)
    for stance, expected in RELEASED[system].items():
        values = tuple(value(found, stance, name) for name in NAMES)
        assert values == pytest.approx(expected, abs=0.0006), stance


@pytest.mark.shared_data
def test_three_ways_to_bin_give_three_calibration_errors(shared: Path) -> None:
    data = shared / "data/hallmark"
    path = data / "predictions/dev_public/gpt_5_1_agentic_bibtex_updater.jsonl"
    found = evaluate(path, "dev_public", data=data, names=["ece", "ece_paper"], plan=SHORT)
    assert value(found, Stance.SELECTIVE, "ece_paper") == pytest.approx(0.1250, abs=0.00006)
    assert value(found, Stance.SELECTIVE, "ece") == pytest.approx(0.1082, abs=0.00006)
