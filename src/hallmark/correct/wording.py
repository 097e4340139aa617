"""How does a title change a word, and keep all else as its author wrote it?

Words that are right keep their braces, capitals and commands. A new word is written in lower case
where the title's own words are, and protected by braces where it has capitals inside.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from hallmark.correct.markup import Script
from hallmark.text import titles
from hallmark.text.latex import to_unicode

_WORD = re.compile(r"\S+")
_LONG = 4
"""Letters from which a word has a capital in a title that capitalises words."""
_CAPITALS_INSIDE = re.compile(r"\w[A-Z]")
_OUTER = re.compile(r"^\{(?P<inside>[^{}]*)\}$", re.DOTALL)


def corrected_title(value: str, wanted: str, script: Script) -> str:
    """Return the inside of a title field that says `wanted`, which is plain text.

    Args:
        value: the field's inside as written.
        wanted: the right title.
        script: how letters beyond ASCII are written.
    """
    whole = _OUTER.match(value)
    if whole:
        return f"{{{_changed(whole['inside'], wanted, script, protected=True)}}}"
    return _changed(value, wanted, script, protected=False)


def _changed(value: str, wanted: str, script: Script, *, protected: bool) -> str:
    mine = list(_WORD.finditer(value))
    theirs = wanted.split()
    matcher = SequenceMatcher(
        None, [_key(one[0]) for one in mine], [_key(one) for one in theirs], autojunk=False
    )
    lower = not protected and _is_sentence(to_unicode(value))
    out: list[str] = []
    place = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        start, end = _span(value, mine, i1, i2)
        new = [_fitting(theirs[at], script, lower=lower and at > 0) for at in range(j1, j2)]
        kept = _unbalanced("".join(value[start:end]))
        out += [value[place:start], _joined(new, kept, tag, at_end=i1 == len(mine))]
        place = end
    text = "".join([*out, value[place:]])
    if titles.key(to_unicode(text)) == titles.key(wanted) and text.count("{") == text.count("}"):
        return " ".join(text.split()) if "\n" not in text else text
    return " ".join(_fitting(word, script, lower=False) for word in theirs)


def _key(word: str) -> str:
    return titles.key(to_unicode(word)) or word


def _span(value: str, mine: Sequence[re.Match[str]], first: int, last: int) -> tuple[int, int]:
    """Return the stretch of the value that the words from `first` up to `last` take up."""
    if first == last:
        place = mine[first].start() if first < len(mine) else len(value.rstrip())
        return place, place
    return mine[first].start(), mine[last - 1].end()


def _joined(new: Sequence[str], kept: tuple[str, str], tag: str, *, at_end: bool) -> str:
    text = f"{kept[0]}{' '.join(new)}{kept[1]}"
    if tag != "insert":
        return text
    return f" {text}" if at_end else f"{text} "


def _unbalanced(text: str) -> tuple[str, str]:
    """Return the braces of a replaced stretch whose partners stand outside of it."""
    opened, closed = 0, 0
    for letter in text:
        if letter == "{":
            opened += 1
        elif letter == "}":
            opened, closed = (opened - 1, closed) if opened else (opened, closed + 1)
    return ("{" * opened, "}" * closed)


def _is_sentence(title: str) -> bool:
    """Whether a title has capitals only where a sentence has them."""
    words = [word for word in title.split()[1:] if len(word) >= _LONG and word[:1].isalpha()]
    lower = sum(word[0].islower() for word in words)
    return bool(words) and lower * 2 > len(words)


def _fitting(word: str, script: Script, *, lower: bool) -> str:
    inside = _CAPITALS_INSIDE.search(word) is not None
    text = script.write(word if inside or not lower else word.lower())
    return f"{{{text}}}" if inside else text
