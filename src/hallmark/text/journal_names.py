"""Do two names of journals mean the same, one of them abbreviated?

ISO 4 drops articles, prepositions and conjunctions and cuts every other word. Lists of
abbreviations also write the words together ("CuadArquitRom") or keep only the initials, and
catalogues add subtitles, places and publishing bodies to full names. A word may be cut anywhere;
short forms that are no beginning of their word ("Jpn.") come from the table `venue_words`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from hallmark.text import knowledge
from hallmark.text import venue_names as names
from hallmark.text.titles import fold, plain

Words = tuple[str, ...]

LONGEST = 300
"""Characters of a name that are read."""

_SMALL = (names.STOP_WORDS - {"at"}) | frozenset(
    "fur zur zum zu im den dem des ein eine di del della delle dello dei degli da das do dos "
    "los las el em na no nel nella sur aux au pour par en un une its per och i za na w o ou ed e "
    "og for from into as by s its voor van het een te tot pro deren".split()
)
_SECTION = frozenset("series ser part pt section sect".split())
_ARTICLE = re.compile(r"\b(?:d|l|dell|all|nell|dall|sull|qu)['\u2019`\u00b4](?=\w)", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")
_CATALOGUED = re.compile(r"\s+[:/=]\s+|\s+;\s+")
_SUBTITLE = re.compile(r"[:;]\s+|\.\s+(?=\S+\s+\S)|\.\.\.|\s+[\u2013\u2014-]\s+")
_SERIES = re.compile(
    r"\b(?:ser|series|sect|section|part|supplement|suppl|abt|abteilung|teil|serie|seria|seriia|"
    r"beiheft|special|new (?:series|ser)|n\.? ?s)\b|^\W*[A-Z]\W*$|\d",
    re.IGNORECASE,
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FEWEST_HUMPS, _FEWEST_INITIALS = 2, 3
_SECTIONED = re.compile(r"(.{8,}\b(?:[A-Z]|\d{1,3}))[,:]\s+[^\W\d_]{2}")
"""A name up to the letter or number of its section; the section's own title follows."""
_FEWEST_IN_HEAD = 3
_TELLS_KIND = re.compile(
    r"(?:an?|the|official|international|internationale|quarterly|monthly)\b|journal|zeitschrift|"
    r"revue|review|rivista|revista|magazine|bulletin|studi|jahrbuch|annal|archiv|rocznik|periodi|"
    r"publication|organ\b|beitr",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"([^\W\d_]+)\.")
_MOST_WORDS = 24


@knowledge.derived
@lru_cache(maxsize=16384)
def same_journal(one: str, other: str) -> bool:
    """Whether two names as written are the same, whole or abbreviated; symmetric.

    Numbers must be the same, and so must the letter of a section or series.
    """
    return any(
        _agree(mine, theirs) or _agree(theirs, mine)
        for mine in _writings(one[:LONGEST])
        for theirs in _writings(other[:LONGEST])
    )


@lru_cache(maxsize=16384)
def _writings(name: str) -> tuple[Words, ...]:
    """Return the words of a name, whole, without a place in brackets, and without a subtitle."""
    found = dict.fromkeys(_words(text) for text in _shorter(_ARTICLE.sub("", plain(name))))
    return tuple(words for words in found if words)


def _shorter(name: str) -> Iterator[str]:
    yield name
    bracket = _BRACKET.search(name)
    without = name
    if bracket and ("," in bracket[0] or _SERIES.search(bracket[0].strip("()[] ")) is None):
        without = f"{name[: bracket.start()]} {name[bracket.end() :]}"
        yield without
    body, stop, rest_of_it = without.partition(". ")
    if stop and "." not in body + rest_of_it:
        yield f"{rest_of_it} {body}"
    section = _SECTIONED.match(without)
    if section:
        yield section[1]
    for marks, fewest in ((_CATALOGUED, 1), (_SUBTITLE, _FEWEST_IN_HEAD)):
        head, *rest = marks.split(without, maxsplit=1)
        if not rest or _SERIES.match(rest[0]):
            continue
        if _is_whole(head, 1 if _TELLS_KIND.match(rest[0]) else fewest):
            yield head


def _is_whole(head: str, fewest: int) -> bool:
    """Whether what stands before a subtitle names a journal alone.

    An abbreviation has no subtitle, and a head of two words may be another journal's whole name
    ("Machine Learning", "Machine Learning: Science and Technology"), save where a librarian's
    marks (blanks on both sides) say that the title ends there.
    """
    return "." not in head and len(head) > 1 and len(head.split()) >= fewest


def _words(name: str) -> Words:
    if " " not in name.strip(". ") and len(_HUMP.findall(name)) >= _FEWEST_HUMPS:
        name = _HUMP.sub(" ", name)
    written = names.tokens(name)[:_MOST_WORDS]
    kept = {fold(word) for word in _DOTTED.findall(name)}
    kept.update(written[-1:])
    words = tuple(
        word for word in written if (word not in _SMALL or word in kept) and word not in _SECTION
    )
    return words[_society(words) :]


def _society(words: Words) -> int:
    """Return how many words in front name the society that publishes the journal."""
    return next((len(one) for one in _societies() if words[: len(one)] == one != words), 0)


@knowledge.derived
@lru_cache(maxsize=1)
def _societies() -> tuple[Words, ...]:
    """Return the societies that put their name, or their initials, in front of a journal's."""
    whole = knowledge.words("venue_words", "publishing")
    return tuple(tuple(w for w in one.split() if w not in _SMALL) for one in sorted(whole))


def _agree(short: Words, full: Words) -> bool:
    """Whether `short` is `full`, its words cut, joined or reduced to their initials."""
    if len(short) == 1 and _are_initials(short[0], full):
        return True
    return _matches(short, full, 0, 0, 0)


def _are_initials(short: str, full: Words) -> bool:
    return len(full) >= _FEWEST_INITIALS and short == "".join(word[0] for word in full)


def _matches(short: Words, full: Words, i: int, j: int, joins: int) -> bool:
    """Match word by word; at most two times two words of one side are one of the other's."""
    if i == len(short) or j == len(full):
        return i == len(short) and j == len(full)
    if _cuts(short[i], full[j]) and _matches(short, full, i + 1, j + 1, joins):
        return True
    if joins == _MOST_JOINS:
        return False
    reaches = j + 1 < len(full) and len(short[i]) > len(full[j])
    joined_full = reaches and _cuts(short[i], full[j] + full[j + 1])
    if joined_full and _matches(short, full, i + 1, j + 2, joins + 1):
        return True
    joined_short = i + 1 < len(short) and _cuts(short[i] + short[i + 1], full[j])
    return joined_short and _matches(short, full, i + 2, j + 1, joins + 1)


_MOST_JOINS = 2


@knowledge.derived
@lru_cache(maxsize=65536)
def _cuts(short: str, full: str) -> bool:
    """Whether a word is the other, cut or contracted; numbers must be the same."""
    if short == full:
        return True
    if short.isdigit() or full.isdigit() or len(full) == 1:
        return False
    return names.cuts(short, full)
