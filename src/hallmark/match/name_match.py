"""Could two names mean the same person, and by which documented difference?"""

from functools import lru_cache
from itertools import permutations

from msgspec import Struct
from rapidfuzz.distance import OSA

from hallmark.match.given_match import Fit, fit_given, fit_word
from hallmark.match.name_forms import NameForm, Reading, family_skeletons
from hallmark.text import knowledge
from hallmark.text.family_names import are_one_family, family_groups
from hallmark.text.given_names import are_romanisations, is_slip
from hallmark.text.name_folding import compact, is_cjk, is_phonetic, is_pinyin, pinyin_key, skeleton
from hallmark.text.names import particles


class NameFit(Struct, frozen=True, order=True):
    """How two names fit; `code` names the documented difference, "" where there is none."""

    fit: Fit
    code: str = ""


_ALIKE = NameFit(Fit.SAME)
_STRANGERS = NameFit(Fit.NONE, "foreign-author")
_OTHER_GENERATION = NameFit(Fit.DOUBT, "suffix")


@knowledge.derived
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
    best = _STRANGERS
    if one.readings and other.readings and one.keys & other.keys:
        best = _fit_readings(one, other)
    if best.fit <= Fit.VARIANT or best == _OTHER_GENERATION:
        return best
    return min(best, *(fitted(one, other) for fitted in _FURTHER))


def may_fit(one: NameForm, other: NameForm) -> bool:
    """Whether it is worth while to fit two names: a cheap test that strangers mostly fail.

    Names that fit share a word, a spelling or the skeleton of the family name, its first or last
    two letters, or the same letters in all.
    """
    if one.group or other.group:
        return one.group and other.group
    if one.latin != other.latin or one.broken or other.broken:
        return True
    return not _traits(one).isdisjoint(_traits(other))


@knowledge.derived
@lru_cache(maxsize=32768)
def _traits(form: NameForm) -> frozenset[str]:
    ends = {mark for key in _plain_keys(form) for mark in (f"<{key[:2]}", f">{key[-2:]}")}
    telling = {word for word in form.spelled if len(word) > 1}
    groups = {f"#{group}" for key in _plain_keys(form) for group in family_groups(key)}
    letters = {"=" + "".join(sorted(form.joined))}
    return frozenset(letters | ends | telling | form.keys | groups | family_skeletons(form))


def _plain_keys(form: NameForm) -> frozenset[str]:
    return form.readings[0].keys if form.readings else frozenset()


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
    if _reads_like(one, other) or _reads_like(other, one):
        return NameFit(Fit.VARIANT, "transliteration")
    for mine in one.readings:
        for theirs in other.readings:
            if _keys_sound_alike(mine, theirs) and fit_given(mine.given, theirs.given)[0] <= 1:
                return NameFit(Fit.VARIANT, "transliteration")
    if _are_spelled_out(one, other) and _share_no_sound(one, other):
        return _STRANGERS
    return NameFit(Fit.DOUBT, "other-script")


def _reads_like(character: NameForm, latin: NameForm) -> bool:
    """Whether a name in Chinese or Korean characters, the first its family name, fits a reading."""
    text = character.display.replace(" ", "")
    if character.latin or not is_cjk(text) or not _FEWEST_TO_PAIR <= len(text) <= _MOST_TO_PAIR:
        return False
    family, given = compact(text[0]), compact(text[1:])
    return any(
        any(are_one_family(family, key) for key in reading.keys)
        and are_romanisations(given, "".join(reading.given))
        for reading in latin.readings
    )


def _are_spelled_out(one: NameForm, other: NameForm) -> bool:
    """Whether the name that is not in Latin letters is in letters that write every vowel."""
    return all(form.latin or is_phonetic(form.display) for form in (one, other))


def _share_no_sound(one: NameForm, other: NameForm) -> bool:
    """Whether no word of one name begins like a word of the other."""
    mine, theirs = ({skeleton(word)[:1] for word in form.spelled} for form in (one, other))
    return mine.isdisjoint(theirs)


def _keys_sound_alike(one: Reading, other: Reading) -> bool:
    return any(are_romanisations(mine, theirs) for mine in one.keys for theirs in other.keys)


def _rotations(form: NameForm) -> set[str]:
    """Return the words written together, from every word on."""
    spelled = form.spelled
    return {"".join(spelled[cut:] + spelled[:cut]) for cut in range(len(spelled))}


def _fit_readings(one: NameForm, other: NameForm) -> NameFit:
    """Return the best fit of any reading of one name with any of the other; one is plain.

    The plain reading of both is preferred wherever it fits.
    """
    mine, theirs = one.readings[0], other.readings[0]
    best = _STRANGERS
    if mine.keys & theirs.keys:
        best = _fit_reading(mine, theirs, one, other)
    if best.fit <= Fit.VARIANT:
        return best
    unusual = [_fit_both_compound(one, other)]
    unusual += [
        _fit_reading(mine, reading, one, other)
        for reading in other.readings[1:]
        if mine.keys & reading.keys
    ]
    unusual += [
        _fit_reading(reading, theirs, one, other)
        for reading in one.readings[1:]
        if reading.keys & theirs.keys
    ]
    return min([best, *unusual])


