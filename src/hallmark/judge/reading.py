"""Which work does the reference mean, and how surely?

The candidate works of the evidence are ranked, and the best one is read in one of four ways: it is
the SAME work (the title agrees), a NEAR one (nearly the title, and nothing else differs), one that
only the IDENTIFIER leads to, or NONE.
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from hallmark.judge.policy import Policy
from hallmark.records.answer import Unavailable, VenueYear
from hallmark.records.evidence import Compared, ComparedWork, Comparison, Evidence, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Quality
from hallmark.text import titles

HALF = 0.5
"""Share of the claimed authors, in [0, 1], that makes a record a work of these people."""


class Anchor(StrEnum):
    """By what the cited work was recognised."""

    SAME = "same"
    NEAR = "near"
    IDENTIFIER = "identifier"
    NONE = "none"


class Reading(Struct, frozen=True):
    """The cited work as far as it was recognised.

    `versions` are the records of the work that count: those with the claimed title where there
    are any. `best` is the record nearest to the claim. `others` are the remaining works.
    """

    anchor: Anchor
    versions: tuple[Compared, ...] = ()
    best: Compared | None = None
    others: tuple[ComparedWork, ...] = ()

    @property
    def collections(self) -> tuple[str, ...]:
        """The collections that hold the work, each once."""
        return tuple(dict.fromkeys(one.version.collection for one in self.versions))


def read(reference: Reference, evidence: Evidence, policy: Policy) -> Reading:
    """Choose the work that the reference means; of equally fitting ones that of its year."""
    ranked = sorted(
        (
            (_rank(reference, work, policy), _is_of_year(work), -place)
            for place, work in enumerate(evidence.works)
        ),
        reverse=True,
    )
    if not ranked or ranked[0][0] == 0:
        return Reading(Anchor.NONE, others=evidence.works)
    rank, _, place = ranked[0]
    work = evidence.works[-place]
    others = tuple(other for other in evidence.works if other is not work)
    anchor = _anchor(rank)
    if anchor is Anchor.NONE:
        return Reading(Anchor.NONE, others=evidence.works)
    versions = work.versions
    if anchor is Anchor.SAME:
        versions = tuple(one for one in versions if one.title.agrees)
    return Reading(anchor, versions, _nearest(versions), others)


def _is_of_year(work: ComparedWork) -> bool:
    """Whether a record of the claimed title is of the claimed year, as one of a series may be."""
    return any(one.title.agrees and one.year.agrees for one in work.versions)


def _anchor(rank: int) -> Anchor:
    if rank >= _SAME:
        return Anchor.SAME
    if rank >= _NEAR:
        return Anchor.NEAR
    return Anchor.IDENTIFIER if rank >= _IDENTIFIER else Anchor.NONE


_SAME, _NEAR, _IDENTIFIER = 30, 20, 10


def _rank(reference: Reference, work: ComparedWork, policy: Policy) -> int:
    """Return how well a work fits: the ten tells the anchor, the unit breaks ties."""
    titled = [one for one in work.versions if one.title.agrees]
    identified = any(one.doi.agrees or one.arxiv.agrees for one in work.versions)
    if titled:
        return _rank_same(reference, titled, policy, identified=identified)
    near = [one for one in work.versions if _is_near(one)]
    if near and (identified or any(_only_the_title_differs(one) for one in near)):
        return _NEAR + 2 * identified + (1 if _venue_and_year(near) else 0)
    return _IDENTIFIER if identified else 0


def _rank_same(
    reference: Reference, titled: list[Compared], policy: Policy, *, identified: bool
) -> int:
    """Return how well a work of the claimed title fits.

    One group writes several works under one short title (a tutorial, then an article): of those,
    some of the people are not enough, if neither place nor identifier is the same.
    """
    placed = _venue_and_year(titled)
    people = any(one.authors.agrees for one in titled)
    some = people or any(authors_in_common(one) for one in titled)
    unnamed = not reference.authors or not any(one.version.authors for one in titled)
    whole = any(not one.title.has(_HEAD_ONLY) for one in titled)
    count = len(titles.words(reference.title))
    telling = count >= policy.distinctive_words
    supported = (identified or placed) and telling
    shared = people or (some and (telling or identified or placed))
    if shared or unnamed or supported or (whole and count >= policy.decisive_title_words):
        return _SAME + 4 * people + 2 * some + 2 * identified + placed
    return 0


_HEAD_ONLY = "subtitle-dropped"
"""The nuance of a title that agrees but for a subtitle: other people's work may begin the same."""


