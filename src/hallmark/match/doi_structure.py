"""Does the structure of the claimed DOI agree with the claimed venue and year?

The codes of the nuances:

    prefix-unknown             no known registrant owns the prefix, though the claimed venue's DOIs
                               are known to lie elsewhere, or it mints none
    prefix-of-other-publisher  the prefix belongs to a publisher who does not publish the venue
    prefix-unlisted            no known registrant owns the prefix; by itself this proves nothing
    doi-venue-differs          the DOI names another venue than the reference
    doi-track-differs          the same series, but workshops or Findings against the main volume
    doi-year-differs           the DOI names another year
"""

from collections.abc import Iterator

from hallmark.match.venue_relation import relation
from hallmark.records.evidence import Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.text.venue_dois import DoiParts, doi_parts
from hallmark.text.venue_facts import VenueFact, VenueType, open_prefixes, venues
from hallmark.text.venue_tracks import split
from hallmark.text.venues import VenueClaim, VenueKind

_JOURNAL_LAG = 3


def doi_facts(reference: Reference, claim: VenueClaim) -> tuple[Nuance, ...]:
    """Return what the claimed DOI's own structure says against the claim; () without a DOI."""
    if reference.doi is None:
        return ()
    parts = doi_parts(reference.doi)
    return (*_prefix(parts, claim), *_inside(parts, claim, reference.year))


def _prefix(parts: DoiParts, claim: VenueClaim) -> Iterator[Nuance]:
    """Yield what the prefix says against the claimed venue."""
    if parts.prefix in open_prefixes():
        return
    known = _known_prefixes(claim)
    if known is not None and parts.prefix in known:
        return
    publishers = ", ".join(sorted(claim.ids))
    if parts.publisher is None:
        code = "prefix-unlisted" if known is None else "prefix-unknown"
        yield Nuance(code, parts.prefix, publishers)
    elif known is not None:
        yield Nuance("prefix-of-other-publisher", parts.prefix, parts.publisher)


def _known_prefixes(claim: VenueClaim) -> frozenset[str] | None:
    """Return the prefixes of the claimed venue's papers, None where they are not all known."""
    if claim.kind is not VenueKind.VENUE:
        return None
    facts = [_fact(venue_id) for venue_id in claim.ids]
    found: frozenset[str] = frozenset()
    for fact in facts:
        if fact is None or not fact.prefixes:
            return None
        found |= fact.prefixes
    return found


def _fact(venue_id: str) -> VenueFact | None:
    return venues().get(venue_id) or venues().get(split(venue_id)[0])


def _inside(parts: DoiParts, claim: VenueClaim, year: int | None) -> Iterator[Nuance]:
    """Yield what the suffix says against the claimed venue and year."""
    if parts.venue_id is not None and claim.kind is VenueKind.VENUE:
        yield from _venue(parts.venue_id, claim, _years(parts, year))
    if parts.year is None or year is None or parts.year == year:
        return
    if parts.exact_year or not 0 <= year - parts.year <= _JOURNAL_LAG:
        yield Nuance("doi-year-differs", str(year), str(parts.year))


def _years(parts: DoiParts, year: int | None) -> tuple[int, ...]:
    return tuple(one for one in (year, parts.year) if one is not None)


def _venue(inside: str, claim: VenueClaim, years: tuple[int, ...]) -> Iterator[Nuance]:
    fact = venues().get(inside)
    if fact is not None and fact.type is VenueType.PREPRINT:
        return
    every = [relation(one, inside, years, explicit=claim.explicit) for one in claim.ids]
    if all(one.relation is Relation.CONFLICT for one in every):
        track = any("track" in one.codes for one in every)
        yield Nuance("doi-track-differs" if track else "doi-venue-differs", claim.name, inside)
