from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.verifier import (
    VerifierSystem,
    confidence_of,
    label_of,
    prediction_of,
    verifier_system,
)
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import IndexMissing, InputError, UnknownName
from hallmark.index import open_index
from hallmark.records.reference import Location
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Result,
    Unresolved,
    Verdict,
    Verified,
)

ENTRY = BlindEntry("k")
REAL = BlindEntry(
    "real",
    "inproceedings",
    {
        "title": "GloVe: Global Vectors for Word Representation",
        "author": "Jeffrey Pennington and Richard Socher and Christopher D. Manning",
        "booktitle": "EMNLP",
        "year": "2014",
    },
)
OTHER_AUTHORS = BlindEntry(
    "other", "inproceedings", {**REAL.fields, "author": "Ada Lovelace and Alan Turing"}
)
probabilities = st.floats(0, 1)


@pytest.mark.parametrize(
    ("verdict", "label"),
    [
        (Verified(probability=0.1, reason=""), Label.VALID),
        (Contradicted(probability=0.9, reason=""), Label.HALLUCINATED),
        (NotFound(probability=0.9, reason=""), Label.HALLUCINATED),
        (Unresolved(probability=0.5, reason=""), Label.UNCERTAIN),
        (NotChecked(probability=0.5, reason=""), Label.UNCERTAIN),
        (NotChecked(probability=0.5, reason="", unreadable=True), Label.UNCERTAIN),
        (Unresolved(probability=0.5, reason="", source_failed=True), Label.ERROR),
    ],
)
def test_each_verdict_has_its_label(verdict: Verdict, label: Label) -> None:
    assert label_of(verdict) is label


@pytest.mark.parametrize("outcome", [Verified, Contradicted, NotFound])
@given(probability=probabilities)
def test_the_probability_is_kept_where_the_verifier_commits_itself(
    outcome: Callable[..., Verdict], probability: float
) -> None:
    result = Result("k", Location("f", 1), outcome(probability=probability, reason="r"))
    row = prediction_of(ENTRY, result)
    assert row.p_hallucinated == pytest.approx(probability, abs=1e-9)
    assert row.forced_label is None


@given(probability=probabilities)
def test_an_abstention_keeps_the_likelier_label_and_how_sure_it_is(probability: float) -> None:
    result = Result("k", Location("f", 1), Unresolved(probability=probability, reason="r"))
    row = prediction_of(ENTRY, result)
    assert row.label is Label.UNCERTAIN
    assert row.confidence >= 0.5
    assert row.forced_label is (Label.HALLUCINATED if probability >= 0.5 else Label.VALID)
    assert confidence_of(row.forced_label, probability) == row.confidence


@pytest.mark.parametrize("kind", HallucinationType)
def test_the_judges_type_is_the_benchmarks(kind: HallucinationType) -> None:
    verdict = Contradicted(probability=0.9, reason="r", type=str(kind))
    row = prediction_of(ENTRY, Result("k", Location("f", 1), verdict))
    assert row.predicted_hallucination_type is kind


def test_a_real_work_is_valid_and_other_peoples_names_are_not(index: Path) -> None:
    system = verifier_system(index, "default", today="2026-06-01")
    real, other = system.predict([REAL, OTHER_AUTHORS])
    assert real.label is Label.VALID
    assert real.confidence > 0.5
    assert other.label is Label.HALLUCINATED
    assert other.reason.startswith("contradicted:")
    assert other.sources == ("index",)


def test_each_answer_is_timed(index: Path) -> None:
    ticks = iter(range(10))
    system = VerifierSystem(
        open_index(index), "strict", date(2026, 6, 1), clock=lambda: float(next(ticks))
    )
    assert [row.seconds for row in system.predict([REAL, OTHER_AUTHORS])] == [1.0, 1.0]


def test_the_manifest_says_which_index_policy_and_date(index: Path) -> None:
    settings = verifier_system(index, "strict", today="2026-06-01").settings
    assert settings["policy"] == "strict"
    assert settings["today"] == "2026-06-01"
    assert settings["index_built"] == "2021-09-07"
    assert settings["index_digest"]
    assert "policy_digest" not in settings


def test_the_manifest_tells_two_policy_files_of_one_name_apart(index: Path, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    digests = []
    for years in (1, 2):
        file.write_text(f"version = 1\nfuture_years = {years}\n", encoding="utf-8")
        settings = verifier_system(index, str(file), today="2026-06-01").settings
        assert settings["policy"] == "ours"
        digests.append(settings["policy_digest"])
    assert digests[0] != digests[1]


def test_what_the_verifier_needs_must_be_there(index: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--index DIR"):
        verifier_system(None, "default", today="2026-06-01")
    with pytest.raises(InputError, match="YYYY-MM-DD"):
        verifier_system(index, "default", today="soon")
    with pytest.raises(IndexMissing):
        verifier_system(tmp_path / "none", "default", today="2026-06-01")
    with pytest.raises(UnknownName):
        verifier_system(index, "lenient", today="2026-06-01")
