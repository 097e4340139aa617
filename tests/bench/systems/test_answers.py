from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.answers import understand
from hallmark.bench.taxonomy import HallucinationType

ENTRY = BlindEntry("k")


@pytest.mark.parametrize(
    ("answer", "label", "confidence"),
    [
        (0.9, Label.HALLUCINATED, 0.9),
        (0.25, Label.VALID, 0.75),
        (1, Label.HALLUCINATED, 1.0),
        (0, Label.VALID, 1.0),
        (("VALID", 0.8), Label.VALID, 0.8),
        (["UNCERTAIN", 0.5], Label.UNCERTAIN, 0.5),
        ({"label": "HALLUCINATED", "confidence": 0.6}, Label.HALLUCINATED, 0.6),
        (Prediction(bibtex_key="k", label=Label.VALID, confidence=0.3), Label.VALID, 0.3),
    ],
)
def test_each_documented_form_is_understood(answer: Any, label: Label, confidence: float) -> None:
    row = understand(ENTRY, answer)
    assert (row.bibtex_key, row.label, row.confidence) == ("k", label, confidence)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        "VALID",
        1.2,
        -0.1,
        float("nan"),
        ("valid", 0.5),
        ("VALID", 70),
        ("VALID",),
        {"label": "VALID"},
        {"label": "VALID", "confidence": float("nan")},
        {"label": "VALID", "confidence": 0.5, "bibtex_key": "another"},
        {"label": "VALID", "confidence": 0.5, "predicted_hallucination_type": "no such"},
        {1: 2},
        Prediction(bibtex_key="another", label=Label.VALID),
        object(),
    ],
)
def test_anything_else_is_a_failure_with_its_reason(answer: Any) -> None:
    row = understand(ENTRY, answer)
    assert row.label is Label.ERROR
    assert row.reason


def test_the_optional_fields_are_kept() -> None:
    answer = {
        "label": "UNCERTAIN",
        "confidence": 0.5,
        "reason": "why",
        "predicted_hallucination_type": "author_mismatch",
        "subtest_results": {"doi_resolves": False},
        "sources": ["crossref"],
        "cost": 0.01,
        "calls": 2,
        "forced_label": "HALLUCINATED",
        "unknown": 1,
    }
    row = understand(ENTRY, answer)
    assert row.predicted_hallucination_type is HallucinationType.SWAPPED_AUTHORS
    assert (row.reason, row.sources, row.calls, row.cost) == ("why", ("crossref",), 2, 0.01)
    assert row.forced_label is Label.HALLUCINATED


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(json_values)
def test_no_answer_makes_the_reading_fail(answer: Any) -> None:
    assert 0.0 <= understand(ENTRY, answer).confidence <= 1.0
