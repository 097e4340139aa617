"""Gold entries and predictions made up for tests, and how Hypothesis draws them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from hallmark.bench.align import Pairs, pair
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType

TYPES = tuple(HallucinationType)


def gold(key: str, kind: HallucinationType | None = None, **more: Any) -> Entry:
    """Return a valid entry, or a hallucinated one of a type."""
    label = Label.VALID if kind is None else Label.HALLUCINATED
    tier = None if kind is None else int(TAXONOMY[kind].tier)
    return Entry(bibtex_key=key, label=label, hallucination_type=kind, difficulty_tier=tier, **more)


def said(key: str, label: Label, confidence: float = 0.9, **more: Any) -> Prediction:
    """Return a prediction."""
    return Prediction(bibtex_key=key, label=label, confidence=confidence, **more)


def pairs_of(rows: Sequence[tuple[HallucinationType | None, Label, float]]) -> Pairs:
    """Return pairs of entries of these types with these answers."""
    entries = [gold(f"k{i}", kind) for i, (kind, _, _) in enumerate(rows)]
    answers = [said(f"k{i}", label, sure) for i, (_, label, sure) in enumerate(rows)]
    return pair(entries, answers)


def binary(truth: Sequence[bool], flagged: Sequence[bool]) -> Pairs:
    """Return pairs of a tool that always commits, at confidence 0.9."""
    kinds = {True: HallucinationType.WRONG_VENUE, False: None}
    labels = {True: Label.HALLUCINATED, False: Label.VALID}
    return pairs_of([(kinds[t], labels[f], 0.9) for t, f in zip(truth, flagged, strict=True)])


confidences = st.one_of(
    st.sampled_from([0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]),
    st.floats(0, 1, allow_nan=False, width=32),
)
kinds = st.one_of(st.none(), st.sampled_from(TYPES))
committed = st.sampled_from([Label.VALID, Label.HALLUCINATED])
committed_rows = st.lists(st.tuples(kinds, committed, confidences), min_size=1, max_size=60)
any_rows = st.lists(st.tuples(kinds, st.sampled_from(Label), confidences), min_size=1, max_size=60)


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def gold_row(key: str, kind: str | None = None) -> dict[str, Any]:
    """Return a gold row as it stands in a file."""
    row: dict[str, Any] = {"bibtex_key": key, "bibtex_type": "article", "fields": {"title": key}}
    row["label"] = "VALID" if kind is None else "HALLUCINATED"
    return row | ({} if kind is None else {"hallucination_type": kind})


def said_row(key: str, label: str, confidence: Any = 0.9) -> dict[str, Any]:
    """Return a prediction row as it stands in a file."""
    return {"bibtex_key": key, "label": label, "confidence": confidence}
