"""Does a tool know what is wrong, beyond knowing that something is?"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from math import comb

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.taxonomy import SUBTESTS, HallucinationType
from hallmark.errors import AlignmentError, InputError

NONE = "none"
"""Stands for a type that was not given, in a type confusion."""


class SubtestAccuracy(Struct, frozen=True):
    """How often a sub-test's result is right, of the `n` entries where both sides know it."""

    n: int
    right: int
    accuracy: float | None


class Finding(StrEnum):
    """Three classes: a work as cited, a real work wrongly described, and no such work."""

    VERIFIED = "verified"
    MISMATCHED = "mismatched"
    FABRICATED = "fabricated"
    UNSPECIFIED = "unspecified"
    LEFT_OPEN = "left open"


INVENTED = frozenset(
    {
        HallucinationType.PLAUSIBLE_FABRICATION,
        HallucinationType.CHIMERIC_TITLE,
        HallucinationType.HYBRID_FABRICATION,
    }
)
"""The types behind which there is no such work; the others describe a real work wrongly."""


def subtest_accuracy(pairs: Pairs) -> dict[str, SubtestAccuracy]:
    """Return for each of the six sub-tests how often the tool's result agrees with the truth."""
    return {name: _one_subtest(pairs, name) for name in SUBTESTS}


def _one_subtest(pairs: Pairs, name: str) -> SubtestAccuracy:
    both = [
        (entry.subtests.get(name), prediction.subtest_results.get(name))
        for entry, prediction in zip(pairs.entries, pairs.predictions, strict=True)
        if prediction is not None
    ]
    known = [(a, b) for a, b in both if a is not None and b is not None]
    right = sum(a == b for a, b in known)
    return SubtestAccuracy(len(known), right, right / len(known) if known else None)


def type_confusion(pairs: Pairs) -> dict[str, dict[str, int]]:
    """Count, for each true type, the types that the tool named for entries it flagged itself."""
    table: dict[str, Counter[str]] = {}
    for entry, prediction in zip(pairs.entries, pairs.predictions, strict=True):
        if entry.label is Label.VALID or prediction is None:
            continue
        if prediction.label is Label.HALLUCINATED:
            named = prediction.predicted_hallucination_type or NONE
            table.setdefault(entry.hallucination_type or NONE, Counter())[named] += 1
    return {true: dict(sorted(named.items())) for true, named in sorted(table.items())}


def type_accuracy(pairs: Pairs) -> float | None:
    """Return how often the named type is right, of all types named for flagged bad entries."""
    table = type_confusion(pairs)
    named = sum(n for row in table.values() for name, n in row.items() if name != NONE)
    right = sum(row.get(true, 0) for true, row in table.items() if true != NONE)
    return right / named if named else None


def three_way(pairs: Pairs) -> dict[str, dict[str, int]]:
    """Count true against stated findings, telling invented works from wrongly described ones."""
    table: dict[str, Counter[str]] = {}
    for entry, prediction in zip(pairs.entries, pairs.predictions, strict=True):
        table.setdefault(_true(entry), Counter())[_stated(prediction)] += 1
    return {true: dict(sorted(said.items())) for true, said in sorted(table.items())}


def _true(entry: Entry) -> Finding:
    if entry.label is Label.VALID:
        return Finding.VERIFIED
    return _of_type(entry.hallucination_type)


def _stated(prediction: Prediction | None) -> Finding:
    if prediction is None or prediction.label in {Label.UNCERTAIN, Label.ERROR}:
        return Finding.LEFT_OPEN
    if prediction.label is Label.VALID:
        return Finding.VERIFIED
    return _of_type(prediction.predicted_hallucination_type)


def _of_type(kind: HallucinationType | None) -> Finding:
    if kind is None:
        return Finding.UNSPECIFIED
    return Finding.FABRICATED if kind in INVENTED else Finding.MISMATCHED


def detect_at_k(tools: Sequence[Pairs], k: int, stance: Stance) -> float | None:
    """Return P(at least one of k tools drawn at random flags a hallucinated entry).

    The mean over entries of 1 - C(n - c, k) / C(n, k), for an entry that c of n tools flag: the
    unbiased estimate of pass@k (Chen et al., 2021). None without hallucinated entries.

    Args:
        tools: the pairs of each tool or run, all of the same entries in the same order.
        k: how many are drawn, from 1 to their number.
        stance: what an abstention counts as; under the selective stance it flags nothing.
    """
    n = len(tools)
    if not 1 <= k <= n:
        raise InputError(f"detect@k needs 1 <= k <= {n} (the number of tools); k is {k}.")
    if any(pairs.keys != tools[0].keys for pairs in tools):
        raise AlignmentError("detect@k needs all tools on the same entries, in one order.")
    bad = tools[0].truth
    if not bad.any():
        return None
    flags = np.zeros(len(bad), dtype=np.int64)
    for pairs in tools:
        o = outcome(pairs, stance)
        flags[o.at] += o.flagged
    missed = {c: comb(n - c, k) / comb(n, k) for c in range(n + 1)}
    return 1 - float(np.mean([missed[c] for c in flags[bad].tolist()]))
