"""Which words differ between what is claimed and what the record says?"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct

_MOST_WORDS = 400
"""Words of a text that are compared; the rest of a longer one is not marked."""

_FEWEST_SHARED = 0.4
"""Share of the shorter text's words, in [0, 1], below which nothing is marked."""

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"\w+")


class Piece(Struct, frozen=True):
    """A stretch of text that is `changed` or not."""

    text: str
    changed: bool = False


def marked(claimed: str, found: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return both texts in pieces, words that differ apart from those that are the same.

    Case and punctuation count only where nothing else differs. Texts that share few words have no
    marks: marking nearly everything shows nothing. Joined, the pieces of a side are its text.
    """
    mine, theirs = _WORD.findall(claimed), _WORD.findall(found)
    changed = _changed(_folded(mine), _folded(theirs))
    if not any(changed):
        changed = _changed(mine, theirs)
    shared = min(len(mine) - len(changed[0]), len(theirs) - len(changed[1]))
    if shared < _FEWEST_SHARED * min(len(mine), len(theirs)):
        return (Piece(claimed),), (Piece(found),)
    return _pieces(claimed, changed[0]), _pieces(found, changed[1])


def _folded(words: Sequence[str]) -> list[str]:
    """Return words by their letters only, or as they are where they have none."""
    return ["".join(_LETTERS.findall(word)).casefold() or word for word in words]


def _changed(mine: Sequence[str], theirs: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the places of the words that have no counterpart, on both sides."""
    matcher = SequenceMatcher(None, mine[:_MOST_WORDS], theirs[:_MOST_WORDS], autojunk=False)
    left: set[int] = set()
    right: set[int] = set()
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            left.update(range(i1, i2))
            right.update(range(j1, j2))
    return left, right


def _pieces(text: str, changed: set[int]) -> tuple[Piece, ...]:
    """Cut the text so that runs of changed words stand in pieces of their own."""
    pieces: list[Piece] = []
    start = 0
    run_end: int | None = None
    for at, word in enumerate(_WORD.finditer(text)):
        if at in changed:
            if run_end is None:
                pieces.append(Piece(text[start : word.start()]))
                start = word.start()
            run_end = word.end()
        elif run_end is not None:
            pieces.append(Piece(text[start:run_end], changed=True))
            start, run_end = run_end, None
    pieces.append(Piece(text[start : run_end or len(text)], changed=run_end is not None))
    if run_end is not None:
        pieces.append(Piece(text[run_end:]))
    return tuple(piece for piece in pieces if piece.text)
