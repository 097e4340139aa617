"""How much of what a bibliography cites does the index hold?

Estimated from the references of one run, as they pass: whether the index knows the venues that they
name, and whether it holds the complete lists of the years in question.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from hallmark.records.verdict import Grounds, NotChecked, Result
from hallmark.text.venues import VenueKind, normal

FITTING_SHARE = 0.5
"""Share of the references with a venue, in [0, 1], from which the index fits the bibliography: of
most of them it knows the venue. Below, the usual reason for a work not found is that the index is
of another field."""

FEWEST = 5
"""References with a venue from which a share is stated: of fewer it would mean nothing."""

MOST_PLACES = 20_000
"""Venues, and years of venues, that are told apart; a run that cites more is counted by references
alone from there on, so that memory does not grow with the input."""

MOST_LACKING = 5
"""Venues that the summary names."""

_COUNTED = frozenset({VenueKind.VENUE, VenueKind.UNKNOWN})


class Lacking(Struct, frozen=True, kw_only=True):
    """A venue most of whose cited works the index lacks: how many of how many are missing."""

    venue: str
    cited: int
    missing: int


class Holdings(Struct, frozen=True, kw_only=True):
    """What the index holds of the venues cited in one run.

    `references` counts the references that name a venue (preprint servers, publishers and platforms
    are none); `known` those of whose venue the index holds records in the claimed year; `found`
    those whose work it has a record of. `venues` and `known_venues` count venues; `places` counts
    years of venues, and `complete` those whose whole list is held.
    `lacking` names up to five venues that the index does not know, or most of whose cited works it
    lacks, those with most missing first; what is missing from a complete list is not the index's
    lack. `fits` says whether enough is known for the absence of a record to say anything.
    """

    references: int
    known: int
    found: int
    venues: int
    known_venues: int
    places: int
    complete: int
    lacking: tuple[Lacking, ...] = ()
    fits: bool = True

    @property
    def share(self) -> float | None:
        """The share of the references with a venue whose venue is known, in [0, 1]; None of few."""
        return self.known / self.references if self.references >= FEWEST else None


class HoldingsTally:
    """Counts as results pass; tells at most `most` venues apart, and as many years of venues."""

    def __init__(self, most: int = MOST_PLACES) -> None:
        self._most = most
        self._total: Counter[str] = Counter()
        self._venues: dict[str, _Venue] = {}
        self._places: dict[tuple[str, int], bool] = {}

    def add(self, result: Result) -> None:
        """Count one result; those that name no venue are passed over."""
        grounds = result.grounds
        if grounds is None or grounds.kind not in _COUNTED:
            return
        if isinstance(result.verdict, NotChecked):
            return
        self._total.update(references=1, known=grounds.known, found=grounds.found)
        name = grounds.venue_id or normal(grounds.venue)
        self._see_venue(name, grounds)
        self._see_place(name, grounds)

    def holdings(self) -> Holdings | None:
        """Return what was counted; None where no reference named a venue, or there is no index."""
        if not self._total["references"]:
            return None
        share = self._total["known"] / self._total["references"]
        return Holdings(
            references=self._total["references"],
            known=self._total["known"],
            found=self._total["found"],
            venues=len(self._venues),
            known_venues=sum(one.known for one in self._venues.values()),
            places=len(self._places),
            complete=sum(self._places.values()),
            lacking=self._lacking(),
            fits=share >= FITTING_SHARE or self._total["references"] < FEWEST,
        )

    def _see_venue(self, name: str, grounds: Grounds) -> None:
        venue = self._venues.get(name)
        if venue is None:
            if len(self._venues) >= self._most:
                return
            venue = self._venues[name] = _Venue(grounds.venue)
        venue.cited += 1
        venue.missing += not (grounds.found or grounds.complete)
        venue.known = venue.known or grounds.known

    def _see_place(self, name: str, grounds: Grounds) -> None:
        if grounds.year is None:
            return
        place = (name, grounds.year)
        if place in self._places or len(self._places) < self._most:
            self._places[place] = self._places.get(place, False) or grounds.complete

    def _lacking(self) -> tuple[Lacking, ...]:
        lacking = [one for one in self._venues.values() if one.is_lacking]
        lacking.sort(key=lambda one: (-one.missing, one.name))
        return tuple(
            Lacking(venue=one.name, cited=one.cited, missing=one.missing)
            for one in lacking[:MOST_LACKING]
        )


class _Venue(Struct):
    """What was seen of one venue: its name as first written, and counts of references."""

    name: str
    cited: int = 0
    missing: int = 0
    known: bool = False

    @property
    def is_lacking(self) -> bool:
        """Whether most is missing; a single work may be missing because it does not exist."""
        return 2 * self.missing > self.cited and (self.missing > 1 or not self.known)


def sentences(holdings: Holdings) -> tuple[str, ...]:
    """Return what there is to say of the holdings, in sentences; names are not yet escaped."""
    said = f"{'; '.join(_clauses(holdings))}."
    return (said,) if holdings.fits else (said, MISFIT)


def _clauses(holdings: Holdings) -> Iterator[str]:
    if holdings.share is None:
        known = f"{holdings.known:,} of {holdings.references:,} references"
        yield f"The index knows the venues of {known}"
    else:
        yield f"The index knows {100 * holdings.share:.0f} % of the venues cited"
    if holdings.places:
        yield f"it holds {holdings.complete:,} of {holdings.places:,} years in full"
    if holdings.lacking:
        names = (f"{one.venue} ({one.missing:,} of {one.cited:,})" for one in holdings.lacking)
        yield f"it lacks most of {', '.join(names)}"


MISFIT = (
    "This index does not fit this bibliography: that a work was not found in it says little. "
    "Use an index of this field, or --online."
)
"""What is said where the index knows too few of the venues."""
