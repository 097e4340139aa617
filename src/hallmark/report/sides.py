"""Which parts of a finding does a person need to see?"""

from hallmark.records.finding import Finding
from hallmark.records.verdict import Result

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


def chance(result: Result) -> str:
    """Return P(hallucinated) in words that do not claim certainty."""
    probability = result.verdict.probability
    if probability > _NEARLY_ONE:
        return "P > 0.99"
    return "P < 0.01" if probability < _NEARLY_NONE else f"P = {probability:.2f}"
