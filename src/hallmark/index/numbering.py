"""Do the numbers of its papers show that a list is whole?

The ACL Anthology numbers the papers of each volume from 1 on. A list of a venue and year is whole
if nearly all of its papers are numbered, if the numbers have no gaps, and if it has every volume
that any collection lists there. What a collection cut off at the end of a volume would not show;
so the last year of a collection proves nothing, as it may have been read before the volume ended.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from hallmark.text.venue_tracks import Track, split

Place: TypeAlias = tuple[str, str, int]
"""Collection, venue identity and year."""

NUMBERED_SHARE = 0.99
"""Share of a list's papers that must be numbered, and of the numbers that must be there."""

FEWEST = 10
"""Papers from which a list without gaps is no chance: a list thinned by half would have none with
a probability of 1 in 1,000."""

_NUMBER = (1 << 20) - 1
"""The bits of a place number that count within the volume; the others name the volume."""


class Numbers:
    """The place numbers of the papers that are listed, by collection, venue and year."""

    def __init__(self) -> None:
        self._numbers: dict[Place, array[int]] = {}
        self._last: dict[str, int] = {}
        self._volumes: dict[tuple[str, int], set[int]] = defaultdict(set)

    def see(self, place: Place, number: int, listed: int) -> None:
        """Note the number of the `listed`-th paper of a list, 0 for none."""
        held = self._numbers.get(place)
        if held is None:
            if not number:
                return
            held = self._numbers[place] = array("Q", bytes(8 * (listed - 1)))
        held.append(number)
        if number:
            self._note(place, (number,))

    def add(self, place: Place, numbers: "array[int]") -> None:
        """Note the numbers of a whole list."""
        if numbers:
            self._numbers[place] = numbers
            self._note(place, numbers)

    def of(self, place: Place) -> "array[int]":
        """Return the numbers of a list, in its order; empty where none is numbered."""
        return self._numbers.get(place, array("Q"))

    def show_whole(self, place: Place) -> bool:
        """Whether the numbers show that a list is whole."""
        collection, venue_id, year = place
        listed = self.of(place)
        if len(listed) < FEWEST or year >= self._last[collection]:
            return False
        if split(venue_id)[1] is Track.WORKSHOPS:
            return False  # a workshop may have published elsewhere
        volumes = _volumes(listed)
        if volumes.keys() != self._volumes[venue_id, year]:
            return False
        held, highest = sum(map(len, volumes.values())), sum(map(max, volumes.values()))
        numbered = sum(map(bool, listed))
        return held >= NUMBERED_SHARE * highest and numbered >= NUMBERED_SHARE * len(listed)

    def _note(self, place: Place, numbers: Iterable[int]) -> None:
        collection, venue_id, year = place
        self._last[collection] = max(year, self._last.get(collection, year))
        self._volumes[venue_id, year].update(one & ~_NUMBER for one in numbers if one)


def _volumes(numbers: Iterable[int]) -> dict[int, set[int]]:
    """Return the numbers within each volume."""
    found: dict[int, set[int]] = defaultdict(set)
    for one in numbers:
        if one:
            found[one & ~_NUMBER].add(one & _NUMBER)
    return found
