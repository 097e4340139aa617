"""Finds fabricated and corrupted citations, and measures the tools that claim to.

    from hallmark import check

    for result in check("paper.bib", index="starter.idx"):
        print(result.key, result.status, result.verdict.reason)

`check` reads a file and checks every reference; `Verifier` checks references that are at hand
already; `open_index` opens a local index for both. `load_split` and `evaluate` are the benchmark.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hallmark.bench.dataset import load_split
    from hallmark.bench.evaluation import evaluate
    from hallmark.errors import HallmarkError
    from hallmark.index import open_index
    from hallmark.judge.policy import Policy
    from hallmark.records.reference import FailedEntry, Reference
    from hallmark.records.verdict import Result, Verdict
    from hallmark.verifier import Verifier, check

__all__ = [
    "FailedEntry",
    "HallmarkError",
    "Policy",
    "Reference",
    "Result",
    "Verdict",
    "Verifier",
    "check",
    "evaluate",
    "load_split",
    "open_index",
]

_HOMES = {
    "check": "hallmark.verifier",
    "load_split": "hallmark.bench.dataset",
    "evaluate": "hallmark.bench.evaluation",
    "HallmarkError": "hallmark.errors",
    "open_index": "hallmark.index",
    "Policy": "hallmark.judge.policy",
    "Reference": "hallmark.records.reference",
    "FailedEntry": "hallmark.records.reference",
    "Result": "hallmark.records.verdict",
    "Verdict": "hallmark.records.verdict",
    "Verifier": "hallmark.verifier",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that `import hallmark` stays quick."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'hallmark' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    """Return the public names, loaded or not, and what any module has."""
    return sorted({*globals(), *__all__})
