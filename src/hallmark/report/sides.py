"""Which parts of a finding does a person need to see?"""

from hallmark.records.finding import Finding, Severity
from hallmark.records.verdict import Result
from hallmark.report.summary import Summary

_AUTHOR = "author"
_NEARLY_ONE, _NEARLY_NONE = 0.995, 0.005


def has_sides(finding: Finding) -> bool:
    """Whether the two values are to be set against each other.

    They are, unless one is missing, or the message names the persons that it is about: then lists
    of names beneath it would only repeat them.
    """
    if not (finding.claimed and finding.found):
        return False
    return finding.field != _AUTHOR or finding.found not in finding.message


def says_the_same(finding: Finding) -> bool:
    """Whether the message only repeats what the two values show."""
    if finding.field == _AUTHOR:
        return False
    return finding.claimed in finding.message or finding.found in finding.message


_LATER = frozenset({"HM305", "HM306", "HM308"})
"""Codes of what was published later about a work: told whatever the verdict is."""

_MODEL = frozenset({"HM801", "HM802", "HM803"})
"""Codes of what a language model said: told wherever one was asked, at the user's wish."""


def told_beside(result: Result) -> list[Finding]:
    """Return the findings that a report tells of a result that is no problem.

    All warnings of a verified one; of others, whose reason says why they are left open, those about
    retractions and the like, and what a language model said.
    """
    findings = result.verdict.findings
    warnings = [one for one in findings if one.severity is Severity.WARNING]
    if result.status == "verified":
        return warnings
    said = [one for one in findings if one.code in _MODEL]
    return [one for one in warnings if one.code in _LATER] + said


BASE = "P: as if half of all references were bad; --queue N states it for your share."
"""What P rests on, said once where a report shows one without a queue."""


def needs_base(summary: Summary) -> bool:
    """Whether a report has to say what P rests on: it shows some, and no queue that says it."""
    shown = summary.count("contradicted") + summary.count("not_found")
    return bool(shown) and summary.queue is None


def chance(result: Result) -> str:
    """Return P(hallucinated) in words that do not claim certainty."""
    probability = result.verdict.probability
    if probability > _NEARLY_ONE:
        return "P > 0.99"
    return "P < 0.01" if probability < _NEARLY_NONE else f"P = {probability:.2f}"
