"""nonexistent_venue: what if the meeting or journal is invented?

Names are put together from parts (MEDIUM, as the paper's generated ones), with a tell-tale acronym
(LOW), or are a real meeting's name with one word replaced (HIGH).
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import invent
from hallmark.bench.perturb.drafts import in_venue, mark, venue_of
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType
from hallmark.text.venue_facts import VenueType

_JOURNAL = ("Journal", "Transactions", "Annals", "International Journal")


@register(HallucinationType.NONEXISTENT_VENUE, "booktitle", "journal", "howpublished")
def nonexistent_venue(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Put an invented venue in the place of the real one."""
    if not venue_of(entry):
        return Inapplicable("names no venue")
    name = invent.venue(pool, rng, knobs.difficulty)
    if name is None:
        return Inapplicable("no unknown venue name found")
    kind = VenueType.JOURNAL if name.startswith(_JOURNAL) else VenueType.CONFERENCE
    note = f"There is no venue named {name!r}; the work appeared at {venue_of(entry)!r}"
    return mark(entry, in_venue(entry, name, kind), HallucinationType.NONEXISTENT_VENUE, note)
