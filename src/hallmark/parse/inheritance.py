"""Which fields does an entry take over from the entries that it points to?

`crossref` gives a child its parent's fields, the parent's title as `booktitle`; `xdata` gives all
fields as they are (biblatex manual, sections 2.4.1.2 and 3.13.6). Parents may stand behind their
children, so they are gathered in a pass of their own, as many as fit into a bounded table.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from hallmark.records.reference import ParseNote

_POINTER = re.compile(
    r"\b(?:crossref|xdata)\s*=\s*[{\"]?\s*([^\s{}\"][^{}\"\n]{0,2000}?)\s*(?:[}\"\n]|,\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS = ("crossref", "xdata")
_LARGEST = 64 * 2**20
"""Characters of all parents' fields that are kept."""
_MOST_WANTED = 200_000
"""Keys of parents that are looked for."""
_DEEPEST = 8
"""Steps from a child to the last of its ancestors."""

_OWN = frozenset(
    "title subtitle titleaddon shorttitle author crossref xdata xref entryset ids key label "
    "sortkey sorttitle doi url ee eprint eprinttype archiveprefix pages pagetotal abstract "
    "keywords file note annote urldate related relatedtype options execute presort "
    "entrysubtype".split()
)
"""Fields that say something about the parent alone."""
_MOVED = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
_SAME_AUTHOR = frozenset({"inbook", "bookinbook", "suppbook"})


class Parent(Struct, frozen=True):
    """An entry that others point to."""

    entry_type: str
    fields: dict[str, str]


class Parents:
    """The parents of one file, by key; keys that differ only in case are the same, as in BibTeX."""

    def __init__(self) -> None:
        self._wanted: set[str] = set()
        self._kept: dict[str, Parent] = {}
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._wanted)

    def want_those_in(self, text: str) -> int:
        """Note the keys that the text points to; return how many of them are new."""
        before = len(self._wanted)
        if before < _MOST_WANTED:
            for found in _POINTER.finditer(text):
                self._wanted.update(_keys(found.group(1)))
        return len(self._wanted) - before

    def wants(self, key: str) -> bool:
        """Whether an entry points to this key, and it has not been kept yet."""
        folded = key.lower()
        return folded in self._wanted and folded not in self._kept

    def keep(self, key: str, parent: Parent) -> None:
        """Keep a parent, unless the table is full."""
        size = sum(map(len, parent.fields.values()))
        if self._size + size <= _LARGEST:
            self._kept[key.lower()] = parent
            self._size += size

    def inherited(
        self, entry_type: str, fields: dict[str, str]
    ) -> tuple[dict[str, str], tuple[ParseNote, ...]]:
        """Return the fields of a child with those of its ancestors, and notes on missing ones."""
        if not any(fields.get(word) for word in _WORDS):
            return fields, ()
        merged = dict(fields)
        notes: list[ParseNote] = []
        for parent, whole in self._ancestors(fields, notes):
            taken = parent.fields if whole else _handed_down(entry_type, parent)
            for name, value in taken.items():
                if not merged.get(name):
                    merged[name] = value
        return merged, tuple(notes)

    def _ancestors(
        self, fields: Mapping[str, str], notes: list[ParseNote]
    ) -> Iterator[tuple[Parent, bool]]:
        """Yield the ancestors, the nearest first; the flag tells that all fields are taken over."""
        seen: set[str] = set()
        level = [(fields, True)]
        for _ in range(_DEEPEST):
            found = [
                (parent, whole and word == "xdata")
                for heir, whole in level
                for word in reversed(_WORDS)
                for parent in self._named(heir.get(word, ""), word, seen, notes)
            ]
            yield from found
            level = [(parent.fields, whole) for parent, whole in found]

    def _named(
        self, keys: str, word: str, seen: set[str], notes: list[ParseNote]
    ) -> Iterator[Parent]:
        for key in _keys(keys):
            parent = self._kept.get(key)
            if parent is None:
                text = f"The field {word} names {key[:100]}, which was not found in the file."
                notes.append(ParseNote("missing-parent", text))
            elif key not in seen:
                yield parent
            seen.add(key)


def mentions_parents(text: str) -> bool:
    """Whether a text may hold a pointer to a parent; a quick look, in lower case."""
    return any(word in text for word in _WORDS)


def _keys(value: str) -> list[str]:
    return [key for part in value.split(",") if (key := part.strip().lower())]


def _handed_down(entry_type: str, parent: Parent) -> dict[str, str]:
    """Return what `crossref` hands down to a child of this type."""
    fields = {name: value for name, value in parent.fields.items() if name not in _OWN}
    for name, moved in _MOVED.items():
        if name in parent.fields:
            fields.setdefault(moved, parent.fields[name])
    if entry_type in _SAME_AUTHOR and "author" in parent.fields:
        fields["author"] = parent.fields["author"]
    return fields
