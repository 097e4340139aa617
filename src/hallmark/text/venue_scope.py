"""Does a name name no venue of its own: a publisher, a series, a preprint server, nothing?

Every function returns the identities of the curated rows that stand for such names, () where the
name is something else.
"""

import re

from hallmark.text import venue_names as names

PUBLISHER = ("publishers",)

_NOT_MAIN = " not in main "
_SUBMITTED = re.compile(
    r"^(?:submitted|under (?:review|submission)|in (?:preparation|submission)|unpublished|"
    r"manuscript|technical report|tech(?:nical)?\.? rep|ph\.?d|master'?s|doctoral|working paper)\b",
    re.IGNORECASE,
)
_SERIES = re.compile(
    r"^(?:lecture notes in|ceur |springer |advances in intelligent systems|"
    r"studies in computational intelligence|"
    r"communications in computer and information|leibniz international|procedia )"
)
_PUBLISHER = re.compile(
    r"\b(?:press|verlag|publishers?|publishing|publications|books|ebooks|inc|ltd|llc|gmbh|"
    r"& (?:sons|co)|and (?:sons|co))\.?(?:,[\w .,]{0,30}| Cambridge, \w+)?$",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"^(?!.*\b(?:review|journal|bulletin|quarterly|law|studies|proceedings|conference)\b)"
    r"(?:university of [a-z ]{3,40}|(?:[a-z]+ ){1,4}(?:university|institute of technology)|"
    r"(?:department|school|college|institute|faculty) of .{3,60})$"
)
_PREPRINT_WORDS = {"arxiv": "arxiv", "corr": "arxiv", "biorxiv": "biorxiv", "medrxiv": "medrxiv"}


def without_venue(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise preprint servers in front, publishers, book series and institutions."""
    first = _PREPRINT_WORDS.get(words[0]) if words else None
    if first is not None:
        return (first,)
    text = " ".join(words)
    other = _SERIES.match(text) or _PUBLISHER.search(name) or _INSTITUTION.match(text)
    return PUBLISHER if other and not names.is_meeting(words) else ()


def unpublished(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise names that say themselves that the work is not, or not yet, part of a venue."""
    apart = _SUBMITTED.match(name) or _NOT_MAIN in f" {' '.join(words)} "
    return ("unlisted",) if apart else ()


def preprint(words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise a name that mentions a preprint server and nothing else that is known."""
    for word in words:
        server = _PREPRINT_WORDS.get(word)
        if server:
            return (server,)
    return ()


def nameless(words: tuple[str, ...]) -> tuple[str, ...]:
    """Recognise a name that is all filler ("Proceedings of the ...")."""
    return () if names.bare(words) else ("unpublished",)
