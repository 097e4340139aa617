"""Which words and letters differ between what is claimed and what the record says?"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

_MOST_WORDS = 400
"""Words of a text that are compared; the rest of a longer one is not marked."""

_FEWEST_SHARED = 0.4
"""Share of the shorter text's words, in [0, 1], below which nothing is marked."""

_ALIKE, _ALIKE_BUT_FOR_ONE = 0.8, 0.5
"""Likeness of two words, in [0, 1], from which their letters are compared; below, all differ.

A single stretch that differs is easy to see, so that less likeness will do there."""

_LONGEST_WORD = 100
"""Letters of a word that are compared one by one."""

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"\w+")

_Range = tuple[int, int]
_Words = Sequence[re.Match[str]]


class Piece(Struct, frozen=True):
    """A stretch of text that is `changed` or not."""

    text: str
    changed: bool = False


def marked(claimed: str, found: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts in pieces, what differs apart from what is the same.

    Words without a counterpart are marked whole, nearly equal ones by their letters. Case and
    punctuation count only where nothing else differs. Texts that share few words have no marks:
    marking nearly everything shows nothing. Joined, the pieces of a side are its text.
    """
    mine = list(_WORD.finditer(claimed))[:_MOST_WORDS]
    theirs = list(_WORD.finditer(found))[:_MOST_WORDS]
    runs = _runs(_folded(mine), _folded(theirs)) or _runs(_raw(mine), _raw(theirs))
    whole = sum(not _by_letters(mine, theirs, run) for run in runs)
    if whole and _too_few_shared(claimed, found, runs):
        return (Piece(claimed),), (Piece(found),)
    left: list[_Range] = []
    right: list[_Range] = []
    for run in runs:
        for one, other in _ranges(mine, theirs, run):
            left += one
            right += other
    return tuple(_pieces(claimed, left)), tuple(_pieces(found, right))


_Run = tuple[int, int, int, int]
"""Words from and to (exclusive) on the one side, and on the other."""


def _raw(words: _Words) -> list[str]:
    return [word[0] for word in words]


def _folded(words: _Words) -> list[str]:
    """Return words by their letters only, or as they are where they have none."""
    return ["".join(_LETTERS.findall(word[0])).casefold() or word[0] for word in words]


def _runs(mine: Sequence[str], theirs: Sequence[str]) -> list[_Run]:
    """Return the stretches of words that have no counterpart."""
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return [tuple(places) for tag, *places in matcher.get_opcodes() if tag != "equal"]  # type: ignore[misc]


def _too_few_shared(claimed: str, found: str, runs: Sequence[_Run]) -> bool:
    counts = len(_WORD.findall(claimed)), len(_WORD.findall(found))
    shared = min(
        counts[0] - sum(i2 - i1 for i1, i2, _, _ in runs),
        counts[1] - sum(j2 - j1 for _, _, j1, j2 in runs),
    )
    return shared < _FEWEST_SHARED * min(counts)


def _by_letters(mine: _Words, theirs: _Words, run: _Run) -> bool:
    """Whether a run pairs words that are alike, so that their letters can be compared."""
    i1, i2, j1, j2 = run
    if i2 - i1 != j2 - j1:
        return False
    return all(
        _alike(one[0], other[0]) for one, other in zip(mine[i1:i2], theirs[j1:j2], strict=True)
    )


def _alike(one: str, other: str) -> bool:
    if max(len(one), len(other)) > _LONGEST_WORD:
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    stretches = sum(tag != "equal" for tag, *_ in matcher.get_opcodes())
    return matcher.ratio() >= (_ALIKE_BUT_FOR_ONE if stretches == 1 else _ALIKE)


def _ranges(mine: _Words, theirs: _Words, run: _Run) -> Iterator[tuple[list[_Range], list[_Range]]]:
    """Yield what to mark of a run on both sides."""
    i1, i2, j1, j2 = run
    if _by_letters(mine, theirs, run):
        for one, other in zip(mine[i1:i2], theirs[j1:j2], strict=True):
            yield _of_letters(one, other)
        return
    left = [(mine[i1].start(), mine[i2 - 1].end())] if i1 < i2 else []
    right = [(theirs[j1].start(), theirs[j2 - 1].end())] if j1 < j2 else []
    yield left, right


def _of_letters(one: re.Match[str], other: re.Match[str]) -> tuple[list[_Range], list[_Range]]:
    """Return the letters in which two words differ, as places in their texts."""
    folded = one[0].casefold(), other[0].casefold()
    if folded[0] == folded[1] or len(folded[0] + folded[1]) != len(one[0] + other[0]):
        folded = one[0], other[0]
    left: list[_Range] = []
    right: list[_Range] = []
    matcher = SequenceMatcher(None, *folded, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            left.append((one.start() + i1, one.start() + i2))
            right.append((other.start() + j1, other.start() + j2))
    return left, right


def _pieces(text: str, ranges: Sequence[_Range]) -> Iterator[Piece]:
    """Cut the text so that each range stands in a piece of its own; empty ones are left out."""
    place = 0
    for start, end in ranges:
        if start < end:
            if place < start:
                yield Piece(text[place:start])
            yield Piece(text[start:end], changed=True)
            place = end
    if place < len(text) or not text:
        yield Piece(text[place:])
