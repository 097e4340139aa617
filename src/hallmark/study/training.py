"""On which judged entries is the probability fitted?

Every entry is judged in several conditions of the index (whole, half of its works, one collection
only, none at all), so that "no record" weighs what it is worth where less is held. Beside gold
files there are generated entries: works of the index, written in citation styles or made false.
They are judged only where works are hidden, since every one of them is in the whole index.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from hallmark.bench.entry import Entry, Label
from hallmark.bench.noise.interface import Facts
from hallmark.bench.noise.styles import write_in_any
from hallmark.bench.perturb.drafts import entry_of, families
from hallmark.bench.perturb.interface import load_all
from hallmark.bench.perturb.pool import IndexPool
from hallmark.bench.perturb.screening import attempt
from hallmark.index import LocalIndex, open_index
from hallmark.judge.calibrate import Training
from hallmark.judge.decide import weigh
from hallmark.judge.policy import Policy
from hallmark.records.work import Version
from hallmark.study.context import Setting
from hallmark.study.fitting import Row
from hallmark.study.judged import Judged, judge_all
from hallmark.study.reduced import Census, ReducedIndex, Reduction
from hallmark.text import titles
from hallmark.verifier import Verifier

WHOLE, NO_INDEX = "whole index", "no index"
REDUCED_WEIGHT = 0.25
"""What an entry counts in each further condition of the index: the whole one is what people use."""
GENERATED_WEIGHT = 0.1
"""What a generated entry counts: there are many, and their faults are of our own making."""
ALONE = 0.1
"""Share of an index, in [0, 1], from which a collection is also tried alone."""


class Condition(Struct, frozen=True):
    """What is held: the whole index where `reduction` is None, nothing where `index` is false."""

    name: str
    reduction: Reduction | None = None
    index: bool = True


class Judgement(Struct, frozen=True):
    """The entries of one set, judged in one condition; `weight` is what one entry counts."""

    name: str
    condition: str
    judged: tuple[Judged, ...]
    weight: float


def gold_conditions(index: LocalIndex) -> list[Condition]:
    """Return the conditions in which gold entries are judged, the whole index first."""
    held = _held(index)
    large = [name for name, records in held.items() if records >= ALONE * sum(held.values())]
    alone = [_only(name) for name in large if len(held) > 1]
    return [Condition(WHOLE), _share(0.5, 1), *alone, Condition(NO_INDEX, index=False)]


def generated_conditions(index: LocalIndex) -> list[Condition]:
    """Return the conditions in which generated entries are judged: some works are missing.

    With the largest collection only, whole fields are missing with all their venues.
    """
    held = _held(index)
    alone = [_only(max(held, key=held.__getitem__))] if len(held) > 1 else []
    return [_share(0.95, 2), _share(0.5, 3), *alone]


def _held(index: LocalIndex) -> dict[str, int]:
    """Return the number of records of each collection."""
    held: dict[str, int] = {}
    for one in index.info().sources:
        held[one.collection] = held.get(one.collection, 0) + one.records
    return held


def _share(share: float, seed: int) -> Condition:
    name = f"{share:.0%} of all works".replace("%", " %")
    return Condition(name, Reduction(name=name, share=share, seed=seed))


def _only(collection: str) -> Condition:
    name = f"only {collection}"
    return Condition(name, Reduction(name=name, only=frozenset({collection})))


def judged_in(
    name: str,
    entries: Sequence[Entry],
    conditions: Iterable[Condition],
    setting: Setting,
    census: Census | None,
    weight: Callable[[Condition], float],
) -> Iterator[Judgement]:
    """Judge a set of entries in every condition."""
    for condition in conditions:
        verifier = Verifier(
            _opened(setting.index, condition, census), policy=setting.policy, today=setting.today
        )
        yield Judgement(
            name, condition.name, tuple(judge_all(entries, verifier)), weight(condition)
        )


def _opened(path: Path, condition: Condition, census: Census | None) -> LocalIndex | None:
    if not condition.index:
        return None
    if condition.reduction is None:
        return open_index(path)
    return ReducedIndex(path, condition.reduction, census)


def gold_weight(condition: Condition) -> float:
    """Return what an entry of a gold file counts in a condition."""
    return 1.0 if condition.name == WHOLE else REDUCED_WEIGHT


def generated_weight(condition: Condition) -> float:  # noqa: ARG001 - one signature for both
    """Return what a generated entry counts in a condition."""
    return GENERATED_WEIGHT


def rows_of(judgement: Judgement, policy: Policy) -> list[Row]:
    """Return the patterns of evidence of judged entries; entries of one title are one group."""
    return [
        Row(
            group=titles.key(one.reference.title),
            pattern=weigh(one.reference, one.evidence, policy)[1],
            hallucinated=one.entry.label is Label.HALLUCINATED,
            weight=judgement.weight,
        )
        for one in judgement.judged
    ]


def training(judgements: Sequence[Judgement], sha256: str) -> Training:
    """Return what a model file says of one set of entries, judged in several conditions."""
    first = judgements[0]
    return Training(
        name=first.name,
        sha256=sha256,
        entries=len(first.judged),
        hallucinated=sum(one.entry.label is Label.HALLUCINATED for one in first.judged),
        conditions=tuple(one.condition for one in judgements),
        weight=tuple(one.weight for one in judgements),
    )


def digest(entries: Iterable[Entry]) -> str:
    """Return the SHA-256 of entries as JSON Lines."""
    state = hashlib.sha256()
    for entry in entries:
        row = json.dumps(msgspec.to_builtins(entry.row()), sort_keys=True, ensure_ascii=False)
        state.update(f"{row}\n".encode())
    return state.hexdigest()


def generated(index: LocalIndex, count: int, prevalence: float, seed: int) -> list[Entry]:
    """Return entries made of works of an index: valid ones in citation styles, and false ones.

    Args:
        index: where works are drawn from.
        count: of entries; fewer come back where the index holds too few works.
        prevalence: the share of false ones, in (0, 1).
        seed: of the dice: the same index and seed give the same entries.
    """
    groups = index.sample(Random(seed))
    pool = IndexPool(index, Random(seed + 1))
    false = round(count * prevalence)
    makers = (
        *((_valid, number) for number in range(count - false)),
        *((_false, number) for number in range(false)),
    )
    made = []
    for make, number in makers:
        entry = make(index, pool, groups, Random(f"{seed} {make.__name__} {number}"), number)
        if entry is None:
            break
        made.append(entry)
    return made


def _valid(
    index: LocalIndex, pool: IndexPool, groups: Iterator[tuple[Version, ...]], rng: Random, n: int
) -> Entry | None:
    """Write a work in some style; None at the end of the index."""
    del pool
    versions = _drawn(groups, rng)
    if versions is None:
        return None
    entry = entry_of(versions[0], f"valid{n}")
    return write_in_any(entry, Facts(versions, index.venues), rng)[1].entry


def _false(
    index: LocalIndex, pool: IndexPool, groups: Iterator[tuple[Version, ...]], rng: Random, n: int
) -> Entry | None:
    """Make a work false in the next type that applies to it; None at the end of the index."""
    del index
    names = load_all().names()
    turn = n % len(names)
    while (versions := _drawn(groups, rng)) is not None:
        entry = entry_of(versions[0], f"false{n}")
        for name in (*names[turn:], *names[:turn]):
            tried = attempt(load_all().get(name), entry, pool, rng)
            if tried.perturbed is not None:
                return tried.perturbed.entry
    return None


def _drawn(groups: Iterator[tuple[Version, ...]], rng: Random) -> tuple[Version, ...] | None:
    """Return a record that names authors, with the other records of its work; None at the end."""
    for group in groups:
        record = rng.choice(group)
        if record.authors:
            people = families(record.authors)
            others = (one for one in group if one != record and families(one.authors) & people)
            return (record, *others)
    return None
