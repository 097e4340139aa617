"""merged_citation: what if one entry is put together from two or three papers?

The title stays, the authors are another paper's, the venue is that paper's (LOW severity: two
papers) or a third's (MEDIUM). HIGH severity takes the year of the third paper, too.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import (
    families,
    in_venue,
    join_names,
    mark,
    people,
    venue_of,
    with_fields,
)
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.perturb.places import foreign_place_of
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.work import Version

_TRIES = 60


@register(
    HallucinationType.MERGED_CITATION, "author", "booktitle", "journal", "howpublished", "year"
)
def merged_citation(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Take the authors of a second paper and the venue of it or a third."""
    if not people(entry) or not venue_of(entry):
        return Inapplicable("names no authors or no venue")
    for _ in range(_TRIES):
        second = pool.draw(rng)
        third = second if knobs.severity is Level.LOW else pool.draw(rng)
        if second is None or third is None or not _are_strangers(entry, second, pool):
            continue
        place = foreign_place_of(pool, third, entry, third.year)
        if place is None or (knobs.severity is Level.HIGH and third.year is None):
            continue
        merged = with_fields(entry, {"author": join_names(second.authors)})
        if knobs.severity is Level.HIGH:
            merged = with_fields(merged, {"year": str(third.year)})
        changed = in_venue(merged, place.name, place.type)
        note = f"Authors of {second.title!r}, venue of {third.title!r}, title of a third work"
        sources = [second.title, third.title]
        return mark(entry, changed, HallucinationType.MERGED_CITATION, note, sources)
    return Inapplicable("no papers to merge with")


def _are_strangers(entry: Entry, second: Version, pool: Pool) -> bool:
    """Whether the second paper names people, and nobody of the entry's family names."""
    if not second.authors or second.authors_truncated:
        return False
    taken = families(people(entry))
    for held in pool.titled(entry.fields.get("title", "")):
        taken |= families(held.authors)
    return not families(second.authors) & taken
