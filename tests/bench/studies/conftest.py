"""A small data folder in the layout of the released one, made from a seed."""

import csv
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hallmark.bench.studies.prompts import CONDITIONS, LEFT_OUT, PROMPTED, VARIANTS
from hallmark.bench.studies.recall_probe import MODELS
from hallmark.bench.studies.roster import SYSTEMS
from hallmark.bench.taxonomy import TAXONOMY

Row = dict[str, Any]

KINDS = [str(kind) for kind in TAXONOMY]
TIERS = {str(kind): int(info.tier) for kind, info in TAXONOMY.items()}
METHODS = ("adversarial", "perturbation", "real_world", "llm_generated")
SPLITS = (
    "dev_public",
    "test_public",
    "stress_test",
    "test_hidden",
    "temporal_probe",
    "temporal_supplement",
    "temporal_superset_858",
    "test_crossdomain",
    "test_crossdomain_matched",
    "supplement_chatgpt_citations",
)
LABELS = ("VALID", "HALLUCINATED", "UNCERTAIN")


def entry(number: int, rng: random.Random, split: str) -> Row:
    """One gold entry; every third is valid, the others go through the types in turn."""
    bad = number % 3 != 0
    kind = KINDS[number % len(KINDS)]
    year = rng.choice(["2021", "2023", "2024", "2025", "2026"])
    return {
        "bibtex_key": f"{split[:4]}{split[-4:]}{number:03d}",
        "bibtex_type": "article",
        "fields": {"title": f"Work {number}", "year": year, "journal": "PubMed Letters"},
        "label": "HALLUCINATED" if bad else "VALID",
        "hallucination_type": kind if bad else None,
        "difficulty_tier": TIERS[kind] if bad else None,
        "generation_method": rng.choice(METHODS) if bad else "scraped",
        "subtests": {
            name: rng.choice([True, False, None]) if bad else True
            for name in ("doi_resolves", "title_exists", "authors_match", "venue_correct")
        }
        | {"cross_db_agreement": not bad},
    }


def prediction(gold: Row, rng: random.Random) -> Row:
    """A prediction that is right more often than not."""
    label = gold["label"] if rng.random() < 0.6 else rng.choice(LABELS)
    return {
        "bibtex_key": gold["bibtex_key"],
        "label": label,
        "confidence": rng.choice([0.5, 0.6, 0.75, 0.9, 0.95]),
        "reason": "because",
        "wall_clock_seconds": 1.5,
    }


def updater_verdict(gold: Row, rng: random.Random) -> Row:
    """A verdict in the shape of bibtex-updater's released files."""
    forced = rng.choice(LABELS[:2])
    return {
        "bibtex_key": gold["bibtex_key"],
        "gold_label": gold["label"],
        "pred_label": forced,
        "pred_confidence": rng.choice([0.2, 0.5, 0.9]),
        "source": "tool",
        "btu_status": "not_found" if forced == "HALLUCINATED" else "verified",
        "btu_abstained": rng.random() < 0.2,
    }


def updater_raw(gold: Row, rng: random.Random) -> Row:
    """A verdict in the raw shape of the ChatGPT split."""
    return {
        "key": gold["bibtex_key"],
        "status": rng.choice(["verified", "not_found", "title_mismatch", "unconfirmed"]),
        "abstained": rng.random() < 0.2,
        "p_valid": rng.choice([0.1, 0.5, 0.9]),
    }


def verdict(gold: Row, rng: random.Random) -> Row:
    """A verdict beside the truth, as released for GPT-5.4."""
    return {
        "bibtex_key": gold["bibtex_key"],
        "gt_label": gold["label"],
        "pred_label": rng.choice(LABELS),
        "confidence": 0.9,
        "reason": "",
    }


