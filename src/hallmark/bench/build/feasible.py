"""Can shares of kinds and shares of fields be met together by the works that are left?

Each share alone may be small enough, and both together too much: 30 % articles and 25 % machine
learning, from an index whose articles are of other fields. And what is met at the start may become
unmeetable by what is taken first.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Cell = tuple[str, str]
"""A kind and a field."""


class Shortage(Struct, frozen=True):
    """Entries of these kinds that are wanted, and how many there can be at the most."""

    kinds: tuple[str, ...]
    wanted: int
    most: int

    @property
    def lacking(self) -> int:
        """How many there cannot be."""
        return self.wanted - self.most


def shortage(
    kinds: Mapping[str, int], fields: Mapping[str, int], held: Mapping[Cell, int]
) -> Shortage | None:
    """Return what of the numbers cannot be met, where it lacks most; None where all can.

    By the theorem on flows and cuts: the entries of any set of kinds must find room in the fields,
    in none more than it has left, and no more than there are works of that field and these kinds;
    and what lacks in the worst set is what lacks in all. The sets of kinds are tried one after the
    other; a plan names few.

    Args:
        kinds: numbers wanted by kind.
        fields: numbers wanted by field; they add up to as much.
        held: numbers of works by kind and field, 0 where a cell is not named.
    """
    open_fields = [(name, n) for name, n in fields.items() if n > 0]
    worst = None
    for some in _sets(name for name, n in kinds.items() if n > 0):
        wanted = sum(kinds[name] for name in some)
        most = sum(
            min(room, sum(held.get((kind, field), 0) for kind in some))
            for field, room in open_fields
        )
        if wanted > most and (worst is None or wanted - most > worst.lacking):
            worst = Shortage(some, wanted, most)
    return worst


def fewest_bare(
    kinds: Mapping[str, int],
    fields: Mapping[str, int],
    with_doi: Mapping[Cell, int],
    bare: Mapping[Cell, int],
) -> int:
    """Return how many entries have no DOI at the least, if all numbers are met.

    The cheapest flow in which each work without a DOI costs one, bounded from below by its dual:
    prices of kinds of 0, 1 or 2 are tried, and to each the best prices of fields. Never too high;
    too low only where an entry could be had by no less than three exchanges of others.

    Args:
        kinds: numbers wanted by kind.
        fields: numbers wanted by field; they add up to as much.
        with_doi: numbers of works that have a DOI, by kind and field.
        bare: numbers of works that have none.
    """
    import numpy as np  # noqa: PLC0415 - bench extra

    names = [name for name, n in kinds.items() if n > 0]
    open_fields = [name for name, n in fields.items() if n > 0]
    if not names or not open_fields:
        return 0
    wanted = np.array([kinds[name] for name in names])
    rooms = np.array([fields[name] for name in open_fields])
    cells = [[(kind, field) for field in open_fields] for kind in names]
    cheap, dear = (
        np.array([[max(0, held.get(cell, 0)) for cell in row] for row in cells])
        for held in (with_doi, bare)
    )
    prices = _prices(len(names))
    gain = prices[:, None, :] - np.array(_OF_FIELDS)[None, :, None]
    held = np.maximum(gain, 0) @ cheap + np.maximum(gain - 1, 0) @ dear
    costs = held + np.array(_OF_FIELDS)[None, :, None] * rooms
    return max(0, int((prices @ wanted - costs.min(axis=1).sum(axis=1)).max()))


_OF_FIELDS = (-1, 0, 1, 2)
_MANY = 6
"""Kinds from which on fewer prices are tried."""


@lru_cache
def _prices(count: int) -> "npt.NDArray[np.int64]":
    """Return all prices of so many kinds that are tried, of shape (prices, kinds)."""
    import numpy as np  # noqa: PLC0415 - bench extra

    each = (0, 1, 2) if count < _MANY else (0, 1)
    return np.array(list(product(each, repeat=count)), dtype=np.int64)


def _sets(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield all sets that are not empty, the smallest first."""
    every = tuple(names)
    for size in range(1, len(every) + 1):
        yield from combinations(every, size)
