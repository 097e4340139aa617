"""How probable is it that the reference is hallucinated?

A first, documented table of weights: the log-odds of each outcome and of each finding, set by
hand from what the findings mean. P(hallucinated) is the logistic function of the sum. A later
version fits the table on held-in data; its form stays.
"""

import math

from hallmark.judge.charge import Charge
from hallmark.judge.reading import Anchor, Reading

PRIOR = 0.5
"""P(hallucinated) of an entry about which nothing at all is known."""

_STATUS = {
    "verified": -4.6,
    "contradicted": 3.0,
    "not_found": 3.2,
    "unresolved": -0.6,
    "not_checked": -1.5,
}
"""Log-odds of each outcome before its findings are weighed."""

_DECISIVE = {
    "HM101": 2.5, "HM102": 2.0, "HM201": 1.5, "HM202": 1.0, "HM203": 1.0, "HM301": 0.8,
    "HM302": 0.5, "HM304": -1.0, "HM401": 1.5, "HM402": 0.3, "HM403": 0.0, "HM404": -0.5,
    "HM501": 0.8, "HM502": 0.8, "HM503": 0.5, "HM504": 1.0, "HM505": -0.5, "HM601": 0.3,
    "HM602": -1.0, "HM701": 0.5,
}  # fmt: skip
"""Log-odds that a decisive finding adds to the outcome's."""

_WEAK = 0.9
"""Log-odds that a weak finding adds."""

_ANCHOR = {Anchor.SAME: -0.5, Anchor.NEAR: 1.0, Anchor.IDENTIFIER: 1.5, Anchor.NONE: 0.6}
"""Log-odds that the way of recognition adds to an unresolved outcome."""


def probability(status: str, charges: list[Charge], reading: Reading) -> float:
    """Return P(hallucinated) in (0, 1), rounded to four places."""
    score = _STATUS[status]
    for one in charges:
        if one.decisive:
            score += _DECISIVE.get(one.finding.code, 0.0)
        elif one.weak:
            score += _WEAK
    if status == "unresolved":
        score += _ANCHOR[reading.anchor]
    return round(1.0 / (1.0 + math.exp(-score)), 4)
