"""Could two rows of given names belong to one person?

Rows are folded words ("jean", "philippe"); a word of one letter is an initial.
"""

from enum import IntEnum
from functools import lru_cache

from hallmark.text import knowledge
from hallmark.text.given_names import are_forms, are_romanisations, are_variants, is_slip


class Fit(IntEnum):
    """How well two names fit, the best first.

    SAME: written alike. VARIANT: documented forms of one name. DOUBT: nothing certain. SLIP: one
    letter of the family name differs. OTHER: same family name, other given names. NONE: strangers.
    """

    SAME = 0
    VARIANT = 1
    DOUBT = 2
    SLIP = 3
    OTHER = 4
    NONE = 5


_SAME: tuple[Fit, str] = (Fit.SAME, "")
_OTHER: tuple[Fit, str] = (Fit.OTHER, "given-name-substitution")


@knowledge.derived
@lru_cache(maxsize=65536)
def fit_given(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[Fit, str]:
    """Return how two rows of given names fit, and the nuance's code; symmetric."""
    if one == other:
        return _SAME
    if not one or not other:
        return (Fit.VARIANT, "family-only")
    if "".join(one) == "".join(other):
        return (Fit.VARIANT, "joined-given")
    if _is_short_for_two(one, other) or _is_short_for_two(other, one):
        return (Fit.VARIANT, "given-variant")
    if _are_reordered(one, other):
        return (Fit.VARIANT, "name-order")
    first = fit_word(one[0], other[0])
    if first is not None:
        return _fit_rest(one, other, first)
    return _fit_shifted(one, other)


@knowledge.derived
@lru_cache(maxsize=65536)
def fit_word(one: str, other: str) -> str | None:
    """Return the nuance's code under which two given names fit ("" if alike), None if not."""
    if one == other:
        return ""
    if len(one) == 1 or len(other) == 1:
        return _fit_initial(one, other)
    if _is_letter_of_two(one, other) or _is_letter_of_two(other, one):
        return "initials"
    if are_variants(one, other):
        return "given-variant"
    if are_romanisations(one, other):
        return "transliteration"
    if is_slip(one, other):
        return "given-slip"
    return None


def _fit_initial(one: str, other: str) -> str | None:
    initial, word = sorted((one, other), key=len)
    if word.startswith(initial):
        return "initials"
    if len(word) > 1 and {initial, word[0]} in _EXCHANGED:
        return "initials"
    return None


_EXCHANGED = tuple(map(set, ("yi", "yj", "ij", "ck", "vw", "ye", "yu", "fp", "kh", "gh", "sc")))
"""Initials that differ between romanisations of one name (Yuri, Iouri; Yevgeny, Evgeny)."""


_WRITTEN_AS_TWO = frozenset(("th", "ae", "oe"))
"""Single letters (Þ, Æ, Œ) as they are folded: an initial of theirs has two letters."""


def _is_letter_of_two(initial: str, word: str) -> bool:
    return initial in _WRITTEN_AS_TWO and word.startswith(initial)


def _is_short_for_two(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one given name is the short form of two ("Juanjo" of "Juan José")."""
    return len(one) == 1 and len(other) == 2 and are_forms(one[0], "".join(other))  # noqa: PLR2004 - of two names


def _are_reordered(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) > 1 and sorted(one) == sorted(other) and all(len(word) > 1 for word in one)


def _fit_rest(one: tuple[str, ...], other: tuple[str, ...], first: str) -> tuple[Fit, str]:
    """Fit what follows a fitting first name: one row's rest must lie, in order, in the other's."""
    if len(one) == 1 or len(other) == 1:
        if len(one) == len(other):
            return (Fit.VARIANT, first) if first else _SAME
        return (Fit.VARIANT, "middle-name" if first == "" else first)
    short, long = sorted((one[1:], other[1:]), key=len)
    code = first
    place = 0
    for word in short:
        while place < len(long):
            found = fit_word(word, long[place])
            place += 1
            if found is not None:
                code = code or found
                break
        else:
            return _merged(one, other)
    if len(short) < len(long):
        code = code or "middle-name"
    return (Fit.VARIANT, code) if code else _SAME


def _merged(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[Fit, str]:
    """Try again with names written together ("Xiao Ming J." and "Xiaoming Jim")."""
    for mine, theirs in ((one, other), (other, one)):
        if len(mine) > 1 and mine[0] + mine[1] == theirs[0]:
            rest = fit_given((theirs[0], *mine[2:]), theirs)
            return (Fit.VARIANT, "joined-given") if rest[0] <= Fit.VARIANT else _OTHER
        if theirs[0] != mine[0] and theirs[0].startswith("".join(mine)):
            continue
    return _OTHER


def _known_forms(skipped: str) -> frozenset[str]:
    """Return what may stand for a middle name; a short form only behind an initial."""
    return _FORMS_BEHIND_INITIAL if len(skipped) == 1 else _FORMS


_FORMS = frozenset({"", "transliteration"})
_FORMS_BEHIND_INITIAL = _FORMS | {"given-variant"}
_LONG_ENOUGH = 2


def _fit_shifted(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[Fit, str]:
    """Fit rows whose first names differ: somebody goes by a middle name, written out in both."""
    for mine, theirs in ((one, other), (other, one)):
        if len(mine[0]) >= _LONG_ENOUGH and any(
            len(word) > 1 and fit_word(mine[0], word) in _known_forms(theirs[0])
            for word in theirs[1:]
        ):
            return (Fit.VARIANT, "middle-name")
    return _merged(one, other)
