"""Which part of a printed reference names people, which the work, and which its place?

Styles are tried from the most certain sign to the least: a title in quotation marks, a year in
brackets behind the names, a year as a sentence, names before a colon, names with bare initials,
and sentences.
"""

import re
from collections.abc import Callable

from msgspec import Struct

from hallmark.parse.plaintext.names import (
    CHINESE_LIST,
    COMPACT_LIST,
    INITIALED_LIST,
    INVERTED_LIST,
    looks_like_names,
)

QUOTED = "quoted title"
"""The style of a title in quotation marks."""


class Parts(Struct, frozen=True):
    """A reference in parts; `tail` is where it appeared, `style` how it was recognised."""

    style: str
    names: str
    title: str
    tail: str
    year: str = ""


_YEAR = r"(?:1[5-9]|20|21)\d{2}"
_QUOTED = re.compile(
    r"[“„«\"](?P<title>[^“”„«»\"]{4,500}(?:[“\"'‘][^“”\"]{1,100}[”\"'’][^“”\"]{0,300})?)"
    r"[”“»\"],?"
)
_SINGLE = re.compile(r"['‘](?P<title>.{8,400}?)['’](?=[,.]\s|\s*$)[,.]?")
_DATED = re.compile(
    rf"\s*\((?P<year>(?:c\.\s?|ca\.\s?)?{_YEAR}[a-z]?(?:[,/ ][^()]{{0,40}})?|\d{{4}}[a-z]?|"
    r"n\.\s?d\.|in press|forthcoming|to appear|under review)\)[.,:]?\s+",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(rf"[.,]\s+(?P<year>{_YEAR})[a-z]?\.\s+(?=\S)")
_COLON_LIST = re.compile(r"(?P<names>[^:]{3,4000}?):\s+(?=\S)")
_YEAR_LEFT = re.compile(rf"[\s.,(]*(?P<year>{_YEAR})[a-z]?\)?[.,]?\s*$")
_ENDS = re.compile(r"[.?!](?=[\s”\"])")
_NO_END = re.compile(
    r"(?:^|[\s(.\-])(?:[^\W\d_]|Th|Ch|Yu|Ya|vs|et|al|St|Jr|Sr|Dr|Prof|No|Nos|Vol|Vols|Proc|Procs|Int|Intl|"
    r"Conf|Symp|Trans|Ann|Eds?|Univ|Dept|Inst|Tech|Rep|pp?|ed|Rev|Am|Amer|Soc|Assoc|Math|Phys|"
    r"Comput|Sci|Eng|Lett|Appl|Mag|Res|Biol|Chem|Med|Nat|Acad|Adv|Bull|J|Mach|Learn|Artif|Intell|"
    r"Syst|Softw|Theor|Theoret|Stat|Annu|Natl|Process|Mon|Not|Astron|Astrophys|Jpn|Ed|cf|e\.g|i\.e|approx)$"
)
_ET_AL = re.compile(
    r"(?P<names>[^:“\"]{2,400}?),?(?:\s+and)?\s+et\.?\s?al\b\.?[.,:]?\s+(?=[^\W_a-zß-öø-ÿ])"
)
_LOOK_BACK = 16
"""Characters before a dot that may be an abbreviation."""
_CAPITAL_AFTER = re.compile(
    r"\s+[\[(“\"'‘]?[^\W_a-zß-öø-ÿ]|\s+[a-z]{1,4}[A-Z]|\s+(?:in|In)\b|\s*$|\s+(?:arXiv|bioRxiv)"
)
_CHINESE_TITLE = re.compile(
    r"(?P<title>[^\[.]{2,300})(?:\[[A-Z](?:/[A-Z]{2})?\]\s*\.?|\.)\s*(?P<tail>.*)"
)
_PHYSICS = re.compile(
    r",\s+(?P<tail>(?P<venue>[A-Z][A-Za-z&]*\.?(?:[\s]?[A-Z(][A-Za-z&)]*\.?){0,7})\s+[A-Z]?\d+\s*"
    rf"(?:,\s*[\w-]+\s*\({_YEAR}\)|\({_YEAR}\)\s*[\w-]+).*)"
)


def parts(text: str) -> Parts | None:
    """Return the parts of a reference without label and identifiers, None for no known style."""
    for style in _STYLES:
        found = style(text)
        if found is not None:
            return found
    return None


def sentences(text: str, most: int) -> list[str]:
    """Return a text cut at the ends of sentences into at most `most` parts.

    Dots of initials and abbreviations end none.
    """
    found: list[str] = []
    start = 0
    for end in _ENDS.finditer(text):
        if len(found) == most - 1:
            break
        before = text[max(start, end.start() - _LOOK_BACK) : end.start()]
        if end[0] == "." and _NO_END.search(before):
            continue
        if not _CAPITAL_AFTER.match(text, end.end()):
            continue
        kept = text[start : end.end()].rstrip(".")
        found.append(kept.strip())
        start = end.end()
    last = text[start:].strip()
    return [one for one in (*found, last) if one]


def _quoted(text: str) -> Parts | None:
    found = _QUOTED.search(text)
    if found is None or not (found.start() == 0 or _names_before(text[: found.start()])):
        return None
    names, year = _without_year(text[: found.start()])
    tail = text[found.end() :]
    later = _DATED.match(tail + " ")
    year = year or (later["year"] if later else "")
    return Parts(QUOTED, names, found["title"], tail, year)


def _names_before(text: str) -> bool:
    names, _ = _without_year(text)
    return looks_like_names(names) or len(names) < 200  # noqa: PLR2004 - a group's name


def _without_year(names: str) -> tuple[str, str]:
    found = _YEAR_LEFT.search(names)
    if found is None:
        return names, ""
    return names[: found.start()], found["year"]


def _author_date(text: str) -> Parts | None:
    """APA and Harvard: names, a year in brackets, then title and place as sentences."""
    found = _DATED.search(text)
    if found is None or not _is_head(text[: found.start()]) or found.end() >= len(text):
        return None
    rest = text[found.end() :].strip()
    single = _SINGLE.match(rest)
    if single:
        title, tail = single["title"], rest[single.end() :]
    else:
        title, tail = _title_and_tail(rest)
    return Parts("author (year)", text[: found.start()], title, tail, found["year"])


def _is_head(names: str) -> bool:
    """Whether what stands before a year are names, or the name of a group, and nothing else."""
    plain = re.sub(r"\[\d+ [a-z ]+\]", "", names)
    if any(letter.isdigit() for letter in plain) or not plain.strip():
        return False
    inverted = INVERTED_LIST.match(plain)
    if inverted and inverted.end() >= len(plain.rstrip(" .,")):
        return True
    return looks_like_names(plain) or (len(sentences(plain, 3)) == 1 and len(plain) < 120)  # noqa: PLR2004


def _title_and_tail(rest: str) -> tuple[str, str]:
    cut = sentences(rest, 2)
    return cut[0], cut[1] if len(cut) > 1 else ""


def _year_sentence(text: str) -> Parts | None:
    """ACM and Chicago: names. Year. Title. Place."""
    found = _BARE_YEAR.search(text)
    if found is None or not _is_head(text[: found.start()]):
        return None
    title, tail = _title_and_tail(text[found.end() :])
    return Parts("author. year.", text[: found.start()], title, tail, found["year"])


def _colon(text: str) -> Parts | None:
    """LNCS: Family, I., Family, I.: Title. Place (year)."""
    found = _COLON_LIST.match(text)
    if found is None:
        return None
    names = INVERTED_LIST.match(found["names"])
    if names is None or names.end() < len(found["names"].rstrip(" .")):
        return None
    title, tail = _title_and_tail(text[found.end() :])
    return Parts("names: title", found["names"], title, tail)


def _compact(text: str) -> Parts | None:
    """Vancouver: Family IJ, Family K. Title. Place. year;volume(number):pages."""
    found = COMPACT_LIST.match(text)
    if found is None or len(found[0]) >= len(text) - 2:
        return None
    if "," not in found[0] and _goes_on(text, found.end()):
        return None
    title, tail = _title_and_tail(text[found.end() + 1 :].strip())
    return Parts("names with bare initials", found[0], title, tail) if tail else None


def _goes_on(text: str, end: int) -> bool:
    """Whether an initial is a middle one: more of the same list follows ("Justin A. Boyan and")."""
    first = sentences(text, 2)[0]
    rest = first[end + 1 :].strip()
    listed = " and " in rest or "," in rest or " " not in rest
    return bool(rest) and listed and looks_like_names(first)


def _chinese(text: str) -> Parts | None:
    """GB/T 7714: names. title[J]. place."""
    found = CHINESE_LIST.match(text)
    if found is None:
        return None
    cut = _CHINESE_TITLE.match(text[found.end() + 1 :].strip())
    return Parts("GB/T 7714", found[0], cut["title"], cut["tail"]) if cut else None


def _physics(text: str) -> Parts | None:
    """Physics: names, journal volume (year) page, without a title."""
    names = INITIALED_LIST.match(text)
    found = _PHYSICS.match(text, names.end()) if names else None
    if names is None or found is None or "." not in found["venue"]:
        return None
    return Parts("without title", names[0], "", found["tail"])


def _only_names(text: str) -> Parts | None:
    names = INITIALED_LIST.fullmatch(text.strip(" .,"))
    return Parts("without title", names[0], "", "") if names else None


def _inverted(text: str) -> Parts | None:
    """Names as in APA, but the year stands at the end."""
    found = INVERTED_LIST.match(text)
    if found is None:
        return None
    rest = text[found.end() :].lstrip(" .,;:/")
    if len(rest) < 8:  # noqa: PLR2004 - shorter than any title
        return None
    title, tail = _title_and_tail(rest)
    return Parts("names first", found[0], title, tail)


def _by_sentences(text: str) -> Parts | None:
    cut = sentences(text, 3)
    if len(cut) >= 2 and looks_like_names(cut[0]):  # noqa: PLR2004 - names and title
        return Parts("sentences", cut[0], cut[1], cut[2] if len(cut) > 2 else "")  # noqa: PLR2004
    return None


def _and_others(text: str) -> Parts | None:
    """Names that end in "et al." and are followed by the title."""
    found = _ET_AL.match(text)
    if found is None or not looks_like_names(found["names"]):
        return None
    title, tail = _title_and_tail(text[found.end() :])
    return Parts("et al.", f"{found['names']} et al.", title, tail)


def _comma(text: str) -> Parts | None:
    """IEEE without quotation marks: I. Family and J. Family, Title, Place, year."""
    found = INITIALED_LIST.match(text)
    if found is None or text[found.end() : found.end() + 1] not in {",", ":"}:
        return None
    rest = text[found.end() + 1 :].strip()
    title, tail = _title_and_tail(rest)
    if not tail:
        title, _, tail = rest.partition(", ")
    return Parts("names, title", found[0], title, tail) if len(title.split()) > 1 else None


_STYLES: tuple[Callable[[str], Parts | None], ...] = (
    _chinese, _physics, _quoted, _author_date, _year_sentence, _colon, _compact, _and_others,
    _comma, _inverted, _by_sentences, _only_names,
)  # fmt: skip