def rating(gold: Row, rng: random.Random) -> Row:
    """A rater's row; now and then the call failed."""
    failed = rng.random() < 0.05
    return {
        "bibtex_key": gold["bibtex_key"],
        "rater_id": "r",
        "label": None if failed else rng.choice(LABELS),
        "confidence": None if failed else 0.8,
        "error": "timeout" if failed else None,
    }


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    """Write JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


Make = Callable[[Row, random.Random], Row]


class Builder:
    """Writes a data folder in which nothing is missing."""

    def __init__(self, root: Path, n: int = 84) -> None:
        self.root, self.rng = root, random.Random(7)
        self.gold = {s: [entry(i, self.rng, s) for i in range(n)] for s in SPLITS}
        dev = self.gold["dev_public"]
        self.gold["prompt_sample_150"] = dev[:42]
        self.gold["precutoff_sample"] = dev[42:]

    def build(self) -> Path:
        """Write everything; return the root."""
        for split, rows in self.gold.items():
            write_lines(self.root / f"{split}.jsonl", rows)
        self._core()
        self._temporal()
        self._outside()
        self._samples()
        self._raters()
        self._matrix()
        return self.root

    def predict(self, group: str, name: str, split: str, make: Make = prediction) -> None:
        """Write a prediction file for a split."""
        rows = [make(gold, self.rng) for gold in self.gold[split]]
        write_lines(self.root / "predictions" / group / f"{name}.jsonl", rows)

    def _core(self) -> None:
        for tool in SYSTEMS:
            make = updater_verdict if tool.forced else prediction
            for split in ("dev_public", "test_public"):
                self.predict(split, tool.prediction_names[0], split, make)
        for split in ("dev_public", "test_public", "stress_test"):
            self.predict(split, "cascade_per_entry", split)

    def _temporal(self) -> None:
        for tool in SYSTEMS:
            if tool.temporal:
                make = verdict if tool.temporal == "gpt_5_4_verdicts" else prediction
                self.predict("temporal", tool.temporal, "temporal_supplement", make)
        sonnet = "llm_openrouter_claude_sonnet_4_6_default_temporal"
        self.predict("temporal", sonnet, "temporal_supplement")
        self.predict("precutoff", sonnet, "precutoff_sample")
        for model in ("openai", "openrouter_gemini_flash", "openrouter_qwen"):
            self._aware(f"llm_{model}_cutoff_aware_temporal")
        self._aware("llm_openrouter_claude_sonnet_4_6_cutoff_aware_temporal")

    def _aware(self, name: str) -> None:
        self.predict("temporal_cutoff_aware", name, "temporal_supplement")
        self.predict("precutoff", name, "precutoff_sample")

    def _outside(self) -> None:
        chat = "supplement_chatgpt_citations"
        for tool in SYSTEMS:
            for split in ("test_crossdomain", "test_crossdomain_matched"):
                name = tool.matched or tool.tool
                self.predict(split, name, split, updater_verdict if tool.forced else prediction)
            if tool.chatgpt:
                self.predict(chat, tool.chatgpt, chat, updater_raw if tool.forced else prediction)

    def _samples(self) -> None:
        for model in PROMPTED.values():
            for variant in VARIANTS:
                self.predict("prompt_variants", f"{model}.{variant}", "prompt_sample_150")
        for model in LEFT_OUT.values():
            for condition in CONDITIONS:
                self.predict("field_loo", f"{model}.{condition}", "prompt_sample_150")
        for model in MODELS.values():
            self.predict("recall_probe", f"verify.{model}", "temporal_supplement")
            self.predict("recall_probe", f"recall.{model}", "temporal_supplement", _recall)

    def _raters(self) -> None:
        for rater in ("claude-sonnet-4-6", "deepseek-v3-2", "gemini-2-5-pro"):
            self.predict("raters", rater, "dev_public", rating)
        rows = [
            {"bibtex_key": gold["bibtex_key"], "gold_label": gold["label"], "pool": "p"}
            for gold in self.gold["dev_public"]
        ]
        write_lines(self.root / "rater_gold.jsonl", rows)

    def _matrix(self) -> None:
        path = self.root / "predictions" / "dev_public" / "results_matrix_opus_sonnet.csv"
        tools = [tool.matrix for tool in SYSTEMS if tool.matrix]
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(["entry_key", *tools])
            for gold in self.gold["dev_public"]:
                writer.writerow([gold["bibtex_key"], *(self.rng.choice([0.9, 0.2]) for _ in tools)])
        first = self.gold["dev_public"][0]["bibtex_key"]
        changed = [{"bibtex_key": first, "old_label": "HALLUCINATED", "new_label": "VALID"}]
        (self.root / "changed_keys_dev_public.json").write_text(json.dumps(changed))


def _recall(gold: Row, rng: random.Random) -> Row:
    return {"bibtex_key": gold["bibtex_key"], "recalled": rng.randrange(2)}


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds predictions of every system on every split."""
    return Builder(tmp_path_factory.mktemp("synthetic")).build()
