"""Which entries are made for a plan, of which works, and what came of all attempts?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from msgspec import Struct, structs

from hallmark.bench.build import fields
from hallmark.bench.build.census import Candidate, Census
from hallmark.bench.build.dress import dressed, without
from hallmark.bench.build.openings import (
    COMPOUND,
    OF_PREPRINT,
    OF_PREPRINTS,
    Fault,
    Openings,
    Slot,
    place_of_work,
)
from hallmark.bench.build.plan import NEEDS_DOI, Plan, missing
from hallmark.bench.build.pools import Pooled, changed_of, drawn_of, prepared, unfit
from hallmark.bench.build.room import place_of
from hallmark.bench.build.sample import Drawn, Rules, fits
from hallmark.bench.build.split import Works
from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Noised
from hallmark.bench.perturb.compound import compound, types_of
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.perturb.interface import Perturbed, Pool, load_all
from hallmark.bench.perturb.screening import Attempt, Fate, attempt, screen, true_record
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.records.work import Version
from hallmark.text import titles

TRIES = 4
"""Types that a work is tried for before the next one is drawn."""

SCHEMA = "hallmark-entry/1"
"""The version of the rows' form."""

PAIRS = 6
"""Pairs of faults that a work is tried for."""

THROWS = 6
"""Times that a type which changes the venue is tried for one work, where the works were counted."""
IDLE = 20_000
"""Works that are tried in a row without use before a plan is given up.

What one work in 2,000 could have been made into is missed with a chance of 1 in 20,000."""
NO_ROOM = "passed over: enough of its kind or field"
TAKEN = "passed over: enough without a DOI, or a work taken"


class Made(Struct, frozen=True):
    """The entries of each split, and by type, or by pool, how many attempts ended how."""

    splits: dict[str, list[Entry]]
    attempts: dict[str, dict[str, int]]
    pools: dict[str, dict[str, int]] = {}


