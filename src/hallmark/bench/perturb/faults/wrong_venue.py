"""wrong_venue: what if a real paper is put at another real venue?

The other venue was held in that year, and no record of the work was there or at a venue that may
stand for it. HIGH difficulty takes the one of several whose paper has the nearest title.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import in_venue, mark, venue_of
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Outcome, Pool, register
from hallmark.bench.perturb.places import other_place
from hallmark.bench.taxonomy import HallucinationType
from hallmark.text.venues import VenueKind


@register(HallucinationType.WRONG_VENUE, "booktitle", "journal", "howpublished")
def wrong_venue(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Move a published work to a venue at which it was not."""
    if not venue_of(entry):
        return Inapplicable("names no venue")
    if pool.venues.resolve(venue_of(entry)).kind is not VenueKind.VENUE:
        return Inapplicable("its venue is no known one")
    year = int(entry.fields["year"]) if entry.fields.get("year", "").isdecimal() else None
    place = other_place(pool, rng, entry, year, knobs.difficulty)
    if place is None:
        return Inapplicable("no other venue of that year")
    note = f"The work appeared at {venue_of(entry)!r}, not at {place.name!r}"
    changed = in_venue(entry, place.name, place.type)
    return mark(entry, changed, HallucinationType.WRONG_VENUE, note)
