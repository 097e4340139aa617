"""By which names does a file call its venues?

A venue that the file names elsewhere is written as it is there, macro or text. For others the
entry's own manner counts: an acronym for an acronym, a full name for a full name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from hallmark.correct.scan import is_literal
from hallmark.text.venue_facts import venues
from hallmark.text.venues import VenueTable

_EDITION = re.compile(
    r"\d|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+ieth|\w+teenth|"
    r"twent\w+|thirt\w+|fort(?:y|ieth)\S*|vol(?:ume)?\.?)\b",
    re.IGNORECASE,
)
"""What belongs to one year's edition only."""
_ACRONYM = re.compile(r"[\w&-]{2,10}")
_LEAD = re.compile(r"(?:In:? )?(?:Proceedings|Proc\.?) of (?:the )?", re.IGNORECASE)


class Vocabulary:
    """The names of venues in one file.

    Args:
        table: resolves names of venues.
    """

    def __init__(self, table: VenueTable) -> None:
        self._table = table
        self._sources: dict[str, Counter[str]] = defaultdict(Counter)

    def see(self, venue: str, source: str) -> None:
        """Note a venue's name and the source text that it was read from ("icml", "{ICML}")."""
        ids = self._table.resolve(venue).ids
        if len(ids) == 1 and not _EDITION.search(venue):
            self._sources[ids[0]][source] += 1

    def written(self, wanted: str, instead_of: str) -> tuple[str, bool]:
        """Return how to write the venue `wanted`, and whether that is source text already.

        Args:
            wanted: the venue's name in the record.
            instead_of: the name that the entry has now, in plain text.
        """
        ids = self._table.resolve(wanted).ids
        if len(ids) != 1:
            return wanted, False
        known = self._sources.get(ids[0])
        if known:
            return max(known, key=lambda one: (known[one], one)), True
        return self._in_the_manner_of(instead_of, wanted, ids[0]), False

    def _in_the_manner_of(self, instead_of: str, wanted: str, venue_id: str) -> str:
        fact = venues().get(venue_id)
        if fact is None or not fact.names:
            return wanted
        forms: Iterable[str] = fact.names
        acronym = next((name for name in forms if _is_acronym(name)), "")
        if _is_acronym(instead_of):
            return self._checked(acronym, wanted, venue_id)
        lead = _LEAD.match(instead_of)
        text = f"{lead[0] if lead else ''}{fact.names[0]}"
        if acronym and re.search(r"\([\w-]{2,10}\)\s*$", instead_of):
            text = f"{text} ({acronym})"
        return self._checked(text, wanted, venue_id)

    def _checked(self, text: str, wanted: str, venue_id: str) -> str:
        """Return the text if it surely means the venue, else the record's own words."""
        return text if text and self._table.resolve(text).ids == (venue_id,) else wanted


def _is_acronym(name: str) -> bool:
    capitals = sum(letter.isupper() for letter in name)
    return _ACRONYM.fullmatch(name.strip()) is not None and capitals > 1


def is_macro(source: str) -> bool:
    """Whether a value's source is not text in braces or quotes alone."""
    return not is_literal(source)
