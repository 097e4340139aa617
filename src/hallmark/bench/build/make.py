"""Which entries are made for a plan, of which works, and what came of all attempts?"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Literal

from msgspec import Struct, structs

from hallmark.bench.build import fields
from hallmark.bench.build.dress import dressed, without
from hallmark.bench.build.plan import NEEDS_DOI, NEVER_DOI, Plan, missing
from hallmark.bench.build.pools import Pooled, changed_of, drawn_of, prepared, unfit
from hallmark.bench.build.quotas import Quotas
from hallmark.bench.build.sample import Drawn, Rules, fits
from hallmark.bench.build.split import Works
from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.compound import compound, types_of
from hallmark.bench.perturb.drafts import entry_of, entry_type
from hallmark.bench.perturb.interface import Perturbed, Pool, load_all
from hallmark.bench.perturb.screening import Attempt, Fate, attempt, screen, true_record
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.errors import InputError
from hallmark.records.work import Version
from hallmark.text import titles

OF_PREPRINTS = tuple(kind for kind, info in TAXONOMY.items() if info.preprint)
"""Types that only works with a preprint can be made into: tried before all others."""
OF_PREPRINT = HallucinationType.PREPRINT_AS_PUBLISHED
"""The type that a work of a preprint server alone is made into."""
BARE = (*OF_PREPRINTS, *sorted(NEVER_DOI))
"""Types whose entries often or always lack a DOI, so that places without one are kept for them."""
TRIES = 4
"""Types that a work is tried for before the next one is drawn."""

SCHEMA = "hallmark-entry/1"
"""The version of the rows' form."""

COMPOUND: Literal["compound"] = "compound"
"""In place of a type: an entry with two faults."""
PAIRS = 6
"""Pairs of faults that a work is tried for."""

