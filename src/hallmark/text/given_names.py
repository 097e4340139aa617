"""Could two given names, or two words of them, belong to the same person?

Short forms come from the curated English list of the package `nicknames`, and from the table
`given_names` for other languages.
"""

from functools import lru_cache

from nicknames import NickNamer
from rapidfuzz.distance import OSA

from hallmark.text import knowledge
from hallmark.text.name_folding import is_pinyin, pinyin_key, skeleton


@knowledge.derived
@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    """Map each name to the families of names that it belongs to."""
    groups: dict[str, set[int]] = {}
    for number, (forms,) in enumerate(knowledge.rows("given_names")):
        for name in forms.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


@lru_cache(maxsize=1)
def _namer() -> NickNamer:
    return NickNamer()


@lru_cache(maxsize=16384)
def _relatives(word: str) -> frozenset[str]:
    namer = _namer()
    return frozenset(namer.nicknames_of(word) | namer.canonicals_of(word))


@lru_cache(maxsize=16384)
def _canonicals(word: str) -> frozenset[str]:
    return frozenset(_namer().canonicals_of(word))


def are_forms(one: str, other: str) -> bool:
    """Whether one row of the table holds both folded names; symmetric."""
    mine, theirs = _groups().get(one), _groups().get(other)
    return mine is not None and theirs is not None and bool(mine & theirs)


@knowledge.derived
@lru_cache(maxsize=65536)
def are_variants(one: str, other: str) -> bool:
    """Whether two folded given names are forms of one name (Misha and Mikhail); symmetric."""
    if are_forms(one, other):
        return True
    if other in _relatives(one) or one in _relatives(other):
        return True
    if _canonicals(one) & _canonicals(other):
        return True
    return _is_short_form(one, other)


_SHORTEST_FORM = 3


def _is_short_form(one: str, other: str) -> bool:
    """Whether one begins the other, as Alex does Alexander; Chinese names are not cut."""
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _SHORTEST_FORM
        and len(long) >= len(short) + 2
        and long.startswith(short)
        and not is_pinyin(long)
    )


@lru_cache(maxsize=65536)
def are_romanisations(one: str, other: str) -> bool:
    """Whether two folded names could be one name, romanised or spelled otherwise; symmetric."""
    if is_pinyin(one) and is_pinyin(other):
        return pinyin_key(one) == pinyin_key(other)
    return skeleton(one) == skeleton(other)


_LONG_ENOUGH = 5


@lru_cache(maxsize=65536)
def is_slip(one: str, other: str) -> bool:
    """Whether two folded words differ by one slip of a key; symmetric.

    Words of fewer than five letters, and two words of pinyin, are other names when they differ.
    """
    if min(len(one), len(other)) < _LONG_ENOUGH or (is_pinyin(one) and is_pinyin(other)):
        return False
    return bool(OSA.distance(one, other, score_cutoff=1) <= 1)
