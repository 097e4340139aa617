"""How does a service's way of writing a person become one full name, given name first?

Initials stay initials ("ME" becomes "M. E."), for nobody knows what they stand for.
"""

import re

from hallmark.text import clean

_INITIALS = re.compile(r"[^\W\d_]{1,3}")
_DOTTED = re.compile(r"(?:[^\W\d_]\.[\s-]*){1,4}")


def in_order(given: str | None, family: str | None, suffix: str | None = "") -> str:
    """Return "given family suffix"; parts that are missing are left out.

    Where the family part holds nothing but dotted initials and the given part a word, the two were
    put in the wrong places and change them.
    """
    first, last = clean.field(given), clean.field(family)
    if last and first and _DOTTED.fullmatch(last) and not _DOTTED.fullmatch(first):
        first, last = last, first
    return " ".join(part for part in (first, last, clean.field(suffix)) if part)


def spaced(initials: str | None) -> str:
    """Return glued initials apart, with full stops: "ME" is "M. E."; other text as it is."""
    letters = clean.field(initials)
    if letters.isupper() and _INITIALS.fullmatch(letters):
        return " ".join(f"{letter}." for letter in letters)
    return letters


def turned(name: str) -> str:
    """Return "K. M. Wright" for "Wright, K. M."; a name without one comma as it is."""
    family, comma, given = name.partition(",")
    if not comma or "," in given:
        return name.strip()
    return in_order(given.strip(), family.strip())


def surname_first(name: str) -> str:
    """Return "M. E. Baldassarre" for "Baldassarre ME", the form of PubMed; else the name as it is.

    Only a last word of one to three capitals counts as initials.
    """
    family, blank, initials = name.strip().rpartition(" ")
    if blank and initials.isupper() and _INITIALS.fullmatch(initials):
        return in_order(spaced(initials), family)
    return name.strip()
