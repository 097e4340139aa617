"""Which things go by which names?

A registry maps names to things of one kind: loaders, report formats, systems, tables. A duplicate
name raises when it is registered; an unknown one is answered with the nearest known name.
"""

import difflib
from collections.abc import Iterator
from typing import Generic, TypeVar

from hallmark.errors import UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """Names to things of one kind.

    Args:
        kind: what the things are called in messages, in the singular ("report format").
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._things: dict[str, T] = {}

    def add(self, name: str, thing: T) -> T:
        """Register `thing` under `name`; raises ValueError where the name is taken."""
        if name in self._things:
            raise ValueError(f"{self._kind} {name!r} is registered twice")
        self._things[name] = thing
        return thing

    def get(self, name: str) -> T:
        """Return the thing of this name; raises UnknownName with the nearest known names."""
        try:
            return self._things[name]
        except KeyError:
            raise UnknownName(self._unknown(name)) from None

    def names(self) -> list[str]:
        """Return all names, in the order of registration."""
        return list(self._things)

    def items(self) -> Iterator[tuple[str, T]]:
        """Iterate over names and things, in the order of registration."""
        return iter(self._things.items())

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self._things, n=1, cutoff=0.5)
        hint = (
            f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(sorted(self._things))}."
        )
        return f"There is no {self._kind} named `{name}`. {hint}"
