"""Could two names mean the same person, and by which documented difference?"""

from functools import lru_cache

from msgspec import Struct

from hallmark.match.given_match import Fit, fit_given
from hallmark.match.name_forms import NameForm, Reading, family_skeletons
from hallmark.text.given_names import are_romanisations, is_slip
from hallmark.text.name_folding import is_pinyin


class NameFit(Struct, frozen=True):
    """How two names fit; `code` names the documented difference, "" where there is none."""

    fit: Fit
    code: str = ""


_ALIKE = NameFit(Fit.SAME)
_STRANGERS = NameFit(Fit.NONE, "foreign-author")


@lru_cache(maxsize=131072)
def fit_names(one: NameForm, other: NameForm) -> NameFit:
    """Return how two names fit; symmetric.

    SAME needs the same words in the same order; accents and case do not matter.
    """
    if one is other or one.display == other.display:
        return _ALIKE
    if one.group or other.group:
        return _fit_groups(one, other)
    if one.spelled == other.spelled:
        return _fit_alike(one, other)
    if one.latin != other.latin:
        return _fit_scripts(one, other)
    best = _fit_readings(one, other) if one.keys & other.keys else _STRANGERS
    if best.fit <= Fit.VARIANT:
        return best
    for further in (_fit_reordered, _fit_broken, _fit_family_spelling):
        found = further(one, other)
        if found.fit < best.fit:
            best = found
    return best


def _fit_alike(one: NameForm, other: NameForm) -> NameFit:
    folded = one.display.casefold() == other.display.casefold()
    return _ALIKE if folded else NameFit(Fit.VARIANT, "diacritics")


def _fit_groups(one: NameForm, other: NameForm) -> NameFit:
    """Groups fit when one's words are all in the other's; a group and a person never fit."""
    if one.group and other.group:
        mine, theirs = set(one.spelled), set(other.spelled)
        if mine == theirs:
            return _ALIKE
        if mine <= theirs or theirs <= mine:
            return NameFit(Fit.VARIANT, "consortium")
    return _STRANGERS


def _fit_scripts(one: NameForm, other: NameForm) -> NameFit:
    """Names in different scripts: a romanisation that fits proves them, nothing disproves them."""
    if one.joined in _rotations(other) or other.joined in _rotations(one):
        return NameFit(Fit.VARIANT, "transliteration")
    for mine in one.readings:
        for theirs in other.readings:
            if _keys_sound_alike(mine, theirs) and fit_given(mine.given, theirs.given)[0] <= 1:
                return NameFit(Fit.VARIANT, "transliteration")
    return NameFit(Fit.DOUBT, "other-script")


def _keys_sound_alike(one: Reading, other: Reading) -> bool:
    return any(are_romanisations(mine, theirs) for mine in one.keys for theirs in other.keys)


def _rotations(form: NameForm) -> set[str]:
    """Return the words written together, from every word on."""
    spelled = form.spelled
    return {"".join(spelled[cut:] + spelled[:cut]) for cut in range(len(spelled))}


def _fit_readings(one: NameForm, other: NameForm) -> NameFit:
    """Return the best fit of any reading of one name with any of the other."""
    best = _STRANGERS
    for mine in one.readings:
        for theirs in other.readings:
            if not mine.keys & theirs.keys:
                continue
            found = _fit_reading(mine, theirs, one, other)
            if found.fit < best.fit:
                best = found
                if best.fit is Fit.SAME:
                    return best
    return best


def _fit_reading(mine: Reading, theirs: Reading, one: NameForm, other: NameForm) -> NameFit:
    """Fit the given names of two readings with the same family name."""
    if mine.how and theirs.how and (mine.how == "family-dropped" or theirs.how == "family-dropped"):
        return _STRANGERS
    fit, code = fit_given(mine.given, theirs.given)
    if fit > Fit.VARIANT and (one.glued or other.glued):
        fit, code = fit_given(_unglued(mine.given, one), _unglued(theirs.given, other))
    how = mine.how or theirs.how
    if not how:
        return NameFit(Fit.VARIANT, code or _family_code(mine, theirs)) if fit <= 1 else NameFit(
            fit, code
        )  # fmt: skip
    return _fit_unusual(how, fit, code, mine, theirs)


