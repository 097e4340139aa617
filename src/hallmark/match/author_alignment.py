"""Which claimed author is which of the record's?

Names are paired one to one: the same place first, then the best fit, so that repeated family names
pair by their given names. Work is bounded: of many candidates for one name, the nearest are tried.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from rapidfuzz.distance import OSA

from hallmark.match.given_match import Fit
from hallmark.match.name_forms import NameForm
from hallmark.match.name_match import NameFit, fit_names, may_fit
from hallmark.text.name_folding import is_pinyin

MOST_CANDIDATES = 40
"""Record names on either side of a place that are tried for one claimed name and one spelling."""

MOST_TRIED = 40_000
"""Pairs tried in one list; in longer lists fewer candidates are tried for each name."""

MOST_LEFT_OVER = 40
"""Unpaired names on either side that are compared with each other for slips."""


class Pair(Struct, frozen=True):
    """A claimed name and the record's name that it was paired with, by position."""

    claimed: int
    found: int
    fit: NameFit


class Alignment(Struct, frozen=True):
    """Pairs in the order of the claim, and the positions that have no partner.

    `likened` pairs names that are not the same person: one family name with other given names.
    """

    pairs: tuple[Pair, ...]
    likened: tuple[Pair, ...]
    foreign: tuple[int, ...]
    missing: tuple[int, ...]


Aliases = Mapping[str, Sequence[NameForm]]
"""Further names of a record's people, by the name that the record gives."""


def align(
    claimed: Sequence[NameForm], found: Sequence[NameForm], aliases: Aliases | None = None
) -> Alignment:
    """Pair the claimed names with the record's, or with other names of the same people."""
    pairs: dict[int, Pair] = {}
    taken: set[int] = set()
    _take(_same_place(claimed, found), pairs, taken)
    _take(_ranked(_candidates(claimed, found, pairs, taken)), pairs, taken)
    if aliases:
        _take(_ranked(_by_alias(claimed, found, aliases, pairs, taken)), pairs, taken)
    _take(_ranked(_left_over(claimed, found, pairs, taken)), pairs, taken)
    _take(_slipped(claimed, found, pairs, taken), pairs, taken)
    return Alignment(
        pairs=_chosen(pairs, likened=False),
        likened=_chosen(pairs, likened=True),
        foreign=tuple(place for place in range(len(claimed)) if place not in pairs),
        missing=tuple(place for place in range(len(found)) if place not in taken),
    )


def _chosen(pairs: dict[int, Pair], *, likened: bool) -> tuple[Pair, ...]:
    return tuple(
        pair for _, pair in sorted(pairs.items()) if (pair.fit.fit is Fit.OTHER) is likened
    )


def _take(candidates: Iterable[Pair], pairs: dict[int, Pair], taken: set[int]) -> None:
    """Accept candidates in order, each name once."""
    for pair in candidates:
        if pair.claimed not in pairs and pair.found not in taken:
            pairs[pair.claimed] = pair
            taken.add(pair.found)


def _same_place(claimed: Sequence[NameForm], found: Sequence[NameForm]) -> Iterator[Pair]:
    """Yield the names that stand alike in the same place."""
    for place, (mine, theirs) in enumerate(zip(claimed, found, strict=False)):
        if mine is theirs or mine.spelled == theirs.spelled:
            yield Pair(place, place, fit_names(mine, theirs))


def _candidates(
    claimed: Sequence[NameForm], found: Sequence[NameForm], pairs: dict[int, Pair], taken: set[int]
) -> Iterator[Pair]:
    """Yield the pairs of names that share a spelling of the family name and fit."""
    by_key: dict[str, list[int]] = defaultdict(list)
    for place, form in enumerate(found):
        if place not in taken:
            for key in form.keys:
                by_key[key].append(place)
    reach = max(2, min(MOST_CANDIDATES, MOST_TRIED // (1 + len(claimed))))
    for place, form in enumerate(claimed):
        if place in pairs:
            continue
        near = {other for key in form.keys for other in _around(by_key.get(key), place, reach)}
        for other in sorted(near):
            fit = fit_names(form, found[other])
            if fit.fit <= Fit.DOUBT:
                yield Pair(place, other, fit)


def _by_alias(
    claimed: Sequence[NameForm],
    found: Sequence[NameForm],
    aliases: Aliases,
    pairs: dict[int, Pair],
    taken: set[int],
) -> Iterator[Pair]:
    """Yield the pairs of names that fit under another name of the record's person."""
    for other, form in enumerate(found):
        if other in taken:
            continue
        for alias in aliases.get(form.display, ()):
            for place, mine in enumerate(claimed):
                if place not in pairs and fit_names(mine, alias).fit <= Fit.VARIANT:
                    yield Pair(place, other, NameFit(Fit.VARIANT, "alias"))


def _around(places: list[int] | None, place: int, reach: int) -> list[int]:
    """Return the places nearest to `place`, at most `reach` on either side."""
    if not places:
        return []
    middle = bisect_left(places, place)
    return places[max(0, middle - reach) : middle + reach]


def _left_over(
    claimed: Sequence[NameForm], found: Sequence[NameForm], pairs: dict[int, Pair], taken: set[int]
) -> Iterator[Pair]:
    """Yield every pair of still unpaired names that is anything but two strangers."""
    mine = [place for place in range(len(claimed)) if place not in pairs]
    theirs = [place for place in range(len(found)) if place not in taken]
    if len(mine) > MOST_LEFT_OVER or len(theirs) > MOST_LEFT_OVER:
        return
    for place in mine:
        for other in theirs:
            if not may_fit(claimed[place], found[other]):
                continue
            fit = fit_names(claimed[place], found[other])
            if fit.fit < Fit.NONE:
                yield Pair(place, other, fit)


def _slipped(
    claimed: Sequence[NameForm], found: Sequence[NameForm], pairs: dict[int, Pair], taken: set[int]
) -> Iterator[Pair]:
    """Yield the last unpaired names where they stand in one place and differ by a slip of a key.

    Amid people who all fit, an initial is enough to tell who is meant ("J. Gosh").
    """
    mine = [place for place in range(len(claimed)) if place not in pairs]
    theirs = [place for place in range(len(found)) if place not in taken]
    fitting = sum(pair.fit.fit is not Fit.OTHER for pair in pairs.values())
    if len(mine) == 1 and mine == theirs and fitting == len(pairs) and fitting:
        place = mine[0]
        if _is_slipped(claimed[place], found[place]):
            yield Pair(place, place, NameFit(Fit.SLIP, "surname-typo"))


def _is_slipped(one: NameForm, other: NameForm) -> bool:
    """Whether family names differ by one slip of a key, and given names begin alike.

    Too little to say who is meant, unless everybody else on the two lists fits.
    """
    if not one.readings or not other.readings:
        return False
    mine, theirs = one.readings[0], other.readings[0]
    if not mine.given or not theirs.given or mine.given[0][0] != theirs.given[0][0]:
        return False
    return any(
        not (is_pinyin(a) and is_pinyin(b)) and OSA.distance(a, b, score_cutoff=1) <= 1
        for a in mine.keys
        for b in theirs.keys
        if min(len(a), len(b)) >= _SHORT_FAMILY
    )


_SHORT_FAMILY = 4
"""Letters of a family name from which a slip leaves it recognisable."""


def _ranked(candidates: Iterator[Pair]) -> list[Pair]:
    return sorted(
        candidates, key=lambda pair: (pair.fit.fit, abs(pair.claimed - pair.found), pair.claimed)
    )
