"""Does a name name no venue of its own: a publisher, a series, a preprint server, nothing?

Every function returns the identities of the curated rows that stand for such names, () where the
name is something else.
"""

import re
from functools import lru_cache

from hallmark.text import knowledge
from hallmark.text import venue_names as names

PUBLISHER = ("publishers",)

_NOT_MAIN = " not in main "
_SUBMITTED = re.compile(
    r"^(?:submitted|under (?:review|submission)|in (?:preparation|submission)|unpublished|"
    r"manuscript|technical report|tech(?:nical)?\.? rep|ph\.?d|master'?s|doctoral|working paper)\b",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"^(?!.*\b(?:review|journal|bulletin|quarterly|law|studies|proceedings|conference)\b)"
    r"(?:university of [a-z ]{3,40}|(?:[a-z]+ ){1,4}(?:university|institute of technology)|"
    r"(?:department|school|college|institute|faculty) of .{3,60})$"
)


@knowledge.derived
@lru_cache(maxsize=1)
def _servers() -> dict[str, str]:
    """Return the identities of preprint servers by the word that names one."""
    rows = knowledge.rows("venue_words")
    return {word: server for word, kind, server in rows if kind == "preprint"}


@knowledge.derived
@lru_cache(maxsize=1)
def _series() -> tuple[str, ...]:
    """Return how names of book series begin, each with a blank behind."""
    return tuple(f"{word} " for word in sorted(knowledge.words("venue_words", "series")))


@knowledge.derived
@lru_cache(maxsize=1)
def _publisher() -> re.Pattern[str]:
    """Return the form of names that end like a publisher's, with a place behind or without."""
    words = "|".join(sorted(knowledge.words("venue_words", "publisher"), key=len, reverse=True))
    return re.compile(
        rf"\b(?:{words}|& (?:sons|co)|and (?:sons|co))\.?(?:,[\w .,]{{0,30}}| Cambridge, \w+)?$",
        re.IGNORECASE,
    )


def without_venue(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise preprint servers in front, publishers, book series and institutions."""
    first = _servers().get(words[0]) if words else None
    if first is not None:
        return (first,)
    text = " ".join(words)
    other = (
        f"{text} ".startswith(_series()) or _publisher().search(name) or _INSTITUTION.match(text)
    )
    return PUBLISHER if other and not names.is_meeting(words) else ()


def unpublished(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise names that say themselves that the work is not, or not yet, part of a venue."""
    apart = _SUBMITTED.match(name) or _NOT_MAIN in f" {' '.join(words)} "
    return ("unlisted",) if apart else ()


def preprint(words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise a name that mentions a preprint server and nothing else that is known."""
    for word in words:
        server = _servers().get(word)
        if server:
            return (server,)
    return ()


def nameless(words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise a name that is all filler ("Proceedings of the ...")."""
    return () if names.bare(words) else ("unpublished",)
