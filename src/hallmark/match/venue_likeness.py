"""Could two names of venues mean the same, though no table says so?

Needed where at least one of the two is in no table. `same` is a documented equivalence; `alike` is
no more than a doubt, enough to keep two names from contradicting each other.
"""

from rapidfuzz.distance import OSA

from hallmark.text import venue_names as names
from hallmark.text.venue_facts import venues

Words = tuple[str, ...]

_GENERIC = frozenset(
    "international conference annual meeting proceedings ieee acm cvf rjs rsj usenix siam joint "
    "the of on in for and".split()
)
_SHORTEST_MISTYPED = 6
_LONG_WORD = 10
_FEWEST_WORDS = 2
_COMPACT_LIKENESS = 0.9


def words_of(name: str) -> Words:
    """Return the words by which a name is compared."""
    return names.core(names.tokens(name))


def names_of(venue_id: str) -> tuple[Words, ...]:
    """Return the words of every name of an identity; one made of a name has just that."""
    fact = venues().get(venue_id)
    if fact is None:
        return (tuple(venue_id.partition(":")[2].split("-")),)
    return tuple(words_of(name) for name in fact.names)


def same(one: Words, other: Words) -> bool:
    """Whether two names are the same but for cut, broken, generic or mistyped words."""
    if not one or not other:
        return False
    if "".join(one) == "".join(other):
        return True
    if _shortened(one, other) or _shortened(_essential(one), _essential(other)):
        return True
    whole = _without_section(one), _without_section(other)
    return (whole[0] == one) != (whole[1] == other) and _shortened(*whole)


def alike(one: Words, other: Words) -> bool:
    """Whether one name may be a part or a misspelling of the other."""
    shorter, longer = sorted((names.content(one), names.content(other)), key=len)
    if len(shorter) < _FEWEST_WORDS:
        return set(shorter) <= set(longer) and bool(shorter)
    if all(map(_may_abbreviate, shorter, longer)):
        return True
    if 2 * len(shorter) >= len(longer) and _in_order(shorter, longer):
        return True
    return OSA.normalized_similarity("".join(one), "".join(other)) >= _COMPACT_LIKENESS


def _shortened(one: Words, other: Words) -> bool:
    if not one or not other:
        return False
    if one == other or names.abbreviates(one, other) or names.abbreviates(other, one):
        return True
    return _mistyped(one, other)


def _without_section(words: Words) -> Words:
    """Drop a section's letter or a series' number, which people write with the volume ("C38")."""
    return tuple(word for word in words if len(word) > 1 and not word.isdigit())


def _essential(words: Words) -> Words:
    return tuple(word for word in words if word not in _GENERIC)


def _mistyped(one: Words, other: Words) -> bool:
    """Whether one long word is mistyped, and all other words are the same."""
    if len(one) != len(other):
        return False
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(differing) != 1:
        return False
    shorter = min(map(len, differing[0]))
    allowed = 2 if shorter >= _LONG_WORD else 1
    return shorter >= _SHORTEST_MISTYPED and OSA.distance(*differing[0]) <= allowed


def _in_order(shorter: Words, longer: Words) -> bool:
    """Whether the words of `shorter` stand in `longer` in this order, cut or whole."""
    rest = iter(longer)
    return all(any(_may_abbreviate(word, full) for full in rest) for word in shorter)


def _may_abbreviate(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
