"""partial_author_list: what if co-authors are dropped without "et al."?

MEDIUM severity keeps the first and the last (appendix A.3), LOW drops one from the middle, HIGH
keeps the first alone.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import join_names, mark, people, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType

_FEWEST = 3


@register(HallucinationType.PARTIAL_AUTHOR_LIST, "author")
def partial_author_list(
    entry: Entry,
    pool: Pool,  # noqa: ARG001 - all share one signature
    rng: Random,
    knobs: Knobs,
) -> Outcome:
    """Drop authors from the middle."""
    real = people(entry)
    if len(real) < _FEWEST:
        return Inapplicable("has fewer than three authors")
    if entry.fields["author"].lower().endswith(" and others"):
        return Inapplicable("its list is cut already")
    kept = _kept(real, rng, knobs.severity)
    changed = with_fields(entry, {"author": join_names(kept)})
    note = f"{len(real)} authors reduced to {len(kept)}"
    return mark(entry, changed, HallucinationType.PARTIAL_AUTHOR_LIST, note)


def _kept(real: list[str], rng: Random, severity: Level) -> list[str]:
    match severity:
        case Level.LOW:
            dropped = rng.randrange(1, len(real) - 1)
            return [name for n, name in enumerate(real) if n != dropped]
        case Level.MEDIUM:
            return [real[0], real[-1]]
        case Level.HIGH:
            return real[:1]