Slot = tuple[str, HallucinationType | Literal["compound"] | None]
"""A place to fill: the split and the type, None for a valid entry."""


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
    """

    def __init__(
        self,
        plan: Plan,
        pool: Pool,
        rng: Random,
        rules: Mapping[str, Rules],
        works: Works | None = None,
    ) -> None:
        self._plan, self._pool, self._rng, self._rules = plan, pool, rng, rules
        self._faults = load_all()
        self._works = works or Works()
        self._open = Counter[Slot]()
        self._bare = Counter[tuple[str, bool]]()
        self._entries: dict[str, list[Entry]] = {name: [] for name in plan.splits}
        self._attempts: dict[str, Counter[str]] = {}
        self._kinds: dict[str, Quotas] = {}
        self._fields: dict[str, Quotas] = {}
        for name, split in plan.splits.items():
            self._open.update({(name, kind): n for kind, n in split.counts().items()})
            self._open[name, None] += split.valid
            self._open[name, COMPOUND] += split.compound
            counts = (split.valid, split.hallucinated)
            self._kinds[name] = Quotas(plan.kind_shares_of(name), *counts)
            self._fields[name] = Quotas(plan.fields_of(name), *counts)
            self._bare[name, True] = round(plan.without_doi * split.valid)
            self._bare[name, False] = round(plan.without_doi * split.hallucinated)

    def make(self, works: Iterable[Drawn], pooled: Iterable[Pooled] = ()) -> Made:
        """Fill all places, those that entries of pools fit into with these.

        Raises:
            InputError: there are too few works for the plan; the message says of which type.
        """
        pools: dict[str, Counter[str]] = {}
        for one in pooled:
            pools.setdefault(one.file, Counter())[self._admit(one)] += 1
        for drawn in works:
            if not self._works.is_spent(drawn.key):
                self._use(drawn)
            if not +self._open:
                return Made(self._entries, _in_order(self._attempts), _in_order(pools))
        raise InputError(self._too_few())

    def _admit(self, pooled: Pooled) -> str:
        """Give an entry of a pool a place of its type; return what became of it."""
        rng = Random(f"{self._plan.salted}/pool/{pooled.entry.bibtex_key}")
        entry, drawn = prepared(pooled.entry, self._pool, rng), drawn_of(pooled)
        kind, reason = entry.hallucination_type, unfit(entry, self._pool)
        if reason:
            return reason
        reason = "no place of its type is left"
        left = [split for (split, one), n in self._open.items() if one is kind and n > 0]
        for split in rng.sample(left, len(left)):
            reason = self._out_of_plan(entry, split)
            if not reason and not self._fits(entry, split, drawn, pooled.works):
                reason = "enough of its kind or field, or without DOI, or a work taken"
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

    def _take(self, slot: Slot, entry: Entry, drawn: Drawn) -> None:
        split, valid = slot[0], entry.label is Label.VALID
        own = {drawn.key, titles.key(entry.fields.get("title", ""))}
        self._works.claim(split, own, entry.extra["works"])
        self._entries[split].append(entry)
        self._open[slot] -= 1
        self._kinds[split].take(entry.bibtex_type, valid=valid)
        self._fields[split].take(entry.extra["field"], valid=valid)
        if "doi" not in entry.fields:
            self._bare[split, valid] -= 1

    def _slots(self, record: Version) -> Iterator[Slot]:
        """Yield open places in the order in which they are tried, at random by what is open."""
        fit = {split for split, rules in self._rules.items() if fits(record, rules)}
        left = {
            slot: n
            for slot, n in self._open.items()
            if n > 0 and slot[0] in fit and self._has_room(record, slot)
        }
        if record.preprint:
            left = {slot: n for slot, n in left.items() if slot[1] is OF_PREPRINT}
        first = [slot for slot in left if slot[1] in OF_PREPRINTS]
        if any(one.preprint for one in self._pool.titled(record.title)):
            yield from first
        rest = {slot: n for slot, n in left.items() if slot not in first}
        for _ in range(min(TRIES, len(rest))):
            (slot,) = self._rng.choices(list(rest), list(rest.values()))
            del rest[slot]
            yield slot

    def _has_room(self, record: Version, slot: Slot) -> bool:
        """Whether the shares allow an entry of this work's kind and field, as it stands.

        A preprint takes over kind and field of the venue that it is put at.
        """
        split, valid = slot[0], slot[1] is None
        if record.preprint:
            return True
        kind, field = entry_type(record), fields.of_record(record)
        return self._kinds[split].admits(kind, valid=valid) and self._fields[split].admits(
            field, valid=valid
        )

    def _valid(self, drawn: Drawn, split: str) -> Entry | None:
        entry = entry_of(drawn.record, "")
        if not self._fits(entry, split, drawn, ()):
            return None
        return self._finished(entry, drawn, (), ())

    def _false(
        self, drawn: Drawn, split: str, kind: HallucinationType | Literal["compound"]
    ) -> Entry | None:
        entry = entry_of(drawn.record, "")
        if kind == COMPOUND:
            tried = self._compounded(entry)
        else:
            fault = self._faults.get(str(kind))
            tried = attempt(fault, entry, self._pool, self._rng, self._plan.knobs)
        fate, found = self._judged(tried, drawn, split)
        self._attempts.setdefault(str(kind), Counter())[fate] += 1
        return found

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

    def _judged(self, tried: Attempt, drawn: Drawn, split: str) -> tuple[str, Entry | None]:
        made = tried.perturbed
        if made is None:
            return f"{tried.fate}: {tried.reason}", None
        reason = self._out_of_plan(made.entry, split)
        if reason:
            return f"out of plan: {reason}", None
        if not self._fits(made.entry, split, drawn, made.source_keys):
            return "passed over: enough of its kind or field, or without DOI, or a work taken", None
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

    def _fits(self, entry: Entry, split: str, drawn: Drawn, parts: Iterable[str]) -> bool:
        own = {drawn.key, titles.key(entry.fields.get("title", ""))}
        valid = entry.label is Label.VALID
        if not self._kinds[split].admits(entry.bibtex_type, valid=valid):
            return False
        if not self._fields[split].admits(self._field(entry, drawn), valid=valid):
            return False
        if "doi" not in entry.fields and self._bare_left(entry, split) <= 0:
            return False
        return self._works.admits(split, own, parts)

    def _field(self, entry: Entry, drawn: Drawn) -> str:
        """Return the field of the venue that an entry names, else that of its work."""
        return fields.of_entry(entry, self._pool.venues) or fields.of_record(drawn.record)

    def _bare_left(self, entry: Entry, split: str) -> int:
        """Return how many more entries may lack a DOI; types that always do come first."""
        valid, kind = entry.label is Label.VALID, entry.hallucination_type
        kept = () if valid or kind in BARE else BARE
        return self._bare[split, valid] - sum(self._open[split, one] for one in kept)

    def _finished(
        self, entry: Entry, drawn: Drawn, changed: tuple[str, ...], parts: Iterable[str]
    ) -> Entry:
        rng = Random(f"{self._plan.salted}/{drawn.key}")
        noised = dressed(entry, changed, self._pool.venues, rng, self._plan.noise)
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

    def _too_few(self) -> str:
        lacking = "\n".join(
            f"  split {split!r}: {n} more {kind or 'valid entries'}{self._why(kind)}"
            for (split, kind), n in self._open.items()
            if n > 0
        )
        shares = "".join(
            f"\n  split {split!r}: {left}"
            for quotas in (self._fields, self._kinds)
            for split, one in quotas.items()
            if (left := one.lacking())
        )
        return (
            "The index holds too few works for this plan. All were tried; it lacks\n"
            f"{lacking}{shares}\n"
            "Ask for fewer, widen `years`, `venues`, `without_doi` or the shares, or give a larger "
            "index."
        )

    def _why(self, kind: HallucinationType | Literal["compound"] | None) -> str:
        failed = Counter(self._attempts.get(str(kind), {}))
        failed.pop(str(Fate.MADE), None)
        (reason, n), *_ = failed.most_common(1) or [("", 0)]
        return f" (mostly {reason}, {n:,} times)" if reason else ""


def _in_order(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {name: dict(sorted(n.items())) for name, n in sorted(counts.items())}
