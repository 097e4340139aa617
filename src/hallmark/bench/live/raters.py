"""What do raters rate, and what is the truth that their ratings are held against?

Two pools (the paper, H.4): hallucinations that were found in real papers, and real papers that were
once labelled as hallucinations. Both look like what a model made up; only one of them is.
"""

from collections.abc import Sequence
from typing import Any

from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.live.sample import stratified
from hallmark.bench.studies.raters import POOLS
from hallmark.errors import InputError

SAMPLE = "rater_sample"
"""The name under which the sample is written."""
_REAL_WORLD = "real_world"
_MAKES_HALLUCINATIONS = frozenset({_REAL_WORLD, "llm_generated", "perturbation", "adversarial"})


def pool_of(entry: Entry) -> str | None:
    """Return the pool of an entry, None where it belongs to neither.

    A valid entry was recovered where its `generation_method` is one by which hallucinations come
    about: it entered the benchmark as one, and its label was put right.
    """
    wrong, right = POOLS
    match entry.label:
        case Label.HALLUCINATED:
            return wrong if entry.generation_method == _REAL_WORLD else None
        case _:
            return right if entry.generation_method in _MAKES_HALLUCINATIONS else None


def sample(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample of both pools, in proportion to pool and tier; `size` of 0 for all.

    Raises:
        InputError: both pools are empty, or too small for the sample.
    """
    pooled = [entry for entry in entries if pool_of(entry)]
    if not pooled:
        raise InputError(
            "No entry is of a pool that raters rate: hallucinations with the generation method "
            f"{_REAL_WORLD}, and valid entries with one of "
            f"{', '.join(sorted(_MAKES_HALLUCINATIONS))}."
        )
    return stratified(pooled, size, seed)


def gold(split: Split) -> list[dict[str, Any]]:
    """Return the truth about a sample, in the layout of the released rater_gold.jsonl."""
    return [
        {
            "bibtex_key": entry.bibtex_key,
            "gold_label": str(entry.label),
            "gold_hallucination_type": entry.hallucination_type,
            "pool": pool_of(entry),
            "split": split.name,
            "source": entry.source,
            "generation_method": entry.generation_method,
        }
        for entry in split.entries
    ]
