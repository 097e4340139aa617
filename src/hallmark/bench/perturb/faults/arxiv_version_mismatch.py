"""arxiv_version_mismatch: what if a preprint is cited with a wrong venue and a shifted year?

The year is shifted by one to three years (LOW severity one, HIGH two to four), never into the
future; the venue surely lacks the work in that year, where the pool can tell.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import in_venue, mark, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.perturb.places import surely_foreign_place
from hallmark.bench.taxonomy import HallucinationType

_NUMBERING = ("eprint", "archiveprefix", "primaryclass", "eprinttype", "howpublished")
_SHIFTS = {Level.LOW: (1,), Level.MEDIUM: (1, 2, 3), Level.HIGH: (2, 3, 4)}


@register(HallucinationType.ARXIV_VERSION_MISMATCH, "booktitle", "journal", "year", *_NUMBERING)
def arxiv_version_mismatch(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Move a work that has a preprint to a wrong venue in a wrong year."""
    title = entry.fields.get("title", "")
    held = pool.titled(title)
    if not any(version.preprint for version in held):
        return Inapplicable("no preprint")
    if not entry.fields.get("year", "").isdecimal():
        return Inapplicable("names no year")
    shift = rng.choice(_SHIFTS[knobs.severity])
    before = int(entry.fields["year"])
    taken = {year for version in held for year in version.all_years}
    years = [one for one in (before + shift, before - shift) if one not in taken]
    years = [one for one in years if one <= knobs.year]
    if not years:
        return Inapplicable("no year to shift to")
    year = rng.choice(years)
    place = surely_foreign_place(pool, rng, entry, year, knobs.difficulty)
    if place is None:
        return Inapplicable("no venue of that year that surely lacks it")
    bare = with_fields(entry, dict.fromkeys(_NUMBERING) | {"year": str(year)})
    changed = in_venue(bare, place.name, place.type)
    note = f"A preprint of {before}, cited as of {place.name!r} {year}"
    return mark(entry, changed, HallucinationType.ARXIV_VERSION_MISMATCH, note)
