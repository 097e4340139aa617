"""How many works of which kind and field may a plan draw from an index, and which are they?

Sampling at random finds what an index is full of. What is rare in it, or not there at all, is found
only by reading everything; so a plan that asks for shares has all records counted first, each by
its own words. Whether a work's records agree is seen when it is drawn.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct

from hallmark.bench.build import fields
from hallmark.bench.build.plan import Plan
from hallmark.bench.build.room import Place
from hallmark.bench.build.sample import ARTICLES, Drawn, Refused, Rules, admit, fits, needed, widest
from hallmark.bench.perturb.drafts import entry_type
from hallmark.index.schema import title_mark
from hallmark.records.work import Version

PASSES = 20
"""Times that a work is drawn at the most: the fault that it is tried for differs each time."""

RARE = 100
"""Works of a kind and field up to which each one's records are read before it counts."""


class Stock(Protocol):
    """Records that can be read all, and by title; a local index is one."""

    def every(self) -> Iterable[Version]:
        """Return all records, in any order."""
        ...

    def group(self, mark: int) -> Sequence[Version]:
        """Return the records whose title has this mark, in a stable order."""
        ...


class Watched:
    """Records of which each one is seen as it is read, for a bar.

    Args:
        stock: the records.
        over: passes all of them on.
    """

    def __init__(
        self, stock: Stock, over: Callable[[Iterable[Version]], Iterable[Version]]
    ) -> None:
        self._stock = stock
        self._over = over

    def every(self) -> Iterable[Version]:
        """Return all records, in any order."""
        return self._over(self._stock.every())

    def group(self, mark: int) -> Sequence[Version]:
        """Return the records whose title has this mark, in a stable order."""
        return self._stock.group(mark)


class Candidate(Struct, frozen=True):
    """A title that may be drawn: its mark, and what its record seems to be.

    `splits` are those whose rules the record fits.
    """

    mark: int
    kind: str
    field: str
    doi: bool
    preprint: bool
    splits: tuple[str, ...]

    def place(self, *, valid: bool = True) -> Place:
        """Return what counts of it for shares, as an entry of a label."""
        return Place(valid, self.kind, self.field, self.doi)


class Census(Struct, frozen=True):
    """The titles that a plan may draw, in the order of their marks, and where they are read."""

    candidates: tuple[Candidate, ...]
    stock: Stock

    def held(self) -> Counter[tuple[tuple[str, ...], Place]]:
        """Count the published works by the splits that they fit and the place of a valid entry."""
        return Counter((one.splits, one.place()) for one in self.candidates if not one.preprint)


def is_due(plan: Plan) -> bool:
    """Whether a plan asks for what may be rare, so that the records are to be counted first."""
    return any(
        plan.kind_shares_of(name)
        or plan.fields_of(name)
        or plan.venues_of(name)
        or not ARTICLES.issuperset(plan.kinds_of(name))
        for name in plan.splits
    )


def take_census(stock: Stock, rules: Mapping[str, Rules]) -> Census:
    """Count the works that a plan may draw.

    None is missed that a draw would admit; of kinds and fields that are not rare, a few are counted
    whose records do not agree.

    Args:
        stock: the records.
        rules: what the records of each split must be like.
    """
    counting = _Counting(rules)
    for version in stock.every():
        counting.see(version)
    return Census(tuple(_looked_at(counting.candidates(), stock, widest(rules.values()))), stock)


def _looked_at(candidates: Sequence[Candidate], stock: Stock, rules: Rules) -> Iterator[Candidate]:
    """Yield the candidates, without those of rare kinds and fields that a draw would refuse."""
    frequent = Counter(one.place() for one in candidates)
    for one in candidates:
        if frequent[one.place()] > RARE or isinstance(admit(stock.group(one.mark), rules), Drawn):
            yield one


Listing = tuple[int, str, int]
"""The mark of a title, a venue and a year."""


