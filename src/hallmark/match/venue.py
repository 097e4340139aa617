"""Does the reference claim the venue at which this version appeared?

Only two resolved identities can contradict each other. Nuances, by relation:

    EQUAL     (none)
    VARIANT   venue-alias, preprint-cited-as-preprint, joint-conference, renamed,
              journal-of-conference, track-variant, findings-as-main (with track-variant)
    CONFLICT  other-venue, track; with journal-vs-conference where one is a journal and the other
              a meeting (a work may rightly have both); weak where not both are curated, and, with
              listed-so, where the record's own words are the claimed ones
    SILENT    claim-missing, claim-container, unknown-venue, record-without-venue,
              record-unresolved, preprint-version, published-version, workshop-host,
              names-alike
"""

from msgspec import structs

from hallmark.match.doi_structure import doi_facts
from hallmark.match.venue_likeness import names_of, same, words_of
from hallmark.match.venue_relation import Related, is_curated, relation
from hallmark.records.evidence import Comparison, Field, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Quality, Version
from hallmark.text.journal_names import same_journal
from hallmark.text.venue_dois import doi_parts, url_venue
from hallmark.text.venue_facts import venues
from hallmark.text.venue_names import tokens
from hallmark.text.venue_tracks import Track, split, track_of
from hallmark.text.venues import VenueClaim, VenueKind

__all__ = ["compare_venue", "doi_facts"]


def compare_venue(claim: VenueClaim, reference: Reference, version: Version) -> Comparison:
    """Compare the claimed venue with the version's.

    Args:
        claim: what the claimed name was resolved to.
        reference: the reference, for the claimed name and year.
        version: the record, for its venue's identity.
    """
    match claim.kind:
        case VenueKind.MISSING:
            return _comparison(Relation.SILENT, "claim-missing", claim, version)
        case VenueKind.CONTAINER:
            return _comparison(Relation.SILENT, "claim-container", claim, version)
        case VenueKind.PREPRINT:
            return _preprint(claim, version)
        case VenueKind.UNKNOWN:
            return _unknown(claim, version)
        case VenueKind.VENUE:
            return _venue(claim, reference, version)


def _preprint(claim: VenueClaim, version: Version) -> Comparison:
    if version.preprint:
        return _comparison(Relation.VARIANT, "preprint-cited-as-preprint", claim, version)
    code = "published-version" if version.venue_id else "record-without-venue"
    return _comparison(Relation.SILENT, code, claim, version)


def _unknown(claim: VenueClaim, version: Version) -> Comparison:
    """Compare a name that no table holds: it may still be the record's, or abbreviate it."""
    if _is_named(claim, version):
        return _comparison(Relation.VARIANT, "venue-alias", claim, version)
    return _comparison(Relation.SILENT, "unknown-venue", claim, version)


def _is_named(claim: VenueClaim, version: Version) -> bool:
    """Whether the claimed name is one of the record's names, or its venue's, written otherwise."""
    claimed = words_of(claim.name)
    held = [words_of(name) for name in (version.venue_raw, version.venue) if name]
    if version.venue_id is not None:
        held.extend(names_of(version.venue_id))
    if any(same(claimed, name) for name in held):
        return True
    return any(same_journal(claim.name, name) for name in _names_held(version))


def _names_held(version: Version) -> tuple[str, ...]:
    """Return the record's names of its venue, as written, and its venue's own where known."""
    fact = venues().get(version.venue_id or "")
    named = tuple(name for name in (version.venue_raw, version.venue) if name)
    return named + (fact.names if fact is not None else ())


def _venue(claim: VenueClaim, reference: Reference, version: Version) -> Comparison:
    if version.preprint:
        return _comparison(Relation.SILENT, "preprint-version", claim, version)
    if version.venue_id is None:
        named = version.venue or version.venue_raw
        code = "record-unresolved" if named else "record-without-venue"
        return _comparison(Relation.SILENT, code, claim, version)
    years = tuple(year for year in (reference.year, *version.all_years) if year is not None)
    held = version.venue_id
    related = [relation(one, held, years, explicit=claim.explicit) for one in claim.ids]
    best = min(related, key=lambda one: _RANK[one.relation])
    known = is_curated(held) and all(map(is_curated, claim.ids))
    if best.relation is Relation.CONFLICT and not known and _is_named(claim, version):
        return _comparison(Relation.VARIANT, "venue-alias", claim, version)
    if best.relation in _UNLIKE and _is_written_so(claim, version):
        if not _is_main_meeting(claim):
            return _comparison(Relation.VARIANT, "venue-alias", claim, version)
        best = structs.replace(best, codes=(*best.codes, "listed-so"), weak=True)
    if best.codes == ("track",) and _is_named_workshop(claim, held):
        return _comparison(Relation.VARIANT, "track-variant", claim, version)
    return _from_related(best, claim, version, weak=best.weak or _doubtful(best, held, version))


def _is_named_workshop(claim: VenueClaim, held: str) -> bool:
    """Whether a meeting that calls itself a workshop is claimed, and filed with the workshops."""
    called = track_of(tokens(claim.name)) is Track.WORKSHOPS
    return called and split(held)[1] is Track.WORKSHOPS


_UNLIKE = frozenset({Relation.CONFLICT, Relation.SILENT})


def _is_written_so(claim: VenueClaim, version: Version) -> bool:
    """Whether the claimed name is, word for word, how the record writes its venue.

    Whatever the name was taken for then, it is the record's. Some lists file workshops under the
    meeting, though their links tell better: who copies them is not sure to be wrong.
    """
    claimed = tokens(claim.name)
    return claimed in {tokens(name) for name in (version.venue_raw, version.venue) if name}


def _is_main_meeting(claim: VenueClaim) -> bool:
    """Whether the claimed name is taken for a meeting itself, and does not speak of a track."""
    tracks = {split(one)[1] for one in claim.ids}
    return tracks == {Track.MAIN} and track_of(tokens(claim.name)) is Track.MAIN


def _doubtful(best: Related, held: str, version: Version) -> bool:
    """Whether the record is not good enough to contradict the claimed venue alone.

    A name in somebody's own bibliography that no table holds may be mistyped; and a record
    without an identifier that tells the track may simply not mark it.
    """
    if not is_curated(held):
        return version.quality is not Quality.CURATED
    unmarked = "track" in best.codes and split(held)[1] is Track.MAIN
    return unmarked and not _is_marked(version)


def _is_marked(version: Version) -> bool:
    """Whether the record's identifiers tell the track."""
    told = url_venue(version.url)
    if told is None and version.doi is not None:
        told = doi_parts(version.doi).venue_id
    return told is not None and split(told)[0] == split(version.venue_id or "")[0]


_RANK = {Relation.EQUAL: 0, Relation.VARIANT: 1, Relation.SILENT: 2, Relation.CONFLICT: 3}


def _from_related(best: Related, claim: VenueClaim, version: Version, *, weak: bool) -> Comparison:
    nuances = tuple(Nuance(code, claim.name, _shown(version)) for code in best.codes)
    return Comparison(
        field=Field.VENUE,
        relation=best.relation,
        claimed=claim.name,
        found=_shown(version),
        nuances=nuances,
        weak=weak and best.relation is Relation.CONFLICT,
    )


def _comparison(relation_: Relation, code: str, claim: VenueClaim, version: Version) -> Comparison:
    found = _shown(version)
    nuance = Nuance(code, claim.name, found)
    return Comparison(Field.VENUE, relation_, claim.name, found, (nuance,))


def _shown(version: Version) -> str:
    return version.venue or version.venue_raw
