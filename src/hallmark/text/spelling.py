"""Are two words the same but for British or American spelling?

A word is rewritten by the rules of the table `spellings` (-our, -ise, -yse, -ogue, -tre, doubled
l, ae and oe) into its American form; words that only look British are left alone.
"""

import re
from functools import lru_cache

from hallmark.text import knowledge


@knowledge.derived
@lru_cache(maxsize=1)
def _kept() -> frozenset[str]:
    return frozenset(word for kind, word, _ in knowledge.rows("spellings") if kind == "kept")


@knowledge.derived
@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = knowledge.rows("spellings")
    return tuple((re.compile(word), to) for kind, word, to in rows if kind == "rule")


@knowledge.derived
@lru_cache(maxsize=16384)
def american(word: str) -> str:
    """Return the American form of a lower-case word; a word of no such pair comes back as it is."""
    if word in _kept():
        return word
    for pattern, replacement in _rules():
        rewritten = pattern.sub(replacement, word)
        if rewritten != word:
            return rewritten
    return word