class _Counting:
    """Which collections hold which title where, and what may be drawn of them."""

    def __init__(self, rules: Mapping[str, Rules]) -> None:
        self._rules: dict[Rules, tuple[str, ...]] = {}
        for name, one in rules.items():
            self._rules[one] = (*self._rules.get(one, ()), name)
        self._first = min(one.years[0] for one in rules.values())
        self._last = max(one.years[1] for one in rules.values())
        self._bits: dict[str, int] = {}
        self._holders: dict[Listing, int] = defaultdict(int)
        self._found: dict[Listing, Candidate] = {}
        self._needed: dict[Listing, int] = {}

    def see(self, version: Version) -> None:
        """Count a record, as a witness and as what may be drawn."""
        years = [year for year in version.all_years if self._first <= year <= self._last]
        if not years:
            return
        mark, venue = title_mark(version.title), version.venue_id or ""
        bit = 1 << self._bits.setdefault(version.collection, len(self._bits))
        for year in years:
            self._holders[mark, venue, year] |= bit
        cited = version.year
        if cited is not None:
            met = [one for one in self._rules if _is_of(cited, one) and fits(version, one)]
            if met:
                self._file((mark, venue, cited), version, met)

    def _file(self, listing: Listing, version: Version, met: Sequence[Rules]) -> None:
        asked = min(needed(version, rules) for rules in met)
        self._needed[listing] = min(asked, self._needed.get(listing, asked))
        known = self._found.get(listing)
        if known is None or (version.doi and not known.doi):
            splits = tuple(name for rules in met for name in self._rules[rules])
            kind, field, doi = entry_type(version), fields.of_record(version), bool(version.doi)
            self._found[listing] = Candidate(listing[0], kind, field, doi, version.preprint, splits)

    def candidates(self) -> tuple[Candidate, ...]:
        """Return one candidate for each title that enough collections may hold."""
        best: dict[int, tuple[bool, int, Candidate]] = {}
        for listing, one in sorted(self._found.items(), key=lambda pair: pair[0]):
            holders = self._holders[listing].bit_count()
            ranked = (not one.preprint, holders, one)
            if holders >= self._needed[listing] and (
                one.mark not in best or ranked[:2] > best[one.mark][:2]
            ):
                best[one.mark] = ranked
        return tuple(one for _, _, one in best.values())


def _is_of(year: int, rules: Rules) -> bool:
    """Whether a year is within the rules; asked first, as it is quickly told."""
    return rules.years[0] <= year <= rules.years[1]


class Taker(Protocol):
    """Who takes what is drawn."""

    def wants(self, candidate: Candidate) -> bool:
        """Whether a work such as this may still be of use."""
        ...

    def has(self, drawn: Drawn) -> bool:
        """Whether the work was taken, now or before."""
        ...

    def forget(self, candidate: Candidate) -> None:
        """Note that this work turned out to be of no use."""
        ...


def directed(
    census: Census, rules: Rules, taker: Taker, rng: Random, refused: Counter[str]
) -> Iterator[Drawn]:
    """Yield works that the taker wants, at random; what it did not take comes again, a few times.

    Args:
        census: what may be drawn.
        rules: what a record must be like.
        taker: who takes the works that are yielded.
        rng: the dice.
        refused: takes the counts of works that cannot be used, by reason.
    """
    left = list(census.candidates)
    for _ in range(PASSES):
        rng.shuffle(left)
        kept: list[Candidate] = []
        tried = 0
        for candidate in left:
            if not taker.wants(candidate):
                kept.append(candidate)
                continue
            tried += 1
            match admit(census.stock.group(candidate.mark), rules):
                case Drawn() as drawn:
                    yield drawn
                    if not taker.has(drawn):
                        kept.append(candidate)
                case Refused(reason):
                    refused[reason] += 1
                    taker.forget(candidate)
        if not tried:
            return
        left = kept
