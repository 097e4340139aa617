"""Into which single names does an author field fall, and does it say that it is cut?

BibTeX separates names by "and". People also write commas, semicolons, ampersands and full-width
marks; whether a comma parts two people or the two halves of one name is decided here.
"""

import html
import re
from functools import lru_cache

from bibtexparser.middlewares.names import split_multiple_persons_names

from hallmark.text import knowledge
from hallmark.text.name_folding import visible

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,12});")
_SPACE = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u3000]+")
_FULL_WIDTH = str.maketrans({"\uff0c": ", ", "\uff1b": "; ", "\u3001": ", ", "\uff0e": ". "})
_AMPERSAND = re.compile(r"\s+\\?&\s+")
_OTHERS = re.compile(
    r"(?:others|et\.?[\s~]*als?|et[\s~]alii|and[\s~]others|u\.\s*a\.|\.\.\.|\u2026|\\ldots|\\dots|"
    r"and[\s~]colleagues|co-?workers|et[\s~]al[\s~]*\(?\d*\)?|\(?\[?[^\[\]()]{0,20}\b\d+ "
    r"(?:(?:more|further|other|additional) )?(?:authors?|names|others|more)[^\[\]()]{0,20}\]?\)?)"
    r"[.,;\s]*",
    re.IGNORECASE,
)
_ET_AL = re.compile(
    r"(?:[\s,;~]+(?:and[\s~]+)?|(?<=[a-z.]))(?:\\(?:emph|textit|textsc)\s*)?\{?(?:\\(?:em|it)\s+)?"
    r"(?:et[\s~.]+als?\b|et\.al\b|et\s+alii)[\s.}]*(?:\(\d+\))?$",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?<=[a-z])(?:etal\.|et al\.?)$")
"""Without a full stop "etal" ends names of people: "Zapletal"."""
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s~-]*){1,4}")

LONGEST_FIELD = 2_000_000
"""Characters of an author field that are read; a longer one is cut there and counts as cut."""


def split_names(field: str) -> tuple[tuple[str, ...], bool]:
    """Return the single names of an author field, as written, and whether the list is cut short.

    "others", "et al.", an ellipsis and marks such as "[43 authors]" cut the list and are no names.
    """
    cut = len(field) > LONGEST_FIELD
    text = _tidied(field[:LONGEST_FIELD])
    parts = [part for piece in _at_semicolons(text) for part in _at_and(piece)]
    names: list[str] = []
    for part in parts:
        name, ends = _without_et_al(part)
        sections = _at_mark(name, ",") if "," in name else [name]
        people = [section for section in sections if not _is_others(section)]
        cut = cut or ends or len(people) < len(sections)
        names.extend(_at_commas([one for one in people if one.strip(". ")], parts, ends=cut))
    return tuple(names), cut


def _tidied(field: str) -> str:
    """Return the field on one line, entities and full-width marks resolved."""
    if "&" in field and _ENTITY.search(field):
        field = html.unescape(field)
    field = visible(field)
    return _SPACE.sub(" ", field.translate(_FULL_WIDTH)).strip()


def _at_semicolons(text: str) -> list[str]:
    return _at_mark(text, ";") if ";" in text else [text]


def _at_and(text: str) -> list[str]:
    """Split at "and" outside of braces, then at an ampersand; empty names are dropped."""
    if "&" in text:
        text = _AMPERSAND.sub(" and ", text)
    parts = split_multiple_persons_names(f" {text} ".replace(" and and ", " and ").strip())
    stripped = (_stripped(part) for part in parts)
    return [part for part in stripped if part and part.lower() != "and"]


def _stripped(part: str) -> str:
    part = part.strip(" ,;~")
    for lead in ("and ", "And ", "AND "):
        part = part.removeprefix(lead)
    return part.removesuffix(" and").strip(" ,;~")


def _without_et_al(part: str) -> tuple[str, bool]:
    """Take "et al." off the end of a name; the flag tells whether it was there."""
    if _is_others(part):
        return "", True
    if "et" not in part.lower():
        return part, False
    found = _ET_AL.search(part) or _GLUED.search(part)
    return (part[: found.start()].strip(" ,;~"), True) if found else (part, False)


