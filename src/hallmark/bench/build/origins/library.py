"""Which real work is nearest to an entry, and is it the same one?

The rule is that of the paper's appendix A.3: an entry stands for a real work if the title's
token-sort ratio is at least 85 % and the Jaccard similarity of the authors at least 0.5.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct
from rapidfuzz.fuzz import token_sort_ratio

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import families, people
from hallmark.bench.perturb.interface import Pool
from hallmark.bench.perturb.pool import DONORS, IndexPool, ListPool
from hallmark.index import LocalIndex
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venues import VenueTable

__all__ = ["DONORS", "IndexLibrary", "Library", "ListLibrary", "Nearest", "nearest"]

SAME_TITLE = 85.0
"""Token-sort ratio of two titles, in [0, 100], from which they may name one work."""
SAME_AUTHORS = 0.5
"""Jaccard similarity of two sets of family names, in [0, 1], from which they may be one list."""
NEAR = 24
"""Records that a search for near titles brings at the most."""


class Library(Pool, Protocol):
    """The real works that entries are compared with."""

    def near(self, title: str) -> Sequence[Version]:
        """Return records whose titles are near to `title`, the nearest first."""
        ...

    def together(self, authors: Sequence[str]) -> bool:
        """Whether two of these people who stand side by side published together."""
        ...


class IndexLibrary(IndexPool):
    """A library over a local index; obeys `Library`.

    Args:
        index: the index.
        rng: the dice for the works that may be drawn.
        donors: how many those are; 0 where none is drawn.
    """

    def __init__(self, index: LocalIndex, rng: Random, donors: int = DONORS) -> None:
        super().__init__(index, rng, donors)
        self._held = index

    @property
    def digest(self) -> str:
        """The digest of the index."""
        return self._held.info().digest

    def near(self, title: str) -> Sequence[Version]:
        """Return the index's records near to a title."""
        return self._held.search(title, NEAR)

    def together(self, authors: Sequence[str]) -> bool:
        """Whether two neighbours of the list have a record in common."""
        return self._held.published_together(authors)


class ListLibrary(ListPool):
    """A library over records in memory; obeys `Library`."""

    def __init__(self, versions: Iterable[Version], venues: VenueTable | None = None) -> None:
        held = tuple(versions)
        super().__init__(held, venues)
        self._held = held

    def near(self, title: str) -> Sequence[Version]:
        """Return the records by their titles' likeness."""
        ranked = sorted(self._held, key=lambda one: -title_ratio(title, one.title))
        return ranked[:NEAR]

    def together(self, authors: Sequence[str]) -> bool:
        """Whether a record names two of the people."""
        names = set(authors)
        return any(len(names & set(one.authors)) > 1 for one in self._held)


class Nearest(Struct, frozen=True):
    """A record, and how near an entry is to it: title in [0, 100], authors in [0, 1]."""

    version: Version
    title: float
    authors: float

    @property
    def is_same(self) -> bool:
        """Whether the entry stands for this work."""
        return self.title >= SAME_TITLE and self.authors >= SAME_AUTHORS


def nearest(entry: Entry, library: Library) -> Nearest | None:
    """Return the record that an entry is nearest to, None where none is near at all.

    Records that make the entry stand for a real work come before all others.
    """
    title = entry.fields.get("title", "")
    names = people(entry)
    found = [_measured(title, names, one) for one in dict.fromkeys(library.near(title))]
    return max(found, key=lambda one: (one.is_same, one.title, one.authors), default=None)


def _measured(title: str, names: Sequence[str], version: Version) -> Nearest:
    ratios = (title_ratio(title, one) for one in (version.title, *version.title_others))
    return Nearest(version, max(ratios), jaccard(families(names), families(version.authors)))


def title_ratio(one: str, other: str) -> float:
    """Return the token-sort ratio of two titles' folded words, in [0, 100]."""
    return token_sort_ratio(" ".join(titles.words(one)), " ".join(titles.words(other)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of common elements, in [0, 1]; 0 where both are empty."""
    return len(one & other) / len(one | other) if one | other else 0.0
