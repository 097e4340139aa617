"""What would the index answer if it held less?

A `ReducedIndex` reads a whole index and hides a part of it: collections, or a share of all works
drawn at random. What is left is judged anew as a build would judge it: the ledger counts only the
titles that are left, completeness is decided again by the published counts, and venue names are
learnt only from the records that are left. Nothing is built.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import TypeAlias

import msgspec
import tantivy
from msgspec import Struct

from hallmark.index import schema, segments, storage
from hallmark.index.counts import not_held, stored_counts
from hallmark.index.coverage import Coverage, Ledger, Tally
from hallmark.index.search import Searcher
from hallmark.index.source import LocalIndex
from hallmark.index.venue_learning import VenueLearner
from hallmark.records.answer import VenueYear
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venues import LearntName, VenueTable

_TALLIES = msgspec.msgpack.Decoder(list[Tally])
_SPAN = 2**64
_PAGE = 100_000
"""Records that a pass over the whole index reads at a time."""
_WIDER = 4
_WIDEST = 1024
"""Hits that are read at the most to find those that are left."""


class Reduction(Struct, frozen=True, kw_only=True):
    """What of an index is hidden.

    Attributes:
        name: under which figures are reported.
        only: the collections that are left; empty leaves all.
        without: collections that are hidden.
        share: the share of works that is left, in (0, 1].
        seed: draws which works are left.
        complete: whether lists may be complete at all.
        editions: whether it is known in which years venues were not held.
        near: whether near titles are searched.
    """

    name: str
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    share: float = 1.0
    seed: int = 0
    complete: bool = True
    editions: bool = True
    near: bool = True

    @property
    def hides_records(self) -> bool:
        """Whether any record is hidden."""
        return bool(self.only or self.without) or self.share < 1.0

    def keeps_collection(self, collection: str) -> bool:
        """Whether a collection's records are left, as far as works are not drawn."""
        return collection not in self.without and (not self.only or collection in self.only)

    def keeps_work(self, work: int) -> bool:
        """Whether the work of this number was drawn to be left."""
        if self.share >= 1.0:
            return True
        return schema.hash64(f"{self.seed}:{work}") < self.share * _SPAN


class Census(Struct, frozen=True):
    """What a pass over all records of an index learnt.

    `works` maps the hash of a title to the number of its work, where that is another one: records
    that share a DOI, an arXiv id or a DBLP key are of one work whatever their titles.
    `names` counts records by collection, title's hash and the pair of venue names with its identity
    (see `VenueLearner`); the pairs are numbered by `pairs`.
    """

    works: Mapping[int, int]
    pairs: tuple[tuple[str, str, str], ...]
    names: Mapping[str, tuple["array[int]", "array[int]"]]


Seen: TypeAlias = tuple[str, str, str]


def take_census(path: Path) -> Census:
    """Read all records of the index at `path` once.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    joined = _Joined()
    numbers: dict[Seen, int] = {}
    names: dict[str, tuple[array[int], array[int]]] = {}
    for version in records(path):
        title = title_hash(version)
        joined.see(title, version)
        if version.venue_id is None or version.preprint:
            continue
        pair = (version.venue, version.venue_raw, version.venue_id)
        number = numbers.setdefault(pair, len(numbers))
        hashes, pairs = names.setdefault(version.collection, (array("Q"), array("L")))
        hashes.append(title)
        pairs.append(number)
    return Census(joined.works(), tuple(numbers), names)


def records(path: Path) -> Iterator[Version]:
    """Yield all records of the index at `path`, in no particular order."""
    decoder = msgspec.msgpack.Decoder(Version)
    description = storage.read_description(path)
    searcher = segments.opened(path / description.data / schema.SEGMENTS).searcher()
    every = tantivy.Query.all_query()
    for start in range(0, searcher.num_docs, _PAGE):
        for _, address in searcher.search(every, _PAGE, offset=start, count=False).hits:
            record = searcher.doc(address).get_first(schema.RECORD)
            if record is not None:
                yield decoder.decode(record)


def title_hash(version: Version) -> int:
    """Return the hash by which the ledger counts a record's title."""
    return schema.hash64(titles.key(version.title))