def _fit_both_compound(one: NameForm, other: NameForm) -> NameFit:
    """Fit two family names of which only the last word is the same ("M. Cardoso")."""
    fits = [
        _fit_reading(mine, theirs, one, other)
        for mine in one.readings[1:]
        for theirs in other.readings[1:]
        if mine.how == theirs.how == "compound-family"
        and mine.keys & theirs.keys
        and any(len(word) == 1 for word in (*mine.given, *theirs.given))
    ]
    return min(fits, default=_STRANGERS)


def _fit_reading(mine: Reading, theirs: Reading, one: NameForm, other: NameForm) -> NameFit:
    """Fit the given names of two readings with the same family name."""
    fit, code = _fit_given_names(mine, theirs, one, other)
    how = mine.how or theirs.how
    if how:
        return _fit_unusual(how, fit, code, mine, theirs)
    if one.suffix != other.suffix and one.suffix and other.suffix:
        return _OTHER_GENERATION
    if fit is Fit.SAME:
        return NameFit(Fit.VARIANT, _family_code(mine, theirs, one, other))
    return NameFit(fit, code)


def _fit_given_names(
    mine: Reading, theirs: Reading, one: NameForm, other: NameForm
) -> tuple[Fit, str]:
    """Fit given names as they stand, then with umlauts spelled out, then cut ones as initials."""
    fit = fit_given(mine.given, theirs.given)
    if fit[0] > Fit.VARIANT and (mine.spelt or theirs.spelt):
        spelt = fit_given(mine.spelt or mine.given, theirs.spelt or theirs.given)
        fit = (Fit.VARIANT, spelt[1] or "transliteration") if spelt[0] <= Fit.VARIANT else fit
    if fit[0] > Fit.VARIANT and (one.glued or other.glued or one.dotted or other.dotted):
        fit = fit_given(_unglued(mine.given, one), _unglued(theirs.given, other))
    return fit


def _unglued(given: tuple[str, ...], form: NameForm) -> tuple[str, ...]:
    """Read a short first name in capitals as initials, and a cut one as one initial."""
    if form.dotted and given:
        return (given[0][0], *given[1:])
    return (*given[0], *given[1:]) if form.glued and given else given


def _family_code(mine: Reading, theirs: Reading, one: NameForm, other: NameForm) -> str:
    """Say how names differ whose given names are the same."""
    if one.suffix != other.suffix:
        return "suffix"
    if (set(one.spelled) ^ set(other.spelled)) & particles():
        return "particle"
    return "diacritics" if mine.keys == theirs.keys else "transliteration"


def _fit_unusual(how: str, fit: Fit, code: str, mine: Reading, theirs: Reading) -> NameFit:
    """Judge a fit under a reading that is not the plain one: given names must be certain there."""
    if fit > Fit.VARIANT:
        return _STRANGERS
    if not mine.given or not theirs.given:
        single = len(mine.given) == len(theirs.given)
        return NameFit(Fit.VARIANT if single else Fit.DOUBT, how)
    initial = len(mine.given[0]) == 1 or len(theirs.given[0]) == 1
    if how == "family-dropped" and (code not in _CERTAIN or initial):
        return NameFit(Fit.DOUBT, "compound-family")
    if how == "name-order" and _only_initials(mine, theirs):
        return NameFit(Fit.DOUBT, how)
    return NameFit(Fit.VARIANT, "compound-family" if how == "family-dropped" else how)


_CERTAIN = frozenset({"", "joined-given", "middle-name", "transliteration"})


def _only_initials(mine: Reading, theirs: Reading) -> bool:
    return all(len(word) == 1 for word in mine.given) or all(
        len(word) == 1 for word in theirs.given
    )


def _fit_reordered(one: NameForm, other: NameForm) -> NameFit:
    """The same words in any order, or written together, are the same name."""
    if sorted(one.spelled) == sorted(other.spelled):
        return NameFit(Fit.VARIANT, "name-order")
    if one.joined == other.joined:
        return NameFit(Fit.VARIANT, "joined-name")
    if one.joined in _rotations(other) or other.joined in _rotations(one):
        return NameFit(Fit.VARIANT, "name-order")
    if _pair_in_some_order(one.spelled, other.spelled):
        shared = set(one.spelled) & set(other.spelled)
        certain = any(len(word) >= _LONG_PART and not is_pinyin(word) for word in shared)
        return NameFit(Fit.VARIANT if certain else Fit.DOUBT, "name-order")
    return _STRANGERS


_LONG_PART = 5
"""Letters of a name that few people share."""