class Maker:
    """Fills the places of a plan with entries, one drawn work after the other.

    Args:
        plan: the plan.
        pool: the works that parts are taken from and truth is looked up in.
        rng: the dice.
        rules: what the records of each split must be like.
        works: the works that are used already, for additions to an earlier release.
        census: the works that may come, where they were counted.
    """

    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        rng: Random,
        rules: Mapping[str, Rules],
        works: Works | None = None,
        census: Census | None = None,
    ) -> None:
        self._plan, self._pool, self._rng, self._rules = plan, pool, rng, rules
        self._faults = load_all()
        self._works = works or Works()
        self._openings = Openings(plan, census)
        self._idle = 0
        self._entries: dict[str, list[Entry]] = {name: [] for name in plan.splits}
        self._attempts: dict[str, Counter[str]] = {}

    def make(self, works: Iterable[Drawn], pooled: Iterable[Pooled] = ()) -> Made:
        """Fill all places, those that entries of pools fit into with these.

        Raises:
            InputError: there are too few works for the plan; the message says of which type.
        """
        pools: dict[str, Counter[str]] = {}
        for one in pooled:
            pools.setdefault(one.file, Counter())[self._admit(one)] += 1
        for drawn in works:
            if not self.has(drawn):
                self._use(drawn)
            if not self._openings.left():
                return Made(self._entries, _in_order(self._attempts), _in_order(pools))
            if self._idle >= IDLE:
                break
        raise InputError(self._too_few())

    def wants(self, candidate: Candidate) -> bool:
        """Whether a work such as this may still be of use."""
        return self._openings.wants(candidate)

    def has(self, drawn: Drawn) -> bool:
        """Whether a work was used already."""
        return self._works.is_spent(drawn.key)

    def forget(self, candidate: Candidate) -> None:
        """Note that a work cannot be drawn any more."""
        self._openings.forget(candidate)

    def unmet(self) -> list[str]:
        """Say which shares the works counted cannot meet, before any is drawn."""
        return self._openings.unmet()

    def _admit(self, pooled: Pooled) -> str:
        """Give an entry of a pool a place of its type; return what became of it."""
        rng = Random(f"{self._plan.salted}/pool/{pooled.entry.bibtex_key}")
        entry, drawn = prepared(pooled.entry, self._pool, rng), drawn_of(pooled)
        kind, reason = entry.hallucination_type, unfit(entry, self._pool)
        if reason:
            return reason
        reason = "no place of its type is left"
        left = [split for split, one in self._openings.left() if one is kind]
        for split in rng.sample(left, len(left)):
            reason = self._out_of_plan(entry, split)
            reason = reason or self._misfit(entry, (split, kind), drawn, pooled.works)
            if not reason:
                found = self._finished(entry, drawn, tuple(changed_of(entry)), pooled.works)
                if kind and true_record(found, self._pool):
                    return str(Fate.TRUE)
                self._take((split, kind), found, drawn)
                return str(Fate.MADE)
        return reason

    def _use(self, drawn: Drawn) -> None:
        for slot in self._slots(drawn.record):
            split, kind = slot
            found = self._valid(drawn, split) if kind is None else self._false(drawn, split, kind)
            if found is not None:
                self._take(slot, found, drawn)
                return
        self._idle += 1

    def _take(self, slot: Slot, entry: Entry, drawn: Drawn) -> None:
        own = {drawn.key, titles.key(entry.fields.get("title", ""))}
        self._works.claim(slot[0], own, entry.extra["works"])
        self._entries[slot[0]].append(entry)
        self._openings.take(slot, entry, drawn.record)
        self._idle = 0

    def _slots(self, record: Version) -> Iterator[Slot]:
        """Yield open places in the order in which they are tried, at random by what is open."""
        left = self._roomy(record)
        if record.preprint:
            left = {slot: n for slot, n in left.items() if slot[1] is OF_PREPRINT}
        first = [slot for slot in left if slot[1] in OF_PREPRINTS]
        if any(one.preprint for one in self._pool.titled(record.title)):
            yield from (slot for slot in first if record.preprint or slot[1] is not OF_PREPRINT)
        yield from self._some({slot: n for slot, n in left.items() if slot not in first})

    def _some(self, left: Mapping[Slot, int]) -> Iterator[Slot]:
        """Yield a few places at random, by how many of each are open."""
        rest = dict(left)
        for _ in range(min(TRIES, len(rest))):
            (slot,) = self._rng.choices(list(rest), list(rest.values()))
            del rest[slot]
            yield slot

    def _roomy(self, record: Version) -> dict[Slot, int]:
        """Return the open places that a work fits, with their numbers."""
        fit = {split for split, rules in self._rules.items() if fits(record, rules)}
        return {
            slot: n
            for slot, n in self._openings.due().items()
            if slot[0] in fit and self._has_room(record, slot)
        }

    def _has_room(self, record: Version, slot: Slot) -> bool:
        """Whether the shares allow an entry of this work's kind and field, as it stands.

        A preprint takes over kind and field of the venue that it is put at.
        """
        place = place_of_work(record, valid=slot[1] is None)
        return record.preprint or self._openings.suits(slot, place)

    def _valid(self, drawn: Drawn, split: str) -> Entry | None:
        entry = entry_of(drawn.record, "")
        if self._misfit(entry, (split, None), drawn, ()):
            return None
        return self._finished(entry, drawn, (), ())

    def _false(self, drawn: Drawn, split: str, kind: Fault) -> Entry | None:
        moves = self._openings.counted and self._openings.is_moving(kind)
        counts = self._attempts.setdefault(str(kind), Counter())
        for _ in range(THROWS if moves else 1):
            fate, found = self._judged(self._tried(drawn, kind), drawn, (split, kind))
            counts[fate] += 1
            if found is not None or fate != NO_ROOM:
                return found
        return None

    def _tried(self, drawn: Drawn, kind: Fault) -> Attempt:
        entry = entry_of(drawn.record, "")
        if kind == COMPOUND:
            return self._compounded(entry)
        fault = self._faults.get(str(kind))
        return attempt(fault, entry, self._pool, self._rng, self._plan.knobs)

    def _compounded(self, entry: Entry) -> Attempt:
        """Apply two faults drawn at random; a few pairs are tried."""
        names = self._faults.names()
        for _ in range(PAIRS):
            first, second = (self._faults.get(name) for name in self._rng.sample(names, 2))
            made = compound(first, second, entry, self._pool, self._rng, self._plan.knobs)
            tried = screen(entry, made, self._pool)
            if tried.perturbed is not None:
                return tried
        return tried

    def _judged(self, tried: Attempt, drawn: Drawn, slot: Slot) -> tuple[str, Entry | None]:
        made = tried.perturbed
        if made is None:
            return f"{tried.fate}: {tried.reason}", None
        reason = self._out_of_plan(made.entry, slot[0])
        if reason:
            return f"out of plan: {reason}", None
        reason = self._misfit(made.entry, slot, drawn, made.source_keys)
        if reason:
            return reason, None
        found = self._finished(made.entry, drawn, made.changed_fields, made.source_keys)
        if self._is_true(made, found):
            return f"{Fate.TRUE}: in its style, or without its DOI", None
        return str(Fate.MADE), found

    def _out_of_plan(self, entry: Entry, split: str) -> str:
        """Say what of a false entry would give it away among the split's valid ones."""
        first, last = self._plan.years_of(split)
        year = entry.fields.get("year", "")
        future = entry.hallucination_type is HallucinationType.FUTURE_DATE
        if not future and not (year.isdecimal() and first <= int(year) <= last):
            return "its year"
        return "" if entry.bibtex_type in self._plan.kinds_of(split) else "its entry type"

    def _is_true(self, made: Perturbed, found: Entry) -> bool:
        """Whether a record says the same once the entry is dressed, or what may go is dropped."""
        bare = made.entry
        if not types_of(bare) & NEEDS_DOI:
            bare = without(bare, "doi")
        for names, share in missing(self._plan):
            if share and not names & set(made.changed_fields):
                for name in names:
                    bare = without(bare, name)
        return any(true_record(one, self._pool) is not None for one in (bare, found))

    def _misfit(self, entry: Entry, slot: Slot, drawn: Drawn, parts: Iterable[str]) -> str:
        """Say why there is no room for an entry, "" where there is."""
        own = {drawn.key, titles.key(entry.fields.get("title", ""))}
        if not self._openings.admits(slot, place_of(entry, self._field(entry, drawn))):
            return NO_ROOM
        if "doi" not in entry.fields and not self._openings.may_be_bare(slot):
            return TAKEN
        return "" if self._works.admits(slot[0], own, parts) else TAKEN

    def _field(self, entry: Entry, drawn: Drawn) -> str:
        """Return the field of the venue that an entry names, else that of its work."""
        return fields.of_entry(entry, self._pool.venues) or fields.of_record(drawn.record)

    def _finished(
        self, entry: Entry, drawn: Drawn, changed: tuple[str, ...], parts: Iterable[str]
    ) -> Entry:
        noised = self._dressed(entry, drawn, changed)
        record = drawn.record
        return structs.replace(
            noised.entry,
            added_to_benchmark=self._plan.date,
            schema_version=SCHEMA,
            extra={
                **entry.extra,
                "works": sorted({drawn.key, *parts}),
                "changed_fields": list(changed),
                "noise": list(noised.kinds),
                "attested_by": list(drawn.attested_by),
                "field": self._field(entry, drawn),
                "added_in": self._plan.version,
                "record": f"{record.collection}: {record.origin}".removesuffix(": "),
            },
        )

    def _dressed(self, entry: Entry, drawn: Drawn, changed: tuple[str, ...]) -> Noised:
        """Write an entry in a style; plainly, where shares of kinds count and it changes the kind.

        A style may cite a paper of a meeting as an article.
        """
        seed, share = f"{self._plan.salted}/{drawn.key}", self._plan.noise
        noised = dressed(entry, changed, self._pool.venues, Random(seed), share)
        if self._openings.counted and noised.entry.bibtex_type != entry.bibtex_type:
            return dressed(entry, changed, self._pool.venues, Random(seed), 0.0)
        return noised

    def _too_few(self) -> str:
        tried = "All were tried"
        if self._idle >= IDLE:
            tried = f"None of the last {IDLE:,} works that were tried could be used"
        return (
            f"The index holds too few works for this plan. {tried}; it lacks\n"
            f"{self._openings.lacking(self._attempts)}\n"
            "Ask for fewer, widen `years`, `venues`, `without_doi` or the shares, or give a larger "
            "index."
        )


def _in_order(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {name: dict(sorted(n.items())) for name, n in sorted(counts.items())}
