"""How long does `bench evaluate` take with every interval, against a plain loop over entries?

    python benchmarks/bench_evaluate.py [PREDICTIONS GOLD] [--resamples N] [--repeat N]

Both sides run as processes of their own, one after the other, from start-up to printed result.
The loop computes six intervals (detection rate, false-positive rate, F1, tier-weighted F1, MCC,
calibration error) the usual way: draw entries within their type, walk over them, count, repeat.
`bench evaluate` computes all its measures under three stances, with their intervals. Without
files, 1,119 entries and answers are made up.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

Row = tuple[str, bool, int, bool, float]
"""Stratum, hallucinated, tier, flagged, confidence."""


def main() -> None:
    """Run both sides and print a table."""
    options = _options()
    if options.loop:
        print(json.dumps(loop(options.files[0], options.files[1], options.resamples)))
        return
    with tempfile.TemporaryDirectory() as folder:
        predictions, gold = options.files or _made_up(Path(folder))
        size = len(Path(gold).read_text(encoding="utf-8").splitlines())
        print(f"{size} entries, {options.resamples} resamples, best of {options.repeat}\n")
        print(f"{'':34}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
        ours = [sys.executable, "-c", "from hallmark.cli.main import main; main()"]
        ours += ["bench", "evaluate", predictions, "--gold", gold, "--format", "json"]
        ours += ["--resamples", str(options.resamples)]
        _show("bench evaluate, all intervals", ours, options.repeat)
        _show("bench evaluate, one resample", [*ours[:-1], "1"], options.repeat)
        plain = [sys.executable, __file__, predictions, gold, "--loop"]
        plain += ["--resamples", str(options.resamples)]
        _show("plain loop, six intervals", plain, 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="PREDICTIONS GOLD")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--loop", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if len(options.files) not in {0, 2}:
        parser.error("give a prediction file and a gold file, or neither")
    return options


def _show(name: str, command: list[str], repeat: int) -> None:
    best = min(_measured(command) for _ in range(repeat))
    print(f"{name:34}{best[0]:8.2f}{best[1]:8.2f}{best[2]:9.0f}", flush=True)


def _measured(command: list[str]) -> tuple[float, float, float]:
    """Return wall seconds, CPU seconds and peak memory in MB of a process."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[1:4]} failed with exit code {process.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _made_up(folder: Path) -> tuple[str, str]:
    rng = random.Random(0)
    kinds = ("wrong_venue", "fabricated_doi", "near_miss_title", "swapped_authors")
    gold: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for i in range(1119):
        kind = rng.choice(kinds) if i % 2 else None
        label = "HALLUCINATED" if kind else "VALID"
        entry = {"bibtex_key": f"k{i}", "fields": {"title": f"Title {i}"}, "label": label}
        gold.append(entry | ({"hallucination_type": kind} if kind else {}))
        said = label if rng.random() < 0.8 else "VALID"
        sure = rng.choice([0.7, 0.8, 0.9, 0.95, 0.99])
        answers.append({"bibtex_key": f"k{i}", "label": said, "confidence": sure})
    return _written(folder / "predictions.jsonl", answers), _written(folder / "gold.jsonl", gold)


def _written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def loop(predictions: str, gold: str, resamples: int) -> dict[str, list[float]]:
    """Return six percentile intervals, by drawing and walking over entries."""
    strata: dict[str, list[Row]] = {}
    for row in _rows(predictions, gold):
        strata.setdefault(row[0], []).append(row)
    rng = random.Random(42)
    values = [
        six([row for rows in strata.values() for row in rng.choices(rows, k=len(rows))])
        for _ in range(resamples)
    ]
    last = resamples - 1
    found = {}
    for name in values[0]:
        ordered = sorted(value[name] for value in values)
        found[name] = [ordered[round(0.025 * last)], ordered[round(0.975 * last)]]
    return found


def _rows(predictions: str, gold: str) -> list[Row]:
    lines = Path(predictions).read_text(encoding="utf-8").splitlines()
    said = {row["bibtex_key"]: row for row in map(json.loads, lines)}
    rows: list[Row] = []
    for entry in map(json.loads, Path(gold).read_text(encoding="utf-8").splitlines()):
        answer = said[entry["bibtex_key"]]
        bad = entry["label"] == "HALLUCINATED"
        tier = entry.get("difficulty_tier") or 1
        flagged = answer["label"] == "HALLUCINATED"
        stratum = entry.get("hallucination_type") or "valid"
        rows.append((stratum, bad, tier, flagged, answer["confidence"]))
    return rows


def six(rows: list[Row]) -> dict[str, float]:
    """Return six measures of rows, in one walk over them."""
    tp = fp = fn = tn = 0
    caught = missed = 0
    bins = [[0.0, 0.0] for _ in range(10)]
    for _, bad, tier, flagged, sure in rows:
        if bad and flagged:
            tp += 1
            caught += tier
        elif bad:
            fn += 1
            missed += tier
        elif flagged:
            fp += 1
        else:
            tn += 1
        members = bins[min(int(sure * 10), 9)]
        members[0] += sure
        members[1] += bad == flagged
    scale = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) or 1.0
    return {
        "detection_rate": tp / (tp + fn or 1),
        "false_positive_rate": fp / (fp + tn or 1),
        "f1": 2 * tp / (2 * tp + fp + fn or 1),
        "tier_weighted_f1": 2 * caught / (2 * caught + fp + missed or 1),
        "mcc": (tp * tn - fp * fn) / scale,
        "ece": sum(abs(right - sure) for sure, right in bins) / len(rows),
    }


if __name__ == "__main__":
    main()