_FEWEST_TO_PAIR = 2
_MOST_TO_PAIR = 4


def _pair_in_some_order(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the words pair off as equal or as initials ("Pawan K Mudigonda", "M. Pawan K.")."""
    if len(one) != len(other) or not _FEWEST_TO_PAIR <= len(one) <= _MOST_TO_PAIR:
        return False
    if not {word for word in one if len(word) > 1} & set(other):
        return False
    return any(
        all(
            fit_word(mine, theirs) in {"", "initials"}
            for mine, theirs in zip(one, row, strict=True)
        )
        for row in permutations(other)
    )


def _fit_damaged(one: NameForm, other: NameForm) -> NameFit:
    """A damaged name is doubtful where one of its words begins one of the other's."""
    if one.broken or other.broken:
        for mine in one.spelled:
            for theirs in other.spelled:
                short, long = sorted((mine, theirs), key=len)
                if len(short) >= _TELLING and long.startswith(short):
                    return NameFit(Fit.DOUBT, "broken-name")
    return _STRANGERS


_TELLING = 3


def _fit_cut(one: NameForm, other: NameForm) -> NameFit:
    """A first name with initials or particles alone ("Geoffrey E.", "Virginia de") lost the rest.

    It may also be written by a custom that has no family names ("Vishal G").
    """
    for cut, whole in ((one, other), (other, one)):
        telling = [word for word in cut.spelled if len(word) > 1 and word not in particles()]
        if len(telling) != 1 or len(telling[0]) < _TELLING or not whole.readings:
            continue
        first = whole.readings[0].given[:1] or whole.spelled[:1]
        if first == (telling[0],) and not _is_inverted(cut, whole):
            return NameFit(Fit.DOUBT, "cut-name")
    return _STRANGERS


def _is_inverted(cut: NameForm, whole: NameForm) -> bool:
    """Whether the one telling word is a family name with its given name's initial elsewhere."""
    known = cut.name is not None and cut.name.split_known and bool(cut.name.given)
    return known and bool(whole.readings[0].given) and bool(cut.readings)


def _fit_family_spelling(one: NameForm, other: NameForm) -> NameFit:
    """Family names that differ in spelling: romanised otherwise, a part dropped, or one slip."""
    if not one.readings or not other.readings:
        return _STRANGERS
    mine, theirs = one.readings[0], other.readings[0]
    fit, code = fit_given(mine.given, theirs.given)
    if fit > Fit.VARIANT or not mine.given or not theirs.given:
        return _STRANGERS
    certain = code in _CERTAIN and len(mine.given[0]) > 1 < len(theirs.given[0])
    if _sound_alike(one, other) or (certain and _share_family(mine, theirs)):
        return NameFit(Fit.VARIANT, "transliteration")
    if certain and (_share_part(one, other) or _one_ends_other(mine, theirs)):
        return NameFit(Fit.VARIANT, "compound-family")
    if _slipped(mine, theirs, certain=certain and code == ""):
        return NameFit(Fit.SLIP, "surname-typo")
    return _STRANGERS


def _share_family(one: Reading, other: Reading) -> bool:
    """Whether the family names are romanisations of one; then full given names must be alike."""
    full = min(len("".join(one.given)), len("".join(other.given))) >= _LONG_PART
    return full and any(are_one_family(a, b) for a in one.keys for b in other.keys)


def _sound_alike(one: NameForm, other: NameForm) -> bool:
    keys = one.readings[0].keys | other.readings[0].keys
    if all(map(is_pinyin, keys)):
        mine, theirs = (set(map(pinyin_key, form.readings[0].keys)) for form in (one, other))
        return bool(mine & theirs)
    return bool(family_skeletons(one) & family_skeletons(other))


def _share_part(one: NameForm, other: NameForm) -> bool:
    """Whether one family name of several words contains the other's only word."""
    return any(_contains(one, key) for key in other.readings[0].keys) or any(
        _contains(other, key) for key in one.readings[0].keys
    )


def _contains(form: NameForm, key: str) -> bool:
    return any(key in reading.keys for reading in form.readings if reading.how.startswith("c"))


def _one_ends_other(mine: Reading, theirs: Reading) -> bool:
    """Whether a long family name ends in the other ("Yoosefizonooz", "Zonooz")."""
    for one in mine.keys:
        for other in theirs.keys:
            short, long = sorted((one, other), key=len)
            if len(short) >= _LONG_PART <= len(long) - len(short) + 1 and long.endswith(short):
                return True
    return False


def _slipped(mine: Reading, theirs: Reading, *, certain: bool) -> bool:
    """Whether the family names differ by one slip; short ones only under the same given name."""
    return any(
        is_slip(one, other) or (certain and OSA.distance(one, other, score_cutoff=1) <= 1)
        for one in mine.keys
        for other in theirs.keys
    )


_FURTHER = (_fit_reordered, _fit_damaged, _fit_cut, _fit_family_spelling)
