"""preprint_as_published: what if a paper that is on arXiv only is given a venue?

The venue was held in the year of the preprint or the next, and its papers of that year are all
known where the pool can tell, so that the claim is surely false.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import in_venue, mark, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Outcome, Pool, register
from hallmark.bench.perturb.places import surely_foreign_place
from hallmark.bench.taxonomy import HallucinationType

_NUMBERING = ("eprint", "archiveprefix", "primaryclass", "eprinttype", "howpublished")


@register(HallucinationType.PREPRINT_AS_PUBLISHED, "booktitle", "journal", "year", *_NUMBERING)
def preprint_as_published(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Give a paper that was never published a venue."""
    title = entry.fields.get("title", "")
    held = pool.titled(title)
    if not any(version.preprint for version in held):
        return Inapplicable("no preprint")
    if any(not version.preprint for version in held):
        return Inapplicable("published, too")
    if not entry.fields.get("year", "").isdecimal():
        return Inapplicable("names no year")
    year = int(entry.fields["year"]) + rng.choice((0, 0, 1))
    place = surely_foreign_place(pool, rng, entry, year, knobs.difficulty)
    if place is None:
        return Inapplicable("no venue of that year that surely lacks it")
    bare = with_fields(entry, dict.fromkeys(_NUMBERING) | {"year": str(year)})
    changed = in_venue(bare, place.name, place.type)
    note = f"The work is a preprint; it was never published at {place.name!r}"
    return mark(entry, changed, HallucinationType.PREPRINT_AS_PUBLISHED, note)
