"""How many entries of each label may still be of one kind or field?

Shares are kept for valid and hallucinated entries apart, so that neither tells the label.
"""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import TypeVar

_REST = ""


Key = TypeVar("Key")


def portions(shares: Mapping[Key, float], count: int) -> dict[Key, int]:
    """Return the numbers that shares of `count` come to; they never add up to more than it.

    Args:
        shares: in [0, 1], adding up to 1 at the most.
        count: of all.
    """
    bounds = [round(total * count) for total in accumulate(shares.values(), initial=0.0)]
    return {name: b - a for name, (a, b) in zip(shares, pairwise(bounds), strict=True)}


class Quotas:
    """What is left of the shares of one split.

    Args:
        shares: by name; what is left over may be of any other name. Without shares, all may.
        valid: the number of valid entries.
        hallucinated: the number of hallucinated ones.
    """

    def __init__(self, shares: Mapping[str, float], valid: int, hallucinated: int) -> None:
        self._left: dict[tuple[bool, str], int] = {}
        self._named = frozenset(shares)
        for label, count in ((True, valid), (False, hallucinated)):
            parts = portions(shares, count)
            self._left |= {(label, name): n for name, n in parts.items()}
            self._left[label, _REST] = count - sum(parts.values())

    def admits(self, name: str, *, valid: bool) -> bool:
        """Whether one more entry of this name and label may be taken."""
        return not self._named or self._left[valid, self.key(name)] > 0

    def take(self, name: str, *, valid: bool) -> None:
        """Count one entry."""
        self._left[valid, self.key(name)] -= 1

    def left(self, *, valid: bool) -> dict[str, int]:
        """Return what is left of each share of a label; "" stands for all other names."""
        return {name: n for (label, name), n in self._left.items() if label is valid}

    def lacking(self) -> str:
        """Say what is left of the shares named, "" where nothing is."""
        left = [
            f"{n} {'valid' if valid else 'hallucinated'} of {name}"
            for (valid, name), n in self._left.items()
            if name and n > 0
        ]
        return ", ".join(left)

    def key(self, name: str) -> str:
        """Return the share that a name counts for, "" for what is left over."""
        return name if name in self._named else _REST
