"""swapped_authors: what if a real title gets other people's names?

MEDIUM severity takes the whole list of another paper, with nobody of the same family name; LOW
replaces one author. HIGH difficulty takes a paper of the same venue and year.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import (
    families,
    join_names,
    mark,
    people,
    venue_of,
    with_fields,
)
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.work import Version

_TRIES = 20


@register(HallucinationType.SWAPPED_AUTHORS, "author")
def swapped_authors(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Put the authors of another paper, or one of them, in the place of the real ones."""
    real = people(entry)
    if not real:
        return Inapplicable("names no authors")
    donor = _donor(entry, pool, rng, knobs.difficulty)
    if donor is None:
        return Inapplicable("no other authors found")
    names = _replaced(real, donor, rng, knobs.severity)
    changed = with_fields(entry, {"author": names})
    note = f"The authors, or one of them, are those of {donor.title!r}"
    return mark(entry, changed, HallucinationType.SWAPPED_AUTHORS, note, [donor.title])


def _donor(entry: Entry, pool: Pool, rng: Random, difficulty: Level) -> Version | None:
    """Return another work whose authors share no family name with any record of the entry's."""
    taken = families(people(entry))
    for held in pool.titled(entry.fields.get("title", "")):
        taken |= families(held.authors)
    ids = pool.venues.resolve(venue_of(entry)).ids
    year = int(entry.fields["year"]) if entry.fields.get("year", "").isdecimal() else None
    for attempt in range(_TRIES):
        near = difficulty is Level.HIGH and ids and attempt < _TRIES // 2
        drawn = pool.draw(rng, ids[0], year) if near else pool.draw(rng)
        if drawn is None or not drawn.authors or drawn.authors_truncated:
            continue
        if not families(drawn.authors) & taken:
            return drawn
    return None


def _replaced(real: list[str], donor: Version, rng: Random, severity: Level) -> str:
    if severity is Level.LOW:
        names = list(real)
        names[rng.randrange(len(names))] = rng.choice(donor.authors)
        return join_names(names)
    return join_names(donor.authors)
