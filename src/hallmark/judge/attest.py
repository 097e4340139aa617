"""Does enough stand behind a charge for it to decide?

What a local index holds was chosen by its owner. A live source is one voice among several, and each
of them has records that are wrong: a contradiction that rests on fewer live sources than the policy
asks for (two by default) is weak, unless one of them is an authority, the registry of the very
identifier that the entry gives.

People's own bibliographies are full of slips, editions and manuscripts: what one of them alone says
otherwise is shown, and weighs nothing.
"""

from msgspec import structs

from hallmark.judge.charge import Charge, weakened
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Reading
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.finding import Severity
from hallmark.records.work import Quality

_BY_RECORDS = frozenset(
    "HM201 HM202 HM301 HM302 HM303 HM401 HM402 HM403 HM404 HM501 HM502 HM503 HM505 HM601 "
    "HM602".split()
)
"""Codes of charges that rest on what records say."""


def attested(one: Charge, evidence: Evidence, reading: Reading, policy: Policy) -> Charge:
    """Return the charge, weakened if it rests on too few live sources without authority.

    One that a single bibliography of somebody's own makes loses its weight.
    """
    if one.finding.code not in _BY_RECORDS:
        return one
    if _is_of_one_person(one, reading, policy):
        return Charge(structs.replace(one.finding, severity=_shown(one.finding.severity)))
    if not one.decisive:
        return one
    live = {answer.source for answer in evidence.answers if answer.live}
    sources = set(one.finding.sources)
    if not sources or not sources <= live or len(sources) >= policy.live_voices:
        return one
    if sources & authorities(evidence, reading):
        return one
    return weakened(one)


def _is_of_one_person(one: Charge, reading: Reading, policy: Policy) -> bool:
    """Whether nothing but personal bibliographies, fewer than asked for, makes the charge."""
    sources = set(one.finding.sources)
    behind = [held for held in _every(reading) if held.version.collection in sources]
    personal = all(held.version.quality is Quality.PERSONAL for held in behind)
    return bool(behind) and personal and len(sources) < policy.personal_voices


def _shown(severity: Severity) -> Severity:
    return Severity.WARNING if severity is Severity.PROBLEM else severity


def _every(reading: Reading) -> list[Compared]:
    others = (each for work in reading.others for each in work.versions)
    return [*reading.versions, *others]


def authorities(evidence: Evidence, reading: Reading) -> set[str]:
    """Return the live sources that speak as the registry of the entry's own identifier."""
    registries = {answer.source for answer in evidence.answers if answer.registry}
    return {
        one.version.collection
        for one in _every(reading)
        if one.version.collection in registries and (one.doi.agrees or one.arxiv.agrees)
    }
