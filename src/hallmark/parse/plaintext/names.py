"""Which people does the list in front of a printed reference name?

Every style has its own order of names and marks between them; what comes out is a list as BibTeX
writes it, with "others" where the reference says that names are left out.
"""

import re

LONGEST_LIST = 12_000
"""Characters of a list of names that are read."""

_PARTICLE = (
    r"(?:(?:van|von|de|der|den|del|della|la|le|di|da|dos|das|du|el|al|bin|ibn|ten|ter|zu|af|av|"
    r"St\.)\s+)*"
)
_WORD = r"[^\W\d_a-zß-ÿ][\w'’`-]++"
_FAMILY = rf"{_PARTICLE}(?:[dDOL]['’])?{_WORD}(?: {_PARTICLE}{_WORD}){{0,3}}"
_INITIALS = r"(?:[^\W\d_a-zß-ÿ](?:[hjty]u?)?\.[\s-]*){1,5}"
_SUFFIX = r"(?:,?\s(?:Jr|Sr|II|III|IV)\b\.?)?"
INVERTED = rf"{_FAMILY},\s+{_INITIALS}{_SUFFIX}"
"""A name as APA writes it: "van Lovelace, A. B."."""
_MARK = r"\s*(?:,?\s*(?:&|and|und|et|y|e)\s+|[,;]\s*(?:&|and)?\s*|(?:\.{3}|…)\s*)"
_ET_AL = r"(?:,?\s*(?:and\s+)?(?:et\.?\s?al\b\.?|others\b\.?|\.{3}|…|\[\d+ [a-z ]+\]))"
INVERTED_LIST = re.compile(rf"{INVERTED}(?:{_MARK}{INVERTED}){{0,400}}{_ET_AL}?")
_ONE_INVERTED = re.compile(INVERTED)
_COMPACT = rf"{_FAMILY} [^\W\d_a-zß-ÿ]{{1,4}}\.?(?: (?:Jr|Sr|2nd|3rd))?"
COMPACT_LIST = re.compile(
    rf"{_COMPACT}(?:,? (?:and|&) {_COMPACT}|, {_COMPACT}){{0,400}}"
    r"(?:,? et al\.?|, \.{3})?(?=[.:])"
)
"""Names as Vancouver writes them: "van Lovelace AB, Babbage C"."""
_INITIALED = rf"{_INITIALS}{_FAMILY}{_SUFFIX}"
_CHINESE = r"[\u4e00-\u9fff]{2,4}"
CHINESE_LIST = re.compile(rf"{_CHINESE}(?:[,、] ?{_CHINESE}){{0,50}}(?:[,、] ?等)?(?=\.)")
INITIALED_LIST = re.compile(
    rf"{_INITIALED}(?:(?:,? (?:and|&) |, ){_INITIALED}){{0,400}}{_ET_AL}?", re.UNICODE
)
"""Names as plain styles of physics write them: "A. B. Lovelace and C. Babbage"."""

_CUT = re.compile(
    r"(?:,?\s*(?:\band\s+)?(?:\bet\.?\s?al\b\.?|\bothers\b|等)|[,&]?\s*(?:\.\s?\.\s?\.|…)"
    r"|,?\s*\[\d+ [a-z ]+\])",
    re.IGNORECASE,
)
_AND = re.compile(r",?\s+(?:&|and|und)\s+", re.IGNORECASE)
_ROLE = re.compile(r"[,\s]*\(?\b(?:Eds?|Hrsg|editors?|Trans)\b\.?\)?[.,]?\s*$", re.IGNORECASE)
_GIVEN = re.compile(r"[^\W\d_a-zß-ÿ][\w.'’-]*(?: [^\W\d_a-zß-ÿ][\w.'’-]*){0,3}")
_NAME_WORDS = 6
"""Words that one name may have; a longer stretch is no name."""


def people(text: str) -> str:
    """Return a printed list of names as a BibTeX list.

    Names behind an ellipsis are dropped: the list ends in "others" where it is cut.
    """
    text = _ROLE.sub("", text[:LONGEST_LIST].strip(" ,;:"))
    cut = _CUT.search(text)
    if cut:
        text = text[: cut.start()]
    names = [_without_stop(name) for name in _split(text.strip(" ,;&")) if name.strip(" .")]
    return " and ".join([*names, "others"] if cut and names else names)


def _without_stop(name: str) -> str:
    """Take off the dot that ends the list, where it is not that of an initial or suffix."""
    word = name.rstrip(".").rpartition(" ")[2]
    keeps = len(word) == 1 or "." in word or word in {"Jr", "Sr"}
    return name if keeps else name.rstrip(".")


def looks_like_names(text: str) -> bool:
    """Whether a stretch of text can be a list of names: short capitalised parts, no numbers."""
    bare = _ROLE.sub("", _CUT.sub("", text[:LONGEST_LIST])).strip(" .,;:&")
    if not bare or any(letter.isdigit() for letter in bare):
        return False
    if CHINESE_LIST.match(bare + "."):
        return True
    parts = [part for part in re.split(r"[,;]|\s(?:&|and|und)\s", bare) if part.strip()]
    return bool(parts) and all(map(_can_be_name, parts))


def _can_be_name(part: str) -> bool:
    words = part.split()
    capital = sum(word[:1].isupper() for word in words)
    small = [word for word in words if word[:1].islower()]
    return len(words) <= _NAME_WORDS and capital >= 1 and all(map(_is_particle, small))


def _is_particle(word: str) -> bool:
    return re.fullmatch(_PARTICLE, word + " ") is not None or word in {"and", "e", "y", "i"}


def _split(text: str) -> list[str]:
    if CHINESE_LIST.fullmatch(text) or CHINESE_LIST.match(text + "."):
        return [name.strip() for name in re.split("[,、]", text)]
    inverted = INVERTED_LIST.match(text)
    if inverted and inverted.end() >= len(text.rstrip(" .")):
        return [found[0].strip() for found in _ONE_INVERTED.finditer(text)]
    if "," not in text:
        return _AND.split(text)
    if ";" in text:
        return [part.strip(" .&") for part in text.split(";")]
    sections = [part.strip() for part in _AND.sub(", ", text).split(",")]
    if _is_modern(sections):
        return [f"{sections[0]}, {sections[1]}", *sections[2:]]
    if COMPACT_LIST.match(text + "."):
        return [_spaced(section) for section in sections]
    return _paired(sections)


def _is_modern(sections: list[str]) -> bool:
    """Whether only the first name is inverted ("Lovelace, Ada, and Charles Babbage")."""
    if len(sections) < 2 or " " in sections[0].removeprefix("van ").removeprefix("de "):  # noqa: PLR2004
        return False
    return bool(_GIVEN.fullmatch(sections[1])) and all(" " in one for one in sections[2:])


def _paired(sections: list[str]) -> list[str]:
    """Join the halves of names that are all inverted ("Lovelace, Ada, Babbage, Charles")."""
    single = [" " not in one.strip() for one in sections]
    if len(sections) % 2 == 0 and all(single[::2]):
        return [f"{one}, {two}" for one, two in zip(sections[::2], sections[1::2], strict=True)]
    joined: list[str] = []
    for section in sections:
        if joined and re.fullmatch(r"(?:Jr|Sr|II|III|IV)\.?", section):
            joined[-1] += f" {section}"
        else:
            joined.append(section)
    return joined


def _spaced(name: str) -> str:
    """Write "Lovelace AB" as "Lovelace, A. B."."""
    family, _, initials = name.rstrip(".").rpartition(" ")
    if not family:
        return name
    return f"{family}, {' '.join(f'{letter}.' for letter in initials)}"