def _is_near(one: Compared) -> bool:
    """Whether the titles are nearly the same, as `match.title` draws the line."""
    return one.title.conflicts and not one.title.has("different")


def _only_the_title_differs(one: Compared) -> bool:
    """Whether nothing but its title keeps a record from being the cited work.

    People write several papers with similar titles; a record whose authors or venue differ too is
    another of their works, not this one misquoted.
    """
    elsewhere = one.venue.conflicts or (one.year.conflicts and not one.year.weak)
    return names_people(one) and not elsewhere


def _venue_and_year(versions: Iterable[Compared]) -> bool:
    return any(one.venue.agrees and one.year.agrees for one in versions)


def authors_in_common(one: Compared) -> bool:
    """Whether the claim shares at least half of its authors with the record."""
    return one.authors.agrees or one.authors.matched_share >= HALF


def names_people(one: Compared) -> bool:
    """Whether the record confirms the claimed authors: it agrees, and names them all.

    A record whose own list is cut confirms only the names before the cut.
    """
    if not one.authors.agrees:
        return False
    return not one.authors.has("truncated-record") or _all_matched(one.authors)


def _all_matched(authors: Comparison) -> bool:
    counts = [(one.claimed, one.found) for one in authors.nuances if one.code == "matched"]
    return all(matched == claimed for matched, claimed in counts)


def rejecting(versions: Iterable[Compared]) -> list[Compared]:
    """Return the records whose list of authors can reject a claim, and does."""
    return [
        one
        for one in versions
        if one.authors.conflicts
        and one.version.quality is Quality.CURATED
        and not one.version.authors_truncated
    ]


def _nearest(versions: tuple[Compared, ...]) -> Compared:
    return max(versions, key=closeness)


def closeness(one: Compared) -> tuple[float, ...]:
    """Return a sort key: how near a record is to the claim, the most decisive field first."""
    return (
        _points(one.title),
        _points(one.authors) + one.authors.matched_share / 2,
        _points(one.venue),
        _points(one.year),
        _points(one.doi) + _points(one.arxiv),
        one.version.quality is Quality.CURATED,
    )


_POINTS = {
    Relation.EQUAL: 4.0,
    Relation.VARIANT: 3.0,
    Relation.SILENT: 2.0,
    Relation.CONFLICT: 0.0,
}


def _points(comparison: Comparison) -> float:
    return 1.0 if comparison.conflicts and comparison.weak else _POINTS[comparison.relation]


def coverage_of(evidence: Evidence, year: int | None) -> VenueYear | None:
    """Return what is held of the claimed venue in `year`, if the claim names one venue only.

    A name that may mean several venues has no coverage: absence from one of them proves nothing,
    unless all of them are complete; then the first is returned.
    """
    if year is None or not evidence.venue.ids:
        return None
    rows = {row.venue_id: row for row in evidence.coverage if row.year == year}
    held = [rows.get(venue_id) for venue_id in evidence.venue.ids]
    if len(held) == 1:
        return held[0]
    if all(row is not None and row.complete for row in held):
        return held[0]
    return None


def any_source_failed(evidence: Evidence) -> bool:
    """Whether a source that was asked did not answer."""
    return any(isinstance(one.answer, Unavailable) for one in evidence.answers)


def any_source_answered(evidence: Evidence) -> bool:
    """Whether at least one source answered."""
    return any(not isinstance(one.answer, Unavailable) for one in evidence.answers)
