"""Does the DOI exist, and do the sources agree on what it names?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Reading
from hallmark.records.answer import RESOLVER, Absent
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield what the resolver says, and records of the identifier that others contradict.

    Only the resolver's own answer proves that a DOI does not exist; a landing page that is
    missing or refuses a visit does not. A DOI of this year may have been printed before it was
    registered.
    """
    if reference.doi is not None and unregistered(evidence) and not _held(evidence):
        fresh = reference.year is None or _this_year(evidence) - reference.year < 1
        yield charge(
            "HM208",
            "The DOI does not exist: its resolver does not know it.",
            claimed=reference.doi,
            sources=_deniers(evidence),
            weak=fresh and reference.year is not None,
        )
    yield from _outvoted(evidence, reading)


def unregistered(evidence: Evidence) -> bool:
    """Whether the resolver said that the claimed DOI does not exist."""
    return bool(_deniers(evidence))


def _deniers(evidence: Evidence) -> list[str]:
    return [
        one.source
        for one in evidence.answers
        if isinstance(one.answer, Absent) and RESOLVER in one.answer.searched
    ]


def _held(evidence: Evidence) -> bool:
    """Whether some record bears the claimed DOI nonetheless: then the resolver may be at fault."""
    return any(one.doi.agrees for work in evidence.works for one in work.versions)


def _this_year(evidence: Evidence) -> int:
    return int(evidence.today[:4]) if evidence.today[:4].isdigit() else 0


def _outvoted(evidence: Evidence, reading: Reading) -> Iterator[Charge]:
    """Note live records of the claimed identifier that speak of another work than the others."""
    live = {answer.source for answer in evidence.answers if answer.live}
    if not any(one.doi.agrees or one.arxiv.agrees for one in reading.versions):
        return
    for work in reading.others:
        for one in work.versions:
            if one.version.collection in live and (one.doi.agrees or one.arxiv.agrees):
                message = f"{one.version.collection} gives this identifier to another title."
                yield charge(
                    "HM903", message, found=one.version.title, sources=(one.version.collection,)
                )
