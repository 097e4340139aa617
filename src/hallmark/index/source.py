"""What does the local index answer about a reference?

The index is asked by DOI, arXiv id and title key first; only where no record has the title, by
near title, and where that brings nothing and the claimed venue's year is held completely, by
authors. Records of all sources are kept apart, with their provenance.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random

import msgspec

from hallmark.errors import IndexDamaged
from hallmark.index import faults, schema, segments, storage
from hallmark.index.counts import not_held
from hallmark.index.coverage import Coverage
from hallmark.index.loaders import tidy
from hallmark.index.notices import Notices
from hallmark.index.schema import Description, SourceInfo
from hallmark.index.search import Searcher
from hallmark.records.answer import Absent, Answer, Found, Unavailable, VenueYear
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.text import identifiers, titles
from hallmark.text.venues import LearntName, VenueTable

CACHED = 1024
"""Answers that are kept, for bibliographies that cite the same works."""
MARKED = 64
"""Records that an exact look-up brings at the most."""
SAMPLED = 32
"""Records, about, that one step of a random sample reads."""

_ROWS = msgspec.msgpack.Decoder(list[VenueYear])
_LEARNT = msgspec.msgpack.Decoder(list[LearntName])


class LocalIndex:
    """A local index, opened for reading; obeys `records.source.Source`.

    Open it with `open_index`.
    """

    name = "index"

    def __init__(self, path: Path, description: Description) -> None:
        self.path = path
        self._description = description
        data = path / description.data
        self._searcher = Searcher(segments.opened(data / schema.SEGMENTS))
        self._coverage = Coverage(_ROWS.decode((data / schema.COVERAGE).read_bytes()), not_held)
        self.venues = VenueTable.curated().with_learnt(
            _LEARNT.decode((data / schema.VENUES).read_bytes())
        )
        self._notices = Notices(data / schema.NOTICES)
        self._answer_cached = lru_cache(CACHED)(self._answer)

    @property
    def as_of(self) -> str:
        """The date of what it holds ("2026-05-01")."""
        return self._description.built

    @property
    def records(self) -> int:
        """The number of records that can be found."""
        return self._searcher.records

    def info(self) -> Description:
        """Return what the index says of itself: schema, date, sources, counts."""
        return self._description

    def coverage(self, venue_id: str, year: int) -> VenueYear | None:
        """Return what is held of a venue in a year; None where nothing is known of it."""
        return self._coverage.get(venue_id, year)

    def coverage_years(self, venue_id: str) -> tuple[VenueYear, ...]:
        """Return what is held of a venue, year by year."""
        return self._coverage.years(venue_id)

    def coverage_venues(self) -> tuple[str, ...]:
        """Return the identities of all venues of which something is held."""
        return self._coverage.venues()

    def by_doi(self, text: str) -> tuple[Version, ...]:
        """Return the records of a DOI, however it is written."""
        doi = identifiers.doi(text)
        if doi is None:
            return ()
        found = self._searcher.marked([schema.mark(schema.DOI, doi)])
        return tuple(version for version in found if version.doi == doi)

    def by_arxiv(self, text: str) -> tuple[Version, ...]:
        """Return the records of an arXiv id, however it is written."""
        arxiv = identifiers.arxiv(text)
        return () if arxiv is None else tuple(self._marked(schema.ARXIV, arxiv.id))

    def by_title_key(self, key: str) -> tuple[Version, ...]:
        """Return the records whose title, or a known other title, has this key."""
        return tuple(self._marked(schema.TITLE, key)) if key else ()

    def search(self, text: str, limit: int = 10) -> list[Version]:
        """Return records for what a person typed: a DOI, an arXiv id or words of a title.

        The best come first: those of the identifier or of exactly this title, then those near to
        it, then those that share words with it.

        Raises:
            IndexDamaged: the index cannot be searched.
        """
        with faults.told(self.path):
            found = [*self.by_doi(text), *self.by_arxiv(text)]
            if not found:
                found = [
                    *self.by_title_key(titles.key(text)),
                    *(version for _, version in self._searcher.near(text, limit)),
                    *self._searcher.by_words(text, limit),
                ]
        return list(dict.fromkeys(found))[:limit]

    def sample(self, rng: Random) -> Iterator[tuple[Version, ...]]:
        """Yield the records of one title after the other, in random order, each title once.

        The order depends on `rng` and the titles held, not on how the index is laid out.

        Raises:
            IndexDamaged: the index cannot be searched.
        """
        cells = max(1, self.records // SAMPLED)
        for cell in rng.sample(range(cells), cells):
            first, after = (2**64 * n // cells for n in (cell, cell + 1))
            with faults.told(self.path):
                found = self._searcher.titled_within(first, after - 1)
            titled = groupby(found, key=itemgetter(0))
            groups = [tuple(version for _, version in pairs) for _, pairs in titled]
            rng.shuffle(groups)
            yield from groups

    def every(self) -> Iterator[Version]:
        """Yield all records, in an order that depends on how the index is laid out.

        Raises:
            IndexDamaged: the index cannot be searched.
        """
        with faults.told(self.path):
            yield from self._searcher.every()

    def group(self, mark: int) -> tuple[Version, ...]:
        """Return the records whose title has this mark (`schema.title_mark`), in a stable order.

        Raises:
            IndexDamaged: the index cannot be searched.
        """
        with faults.told(self.path):
            found = self._searcher.titled_within(mark, mark)
        return tuple(version for _, version in found)

    def published_together(self, authors: Sequence[str]) -> bool:
        """Whether the index holds a work by two of these people who stand side by side.

        That none is held says little: it may tell an invented list of names from one that was
        taken over, and never decides a verdict.

        Raises:
            IndexDamaged: the index cannot be searched.
        """
        with faults.told(self.path):
            return self._searcher.together(authors)

    def notices(self, question: Question) -> tuple[tuple[Notice, ...], Notice | None]:
        """Return what the table of retractions holds about a reference's own identifiers.

        First the notices about the work, the oldest first; then the notice that is itself
        published under the reference's DOI, None where that is no notice.

        Raises:
            IndexDamaged: the table cannot be read.
        """
        with faults.told(self.path):
            about = self._notices.about(doi=question.doi, pmid=question.pmid)
            return about, self._notices.that_is(question.doi)

    def look_up(self, question: Question) -> Answer:
        """Return what the index holds; never raises.

        No record has a title of more than `tidy.MAX_TITLE` characters; a longer one is cut.
        """
        if len(question.title) > tidy.MAX_TITLE:
            question = msgspec.structs.replace(question, title=question.title[: tidy.MAX_TITLE])
        try:
            return self._answer_cached(question)
        except BaseException as error:
            if not faults.is_damage(error):
                raise
            return Unavailable(
                f"The index at `{self.path}` could not be searched ({error}). Test it: "
                f"hallmark index verify --index {self.path}"
            )

    def _answer(self, question: Question) -> Answer:
        coverage = self._claimed_coverage(question)
        identified, ways = self._identified(question)
        titled, title_ways = self._titled(question)
        seeded: list[Version] = []
        if not titled and any(row.complete for row in coverage if row.year == question.year):
            seeded = self._searcher.by_authors(_names(question), question.title)
            title_ways = (*title_ways, "authors")
        searched = (*ways, *title_ways)
        found = dict.fromkeys((*identified, *titled, *seeded))
        versions = tuple(map(self._notices.attached, found))
        if not versions:
            return Absent(searched, coverage)
        return Found(versions, searched, coverage)

    def _identified(self, question: Question) -> tuple[list[Version], tuple[str, ...]]:
        """Return the records of the identifiers, and the other records of the same titles."""
        ways: list[str] = []
        marks: list[int] = []
        arxiv = question.arxiv
        if question.doi:
            ways.append("doi")
            marks.append(schema.mark(schema.DOI, question.doi))
            arxiv = arxiv or identifiers.arxiv_of_doi(question.doi)
        if arxiv:
            ways.append("arxiv")
            marks.append(schema.mark(schema.ARXIV, arxiv))
        found = self._searcher.marked(marks, limit=MARKED)
        known = titles.key(question.title)
        return [*found, *self._same_titles(found, {known}, question)], tuple(ways)

    def _titled(self, question: Question) -> tuple[list[Version], tuple[str, ...]]:
        """Return the records of the title: exactly this one, else heads of it and near ones."""
        key = titles.key(question.title)
        if not key:
            return [], ()
        exact = self._marked(schema.TITLE, key, question)
        if exact:
            return exact, ("title",)
        headed = self._headed(question, key)
        near = [version for _, version in self._searcher.near(question.title)]
        others = self._same_titles(near, {key}, question)
        return [*headed, *near, *others], ("title", "head of title", "near title")

    def _headed(self, question: Question, key: str) -> list[Version]:
        """Return records that lack the reference's subtitle, or have one that it lacks."""
        marks = [schema.mark(schema.HEAD, key)]
        if head := titles.head(question.title):
            marks.append(schema.mark(schema.TITLE, titles.key(head)))
        return self._searcher.marked(marks, _names(question), limit=MARKED // 4)

    def _same_titles(
        self, versions: Iterable[Version], known: set[str], question: Question
    ) -> list[Version]:
        """Return all records that have the title of one of `versions`, except `known` keys."""
        keys = {titles.key(version.title) for version in versions} - known
        marks = [schema.mark(schema.TITLE, key) for key in sorted(keys)]
        return self._searcher.marked(marks, _names(question), limit=MARKED)

    def _marked(self, kind: str, value: str, question: Question | None = None) -> list[Version]:
        names = _names(question) if question else ()
        return self._searcher.marked([schema.mark(kind, value)], names, limit=MARKED)

    def _claimed_coverage(self, question: Question) -> tuple[VenueYear, ...]:
        """Return the ledger's rows for the claimed venue in the claimed and neighbouring years."""
        if not question.venue or question.year is None:
            return ()
        ids = self.venues.resolve(question.venue).ids
        years = (question.year - 1, question.year, question.year + 1)
        rows = (self.coverage(venue_id, year) for venue_id in ids for year in years)
        return tuple(row for row in rows if row is not None)


def _names(question: Question) -> tuple[str, ...]:
    return tuple(author.display for author in question.authors)


def open_index(path: Path | str) -> LocalIndex:
    """Open the index at `path`, without reading it all.

    Raises:
        IndexMissing: there is no index.
        IndexDamaged: it is damaged, something else, or of another schema.
    """
    path = Path(path)
    description = storage.read_description(path)
    storage.check_sizes(path, description)
    with faults.told(path):
        index = LocalIndex(path, description)
    if index.records != description.records:
        reason = f"it holds {index.records} records instead of {description.records}"
        raise IndexDamaged(storage.damaged(path, reason))
    return index


def verify_index(path: Path | str) -> Description:
    """Read the whole index at `path` and compare it with its description.

    Raises:
        IndexMissing: there is no index.
        IndexDamaged: a file is missing, was changed, or the records cannot be counted.
    """
    path = Path(path)
    description = storage.read_description(path)
    storage.check_digests(path, description)
    open_index(path)
    return description


__all__ = ["Description", "LocalIndex", "SourceInfo", "open_index", "verify_index"]