def _unglued(given: tuple[str, ...], form: NameForm) -> tuple[str, ...]:
    """Read a short first name in capitals as initials written together."""
    return (*given[0], *given[1:]) if form.glued and given else given


def _family_code(mine: Reading, theirs: Reading) -> str:
    return "diacritics" if mine.keys == theirs.keys else "particle"


def _fit_unusual(
    how: str, fit: Fit, code: str, mine: Reading, theirs: Reading
) -> NameFit:  # fmt: skip
    """Judge a fit under a reading that is not the plain one: given names must be certain there."""
    if fit > Fit.VARIANT:
        return _STRANGERS
    if not mine.given or not theirs.given:
        single = len(mine.given) == len(theirs.given)
        return NameFit(Fit.VARIANT if single else Fit.DOUBT, how)
    if how == "family-dropped" and (code not in _CERTAIN or len(mine.given[0]) == 1):
        return NameFit(Fit.DOUBT, how)
    return NameFit(Fit.VARIANT, "compound-family" if how == "family-dropped" else how)


_CERTAIN = frozenset({"", "joined-given", "middle-name", "transliteration"})


def _fit_reordered(one: NameForm, other: NameForm) -> NameFit:
    """The same words in any order, or written together, are the same name."""
    if sorted(one.spelled) == sorted(other.spelled):
        return NameFit(Fit.VARIANT, "name-order")
    if one.joined == other.joined:
        return NameFit(Fit.VARIANT, "joined-name")
    if one.joined in _rotations(other) or other.joined in _rotations(one):
        return NameFit(Fit.VARIANT, "name-order")
    return _STRANGERS


def _fit_broken(one: NameForm, other: NameForm) -> NameFit:
    """A name with remains of markup is doubtful where one of its words begins one of the other's."""
    if not (one.broken or other.broken):
        return _STRANGERS
    for mine in one.spelled:
        for theirs in other.spelled:
            short, long = sorted((mine, theirs), key=len)
            if len(short) >= _TELLING and long.startswith(short):
                return NameFit(Fit.DOUBT, "broken-name")
    return _STRANGERS


_TELLING = 3


def _fit_family_spelling(one: NameForm, other: NameForm) -> NameFit:
    """Family names that differ in spelling: romanised otherwise, a part dropped, or one slip."""
    if not one.readings or not other.readings:
        return _STRANGERS
    mine, theirs = one.readings[0], other.readings[0]
    fit, code = fit_given(mine.given, theirs.given)
    if fit > Fit.VARIANT or not mine.given or not theirs.given:
        return _STRANGERS
    if family_skeletons(one) & family_skeletons(other) and not _both_pinyin(mine, theirs):
        return NameFit(Fit.VARIANT, "transliteration")
    if code in _CERTAIN and len(mine.given[0]) > 1 and _share_part(one, other):
        return NameFit(Fit.VARIANT, "compound-family")
    if _slipped(mine, theirs):
        return NameFit(Fit.SLIP, "surname-typo")
    return _STRANGERS


def _both_pinyin(mine: Reading, theirs: Reading) -> bool:
    return all(map(is_pinyin, mine.keys | theirs.keys))


def _share_part(one: NameForm, other: NameForm) -> bool:
    """Whether one family name of several words contains the other's only word."""
    mine = set(one.readings[0].keys)
    theirs = set(other.readings[0].keys)
    return any(_contains(one, key) for key in theirs) or any(_contains(other, key) for key in mine)


def _contains(form: NameForm, key: str) -> bool:
    return any(key in reading.keys for reading in form.readings if reading.how.startswith("c"))


def _slipped(mine: Reading, theirs: Reading) -> bool:
    return any(
        is_slip(one, other) or _slipped_short(one, other)
        for one in mine.keys
        for other in theirs.keys
    )


def _slipped_short(one: str, other: str) -> bool:
    """Whether short family names differ by exchanged neighbours only ("Wnag")."""
    return len(one) == len(other) and one != other and sorted(one) == sorted(other) and (
        sum(a != b for a, b in zip(one, other, strict=True)) == 2  # noqa: PLR2004 - one exchange
    )  # fmt: skip
