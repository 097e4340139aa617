"""What is citation noise?

Noise writes a valid entry as people and programs do: sloppily, but with nothing false in it. Each
kind is a pure function of the entry, what is known of the work, and the dice. A verifier that flags
its results flags sloppiness.
"""

import importlib
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.bench.entry import Entry
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable


class Facts(Struct, frozen=True):
    """What is known of an entry's work: its record first, then all other records of it."""

    versions: tuple[Version, ...]
    venues: VenueTable

    @property
    def record(self) -> Version:
        """The record that the entry was made of."""
        return self.versions[0]


Noise: TypeAlias = Callable[[Entry, Facts, Random], Entry | Inapplicable]

NOISES: Registry[Noise] = Registry("kind of citation noise")

_MODULES = ("authors", "titles", "venues", "years", "fields", "identifiers")


def noise(name: str) -> Callable[[Noise], Noise]:
    """Return a decorator that registers a function as the noise of this name."""

    def decorate(apply: Noise) -> Noise:
        return NOISES.add(name, apply)

    return decorate


class Noised(Struct, frozen=True):
    """An entry with noise, and the names of the kinds that changed it, in order."""

    entry: Entry
    kinds: tuple[str, ...]


def add_noise(entry: Entry, facts: Facts, kinds: Sequence[str], rng: Random) -> Noised:
    """Apply kinds of noise one after the other; what does not apply is left out.

    Raises:
        UnknownName: there is no such kind.
    """
    done: list[str] = []
    for name in kinds:
        changed = load_all().get(name)(entry, facts, rng)
        if isinstance(changed, Entry) and changed != entry:
            entry = changed
            done.append(name)
    return Noised(entry, tuple(done))


def load_all() -> Registry[Noise]:
    """Import the modules of this package that hold kinds of noise, and return the registry."""
    for module in _MODULES:
        importlib.import_module(f"hallmark.bench.noise.{module}")
    return NOISES
