"""What does a service hold, and how does it find it?"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from hallmark.records.work import Version
from hallmark.text.names import PersonName, parse_name

_WORD = re.compile(r"[^\W_]+")
_RAREST = 4
"""Words of a ranked search whose records are looked at: the others only add to their scores."""


class Holding(Struct, frozen=True):
    """One record that services hold, with the identifiers that a `Version` does not have.

    `number` is unique in the world, and the source of all identifiers that services make up.
    """

    number: int
    version: Version
    pmid: str = ""
    isbn: str = ""

    @property
    def people(self) -> list[PersonName]:
        """The authors in parts."""
        return [parse_name(name) for name in self.version.authors]

    @property
    def year(self) -> int:
        """The year of the record; 2000 where it has none."""
        return self.version.year or 2000

    @property
    def venue(self) -> str:
        """The full name of the venue."""
        return self.version.venue_raw or self.version.venue


def words(text: str) -> list[str]:
    """Return the words of a text, folded as services fold them."""
    plain = unicodedata.normalize("NFKD", text)
    folded = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _WORD.findall(folded.casefold())


class Library:
    """Records that can be found by identifier and by words of the title."""

    def __init__(self, holdings: Iterable[Holding]) -> None:
        self.holdings = list(holdings)
        self._by_doi: dict[str, list[Holding]] = defaultdict(list)
        self._by_arxiv: dict[str, list[Holding]] = defaultdict(list)
        self._by_pmid: dict[str, list[Holding]] = defaultdict(list)
        self._by_isbn: dict[str, list[Holding]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(self.holdings):
            self._file(place, one)

    def _file(self, place: int, one: Holding) -> None:
        version = one.version
        for table, key in (
            (self._by_doi, (version.doi or "").lower()),
            (self._by_arxiv, version.arxiv or ""),
            (self._by_pmid, one.pmid),
            (self._by_isbn, one.isbn),
        ):
            if key:
                table[key].append(one)
        for word in set(words(version.title)):
            self._by_word[word].append(place)

    def doi(self, doi: str) -> list[Holding]:
        """Return the records with this DOI."""
        return self._by_doi.get(doi.lower(), [])

    def arxiv(self, arxiv: str) -> list[Holding]:
        """Return the records with this arXiv id, given without a version."""
        return self._by_arxiv.get(arxiv, [])

    def pmid(self, pmid: str) -> list[Holding]:
        """Return the records with this PubMed id."""
        return self._by_pmid.get(pmid, [])

    def isbn(self, isbn: str) -> list[Holding]:
        """Return the records with this ISBN."""
        return self._by_isbn.get(isbn, [])

    def with_all(self, wanted: Sequence[str], *, prefixes: bool = False) -> list[Holding]:
        """Return the records whose titles have every word, or a word that begins with it."""
        lists = [self._places(word, prefixes=prefixes) for word in wanted]
        if not lists:
            return []
        common = set(lists[0]).intersection(*lists[1:])
        return [self.holdings[place] for place in sorted(common)]

    def ranked(self, text: str, most: int) -> list[Holding]:
        """Return the records that share the most of the rare words of a text, the best first."""
        wanted = [word for word in dict.fromkeys(words(text)) if word in self._by_word]
        wanted.sort(key=lambda word: len(self._by_word[word]))
        scores: Counter[int] = Counter()
        for word in wanted[:_RAREST]:
            for place in self._by_word[word]:
                scores[place] = 0
        known = set(wanted)
        for place in scores:
            held = words(self.holdings[place].version.title)
            shared = known.intersection(held)
            scores[place] = 1000 * len(shared) - len(held)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:most]
        return [self.holdings[place] for place in best]

    def _places(self, word: str, *, prefixes: bool) -> list[int]:
        if not prefixes:
            return self._by_word.get(word, [])
        found: set[int] = set()
        for one in self._sorted_words[bisect_left(self._sorted_words, word) :]:
            if not one.startswith(word):
                break
            found.update(self._by_word[one])
        return sorted(found)

    @cached_property
    def _sorted_words(self) -> list[str]:
        return sorted(self._by_word)

    @cached_property
    def venues(self) -> list[tuple[str, str]]:
        """The names of all venues, full and short, each once."""
        names = {(one.venue, one.version.venue or one.venue) for one in self.holdings if one.venue}
        return sorted(names)

    def venues_like(self, name: str, most: int) -> list[tuple[str, str]]:
        """Return the venues whose names hold every word of a name, or are its acronym."""
        wanted = set(words(name))
        found = [
            (full, short)
            for full, short in self.venues
            if wanted <= set(words(full)) or wanted <= set(words(short))
        ]
        return sorted(found, key=lambda pair: len(pair[0]))[:most]

    def only(self, held: Callable[[Version], bool]) -> "Library":
        """Return the library of the records that `held` says it has."""
        return Library(one for one in self.holdings if held(one.version))


def holdings_of(versions: Iterable[Version]) -> list[Holding]:
    """Number records, and give each book an ISBN and every record a PubMed id of its own."""
    return [
        Holding(number, version, pmid=str(30_000_000 + number), isbn=_isbn(number, version))
        for number, version in enumerate(versions, start=1)
    ]


def _isbn(number: int, version: Version) -> str:
    if "book" not in version.kind:
        return ""
    body = f"978{number:09d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"
