"""How do tests run a live study by its command, and what does the scripted server answer?"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark.cli.main import main
from tests.llm.server import Say, Seen

GOLD = str(Path(__file__).parents[2] / "examples" / "bench" / "gold.jsonl")
N = 8
"""Entries that `live` draws where the test does not say."""
MODEL = "gpt-5.1"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "HALLMARK_LLM_KEY")
INCOMPLETE, STOPPED = 3, 4


def answer(seen: Seen) -> Say:
    """Answer by what is asked, so that the order of requests does not matter."""
    weight = sum(seen.text.encode()) % 100
    label = ("VALID", "HALLUCINATED", "UNCERTAIN")[weight % 3]
    return Say(json.dumps({"label": label, "confidence": weight / 100, "reason": "so"}))


def said(label: str) -> Callable[[Seen], Say]:
    """Answer every question with this label."""
    return lambda _: Say(json.dumps({"label": label, "confidence": 0.9, "reason": "so"}))


def bench(*arguments: str) -> int:
    """Run `hallmark bench ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    return int(stopped.value.code or 0)


def live(
    folder: Path,
    study: str,
    *more: str,
    model: str = MODEL,
    gold: str = GOLD,
    size: int | None = N,
) -> int:
    """Run a live study into `folder`/data; return the exit code."""
    drawn = [] if size is None else ["--sample", str(size)]
    return bench(
        "live", study, "--model", model, "--data-out", str(folder / "data"), "--gold", gold,
        "--cache", str(folder / "kept"), *drawn, *more,
    )  # fmt: skip


def written(folder: Path) -> set[str]:
    """Names of the prediction files under `folder`/data."""
    root = folder / "data" / "predictions"
    return {str(path.relative_to(root)) for path in root.rglob("*.jsonl")}
