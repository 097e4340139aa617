"""What does a model's vote change in a verdict?

Its probability, and with it the place in the queue: nothing else. The model is heard about
references that evidence left open, and such a reference stays open, because an accusation must rest
on a record or on a list, and so must a confirmation.
"""

import math

from msgspec import structs

from hallmark.assist.weights import Weighed
from hallmark.judge import calibrate
from hallmark.judge.calibrate import FLOOR, Calibration
from hallmark.judge.charge import charge
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.records.finding import Finding, Severity
from hallmark.records.opinion import Opinion, Stance, Vote
from hallmark.records.verdict import Unresolved, Verdict

SUSPICIOUS = 0.5
"""P(hallucinated), at the policy's share of bad references, from which a model's vote is told as a
warning: from there on it is more likely than not that a person who looks finds a fault."""

UNWEIGHED = "HM801"
SUSPECTED = "HM802"
FAILED = "HM803"

_CRASHED = "HM902"
_DIGITS = 6
_LONGEST = 300
"""Characters of a model's reason that a finding repeats."""


def is_open(verdict: Verdict) -> bool:
    """Whether a model may be heard: the verdict is open, and not because the check broke off."""
    return isinstance(verdict, Unresolved) and all(one.code != _CRASHED for one in verdict.findings)


def assisted(
    verdict: Verdict,
    vote: Vote,
    weighed: Weighed,
    policy: Policy = DEFAULT,
    calibration: Calibration | None = None,
) -> tuple[Verdict, Opinion | None]:
    """Return the verdict with the model's part in it, and that part alone.

    A pure function. A verdict that is not open comes back as it is, without an opinion.

    Args:
        verdict: what evidence came to.
        vote: the model's answer.
        weighed: what it adds to the log-odds; see `assist.weights.weigh`.
        policy: names the expected share of bad references.
        calibration: the one that stated the verdict's probability; the packaged one by default.
    """
    if not is_open(verdict):
        return verdict, None
    before = verdict.probability
    after = shifted(before, weighed.weight or 0.0)
    model = calibration or calibrate.packaged()
    there = model.at_prevalence(after, policy.prevalence)
    flags = vote.stance is Stance.HALLUCINATED and bool(weighed.weight)
    opinion = Opinion(
        vote=vote,
        weight=weighed.weight,
        why=weighed.why,
        before=before,
        suspicious=flags and there >= SUSPICIOUS,
    )
    finding = finding_of(opinion, after)
    kept = structs.replace(verdict, probability=after, findings=_placed(verdict.findings, finding))
    return kept, opinion


def shifted(probability: float, weight: float) -> float:
    """Return a probability after evidence of this weight (log-odds), within the usual floor."""
    if not weight:
        return probability
    inside = min(1.0 - FLOOR, max(FLOOR, probability))
    score = math.log(inside) - math.log1p(-inside) + weight
    return round(min(1.0 - FLOOR, max(FLOOR, 1.0 / (1.0 + math.exp(-score)))), _DIGITS)


def finding_of(opinion: Opinion, after: float) -> Finding:
    """Return how a report tells a model's part; `after` is P(hallucinated) with it."""
    vote = opinion.vote
    if vote.stance is Stance.FAILED:
        return charge(
            FAILED, f"{vote.model} gave no answer that counts: {_cut(vote.reason)}"
        ).finding
    code = SUSPECTED if opinion.suspicious else UNWEIGHED
    said = f"{vote.model} {_SAYS[vote.stance]}"
    reason = f" (“{_cut(vote.reason)}”)" if vote.reason else ""
    return charge(code, f"{said}{reason}. {_effect(opinion, after)}").finding


_SAYS = {
    Stance.HALLUCINATED: "takes it for made up or wrong",
    Stance.VALID: "takes it for right",
    Stance.UNSURE: "does not know",
    Stance.FAILED: "did not answer",
}


def _effect(opinion: Opinion, after: float) -> str:
    if opinion.weight is None:
        return f"This changes nothing: {opinion.why}."
    if not opinion.weight:
        return "This changes nothing: such a vote proved nothing on the development data."
    return f"This moves P(hallucinated) from {opinion.before:.2f} to {after:.2f}."


def _placed(findings: tuple[Finding, ...], one: Finding) -> tuple[Finding, ...]:
    """Return the findings with one more, after the last that is as grave."""
    if one.severity is Severity.NOTE:
        return (*findings, one)
    grave = [each for each in findings if each.severity is not Severity.NOTE]
    notes = [each for each in findings if each.severity is Severity.NOTE]
    return (*grave, one, *notes)


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 1]}…"
