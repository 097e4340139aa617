"""What does a plan file ask for?

A plan is TOML. With the digest of the index and the code it settles every byte of a release.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePath
from typing import Literal

import msgspec
from msgspec import Struct

from hallmark._files import read_text
from hallmark.bench.build import fields
from hallmark.bench.lines import printable, quoted
from hallmark.bench.perturb.interface import Knobs, Level, load_all
from hallmark.bench.taxonomy import TAXONOMY, Doi, HallucinationType, Tier
from hallmark.bench.validate import ENTRY_TYPES
from hallmark.errors import InputError

SEED = 8042
"""The seed of the paper's splits (appendix A.3)."""
MOST = 100_000
"""Entries that one plan may ask for: forty times the paper's core."""
MOST_SPLITS = 50
NEEDS_DOI = frozenset(kind for kind, info in TAXONOMY.items() if info.doi is Doi.ALWAYS)
"""Types whose fault is in the DOI, or between it and the rest: they always have one."""
NEVER_DOI = frozenset(kind for kind, info in TAXONOMY.items() if info.doi is Doi.NEVER)
"""Types of works that do not exist, with no DOI."""

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}")
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")
_DATE = re.compile(r"(\d{4})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_LARGEST_FILE = 1 << 20
_ROUNDING = 1e-9

Setting = Literal["low", "medium", "high"]


class SplitPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """What one split is to hold.

    Numbers of hallucinated entries are given by type, or by tier (then spread evenly over the
    tier's types), or both ways, which must agree. The labels of a `withheld` split are written
    apart from the release; those of a `sealed` one into it, encrypted. `years`, `kinds` and
    `venues`, `fields` and `kind_shares` stand in the place of the plan's: for a split of late
    years, or of another field. `supersedes` names splits of an earlier release that this one takes
    the place of. `compound` is a number of entries with two faults each, beside those of `types`
    and `tiers`.
    """

    valid: int
    types: dict[HallucinationType, int] = {}
    tiers: tuple[int, int, int] | None = None
    withheld: bool = False
    sealed: bool = False
    years: tuple[int, int] | None = None
    kinds: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    compound: int = 0
    fields: dict[str, float] = {}
    kind_shares: dict[str, float] = {}

    def counts(self) -> dict[HallucinationType, int]:
        """Return the number of entries of each type that is asked for."""
        if self.types or self.tiers is None:
            return {kind: self.types[kind] for kind in HallucinationType if self.types.get(kind)}
        spread = (_evenly(n, tier) for n, tier in zip(self.tiers, Tier, strict=True))
        return {kind: n for part in spread for kind, n in part.items() if n}

    @property
    def hallucinated(self) -> int:
        """The number of hallucinated entries."""
        return sum(self.counts().values()) + self.compound


class TypePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """How entries of one type are made: by these of its strategies alone."""

    strategies: tuple[str, ...]


class SourceNote(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which licence a collection of records is used, and whom to thank for it."""

    licence: str
    attribution: str


class PoolPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of entries made elsewhere, beside the plan; `method` is how, in the entries' words."""

    file: str
    method: str


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A benchmark to be made.

    Args:
        name: of the benchmark, in small letters.
        version: of the release, as "1.0.0".
        date: of the release, as "2026-12-02"; years after it are future dates.
        description: one paragraph for the datasheet.
        licence: the licence of the release, an SPDX identifier.
        seed: of all dice.
        salt: goes into the keys; by default it follows from name, version and seed.
        attested: collections that must agree on a record (title, authors, venue, year).
        years: the first and the last year of the works.
        kinds: BibTeX types of the entries; books, theses and the like are taken from personal
            bibliographies, too, where two of them agree.
        kind_shares: shares of entries of these kinds, in [0, 1]; the rest is of any other kind.
        venues: names of the venues to sample from; all where empty.
        fields: shares of entries of these fields of study (`build.fields`), in [0, 1]; the rest is
            of any other field, or of none that is known.
        without_doi: share of entries without DOI in each split and label, in [0, 1].
        without_year: share of entries from which the year is left out, in [0, 1]; in each split
            and label, as many as have no fault in it.
        without_venue: the same of the venue.
        noise: share of entries written in a citation style, in [0, 1].
        severity: how much a perturbation changes.
        difficulty: how plausible the result is.
        types: how entries of single types are made; all strategies of a type that is not named.
        whole_lists: whether a preprint may be put only at a venue of which the index knows that
            it holds all papers of the year; false for an index that knows of few.
        preprints: a file beside the plan with preprints that the index does not hold.
        pools: files of entries made elsewhere, which take places of their types.
        sources: licence and attribution of the index's collections.
        splits: what each split is to hold.
    """

    name: str
    version: str
    date: str
    splits: dict[str, SplitPlan]
    description: str = ""
    licence: str = "CC0-1.0"
    seed: int = SEED
    salt: str = ""
    attested: int = 2
    years: tuple[int, int]
    kinds: tuple[str, ...] = ("inproceedings", "article")
    kind_shares: dict[str, float] = {}
    venues: tuple[str, ...] = ()
    fields: dict[str, float] = {}
    without_doi: float = 0.3
    without_year: float = 0.0
    without_venue: float = 0.0
    noise: float = 0.5
    severity: Setting = "medium"
    difficulty: Setting = "medium"
    types: dict[HallucinationType, TypePlan] = {}
    whole_lists: bool = True
    preprints: str | None = None
    pools: tuple[PoolPlan, ...] = ()
    sources: dict[str, SourceNote] = {}

    @property
    def knobs(self) -> Knobs:
        """The settings of the perturbations."""
        levels = (Level[self.severity.upper()], Level[self.difficulty.upper()])
        without = frozenset(
            name
            for kind, asked in self.types.items()
            for name in strategies_of(kind)
            if name not in asked.strategies
        )
        return Knobs(*levels, year=int(self.date[:4]), without=without)

    def years_of(self, split: str) -> tuple[int, int]:
        """The first and the last year of the works of a split."""
        return self.splits[split].years or self.years

    def kinds_of(self, split: str) -> tuple[str, ...]:
        """The BibTeX types of the entries of a split."""
        return self.splits[split].kinds or self.kinds

    def venues_of(self, split: str) -> tuple[str, ...]:
        """The names of the venues that a split is sampled from; all where empty."""
        return self.splits[split].venues or self.venues

    def kind_shares_of(self, split: str) -> dict[str, float]:
        """The shares of kinds in a split."""
        return self.splits[split].kind_shares or self.kind_shares

    def fields_of(self, split: str) -> dict[str, float]:
        """The shares of fields of study in a split."""
        return self.splits[split].fields or self.fields

    @property
    def sealed(self) -> bool:
        """Whether the labels of any split are encrypted, so that a key is needed."""
        return any(split.sealed for split in self.splits.values())

    @property
    def salted(self) -> str:
        """What goes into the keys."""
        return self.salt or f"{self.name}/{self.version}/{self.seed}"


def strategies_of(kind: HallucinationType) -> tuple[str, ...]:
    """Return the names of the strategies among which a plan may choose for a type."""
    faults = load_all()
    return faults.get(str(kind)).strategies if str(kind) in faults.names() else ()


def missing(plan: Plan) -> tuple[tuple[frozenset[str], float], ...]:
    """Return the fields that are left out of shares of the entries, with these shares."""
    venue = frozenset({"booktitle", "journal", "howpublished"})
    return (frozenset({"year"}), plan.without_year), (venue, plan.without_venue)


def read_plan(path: Path, *, with_splits: bool = True) -> Plan:
    """Read a plan file.

    Args:
        path: the file.
        with_splits: whether it must say what its splits are to hold.

    Raises:
        InputError: it cannot be read, is no TOML, or asks for what cannot be; all faults at once.
    """
    where = printable(path, 300)
    try:
        table = tomllib.loads(read_text(path, limit=_LARGEST_FILE))
        plan = msgspec.convert(table if with_splits else {"splits": {}, **table}, Plan)
    except OSError as error:
        raise InputError(f"The plan {where} cannot be read: {error.strerror}.") from None
    except msgspec.ValidationError as error:
        message = printable(error, 200)
        raise InputError(f"The plan {where} does not fit: {message}. See benchmarks/plans/.") from (
            None
        )
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits are plain value errors.
        raise InputError(f"The plan {where} is no TOML: {printable(error)}.") from None
    problems = list(problems_of(plan, with_splits=with_splits))
    if problems:
        raise InputError("\n  ".join([f"The plan {where} cannot be built:", *problems]))
    return plan


def problems_of(plan: Plan, *, with_splits: bool = True) -> Iterator[str]:
    """Yield what a plan asks for that cannot be; `with_splits` as in `read_plan`."""
    if not _NAME.fullmatch(plan.name):
        yield f"`name` is {quoted(plan.name)}; use small letters, digits, - and _"
    if not _VERSION.fullmatch(plan.version):
        yield f"`version` is {quoted(plan.version)}; write it as 1.0.0"
    if not _DATE.fullmatch(plan.date):
        yield f"`date` is {quoted(plan.date)}; write it as 2026-12-02"
    else:
        yield from _of_years(plan.years, plan)
    if plan.attested < 1:
        yield f"`attested` is {plan.attested}; a record needs one collection at least"
    for name in ("without_doi", "without_year", "without_venue", "noise"):
        share = getattr(plan, name)
        if not 0 <= share <= 1:
            yield f"`{name}` is {share}; a share lies between 0 and 1"
    yield from _of_kinds(plan.kinds)
    yield from _of_types(plan)
    if len({pool.file for pool in plan.pools}) < len(plan.pools):
        yield "`pools` names a file twice"
    for file in (plan.preprints, *(pool.file for pool in plan.pools)):
        if file is not None and not _is_beside(file):
            yield f"the file {quoted(file, 200)} must lie in the folder of the plan or below"
    if with_splits or plan.splits:
        yield from _of_splits(plan)


def _of_years(years: tuple[int, int], plan: Plan) -> Iterator[str]:
    if not 1500 <= years[0] <= years[1] <= int(plan.date[:4]):  # noqa: PLR2004
        yield f"`years` is {list(years)}; give the first and last, up to the plan's date"


def _of_kinds(kinds: Iterable[str]) -> Iterator[str]:
    for kind in kinds:
        if kind not in ENTRY_TYPES:
            yield f"`kinds` holds {quoted(kind)}, which is no BibTeX entry type"


def _of_types(plan: Plan) -> Iterator[str]:
    for kind, asked in plan.types.items():
        known = strategies_of(kind)
        for name in asked.strategies:
            if name not in known:
                choice = f"it can name {', '.join(known)}" if known else "the type has none"
                yield f"`types.{kind}` names the strategy {printable(name)!r}; {choice}"
        if known and not asked.strategies:
            yield f"`types.{kind}` leaves no strategy; name some of {', '.join(known)}"
        if not known and not asked.strategies:
            yield f"`types.{kind}` is empty, and the type has no strategies to choose from"


def _is_beside(file: str) -> bool:
    """Whether a path stays within its folder."""
    path = PurePath(file)
    return bool(path.name) and not path.is_absolute() and ".." not in path.parts


def _of_splits(plan: Plan) -> Iterator[str]:
    if not plan.splits:
        yield "there is no split; write [splits.dev] with `valid` and `tiers` or `types`"
    if len(plan.splits) > MOST_SPLITS:
        yield f"there are {len(plan.splits):,} splits; {MOST_SPLITS} is the most"
        return
    total = sum(split.valid + split.hallucinated for split in plan.splits.values())
    if total > MOST:
        yield f"{total:,} entries are asked for; {MOST:,} is the most"
    for name, split in plan.splits.items():
        yield from (f"split {quoted(name)}: {text}" for text in _of_split(name, split, plan))


def _of_split(name: str, split: SplitPlan, plan: Plan) -> Iterator[str]:
    if not _NAME.fullmatch(name) or name.endswith("_blind"):
        yield "its name must be small letters, digits, - and _, and not end in _blind"
    if min(split.valid, *split.types.values(), *(split.tiers or ()), split.compound) < 0:
        yield "a number of entries is negative"
    if split.valid + split.hallucinated == 0:
        yield "it holds nothing"
    if split.types and split.tiers is not None and split.tiers != _by_tier(split):
        yield f"`tiers` says {list(split.tiers)}, but `types` adds up to {list(_by_tier(split))}"
    if split.sealed and split.withheld:
        yield "its labels are either `sealed` or `withheld`"
    if split.years is not None and _DATE.fullmatch(plan.date):
        yield from _of_years(split.years, plan)
    yield from _of_kinds(split.kinds)
    yield from _of_shares("kind_shares", plan.kind_shares_of(name), plan.kinds_of(name))
    yield from _of_shares("fields", plan.fields_of(name), fields.names())
    yield from _of_dois(split, plan.without_doi)


def _of_shares(key: str, shares: dict[str, float], known: Collection[str]) -> Iterator[str]:
    for name, share in shares.items():
        if name not in known:
            choice = ", ".join(known)
            yield f"`{key}` names {quoted(name)}; it can name {printable(choice, 400)}"
        if not 0 <= share <= 1:
            yield f"`{key}` gives {quoted(name)} a share of {share}; it lies between 0 and 1"
    if sum(shares.values()) > 1 + _ROUNDING:
        yield f"the shares in `{key}` add up to more than 1"


def _of_dois(split: SplitPlan, without: float) -> Iterator[str]:
    if not 0 <= without <= 1:
        return
    bare = round(without * split.hallucinated)
    bearing = split.hallucinated - bare
    needing, never = (
        sum(n for kind, n in split.counts().items() if kind in kinds)
        for kinds in (NEEDS_DOI, NEVER_DOI)
    )
    if needing > bearing:
        yield (
            f"{needing} entries need a DOI (fabricated_doi, hybrid_fabrication), but `without_doi` "
            f"leaves {bearing} of {split.hallucinated} hallucinated ones with one"
        )
    if never > bare:
        yield (
            f"{never} entries never have a DOI (plausible_fabrication), but `without_doi` allows "
            f"{bare} of {split.hallucinated} hallucinated ones to have none"
        )


def _by_tier(split: SplitPlan) -> tuple[int, ...]:
    found = Counter[int]()
    for kind, n in split.types.items():
        found[TAXONOMY[kind].tier] += n
    return tuple(found[tier] for tier in Tier)


def _evenly(count: int, tier: Tier) -> dict[HallucinationType, int]:
    kinds = [kind for kind, info in TAXONOMY.items() if info.tier is tier]
    each, more = divmod(count, len(kinds))
    return {kind: each + (n < more) for n, kind in enumerate(kinds)}