class _Joined:
    """Joins titles into works by the identifiers that their records share (union-find)."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._parent: dict[int, int] = {}

    def see(self, title: int, version: Version) -> None:
        """Note one record."""
        for kind, value in (
            (schema.DOI, version.doi),
            (schema.ARXIV, version.arxiv),
            (schema.DBLP, version.dblp),
        ):
            if value:
                other = self._first.setdefault(schema.mark(kind, value), title)
                if other != title:
                    self._join(other, title)

    def works(self) -> dict[int, int]:
        """Return the number of the work of each title that was joined with another."""
        return {title: self._root(title) for title in list(self._parent)}

    def _join(self, one: int, other: int) -> None:
        one, other = self._root(one), self._root(other)
        if one != other:
            self._parent[max(one, other)] = min(one, other)

    def _root(self, title: int) -> int:
        while (parent := self._parent.get(title, title)) != title:
            self._parent[title] = self._parent.get(parent, parent)
            title = parent
        return title


class ReducedIndex(LocalIndex):
    """An index of which a part is hidden; obeys `records.source.Source` like a whole one.

    Args:
        path: the folder of the whole index.
        reduction: what is hidden.
        census: what `take_census` learnt of that index; needed where records are hidden.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """

    def __init__(self, path: Path, reduction: Reduction, census: Census | None = None) -> None:
        description = storage.read_description(path)
        super().__init__(path, description)
        data = path / description.data
        self.reduction = reduction
        self._census = census or Census({}, (), {})
        self._searcher = _Hiding(segments.opened(data / schema.SEGMENTS), self)
        if reduction.hides_records:
            tallies = _TALLIES.decode((data / schema.LEDGER).read_bytes())
            counts = stored_counts(data / schema.COUNTS)
            rows: Iterable[VenueYear] = Ledger(self._left(tallies)).rows(counts, not_held)
            self.venues = VenueTable.curated().with_learnt(self._learnt())
        else:
            rows = [row for venue in self.coverage_venues() for row in self.coverage_years(venue)]
        self._coverage = Coverage(map(self._known, rows), self._was_not_held)

    def keeps(self, version: Version) -> bool:
        """Whether a record is left."""
        if not self.reduction.keeps_collection(version.collection):
            return False
        return self.reduction.share >= 1.0 or self._keeps_title(title_hash(version))

    def _keeps_title(self, title: int) -> bool:
        return self.reduction.keeps_work(self._census.works.get(title, title))

    def _left(self, tallies: Iterable[Tally]) -> Iterator[Tally]:
        """Yield what the ledger of the records that are left would hold."""
        for tally in tallies:
            if not self.reduction.keeps_collection(tally.collection):
                continue
            if self.reduction.share >= 1.0:
                yield tally
            else:
                yield from self._thinned(tally)

    def _thinned(self, tally: Tally) -> Iterator[Tally]:
        """Yield a tally with the drawn works only, unless none is left."""
        listed = array("Q", tally.titles)
        kept = [self._keeps_title(title) for title in listed]
        left = array("Q", compress(listed, kept))
        numbers = array("Q", compress(array("Q", tally.numbers), kept))
        if left:
            toc = tally.toc if len(left) == len(listed) else 0
            yield msgspec.structs.replace(
                tally, titles=left.tobytes(), toc=toc, numbers=numbers.tobytes()
            )

    def _learnt(self) -> list[LearntName]:
        """Return the venue names that the records that are left teach."""
        learner = VenueLearner()
        for collection, (hashes, pairs) in self._census.names.items():
            if not self.reduction.keeps_collection(collection):
                continue
            for number, times in self._kept(hashes, pairs).items():
                venue, raw, venue_id = self._census.pairs[number]
                learner.see(
                    Version(
                        collection=collection,
                        title="",
                        venue=venue,
                        venue_raw=raw,
                        venue_id=venue_id,
                    ),
                    times,
                )
        return learner.rows()

    def _kept(self, hashes: "array[int]", pairs: "array[int]") -> Counter[int]:
        """Count the pairs of names of a collection's records that are left."""
        if self.reduction.share >= 1.0:
            return Counter(pairs)
        both = zip(hashes, pairs, strict=True)
        return Counter(number for title, number in both if self._keeps_title(title))

    def _known(self, row: VenueYear) -> VenueYear:
        """Return a row of the ledger without the facts that are hidden."""
        hidden = (row.complete and not self.reduction.complete) or (
            row.not_held and not self.reduction.editions
        )
        if not hidden:
            return row
        return msgspec.structs.replace(row, complete=False, not_held=False, basis="")

    def _was_not_held(self, venue_id: str, year: int) -> bool:
        return self.reduction.editions and not_held(venue_id, year)


class _Hiding(Searcher):
    """Searches as if the hidden records were not there."""

    def __init__(self, index: tantivy.Index, reduced: ReducedIndex) -> None:
        super().__init__(index)
        self._reduced = reduced

    def near(self, title: str, limit: int = 8) -> list[tuple[float, Version]]:
        """Return near titles, unless near titles are not to be searched."""
        return super().near(title, limit) if self._reduced.reduction.near else []

    def _run(self, query: tantivy.Query, limit: int) -> list[Version]:
        if not self._reduced.reduction.hides_records:
            return super()._run(query, limit)
        wanted = limit
        while True:
            hits = super()._run(query, wanted)
            kept = [version for version in hits if self._reduced.keeps(version)]
            if len(kept) >= limit or len(hits) < wanted or wanted >= _WIDEST:
                return kept[:limit]
            wanted = min(_WIDER * wanted, _WIDEST)


def collections_of(path: Path) -> Sequence[str]:
    """Return the names of the collections of the index at `path`, each once, in order."""
    return tuple(dict.fromkeys(one.collection for one in storage.read_description(path).sources))
