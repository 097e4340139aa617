"""Which split may a work go to, so that no work and no twin of it is in two?

A work belongs to the split that first used it, as an entry's source or as the donor of a part; no
title stands in two entries. Within that, numbers by type and tier are the plan's.
"""

from collections.abc import Iterable, Mapping

from hallmark.bench.entry import Entry
from hallmark.text import titles


class Works:
    """Which split owns a work, by title key, and which titles are spent."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        self._spent: set[str] = set()

    def is_spent(self, key: str) -> bool:
        """Whether a title, or the work behind an entry, was used for an entry already."""
        return key in self._spent

    def admits(self, split: str, own: Iterable[str], parts: Iterable[str]) -> bool:
        """Whether an entry may join a split.

        Args:
            split: the split's name.
            own: title keys of the entry and of the work that it was made of.
            parts: title keys of all works that parts were taken from.
        """
        own = tuple(own)
        free = not any(key in self._spent for key in own)
        return free and all(self._owners.get(k, split) == split for k in (*own, *parts))

    def claim(self, split: str, own: Iterable[str], parts: Iterable[str]) -> None:
        """Note that an entry joined a split; see `admits` for the arguments."""
        own = tuple(own)
        self._spent.update(own)
        self._owners.update(dict.fromkeys((*own, *parts), split))


def crossing(splits: Mapping[str, Iterable[Entry]]) -> dict[str, list[str]]:
    """Return the works (title keys) that occur in several splits, with those splits' names.

    Looks at titles and at what the entries say of their sources in `extra["works"]`.
    """
    found: dict[str, set[str]] = {}
    for name, entries in splits.items():
        for entry in entries:
            title = titles.key(entry.fields.get("title", ""))
            for key in {title, *entry.extra.get("works", ())}:
                found.setdefault(key, set()).add(name)
    return {key: sorted(names) for key, names in sorted(found.items()) if len(names) > 1}
