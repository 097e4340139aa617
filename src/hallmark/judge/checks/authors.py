"""Are the authors right?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, matched_share, names_people, rejecting
from hallmark.records.evidence import Compared, Evidence, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Quality


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield the charges about the authors."""
    if reading.anchor in (Anchor.NONE, Anchor.IDENTIFIER) or not reference.authors:
        return
    named = [one for one in reading.versions if one.version.authors]
    if not named:
        return
    agreeing = [one for one in named if names_people(one)]
    if agreeing:
        yield from _variant(max(agreeing, key=_closeness))
        return
    best = max(rejecting(named) or named, key=_closeness)
    doubtful = any(one.authors.relation is Relation.SILENT and _curated(one) for one in named)
    if best.authors.conflicts and not (doubtful and matched_share(best.authors) == 1.0):
        yield from _conflict(best, reading)


def _closeness(one: Compared) -> tuple[float, ...]:
    """Order records by how well their authors agree; doubt ranks above contradiction."""
    relation = one.authors.relation
    rank = {Relation.EQUAL: 3.0, Relation.VARIANT: 2.0, Relation.SILENT: 1.0}.get(relation, 0.0)
    return (rank, one.authors.weak, matched_share(one.authors), _curated(one))


def _curated(one: Compared) -> bool:
    return one.version.quality is Quality.CURATED


def _variant(best: Compared) -> Iterator[Charge]:
    codes = [nuance for nuance in best.authors.nuances if nuance.code in _NOTED]
    if codes:
        first = codes[0]
        yield charge(
            "HM405",
            f"Written otherwise than in the record: {first.claimed} for {first.found}.",
            claimed=first.claimed,
            found=first.found,
            sources=(best.version.collection,),
        )


_NOTED = frozenset({"given-variant", "transliteration", "name-order", "compound-family"})


def _conflict(best: Compared, reading: Reading) -> Iterator[Charge]:
    """Turn the reasons of an author conflict into charges, one for each kind."""
    weak = best.authors.weak or not any(_curated(one) for one in reading.versions)
    agreeing = collections(
        one for one in reading.versions if one.version.authors == best.version.authors
    )
    for nuance_code, (code, sentence, always_weak) in _KINDS.items():
        about = [nuance for nuance in best.authors.nuances if nuance.code == nuance_code]
        if not about or (code == "HM402" and not matched_share(best.authors)):
            continue  # who is missing says nothing where nobody is right
        claimed = "; ".join(nuance.claimed for nuance in about if nuance.claimed)
        found = "; ".join(nuance.found for nuance in about if nuance.found)
        yield charge(
            code,
            sentence.format(claimed=claimed, found=found),
            claimed=best.authors.claimed,
            found=best.authors.found,
            sources=agreeing,
            suggestion=_as_bibtex(best),
            weak=weak or always_weak or (code == "HM403" and len(agreeing) < _ORDERING),
        )


_ORDERING = 2
"""Collections that must give the same order; single ones were often sorted or typed anew."""

_KINDS = {
    "foreign-author": ("HM401", "On no record of this work: {claimed}.", False),
    "missing-author": ("HM402", "Missing from the entry: {found}.", False),
    "order": ("HM403", "The records name them in another order.", False),
    "given-name-substitution": ("HM404", "“{claimed}” is “{found}” in the records.", True),
    "surname-typo": ("HM404", "“{claimed}” is “{found}” in the records.", True),
}


def _as_bibtex(best: Compared) -> str | None:
    return " and ".join(best.version.authors) if best.version.authors else None
