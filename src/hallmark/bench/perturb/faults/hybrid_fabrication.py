"""hybrid_fabrication: what if a real DOI stands under an invented title and invented authors?"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import invent
from hallmark.bench.perturb.drafts import families, mark, people, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType


@register(HallucinationType.HYBRID_FABRICATION, "title", "author")
def hybrid_fabrication(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Keep the DOI, venue and year; invent title and authors."""
    if "doi" not in entry.fields:
        return Inapplicable("has no DOI")
    title = invent.title(pool, rng, knobs.difficulty)
    names = invent.persons(rng, rng.randint(2, 5))
    if title is None or families(names) & families(people(entry)):
        return Inapplicable("no unused title or names found")
    changed = with_fields(entry, {"title": title, "author": " and ".join(names)})
    note = f"The DOI is that of {entry.fields.get('title', '')!r}; title and authors are invented"
    return mark(entry, changed, HallucinationType.HYBRID_FABRICATION, note)
