"""chimeric_title: what if real authors get an invented title?

The title is composed from parts; where it is to be hard to notice, of two real titles.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import invent
from hallmark.bench.perturb.drafts import mark, people, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType


@register(HallucinationType.CHIMERIC_TITLE, "title")
def chimeric_title(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Put an invented title above the real authors."""
    if not people(entry):
        return Inapplicable("names no authors")
    title = invent.title(pool, rng, knobs.difficulty)
    if title is None:
        return Inapplicable("no unused title found")
    note = f"No work of these authors, or of anyone, has the title {title!r}"
    return mark(entry, with_fields(entry, {"title": title}), HallucinationType.CHIMERIC_TITLE, note)
