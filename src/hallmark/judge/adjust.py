"""What does the policy make of a charge, after the checks?

Charges first: what too few collections attest becomes weak, then findings weigh what the policy
says of their codes. A verdict that is not probable enough is held back at the end.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import structs

from hallmark.judge.charge import Charge, raised, weakened
from hallmark.judge.policy import Policy
from hallmark.records.finding import Finding, Severity
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)

_AUTHORS = frozenset({"HM401", "HM402", "HM403", "HM404"})
_PLACES = frozenset({"HM501", "HM502", "HM503", "HM505", "HM601", "HM602"})


def adjusted(one: Charge, policy: Policy) -> Charge:
    """Return the charge as this policy weighs it."""
    return _as_listed(_as_attested(one, policy), policy)


def set_aside(before: Iterable[Charge], after: Iterable[Charge]) -> list[Charge]:
    """Return what was decisive before the policy weighed it, and is no more.

    It tells why such an entry, which is never verified, stays open.

    Args:
        before: what the checks found.
        after: the same charges, as the policy weighs them.
    """
    pairs = zip(before, after, strict=True)
    return [weighed for found, weighed in pairs if found.decisive and not weighed.decisive]


def _as_attested(one: Charge, policy: Policy) -> Charge:
    """Weaken a charge that rests on records of fewer collections than the policy asks for."""
    sources = set(one.finding.sources)
    if not one.decisive or not sources or len(sources) >= _needed(one.finding.code, policy):
        return one
    return weakened(one)


def _needed(code: str, policy: Policy) -> int:
    if code in _AUTHORS:
        return policy.attesting_authors
    return policy.attesting_places if code in _PLACES else 1


def _as_listed(one: Charge, policy: Policy) -> Charge:
    """Give a finding the severity that the policy lists for its code."""
    match policy.severities.get(one.finding.code):
        case None:
            return one
        case Severity.PROBLEM:
            return raised(one)
        case Severity.WARNING:
            return weakened(one) if one.decisive else _shown(one, Severity.WARNING)
        case Severity.NOTE:
            return Charge(structs.replace(one.finding, severity=Severity.NOTE))


def _shown(one: Charge, severity: Severity) -> Charge:
    """Show a charge as of this severity; it weighs what it did."""
    return Charge(structs.replace(one.finding, severity=severity), weak=one.weak)


def held_back(verdict: Verdict, chance: float, policy: Policy) -> Verdict:
    """Return the verdict, unresolved where it accuses with less certainty than the policy asks for.

    Args:
        verdict: with its P(hallucinated), which is kept.
        chance: the same at the policy's prevalence, in [0, 1].
        policy: names the least chance of an accusation.
    """
    match verdict:
        case Contradicted() | NotFound():
            enough = chance >= policy.least_probability
            return verdict if enough else _doubted(verdict, chance, policy)
        case Verified() | Unresolved() | NotChecked():
            return verdict
        case _ as never:
            assert_never(never)


def _doubted(verdict: Contradicted | NotFound, chance: float, policy: Policy) -> Unresolved:
    """Return what is left of an accusation: its evidence as warnings, nothing to correct."""
    return Unresolved(
        probability=verdict.probability,
        reason=f"If {policy.prevalence:.1%} of all references are bad, P(hallucinated) is "
        f"{chance:.2f}, and this policy accuses from {policy.least_probability:g} on. "
        f"{verdict.reason}",
        type=verdict.type,
        subtests=verdict.subtests,
        findings=tuple(map(_warned, verdict.findings)),
        work=verdict.work,
    )


def _warned(one: Finding) -> Finding:
    severe = one.severity is Severity.PROBLEM
    return structs.replace(one, severity=Severity.WARNING) if severe else one
