"""Does enough stand behind a charge for it to decide?

What a local index holds was chosen by its owner. A live source is one voice among several, and each
of them has records that are wrong: a contradiction that rests on fewer live sources than the policy
asks for (two by default) is weak, unless one of them is an authority, the registry of the very
identifier that the entry gives.
"""

from hallmark.judge.charge import Charge, weakened
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Reading
from hallmark.records.evidence import Evidence

_BY_RECORDS = frozenset(
    "HM201 HM202 HM301 HM302 HM303 HM401 HM402 HM403 HM404 HM501 HM502 HM503 HM505 HM601 "
    "HM602".split()
)
"""Codes of charges that rest on what records say."""


def attested(one: Charge, evidence: Evidence, reading: Reading, policy: Policy) -> Charge:
    """Return the charge, weakened if it rests on too few live sources without authority."""
    if not one.decisive or one.finding.code not in _BY_RECORDS:
        return one
    live = {answer.source for answer in evidence.answers if answer.live}
    sources = set(one.finding.sources)
    if not sources or not sources <= live or len(sources) >= policy.live_voices:
        return one
    if sources & authorities(evidence, reading):
        return one
    return weakened(one)


def authorities(evidence: Evidence, reading: Reading) -> set[str]:
    """Return the live sources that speak as the registry of the entry's own identifier."""
    registries = {answer.source for answer in evidence.answers if answer.registry}
    return {
        one.version.collection
        for one in (*reading.versions, *(each for work in reading.others for each in work.versions))
        if one.version.collection in registries and (one.doi.agrees or one.arxiv.agrees)
    }
