"""placeholder_authors: what if the names are stand-ins?

MEDIUM takes the stand-ins of one culture or of several (John Doe, Max Mustermann, Zhang San); LOW
takes what are no names at all (First Author); HIGH takes made-up names of mixed cultures.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import invent, words
from hallmark.bench.perturb.drafts import families, mark, people, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType

_MOST = 5


@register(HallucinationType.PLACEHOLDER_AUTHORS, "author")
def placeholder_authors(
    entry: Entry,
    pool: Pool,  # noqa: ARG001 - all share one signature
    rng: Random,
    knobs: Knobs,
) -> Outcome:
    """Put stand-ins in the place of the authors, about as many."""
    real = people(entry)
    if not real:
        return Inapplicable("names no authors")
    names = _stand_ins(rng, min(max(len(real), 2), _MOST), knobs.difficulty)
    if families(names) & families(real):
        return Inapplicable("an author bears the name of a stand-in")
    listed = " and ".join(names)
    changed = with_fields(entry, {"author": listed})
    note = f"The authors are stand-ins: {listed}"
    return mark(entry, changed, HallucinationType.PLACEHOLDER_AUTHORS, note)


def _stand_ins(rng: Random, count: int, difficulty: Level) -> list[str]:
    groups = words.parts("placeholders")
    match difficulty:
        case Level.LOW:
            return list(groups["obvious"][:count])
        case Level.MEDIUM:
            one = groups[rng.choice(sorted(groups.keys() - {"obvious"}))]
            every = sorted({name for part, name in words.rows("placeholders") if part != "obvious"})
            return rng.sample(one if len(one) >= count else every, count)
        case Level.HIGH:
            return invent.persons(rng, count)
