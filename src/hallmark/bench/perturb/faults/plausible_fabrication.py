"""plausible_fabrication: what if everything is invented, yet realistic?

An invented title, people put together from the names of real authors (HIGH difficulty) or made up,
at a real venue in a real year; no DOI.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import invent
from hallmark.bench.perturb.drafts import mark, venue_of, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType
from hallmark.text.names import parse_name
from hallmark.text.venues import VenueKind

_TRIES = 20


@register(HallucinationType.PLAUSIBLE_FABRICATION, "title", "author", "doi")
def plausible_fabrication(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Invent title and authors at the entry's venue and year; drop the DOI."""
    if not venue_of(entry):
        return Inapplicable("names no venue")
    if pool.venues.resolve(venue_of(entry)).kind is VenueKind.PREPRINT:
        return Inapplicable("its venue is a preprint server")
    title = invent.title(pool, rng, knobs.difficulty)
    if title is None:
        return Inapplicable("no unused title found")
    names = _people(pool, rng, rng.randint(2, 6), knobs.difficulty)
    changed = with_fields(entry, {"title": title, "author": " and ".join(names), "doi": None})
    note = f"No such work exists; only the venue {venue_of(entry)!r} is real"
    return mark(entry, changed, HallucinationType.PLAUSIBLE_FABRICATION, note)


def _people(pool: Pool, rng: Random, count: int, difficulty: Level) -> list[str]:
    if difficulty < Level.HIGH:
        return invent.persons(rng, count)
    found: dict[str, None] = {}
    for _ in range(_TRIES * count):
        given, family = (_drawn_name(pool, rng) for _ in range(2))
        if given and family and len(found) < count:
            found[f"{given[0]} {family[1]}"] = None
    return list(found) or invent.persons(rng, count)


def _drawn_name(pool: Pool, rng: Random) -> tuple[str, str] | None:
    """Return given and family name of a real author, None where they cannot be told apart."""
    drawn = pool.draw(rng)
    if drawn is None or not drawn.authors:
        return None
    name = parse_name(rng.choice(drawn.authors))
    return (name.given, name.family) if name.given and name.family else None
