"""What is a perturbation?

A perturbation makes one real entry false in one known way. It is a pure function: the same entry,
pool, state of the dice and knobs give the same outcome. A new one is a file in `faults/` that adds
itself to `PERTURBATIONS`, and a row of its type in `bench.taxonomy`.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from enum import IntEnum
from random import Random
from typing import Protocol, TypeAlias

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.bench.entry import Entry
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable

BENCHMARK_YEAR = 2026
"""The year from which future dates count, unless another is set: that of the taxonomy."""


class Level(IntEnum):
    """A setting of a knob; MEDIUM is the rule of the paper's appendix A.3."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Knobs(Struct, frozen=True):
    """How an entry is to be made false.

    `severity` is how much is changed; `difficulty` how plausible that is, and so how hard to
    notice. `year` is the current year, from which future dates count. `without` names strategies
    that are not to be used, each of a perturbation that has several.
    """

    severity: Level = Level.MEDIUM
    difficulty: Level = Level.MEDIUM
    year: int = BENCHMARK_YEAR
    without: frozenset[str] = frozenset()


AS_THE_PAPER = Knobs()
"""The paper's rules."""


class Perturbed(Struct, frozen=True):
    """A false entry.

    `changed_fields` names, in order, exactly the fields that differ from the original, added and
    dropped ones included. `note` says what was done, for the entry's explanation. `source_keys` are
    the title keys of the real works in it, the original's first, so that no work crosses splits.
    """

    entry: Entry
    changed_fields: tuple[str, ...]
    note: str
    source_keys: tuple[str, ...]


class Inapplicable(Struct, frozen=True):
    """The entry cannot be made false in this way; `reason` says why, in few words, countable."""

    reason: str


Outcome: TypeAlias = Perturbed | Inapplicable


class Pool(Protocol):
    """The real works beside the entry: where parts are taken from and truth is looked up."""

    @property
    def venues(self) -> VenueTable:
        """What names of venues mean."""
        ...

    def draw(
        self, rng: Random, venue: str | None = None, year: int | None = None
    ) -> Version | None:
        """Return a real work, of this venue (by identity) and year where given, else None."""
        ...

    def titled(self, title: str) -> Sequence[Version]:
        """Return all records whose title has the same key as `title`."""
        ...

    def identified(self, doi: str) -> Sequence[Version]:
        """Return all records of a DOI."""
        ...

    def complete(self, venue: str, year: int) -> bool | None:
        """Whether all papers of this venue and year are held; None where the pool cannot know."""
        ...


class Perturbation(Struct, frozen=True):
    """One kind of fault: its type, the fields that it may change, and the function.

    `strategies` are the ways in which it does so, where a plan may choose among them.
    """

    type: HallucinationType
    may_change: frozenset[str]
    apply: Callable[[Entry, Pool, Random, Knobs], Outcome]
    strategies: tuple[str, ...] = ()


PERTURBATIONS: Registry[Perturbation] = Registry("perturbation")


def register(
    kind: HallucinationType, *fields: str, strategies: Sequence[str] = ()
) -> Callable[[Callable[[Entry, Pool, Random, Knobs], Outcome]], Perturbation]:
    """Return a decorator that registers a function as the perturbation of a type.

    Args:
        kind: the type that it makes.
        fields: the fields that it may change.
        strategies: names of the ways in which it does so; the function leaves out those that its
            knobs are `without`.
    """

    def decorate(apply: Callable[[Entry, Pool, Random, Knobs], Outcome]) -> Perturbation:
        made = Perturbation(kind, frozenset(fields), apply, tuple(strategies))
        return PERTURBATIONS.add(str(kind), made)

    return decorate


def load_all() -> Registry[Perturbation]:
    """Import every file of `faults/` and return the registry."""
    faults = importlib.import_module("hallmark.bench.perturb.faults")
    for module in sorted(one.name for one in pkgutil.iter_modules(faults.__path__)):
        importlib.import_module(f"{faults.__name__}.{module}")
    return PERTURBATIONS
