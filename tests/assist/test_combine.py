"""What a model's vote changes in a verdict: its probability, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.assist.combine import SUSPICIOUS, assisted, is_open, shifted
from hallmark.assist.weights import STRONGEST, Weighed
from hallmark.judge.calibrate import FLOOR, packaged
from hallmark.judge.policy import DEFAULT
from hallmark.records.finding import Finding, Severity
from hallmark.records.opinion import Stance, Vote
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)

NOTE = Finding(code="HM702", severity=Severity.NOTE, message="No record.")
WARNING = Finding(code="HM602", severity=Severity.WARNING, message="A year beside.")
OPEN = Unresolved(probability=0.6, reason="No record.", findings=(WARNING, NOTE))
SETTLED: tuple[Verdict, ...] = (
    Verified(probability=0.01, reason=""),
    Contradicted(probability=0.99, reason=""),
    NotFound(probability=0.98, reason=""),
    NotChecked(probability=0.5, reason=""),
    Unresolved(
        probability=0.5,
        reason="",
        findings=(Finding(code="HM902", severity=Severity.WARNING, message=""),),
    ),
)
stances = st.sampled_from(Stance)
weights = st.none() | st.floats(-STRONGEST, STRONGEST)
probabilities = st.floats(0.0, 1.0)


def vote(stance: Stance = Stance.HALLUCINATED, reason: str = "Unheard of.") -> Vote:
    return Vote(model="m", stance=stance, confidence=1.0, type="wrong_venue", reason=reason)


@pytest.mark.parametrize("verdict", SETTLED, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("stance", Stance)
@pytest.mark.parametrize("weight", [None, -3.0, 0.0, 3.0])
def test_a_model_never_touches_what_evidence_settled(
    verdict: Verdict, stance: Stance, weight: float | None
) -> None:
    assert not is_open(verdict)
    assert assisted(verdict, vote(stance), Weighed(weight)) == (verdict, None)


@given(stance=stances, weight=weights, probability=probabilities, failed=st.booleans())
def test_an_open_reference_stays_open_whatever_a_model_says(
    stance: Stance, weight: float | None, probability: float, failed: bool
) -> None:
    before = structs.replace(OPEN, probability=probability, source_failed=failed)
    after, opinion = assisted(before, vote(stance), Weighed(weight, "why"))
    assert opinion is not None
    changed = structs.replace(after, probability=probability, findings=before.findings)
    assert changed == before
    assert set(before.findings) < set(after.findings)
    assert all(one.severity is not Severity.PROBLEM for one in after.findings)


@given(stance=stances, probability=probabilities)
def test_without_a_weight_the_probability_is_that_of_the_evidence(
    stance: Stance, probability: float
) -> None:
    before = structs.replace(OPEN, probability=probability)
    after, opinion = assisted(before, vote(stance), Weighed(None, "nothing was fitted"))
    assert after.probability == probability
    assert opinion is not None
    assert not opinion.suspicious


@given(probabilities, st.floats(-STRONGEST, STRONGEST), st.floats(-STRONGEST, STRONGEST))
def test_more_weight_never_means_less_probability(p: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    if low and high:
        assert shifted(p, low) <= shifted(p, high)
    assert 0.0 <= shifted(p, high) <= 1.0


@given(st.floats(2 * FLOOR, 1 - 2 * FLOOR), st.floats(0.01, STRONGEST))
def test_a_weight_moves_the_probability_its_own_way(p: float, weight: float) -> None:
    assert shifted(p, -weight) <= p + 1e-6
    assert shifted(p, weight) >= p - 1e-6


def test_a_vote_against_it_is_suspicious_where_a_look_would_more_likely_than_not_find_a_fault() -> (
    None
):
    for probability in (0.5, 0.9, 0.98):
        before = structs.replace(OPEN, probability=probability)
        after, opinion = assisted(before, vote(), Weighed(2.5))
        there = packaged().at_prevalence(after.probability, DEFAULT.prevalence)
        assert opinion is not None
        assert opinion.suspicious == (there >= SUSPICIOUS)
        codes = [one.code for one in after.findings]
        assert ("HM802" in codes) == opinion.suspicious


def test_a_warning_stands_before_the_notes() -> None:
    sure = structs.replace(OPEN, probability=0.99)
    after, _ = assisted(sure, vote(), Weighed(3.0))
    assert [one.code for one in after.findings] == ["HM602", "HM802", "HM702"]


@pytest.mark.parametrize("stance", [Stance.VALID, Stance.UNSURE, Stance.FAILED])
def test_only_a_vote_against_a_reference_makes_it_suspicious(stance: Stance) -> None:
    sure = structs.replace(OPEN, probability=0.999)
    _, opinion = assisted(sure, vote(stance), Weighed(0.0))
    assert opinion is not None
    assert not opinion.suspicious


def test_a_finding_tells_who_said_what_and_what_that_changed() -> None:
    after, _ = assisted(OPEN, vote(), Weighed(1.0))
    assert after.findings[-1].message == (
        "m takes it for made up or wrong (“Unheard of.”). This moves P(hallucinated) from 0.60 "
        "to 0.80."
    )
    unweighed, _ = assisted(OPEN, vote(Stance.VALID), Weighed(None, "no weight was fitted for m"))
    assert unweighed.findings[-1].message.endswith(
        "This changes nothing: no weight was fitted for m."
    )
    failed, _ = assisted(OPEN, vote(Stance.FAILED, "parse: no JSON"), Weighed(None))
    assert failed.findings[-1].code == "HM803"
    assert "parse: no JSON" in failed.findings[-1].message


def test_a_models_long_speech_is_cut() -> None:
    after, _ = assisted(OPEN, vote(reason="word " * 10_000), Weighed(None))
    assert len(after.findings[-1].message) < 500
