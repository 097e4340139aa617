"""Do the studies compute what a slow, direct reading of the files gives?"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.folder import Folder

Row = dict[str, Any]
Cells = dict[tuple[str, str], float | None]
Verdicts = Mapping[str, str]


def lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def gold_of(folder: Path, split: str) -> dict[str, Row]:
    return {row["bibtex_key"]: row for row in lines(folder / f"{split}.jsonl")}


def labels_of(folder: Path, group: str, name: str) -> dict[str, str]:
    rows = lines(folder / "predictions" / group / f"{name}.jsonl")
    return {row["bibtex_key"]: row.get("label") or row["pred_label"] for row in rows}


def cells_of(folder: Path, number: int) -> Cells:
    computed = study_of(number).compute(Folder(folder))
    return {(cell.row, cell.column): cell.value for cell in computed.cells}


def direct(gold: Iterable[Row], labels: Verdicts, unsure: str | None = None) -> dict[str, float]:
    """DR, FPR, F1 and MCC by a plain loop; `unsure` replaces UNCERTAIN, None leaves it out."""
    count: Counter[tuple[bool, bool]] = Counter()
    for row in gold:
        label = labels[row["bibtex_key"]]
        label = (unsure or "") if label == "UNCERTAIN" else label
        if label:
            count[row["label"] == "HALLUCINATED", label == "HALLUCINATED"] += 1
    tp, fn, fp, tn = (
        count[key] for key in ((True, True), (True, False), (False, True), (False, False))
    )
    scale = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return {
        "DR": tp / (tp + fn),
        "FPR": fp / (fp + tn),
        "F1": 2 * tp / (2 * tp + fp + fn),
        "MCC": (tp * tn - fp * fn) / scale,
    }


def test_rows_of_language_models_leave_abstentions_out(synthetic: Path) -> None:
    gold = gold_of(synthetic, "dev_public")
    labels = labels_of(synthetic, "dev_public", "gemini_2_5_pro")
    cells = cells_of(synthetic, 3)
    for column, value in direct(gold.values(), labels).items():
        assert cells["Gemini 2.5 Pro", column] == pytest.approx(value)
    committed = sum(label != "UNCERTAIN" for label in labels.values())
    assert cells["Gemini 2.5 Pro", "Cov."] == pytest.approx(committed / len(labels))


def test_the_row_of_bibtex_updater_scores_the_forced_label(synthetic: Path) -> None:
    gold = gold_of(synthetic, "test_public")
    labels = labels_of(synthetic, "test_public", "bibtex_updater_1_2_0_verdicts")
    expected = direct(gold.values(), labels)
    cells = cells_of(synthetic, 12)
    assert cells["bibtex-updater", "DR test"] == pytest.approx(expected["DR"])
    assert cells["bibtex-updater", "FPR test"] == pytest.approx(expected["FPR"])


def test_the_shift_is_test_minus_development(synthetic: Path) -> None:
    cells = cells_of(synthetic, 12)
    test, dev = cells["GPT-5.4", "FPR test"], cells["GPT-5.4", "FPR dev"]
    assert test is not None
    assert dev is not None
    assert cells["GPT-5.4", "dFPR"] == pytest.approx(test - dev)


def test_the_cascade_is_scored_in_two_stances(synthetic: Path) -> None:
    gold = gold_of(synthetic, "test_public")
    labels = labels_of(synthetic, "test_public", "cascade_per_entry")
    cells = cells_of(synthetic, 4)
    for mode, unsure in (("cons", None), ("agg", "HALLUCINATED")):
        expected = direct(gold.values(), labels, unsure)
        assert cells[f"test_public {mode}", "DR"] == pytest.approx(expected["DR"])
        assert cells[f"test_public {mode}", "FPR"] == pytest.approx(expected["FPR"])


def test_agreement_counts_abstentions_as_valid(synthetic: Path) -> None:
    names = ("llm_openrouter_qwen", "llm_openrouter_mistral")
    flags = [
        [label == "HALLUCINATED" for label in labels_of(synthetic, "dev_public", name).values()]
        for name in names
    ]
    cells = cells_of(synthetic, 14)
    assert cells["Qwen3-235B", "Mistral Large"] == pytest.approx(cohen_kappa_score(*flags))


def test_types_are_scored_one_by_one(synthetic: Path) -> None:
    gold = gold_of(synthetic, "dev_public")
    labels = labels_of(synthetic, "dev_public", "llama_4_maverick")
    of_type = [row for row in gold.values() if row["hallucination_type"] == "near_miss_title"]
    said = [labels[row["bibtex_key"]] for row in of_type]
    committed = [label for label in said if label != "UNCERTAIN"]
    expected = committed.count("HALLUCINATED") / len(committed)
    assert cells_of(synthetic, 15)["near_miss_title", "Llama 4 Maverick"] == pytest.approx(expected)


def test_precision_follows_from_the_rates_of_the_same_row(synthetic: Path) -> None:
    cells = cells_of(synthetic, 21)
    dr, fpr = cells["Mistral Large", "DR"], cells["Mistral Large", "FPR"]
    assert dr is not None
    assert fpr is not None
    expected = 100 * dr * 0.02 / (dr * 0.02 + fpr * 0.98)
    assert cells["Mistral Large", "PPV 2%"] == pytest.approx(expected)


def test_auroc_drops_abstentions(synthetic: Path) -> None:
    gold = gold_of(synthetic, "dev_public")
    rows = lines(synthetic / "predictions" / "dev_public" / "llm_openrouter_mistral.jsonl")
    kept = [row for row in rows if row["label"] != "UNCERTAIN"]
    scores = [
        row["confidence"] if row["label"] == "HALLUCINATED" else 1 - row["confidence"]
        for row in kept
    ]
    truth = [gold[row["bibtex_key"]]["label"] == "HALLUCINATED" for row in kept]
    expected = roc_auc_score(truth, [round(score, 9) for score in scores])
    assert cells_of(synthetic, 23)["Mistral Large", "AUROC"] == pytest.approx(expected)


def test_out_of_domain_columns_count_abstentions_as_valid(synthetic: Path) -> None:
    split, tool = "test_crossdomain_matched", "llm_openrouter_qwen"
    gold = gold_of(synthetic, split)
    expected = direct(gold.values(), labels_of(synthetic, split, tool), "VALID")["FPR"]
    assert cells_of(synthetic, 35)["Qwen3-235B", "pre out"] == pytest.approx(expected)


def test_the_matched_split_scores_the_forced_label_and_its_own_coverage(synthetic: Path) -> None:
    split, tool = "test_crossdomain_matched", "bibtexupdater_matched_per_entry"
    rows = lines(synthetic / "predictions" / split / f"{tool}.jsonl")
    expected = direct(gold_of(synthetic, split).values(), labels_of(synthetic, split, tool))
    cells = cells_of(synthetic, 34)
    assert cells[split, "F1"] == pytest.approx(expected["F1"])
    covered = sum(not row["btu_abstained"] for row in rows) / len(rows)
    assert cells[split, "Cov."] == pytest.approx(covered)


def test_raw_verdicts_on_chatgpt_citations_are_forced_by_their_status(synthetic: Path) -> None:
    split = "supplement_chatgpt_citations"
    rows = lines(synthetic / "predictions" / split / "bibtex_updater_raw.jsonl")
    flagging = {"not_found", "title_mismatch"}
    labels = {row["key"]: "HALLUCINATED" if row["status"] in flagging else "VALID" for row in rows}
    expected = direct(gold_of(synthetic, split).values(), labels)
    cells = cells_of(synthetic, 18)
    assert cells["bibtex-updater", "DR suppl."] == pytest.approx(expected["DR"])
    assert cells["bibtex-updater", "FPR suppl."] == pytest.approx(expected["FPR"])
    assert cells["bibtex-updater", "Cov."] == 1.0


def test_raters_who_are_unsure_or_failed_count_as_flagging(synthetic: Path) -> None:
    gold = gold_of(synthetic, "dev_public")
    rows = lines(synthetic / "predictions" / "raters" / "deepseek-v3-2.jsonl")
    flags = [row["label"] != "VALID" for row in rows]
    truth = [gold[row["bibtex_key"]]["label"] == "HALLUCINATED" for row in rows]
    cells = cells_of(synthetic, 41)
    right = sum(a == b for a, b in zip(flags, truth, strict=True)) / len(truth)
    assert cells["DeepSeek-V3.2 accuracy", "value"] == pytest.approx(right)
    kappa = cohen_kappa_score(flags, truth)
    assert cells["DeepSeek-V3.2 kappa against gold", "value"] == pytest.approx(kappa)


def test_the_recall_probe_mixes_two_ways_of_counting_abstentions(synthetic: Path) -> None:
    labels = labels_of(synthetic, "recall_probe", "verify.gpt-5.1")
    rows = lines(synthetic / "predictions" / "recall_probe" / "recall.gpt-5.1.jsonl")
    known = [labels[row["bibtex_key"]] for row in rows if row["recalled"]]
    cells = cells_of(synthetic, 28)
    flagged = 100 * list(labels.values()).count("HALLUCINATED") / len(labels)
    assert cells["GPT-5.1", "Verify FPR"] == pytest.approx(flagged)
    accepted = 100 * known.count("VALID") / len(known)
    assert cells["GPT-5.1", "P(V|recalled)"] == pytest.approx(accepted)


def test_an_ensemble_counts_the_votes_of_eight_models(synthetic: Path) -> None:
    names = (
        "llm_openrouter_claude_sonnet_4_6", "llm_openrouter_claude_opus_4_7", "gpt_5_4",
        "llm_openrouter_mistral", "llm_openrouter_deepseek_r1", "llm_openrouter_gemini_flash",
        "llm_openrouter_qwen", "llm_openrouter_deepseek_v3",
    )  # fmt: skip
    votes: Counter[str] = Counter()
    for name in names:
        for key, label in labels_of(synthetic, "dev_public", name).items():
            votes[key] += label == "HALLUCINATED"
    gold = gold_of(synthetic, "dev_public")
    labels = {key: "HALLUCINATED" if votes[key] >= 5 else "VALID" for key in gold}
    expected = direct(gold.values(), labels)
    cells = cells_of(synthetic, 39)
    for column in ("DR", "FPR", "F1", "MCC"):
        assert cells["ensemble: majority", column] == pytest.approx(expected[column])
