"""Does a service know a venue of exactly this name?

Its search offers what sounds alike; only a venue one of whose names has the same words, or whose
acronym is the name asked about, is known. Everything else is offered as near.
"""

from collections.abc import Sequence

from msgspec import Struct

from hallmark.sources.interface import KnownVenue, UnknownVenue
from hallmark.text import clean, titles

MOST_NEAR = 5
"""Names that are passed on where none fits."""
_ARTICLES = frozenset({"the", "of", "on", "in", "and", "for", "de", "la", "der", "die", "das"})


class Offered(Struct, frozen=True):
    """A venue that a service offers: all its names, and its identifiers ("issn:0899-7667")."""

    names: tuple[str, ...]
    identifiers: tuple[str, ...] = ()


def judged(name: str, offered: Sequence[Offered]) -> KnownVenue | UnknownVenue:
    """Return the first offered venue that bears the name, else the names of those nearest."""
    wanted = _key(name)
    for one in offered:
        names = tuple(found for text in one.names if (found := clean.field(text)))
        if wanted and any(_key(known) == wanted for known in names):
            return KnownVenue(names, one.identifiers)
    near = [found for one in offered for text in one.names[:1] if (found := clean.field(text))]
    return UnknownVenue(tuple(near[:MOST_NEAR]))


def _key(name: str) -> str:
    words = [word for word in titles.words(name[: clean.MAX_FIELD]) if word not in _ARTICLES]
    return "".join(words)
