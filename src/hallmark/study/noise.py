"""How many sound citations in realistic dress are flagged, and how many corrupted ones pass?

Works are drawn from the index and stay in it. Each entry is written as BibTeX and read back by the
parser before it is checked, so that faults of the parser count. Valid entries are written in a
style drawn at random (`bench.noise`); corrupted ones (`bench.perturb`) plainly, so that no noise
excuses them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from random import Random
from typing import Any

from msgspec import Struct

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts
from hallmark.bench.noise.latex import bibtex
from hallmark.bench.noise.styles import write_in_any
from hallmark.bench.perturb.drafts import entry_of, families, is_sound
from hallmark.bench.perturb.interface import load_all
from hallmark.bench.perturb.pool import IndexPool
from hallmark.bench.perturb.screening import attempt
from hallmark.index import LocalIndex
from hallmark.parse.interface import parse_text
from hallmark.records.verdict import Result
from hallmark.records.work import Version
from hallmark.verifier import Verifier

SCHEMA = "hallmark-noise/1"
NONE = "as it stands"
"""The kind of a valid entry that no noise changed."""
FLAGGED = ("contradicted", "not_found")
PASSED = "verified"

Watcher = Callable[[str, int, Iterable[Any]], Iterable[Any]]
"""Shows progress: gets what is done, how many there are and the items; yields the items."""


class Plan(Struct, frozen=True):
    """What to draw: numbers of valid and corrupted entries, and the seed of the dice."""

    valid: int = 10_000
    corrupted: int = 10_000
    seed: int = 8042


class Case(Struct, frozen=True):
    """One drawn entry: its BibTeX text, how it was made, and what the verifier said.

    `kinds` are the kinds of noise, or the one type of corruption; `style` is "" for the latter.
    `fields` are the corrupted fields, with the value before.
    """

    key: str
    bibtex: str
    kinds: tuple[str, ...]
    style: str = ""
    fields: dict[str, str] = {}
    record: Version | None = None
    status: str = ""
    reason: str = ""
    codes: tuple[str, ...] = ()


class Row(Struct, frozen=True):
    """How the entries of one kind fared: counts that add up to `checked`."""

    name: str
    checked: int
    flagged: int
    passed: int
    open: int


class NoiseStudy(Struct, frozen=True, kw_only=True):
    """The figures, where they come from, and every false alarm and miss.

    `wanted` is what the plan asked for; fewer entries are drawn where the index holds too little.
    `attempts` counts, by type, what came of the attempts to corrupt an entry.
    """

    schema: str = SCHEMA
    wanted: Plan
    index_digest: str
    index_records: int
    index_built: str
    policy: str
    valid: Row
    corrupted: Row
    by_kind: tuple[Row, ...]
    by_style: tuple[Row, ...]
    by_type: tuple[Row, ...]
    attempts: dict[str, dict[str, int]]
    false_alarms: tuple[Case, ...]
    missed: tuple[Case, ...]


def noise(
    index: LocalIndex, verifier: Verifier, policy: str, plan: Plan, watch: Watcher
) -> NoiseStudy:
    """Draw, write, read back, check and count."""
    valid = list(watch("Writing valid entries", plan.valid, _valid(index, plan)))
    attempts: dict[str, dict[str, int]] = {}
    corrupting = _corrupted(index, plan, attempts)
    corrupted = list(watch("Corrupting entries", plan.corrupted, corrupting))
    valid, corrupted = (
        list(watch(label, len(cases), _checked(verifier, cases)))
        for label, cases in (("Checking valid", valid), ("Checking corrupted", corrupted))
    )
    about = index.info()
    return NoiseStudy(
        wanted=plan,
        index_digest=about.digest,
        index_records=about.records,
        index_built=about.built,
        policy=policy,
        valid=_row("all valid", valid),
        corrupted=_row("all corrupted", corrupted),
        by_kind=_rows(valid, lambda case: case.kinds or (NONE,)),
        by_style=_rows(valid, lambda case: (case.style,)),
        by_type=_rows(corrupted, lambda case: case.kinds),
        attempts=attempts,
        false_alarms=tuple(case for case in valid if case.status in FLAGGED),
        missed=tuple(case for case in corrupted if case.status == PASSED),
    )


def _valid(index: LocalIndex, plan: Plan) -> Iterator[Case]:
    groups = index.sample(Random(plan.seed))
    for number in range(plan.valid):
        drawn = _drawn(groups, Random(f"{plan.seed} valid {number}"))
        if drawn is None:
            return
        rng, versions = drawn
        entry = entry_of(versions[0], f"v{number}")
        style, noised = write_in_any(entry, Facts(versions, index.venues), rng)
        text = bibtex(noised.entry)
        yield Case(entry.bibtex_key, text, noised.kinds, style, record=versions[0])


def _corrupted(
    index: LocalIndex, plan: Plan, attempts: dict[str, dict[str, int]]
) -> Iterator[Case]:
    """Yield corrupted entries, as many of each type as come out even; counts the attempts.

    Each type draws works of its own, so that none is left with what others could not use; one for
    which there are no works any more is left out.
    """
    pool = IndexPool(index, Random(plan.seed + 1))
    makers = {
        name: _falsified(name, index.sample(Random(f"{plan.seed} {name}")), pool, plan, attempts)
        for name in load_all().names()
    }
    made = dict.fromkeys(makers, 0)
    while sum(made.values()) < plan.corrupted:
        name = min(makers, key=made.__getitem__)
        case = next(makers[name], None)
        if case is None:
            del makers[name]
            if not makers:
                return
            continue
        made[name] += 1
        yield case


def _falsified(
    name: str,
    groups: Iterator[tuple[Version, ...]],
    pool: IndexPool,
    plan: Plan,
    attempts: dict[str, dict[str, int]],
) -> Iterator[Case]:
    """Yield works corrupted in one way; those to which it does not apply are counted."""
    counts = attempts.setdefault(name, {})
    for number in count():
        drawn = _drawn(groups, Random(f"{plan.seed} {name} {number}"))
        if drawn is None:
            return
        rng, versions = drawn
        tried = attempt(load_all().get(name), entry_of(versions[0], f"{name}-{number}"), pool, rng)
        counts[tried.fate] = counts.get(tried.fate, 0) + 1
        if tried.perturbed is not None:
            yield _case(name, versions[0], tried.perturbed.entry)


def _case(name: str, record: Version, entry: Entry) -> Case:
    before = entry_of(record, entry.bibtex_key).fields
    names = dict.fromkeys([*before, *entry.fields])
    changed = {
        one: before.get(one, "") for one in names if before.get(one) != entry.fields.get(one)
    }
    return Case(entry.bibtex_key, bibtex(entry), (name,), fields=changed, record=record)


def _drawn(
    groups: Iterator[tuple[Version, ...]], rng: Random
) -> tuple[Random, tuple[Version, ...]] | None:
    """Return the dice and a record with the other records of its work, or None at the end."""
    for group in groups:
        record = rng.choice(group)
        if is_sound(record):
            people = families(record.authors)
            others = (one for one in group if one != record and families(one.authors) & people)
            return rng, (record, *others)
    return None


def _checked(verifier: Verifier, cases: Sequence[Case]) -> Iterator[Case]:
    """Yield the cases with their verdicts; one that the parser lost is "lost"."""
    if not cases:
        return
    results = verifier.check(parse_text("\n".join(case.bibtex for case in cases)))
    waiting = iter(results)
    result = next(waiting, None)
    for case in cases:
        if result is None or result.key != case.key:
            yield _told(case, "lost", "The parser did not give this entry back.", ())
            continue
        yield _judged(case, result)
        result = next(waiting, None)


def _judged(case: Case, result: Result) -> Case:
    codes = tuple(f"{one.code} {one.severity}" for one in result.verdict.findings)
    return _told(case, result.status, result.verdict.reason, codes)


def _told(case: Case, status: str, reason: str, codes: tuple[str, ...]) -> Case:
    return Case(
        case.key,
        case.bibtex,
        case.kinds,
        case.style,
        case.fields,
        case.record,
        status,
        reason,
        codes,
    )


def _rows(cases: Sequence[Case], names: Callable[[Case], Iterable[str]]) -> tuple[Row, ...]:
    """Return a row for each name that occurs, the largest share of flagged entries first."""
    every = sorted(set(chain.from_iterable(map(names, cases))))
    rows = (_row(name, [case for case in cases if name in names(case)]) for name in every)
    return tuple(sorted(rows, key=lambda row: (-row.flagged / row.checked, row.name)))


def _row(name: str, cases: Sequence[Case]) -> Row:
    flagged = sum(case.status in FLAGGED for case in cases)
    passed = sum(case.status == PASSED for case in cases)
    return Row(name, len(cases), flagged, passed, len(cases) - flagged - passed)
