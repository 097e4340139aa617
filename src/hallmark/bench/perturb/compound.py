"""What if an entry has two faults at once?

The paper classes a compound fault by the highest tier among its types (appendix A.2).
"""

from random import Random

from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import changed_fields
from hallmark.bench.perturb.interface import (
    AS_THE_PAPER,
    Inapplicable,
    Knobs,
    Outcome,
    Perturbation,
    Perturbed,
    Pool,
)
from hallmark.bench.taxonomy import SUBTESTS, TAXONOMY, HallucinationType

TYPES = "compound_types"
"""The key of an entry's `extra` that names both faults."""


def compound(
    first: Perturbation,
    second: Perturbation,
    entry: Entry,
    pool: Pool,
    rng: Random,
    knobs: Knobs = AS_THE_PAPER,
) -> Outcome:
    """Apply two perturbations, one after the other; both must change fields of their own.

    The type is that of the higher tier, the second's where both are of one; a sub-test fails where
    either fails it. Both types are named in the entry's `extra["compound_types"]`.
    """
    one = first.apply(entry, pool, rng, knobs)
    if isinstance(one, Inapplicable):
        return one
    two = second.apply(structs.replace(one.entry, fields=dict(one.entry.fields)), pool, rng, knobs)
    if isinstance(two, Inapplicable):
        return two
    if set(one.changed_fields) & set(two.changed_fields):
        return Inapplicable("both faults change the same field")
    return _joined(entry, first.type, second.type, one, two)


def types_of(entry: Entry) -> frozenset[HallucinationType]:
    """Return all types of an entry: its own, and those of both faults of a compound."""
    own = () if entry.hallucination_type is None else (entry.hallucination_type,)
    return frozenset([*own, *map(HallucinationType, entry.extra.get(TYPES, ()))])


def _joined(
    entry: Entry,
    first: HallucinationType,
    second: HallucinationType,
    one: Perturbed,
    two: Perturbed,
) -> Perturbed:
    kind = max(first, second, key=lambda each: (TAXONOMY[each].tier, each is second))
    note = f"{one.note}; {two.note}"
    subtests = {
        name: _both(one.entry.subtests.get(name), two.entry.subtests.get(name)) for name in SUBTESTS
    }
    made = structs.replace(
        two.entry,
        hallucination_type=kind,
        difficulty_tier=int(TAXONOMY[kind].tier),
        explanation=note,
        subtests=subtests,
        extra={**entry.extra, TYPES: [str(first), str(second)]},
    )
    sources = tuple(dict.fromkeys([*one.source_keys, *two.source_keys]))
    return Perturbed(made, changed_fields(entry, made), note, sources)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return other if one is None else one
