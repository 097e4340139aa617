"""How is one test of conformance judged?

A test passes, fails, or stays open: where a system failed on its entries, or abstained where an
answer is needed, there is nothing to judge.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from hallmark.bench.entry import Label, Prediction

LOST = frozenset({"dropped", "repeated"})
"""Failures that an adapter sees: the tool lost an entry, or answered it more than once."""


class Outcome(StrEnum):
    """What came of a test."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    OPEN = "open"


class Judged(msgspec.Struct, frozen=True):
    """The outcome of a test and what was seen."""

    outcome: Outcome
    seen: str


def passed(seen: str) -> Judged:
    """Return that a test was passed."""
    return Judged(Outcome.PASS, seen)


def failed(seen: str) -> Judged:
    """Return that a test was failed."""
    return Judged(Outcome.FAIL, seen)


def undecided(seen: str) -> Judged:
    """Return that a test says nothing."""
    return Judged(Outcome.OPEN, seen)


def in_words(predictions: Sequence[Prediction]) -> str:
    """Return the labels of predictions, by key, with the native status of external tools."""
    return ", ".join(f"{row.bibtex_key} {_label(row)}" for row in predictions)


def _label(row: Prediction) -> str:
    failure, native = row.extra.get("failure"), row.extra.get("native")
    more = ", ".join(map(str, native or ([failure] if failure else [])))
    return f"{row.label} ({more})" if more else str(row.label)


def lost(row: Prediction) -> bool:
    """Tell whether an entry vanished, or was answered more than once."""
    return row.extra.get("failure") in LOST


def refused(row: Prediction) -> bool:
    """Tell whether a tool said that it does not take an entry, for its key is given twice."""
    return row.extra.get("failure") == "refused"


def unanswered(rows: Sequence[Prediction]) -> bool:
    """Tell whether the system failed on every one of the entries."""
    return all(row.label is Label.ERROR for row in rows)


def agree(one: Sequence[Prediction], other: Sequence[Prediction]) -> Judged:
    """Judge whether the same entries got the same answers twice, in whatever order."""
    first = {row.bibtex_key: row for row in one}
    second = {row.bibtex_key: row for row in other}
    differing = [key for key in first if _answer(first[key]) != _answer(second.get(key))]
    if differing:
        rows = [row for key in differing for row in (first[key], second.get(key)) if row]
        return failed(f"differing answers: {in_words(rows)}")
    if unanswered(one):
        return undecided(f"no answers to compare: {in_words(one)}")
    return passed(in_words(one))


def _answer(row: Prediction | None) -> tuple[object, ...]:
    if row is None:
        return ()
    return (row.label, row.confidence, row.predicted_hallucination_type)
