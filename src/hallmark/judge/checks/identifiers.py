"""Do the identifiers belong to the cited work?"""

from collections.abc import Iterator

from rapidfuzz.distance import OSA

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, authors_in_common
from hallmark.records.evidence import Compared, Comparison, Evidence
from hallmark.records.reference import Reference
from hallmark.text.venues import VenueKind


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield the charges about DOI and arXiv id."""
    if reading.anchor is Anchor.IDENTIFIER:
        yield from _other_people(reading)
        return
    if reference.doi is not None:
        if _belongs(reading, "doi"):
            yield from _dated_otherwise(reference, evidence, reading)
        else:
            yield from _doi(reference, evidence, reading)
    if not _belongs(reading, "arxiv") and reference.arxiv is not None:
        yield from _arxiv(reading)


def _belongs(reading: Reading, field: str) -> bool:
    """Whether some version of the work carries the claimed identifier."""
    return any(_comparison(one, field).agrees for one in reading.versions)


def _comparison(one: Compared, field: str) -> Comparison:
    return one.doi if field == "doi" else one.arxiv


def _other_people(reading: Reading) -> Iterator[Charge]:
    """Charge an identifier whose record shares neither title nor authors with the entry."""
    best = reading.best
    if best is None or authors_in_common(best):
        return
    by_doi = best.doi.agrees
    yield charge(
        "HM201" if by_doi else "HM202",
        f"It belongs to “{best.version.title}”.",
        claimed=best.doi.claimed if by_doi else best.arxiv.claimed,
        found=best.version.title,
        sources=(best.version.collection,),
    )


def _doi(reference: Reference, evidence: Evidence, reading: Reading) -> Iterator[Charge]:
    """Charge a DOI that no version of the recognised work carries."""
    claimed = reference.doi or ""
    owner = _owner(reading, "doi")
    if owner is not None:
        yield charge(
            "HM201",
            f"It belongs to “{owner.version.title}”.",
            claimed=claimed,
            found=owner.version.title,
            sources=(owner.version.collection,),
            suggestion=_known_doi(reading),
            weak=not _proven(reading, owner, _known_doi(reading)),
        )
        return
    implausible = _implausible(evidence, reading) or _unlisted(evidence, reading)
    if implausible is not None:
        yield charge(
            "HM203",
            implausible,
            claimed=claimed,
            found=_known_doi(reading) or "",
            sources=reading.collections,
            suggestion=_known_doi(reading),
        )
    else:
        yield from _differs(claimed, evidence, reading)


def _dated_otherwise(
    reference: Reference, evidence: Evidence, reading: Reading
) -> Iterator[Charge]:
    """Charge a year against which both the work's own DOI and its record speak."""
    if not all(one.year.conflicts for one in reading.versions if one.doi.agrees):
        return
    for nuance in evidence.doi_facts:
        if nuance.code == "doi-year-differs":
            message = f"The DOI is one of {nuance.found}, the entry says {nuance.claimed}."
            yield charge(
                "HM206", message, claimed=reference.doi or "", found=nuance.found, weak=True
            )


def _differs(claimed: str, evidence: Evidence, reading: Reading) -> Iterator[Charge]:
    """Charge a DOI that is not the record's; one that only adds to it is mangled for sure."""
    for nuance in evidence.doi_facts:
        if nuance.code in {"doi-venue-differs", "doi-year-differs", "doi-track-differs"}:
            message = f"The DOI is one of {nuance.found}, the entry says {nuance.claimed}."
            yield charge("HM206", message, claimed=claimed, found=nuance.found, weak=True)
    known = _known_doi(reading)
    if known is None:
        return
    mangled = claimed.startswith(known) or _is_slip(claimed, known)
    yield charge(
        "HM203" if mangled else "HM204",
        f"The records' DOI is {known}.",
        claimed=claimed,
        found=known,
        sources=collections(one for one in reading.versions if one.version.doi == known),
        suggestion=known,
        weak=not mangled,
    )


def _is_slip(claimed: str, known: str) -> bool:
    """Whether two DOIs of one registrant differ by a slip of the pen: one letter or digit."""
    one, other = claimed.partition("/"), known.partition("/")
    return one[0] == other[0] and OSA.distance(one[2], other[2], score_cutoff=1) <= 1


def _owner(reading: Reading, field: str) -> Compared | None:
    """Return the record of another work that carries the claimed identifier."""
    for work in reading.others:
        for one in work.versions:
            if _comparison(one, field).agrees and not one.title.agrees:
                return one
    return None


def _proven(reading: Reading, owner: Compared, known: str | None) -> bool:
    """Whether the identifier's owner is certainly another work than the recognised one.

    It is one of other people, or the recognised work has an identifier of its own. Else both may
    be one retitled paper.
    """
    if reading.anchor is not Anchor.SAME:
        return True
    return not authors_in_common(owner) or known is not None


def _known_doi(reading: Reading) -> str | None:
    """Return the DOI of the recognised work, that of a published version first."""
    ranked = sorted(reading.versions, key=lambda one: (one.version.preprint, not one.venue.agrees))
    return next((one.version.doi for one in ranked if one.version.doi is not None), None)


def _implausible(evidence: Evidence, reading: Reading) -> str | None:
    """Return why the claimed DOI cannot be the work's, or None where it may be."""
    if reading.anchor is not Anchor.SAME:
        return None
    for nuance in evidence.doi_facts:
        if nuance.code == "prefix-unknown":
            return f"No publisher of such works is known under the prefix {nuance.claimed}."
        if nuance.code == "prefix-of-other-publisher" and _known_doi(reading) is not None:
            return f"The prefix {nuance.claimed} is {nuance.found}'s, who does not publish it."
    return None


def _unlisted(evidence: Evidence, reading: Reading) -> str | None:
    """Return why a DOI of an unknown registrant cannot be the work's, or None where it may be.

    It counts only on a work whose records carry another DOI and explain the rest of the entry,
    so that no further publication is claimed under which the DOI could have been registered.
    """
    placed = evidence.venue.kind in (VenueKind.MISSING, VenueKind.PREPRINT)
    explained = [
        one
        for one in reading.versions
        if one.authors.agrees and (placed or one.venue.agrees) and one.version.doi is not None
    ]
    if reading.anchor is not Anchor.SAME or not explained:
        return None
    for nuance in evidence.doi_facts:
        if nuance.code == "prefix-unlisted":
            known = explained[0].version.doi
            return f"No registrant is known under {nuance.claimed}; the records' DOI is {known}."
    return None


def _arxiv(reading: Reading) -> Iterator[Charge]:
    """Charge an arXiv id that no version of the recognised work carries."""
    owner = _owner(reading, "arxiv")
    known = next((one.version.arxiv for one in reading.versions if one.version.arxiv), None)
    if owner is not None:
        yield charge(
            "HM202",
            f"It belongs to “{owner.version.title}”.",
            claimed=owner.arxiv.claimed,
            found=owner.version.title,
            sources=(owner.version.collection,),
            suggestion=known,
            weak=not _proven(reading, owner, known),
        )
        return
    other = next((one for one in reading.versions if one.arxiv.conflicts), None)
    if other is not None:
        yield charge(
            "HM207",
            f"The records' arXiv id is {other.arxiv.found}.",
            claimed=other.arxiv.claimed,
            found=other.arxiv.found,
            sources=(other.version.collection,),
            suggestion=other.arxiv.found,
            weak=True,
        )