def _is_others(part: str) -> bool:
    return _OTHERS.fullmatch(part.strip("{} ,;~")) is not None


def _at_mark(text: str, mark: str) -> list[str]:
    """Split at a mark that stands outside of braces."""
    if "{" not in text:
        return [piece.strip() for piece in text.split(mark)]
    pieces, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth = max(0, depth + (letter == "{") - (letter == "}"))
        if letter == mark and depth == 0:
            pieces.append(text[start:place].strip())
            start = place + 1
    return [*pieces, text[start:].strip()]


def _at_commas(sections: list[str], parts: list[str], *, ends: bool) -> list[str]:
    """Decide whether the commas between sections separate people; return one or several names."""
    if len(sections) <= 1:
        return sections
    if any(is_suffix(section) for section in sections[1:]):
        return _with_suffixes(sections)
    if len(sections) == 2:  # noqa: PLR2004 - the two halves of "Family, Given"
        return sections if _are_two_people(sections, parts, ends=ends) else [", ".join(sections)]
    return _regrouped(sections)


def is_suffix(text: str) -> bool:
    """Whether the text is a generational suffix or a degree ("Jr.", "III", "Ph.D.")."""
    return text.lower().replace(".", "").replace(" ", "") in _suffixes()


@knowledge.derived
@lru_cache(maxsize=1)
def _suffixes() -> frozenset[str]:
    return knowledge.words("name_words", "suffix")


def _with_suffixes(sections: list[str]) -> list[str]:
    """Keep "Plunkett, III, Guy" together; in longer lists join a suffix to the name before it."""
    if len(sections) <= 3:  # noqa: PLR2004 - family, suffix, given
        return [", ".join(sections)]
    joined: list[str] = []
    for section in sections:
        if joined and is_suffix(section):
            joined[-1] = f"{joined[-1]} {section}"
        else:
            joined.append(section)
    return _regrouped(joined) if len(joined) > 2 else [", ".join(joined)]  # noqa: PLR2004


def _are_two_people(sections: list[str], parts: list[str], *, ends: bool) -> bool:
    """Whether "A, B" is a list: both look like whole names, and the field says so too.

    `ends` tells that "et al." follows.
    """
    if all(_is_reversed(section) or _is_initialed(section) for section in sections):
        return True
    if any("\u4e00" <= letter <= "\u9fff" for letter in "".join(sections)):
        return all(len(section) in (2, 3, 4) for section in sections)
    others = [part for part in parts if "," not in part and len(part.split()) > 1]
    return (bool(others) or ends) and all(_is_whole(section) for section in sections)


def _regrouped(sections: list[str]) -> list[str]:
    """Split three or more sections into people: every section one, or every two one."""
    even = len(sections) % 2 == 0
    if even and all(map(_are_initials, sections[1::2])):
        return _in_pairs(sections)
    if even and not any(_is_whole(section) for section in sections[::2]):
        return _in_pairs(sections)
    if sum(map(_is_whole, sections)) * 2 > len(sections):
        return sections
    cjk = all(any("\u3040" <= letter <= "\u9fff" for letter in section) for section in sections)
    return sections if cjk else [", ".join(sections)]


def _in_pairs(sections: list[str]) -> list[str]:
    return [
        f"{family}, {given}" for family, given in zip(sections[::2], sections[1::2], strict=True)
    ]


def _are_initials(section: str) -> bool:
    return section.isupper() and _INITIALS.fullmatch(section) is not None


def _is_whole(section: str) -> bool:
    """Whether a section holds at least two words, not all of them initials."""
    return len(section.split()) > 1 and not _are_initials(section)


def _is_reversed(section: str) -> bool:
    """Whether a section reads "Finn C." or "Finn CB": a family name, then initials."""
    words = section.split()
    return (
        len(words) > 1
        and len(words[0]) > 1
        and not words[0].endswith(".")
        and _are_initials(" ".join(words[1:]))
    )


def _is_initialed(section: str) -> bool:
    """Whether a section reads "C. Finn": initials with dots, then a family name."""
    words = section.split()
    return len(words) > 1 and words[0].endswith(".") and not words[-1].endswith(".")
