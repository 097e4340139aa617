"""How do two venue identities stand to each other?"""

from msgspec import Struct

from hallmark.match.venue_likeness import alike, names_of, same
from hallmark.records.evidence import Relation
from hallmark.text.venue_facts import VenueType, links, type_of, venues
from hallmark.text.venue_tracks import Track, split


class Related(Struct, frozen=True):
    """The relation of a claimed identity to a held one, and its reasons (see `match.venue`)."""

    relation: Relation
    codes: tuple[str, ...] = ()
    weak: bool = False


_LINK_CODES = {"same-series": "track-variant", "co-located": "track-variant"}


def relation(claimed: str, held: str, years: tuple[int, ...], *, explicit: bool) -> Related:
    """Return how the identity `claimed` relates to the identity `held`.

    Args:
        claimed: what the reference names.
        held: what the record names.
        years: the years of both sides; a link between venues must hold in one of them.
        explicit: the reference writes out the title of the main proceedings.
    """
    if claimed == held:
        return Related(Relation.EQUAL)
    base, track = split(claimed)
    held_base, held_track = split(held)
    if base == held_base:
        return _of_tracks(track, held_track, explicit=explicit)
    link = links().get(frozenset((claimed, held)))
    if link is None and track is held_track:
        link = links().get(frozenset((base, held_base)))
    if link is not None and (not years or any(link.holds(year) for year in years)):
        return Related(Relation.VARIANT, (_LINK_CODES.get(link.code, link.code),))
    if _host_and_guest(claimed, held) or _host_and_guest(held, claimed):
        return Related(Relation.SILENT, ("workshop-host",))
    return _of_strangers(claimed, held)


def is_curated(venue_id: str) -> bool:
    """Whether the identity is one of the tables' own, not made of a name."""
    return ":" not in venue_id


def _of_tracks(claimed: Track, held: Track, *, explicit: bool) -> Related:
    """Relate two tracks of one series.

    Workshops are never the meeting itself. Findings are, for people who write only an acronym;
    whoever writes out the main proceedings claims more than is true. The other tracks are
    customarily cited by the name of the meeting, and many sources do not mark them.
    """
    tracks = {claimed, held}
    apart = Track.WORKSHOPS in tracks and tracks & {Track.MAIN, Track.FINDINGS}
    if apart or (held is Track.FINDINGS and explicit) or claimed is Track.FINDINGS:
        return Related(Relation.CONFLICT, ("track",))
    if held is Track.FINDINGS:
        return Related(Relation.VARIANT, ("track-variant", "findings-as-main"))
    return Related(Relation.VARIANT, ("track-variant",))


def _host_and_guest(one: str, other: str) -> bool:
    """Whether `one` is the workshops of a meeting and `other` a workshop under its own name."""
    return split(one)[1] is Track.WORKSHOPS and _is_workshop(other)


def _is_workshop(venue_id: str) -> bool:
    if venue_id.startswith("workshop:"):
        return True
    fact = venues().get(venue_id)
    return fact is not None and any("workshop" in name.lower() for name in fact.names)


def _of_strangers(claimed: str, held: str) -> Related:
    """Relate two identities that have nothing to do with each other, as far as is known.

    Only where tables know both is the conflict more than weak: one name may stand for the other.
    """
    both_curated = is_curated(claimed) and is_curated(held)
    if not both_curated:
        pairs = [(one, other) for one in names_of(claimed) for other in names_of(held)]
        if any(same(one, other) for one, other in pairs):
            return Related(Relation.VARIANT, ("venue-alias",))
        if any(alike(one, other) for one, other in pairs):
            return Related(Relation.SILENT, ("names-alike",))
    types = (type_of(claimed), type_of(held))
    if {VenueType.JOURNAL, VenueType.CONFERENCE} == set(types):
        codes: tuple[str, ...] = ("other-venue", "journal-vs-conference")
    else:
        codes = ("other-venue",)
    return Related(Relation.CONFLICT, codes, weak=not both_curated)
