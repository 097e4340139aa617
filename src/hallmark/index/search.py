"""Which records are near a title, and which bear a mark?

All functions answer with versions, never with more than `limit` of them.

A near title is found by its rarest words: each record that has two of them, and about as many words
as the title, is a candidate; the candidates are compared letter by letter. So a title with one word
replaced, added, dropped or misspelt is found as long as two rare words of it are left.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import msgspec
import tantivy
from rapidfuzz.fuzz import ratio

from hallmark.index import schema
from hallmark.index.prepare import families, length_token
from hallmark.records.work import Version
from hallmark.text import titles

RARE_WORDS = 4
"""Rarest words of a title whose pairs are looked for. Every further word finds little more, and
its postings are longer than those of all rarer ones."""
RARE_JOINED = 2
"""Pairs of neighbouring words, written as one word, that are looked for too: the reference may
have a hyphen or a blank inside a word."""
SINGLE_WORD_LIMIT = 400
"""Records that may have a word which is looked for alone."""
CANDIDATES = 48
"""Records that are compared letter by letter."""
NEAR = 70.0
"""Similarity of title keys, in [0, 100], from which a candidate is near: a fifth of the letters may
differ, as when one of five words is replaced."""
LENGTH_SLACK = 2
"""Words by which a candidate may be longer or shorter; a quarter of the title if that is more."""
NEAREST = 8
"""Works that a near search brings at the most."""
NEIGHBOURS = 5
"""First authors of whom neighbours are looked for on common records."""
JOINT_LIMIT = 50
"""Records by two family names that are looked at."""
RANGE_LIMIT = 5000
"""Records that a range of marks brings at the most; ranges are cut to hold far fewer."""

_VERSION = msgspec.msgpack.Decoder(Version)
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


class Searcher:
    """Searches the segments of an index; safe to use from several threads."""

    def __init__(self, index: tantivy.Index) -> None:
        schema.register_tokenizer(index)
        self._schema = index.schema
        self._searcher = index.searcher()

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self._searcher.num_docs)

    def marked(
        self, marks: Iterable[int], authors: Sequence[str] = (), limit: int = 64
    ) -> list[Version]:
        """Return the records that bear one of the marks.

        Where there are more than `limit`, those that share family names with `authors` come first.
        """
        wanted = _any([self._term(schema.MARK, mark) for mark in marks])
        if wanted is None:
            return []
        hits = self._run(wanted, limit)
        if len(hits) == limit and authors:
            names = [(_SHOULD, self._term(schema.NAMES, name)) for name in families(authors)]
            hits = self._run(tantivy.Query.boolean_query([(_MUST, wanted), *names]), limit)
        return hits

    def near(self, title: str, limit: int = NEAREST) -> list[tuple[float, Version]]:
        """Return records whose title is near to `title` with their similarity in [0, 100].

        The nearest come first, at most `limit` of them, each work possibly several times.
        """
        words = titles.words(title)[: schema.MAX_LENGTH]
        wanted = self._near_query(words)
        if wanted is None:
            return []
        scored = [
            (score, version)
            for version in self._run(wanted, CANDIDATES)
            if (score := similarity(words, titles.words(version.title)[: schema.MAX_LENGTH]))
            >= NEAR
        ]
        return sorted(scored, key=lambda pair: -pair[0])[:limit]

    def by_authors(self, authors: Sequence[str], title: str, limit: int = 16) -> list[Version]:
        """Return records by two or more of the authors that share a rare word with the title."""
        names = self._rarest(schema.NAMES, families(authors))
        pairs = self._pairs(schema.NAMES, names)
        words = self._rarest(schema.WORDS, titles.words(title))
        seeds = _any([self._term(schema.WORDS, word) for _, word in words])
        if pairs is None or seeds is None or len(names) < 2:  # noqa: PLR2004 - a pair
            return []
        return self._run(tantivy.Query.boolean_query([(_MUST, pairs), (_MUST, seeds)]), limit)

    def together(self, authors: Sequence[str]) -> bool:
        """Whether two neighbours among the first authors published together.

        Names count as they are written, but for case. Of very common pairs of family names, only
        some of the records are looked at.
        """
        return any(
            {one, other} <= set(map(str.casefold, version.authors))
            for one, other in pairwise([name.casefold() for name in authors[:NEIGHBOURS]])
            for version in self._joint(one, other)
        )

    def _joint(self, one: str, other: str) -> list[Version]:
        """Return records that name both family names."""
        names = families((one, other))
        if len(names) < 2:  # noqa: PLR2004 - a pair
            return []
        both = [(_MUST, self._term(schema.NAMES, name)) for name in names]
        return self._run(tantivy.Query.boolean_query(both), JOINT_LIMIT)

    def titled_within(self, first: int, last: int) -> list[tuple[int, Version]]:
        """Return the records whose title's mark lies from `first` to `last`, with that mark.

        Marks are hashes, so that a range of them is a fair sample of titles. The order is that of
        the marks, whatever the layout of the segments; both ends are in [0, 2**64 - 1].
        """
        unsigned = tantivy.FieldType.Unsigned
        wanted = tantivy.Query.range_query(self._schema, schema.MARK, unsigned, first, last)
        marked = [
            (schema.title_mark(version.title), version)
            for version in self._run(wanted, RANGE_LIMIT)
        ]
        found = [pair for pair in marked if first <= pair[0] <= last]
        return sorted(found, key=lambda pair: (pair[0], pair[1].collection, repr(pair[1])))

    def every(self) -> Iterator[Version]:
        """Yield all records, in the order in which they are stored."""
        return self._read(tantivy.Query.all_query(), max(self.records, 1))

    def by_words(self, text: str, limit: int) -> list[Version]:
        """Return the records that share most words with a text, the best first."""
        found = [self._term(schema.WORDS, word) for word in dict.fromkeys(titles.words(text))]
        wanted = _any(found[: schema.MAX_LENGTH])
        return [] if wanted is None else self._run(wanted, limit)

    def _near_query(self, words: tuple[str, ...]) -> tantivy.Query | None:
        joined = (one + other for one, other in pairwise(words))
        rare = [
            *self._rarest(schema.WORDS, words, RARE_WORDS),
            *self._rarest(schema.WORDS, joined, RARE_JOINED),
        ]
        pairs = self._pairs(schema.WORDS, rare)
        if pairs is None:
            return None
        slack = max(LENGTH_SLACK, len(words) // 4)
        tokens = {length_token(n) for n in range(len(words) - slack, len(words) + slack + 1)}
        lengths = _any([self._term(schema.WORDS, token) for token in sorted(tokens)])
        if lengths is None:
            return pairs
        return tantivy.Query.boolean_query(
            [(_MUST, pairs), (_MUST, tantivy.Query.const_score_query(lengths, 0.0))]
        )

    def _rarest(
        self, field: str, terms: Iterable[str], limit: int = RARE_WORDS
    ) -> list[tuple[int, str]]:
        """Return the rarest terms that occur at all, with the number of records that have them."""
        counted = ((self._searcher.doc_freq(field, term), term) for term in dict.fromkeys(terms))
        return sorted((count, term) for count, term in counted if count)[:limit]

    def _pairs(self, field: str, rare: list[tuple[int, str]]) -> tantivy.Query | None:
        """Return the query for records that have two of the terms, or one that is very rare."""
        pairs = [
            tantivy.Query.boolean_query(
                [(_MUST, self._term(field, one)), (_MUST, self._term(field, other))]
            )
            for (_, one), (_, other) in combinations(rare, 2)
        ]
        alone = [self._term(field, term) for count, term in rare if count <= SINGLE_WORD_LIMIT]
        return _any([*pairs, *alone])

    def _term(self, field: str, value: str | int) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, index_option="basic")

    def _run(self, query: tantivy.Query, limit: int) -> list[Version]:
        return list(self._read(query, limit))

    def _read(self, query: tantivy.Query, limit: int) -> Iterator[Version]:
        for _, address in self._searcher.search(query, limit, count=False).hits:
            record = self._searcher.doc(address).get_first(schema.RECORD)
            if record is not None:
                yield _VERSION.decode(record)


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how near two titles are, in [0, 100]: by their letters or by their words.

    Letters see through spelling and hyphens, words through a long one dropped and through order.
    """
    letters = ratio("".join(one), "".join(other))
    common = (Counter(one) & Counter(other)).total()
    return max(letters, 200.0 * common / (len(one) + len(other)))


def _any(queries: Sequence[tantivy.Query]) -> tantivy.Query | None:
    if not queries:
        return None
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(_SHOULD, query) for query in queries])
