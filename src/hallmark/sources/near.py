"""What is searched for, and which of the records that a search returns could be meant?

Services rank by relevance and always return something; what shares only some words with the title
asked about is another work. The line is drawn a little lower than where `match.title` calls two
titles different, so that it is the judge who decides about every near one.
"""

import re

from rapidfuzz.distance import Indel

from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import PersonName

NEAREST = 0.7
"""Similarity of two titles' keys, in [0, 1], from which a record is passed on: 0.05 below the line
from which titles are nearly the same (`match.title.NEAR`)."""
MOST_WORDS = 40
"""Words of a title that are searched for; services cut longer queries, or refuse them."""
_SHORTEST_HEAD = 12
"""Letters and digits from which the beginning of a title tells the work."""

_NOT_INDEXED = frozenset(
    "a an and are as at be by for from in into is it its of on or that the this to via with".split()
)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def search_words(title: str) -> list[str]:
    """Return a title's words as they are written, without markup and signs, `MOST_WORDS` of them.

    No sign of any query language is left.
    """
    words = _WORD.findall(titles.plain(title[:_LONGEST]))
    return [word[:_LONGEST_WORD] for word in words[:MOST_WORDS]]


_LONGEST = 2000
_LONGEST_WORD = 100


def search_text(title: str) -> str:
    """Return a title as plain words, for search fields that rank by relevance."""
    return " ".join(search_words(title))


def telling_words(title: str, most: int) -> list[str]:
    """Return the longest words of a title in their order, at most `most` distinct ones.

    For searches that demand every word: the more words, the more slips of the pen they trip over.
    Words that services do not index count only where there are no others.
    """
    every = list(dict.fromkeys(word.lower() for word in search_words(title)))
    words = [word for word in every if word not in _NOT_INDEXED] or every
    chosen = set(sorted(words, key=len, reverse=True)[:most])
    return [word for word in words if word in chosen]


def groups(title: str) -> list[list[str]]:
    """Return the telling words of a title in one group or two, each of which may tell it alone.

    For searches that demand every word of a group: one changed word spoils only one of the two, so
    that the title it was changed from is still found.
    """
    words = telling_words(title, MOST_TELLING)
    return [words] if len(words) < _LEAST_FOR_TWO else [words[::2], words[1::2]]


MOST_TELLING = 8
"""Words that searches demand at most."""
_LEAST_FOR_TWO = 6
"""Words from which half of them are still telling."""


def surname(authors: tuple[PersonName, ...]) -> str:
    """Return the first author's family name as plain words, "" where there is none."""
    first = authors[0].family if authors else ""
    return search_text(first)


def is_near(title: str, version: Version) -> bool:
    """Whether a record has nearly the title asked about, or one is the beginning of the other."""
    asked = titles.key(title[:_LONGEST])
    held = (version.title, *version.title_others)
    return any(_alike(asked, titles.key(one[:_LONGEST])) for one in held)


def _alike(asked: str, held: str) -> bool:
    if not asked or not held:
        return False
    shorter, longer = sorted((asked, held), key=len)
    if len(shorter) >= _SHORTEST_HEAD and longer.startswith(shorter):
        return True
    return Indel.normalized_similarity(asked, held, score_cutoff=NEAREST) >= NEAREST
