"""Who is named in an author field, and in which parts?

Names are split by BibTeX's rules; what people write beside those rules (initials behind the family
name, suffixes inside it, particles behind the given name, DBLP's numbers) is put right here.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from bibtexparser.middlewares.names import parse_single_name_into_parts
from msgspec import Struct

from hallmark.text import knowledge
from hallmark.text.latex import to_unicode
from hallmark.text.name_folding import compact, fold, is_pinyin, visible, words
from hallmark.text.name_lists import is_suffix, split_names
from hallmark.text.placeholders import select_placeholders


class PersonName(Struct, frozen=True):
    """A name in parts, in Unicode; `literal` is set instead for groups and consortia.

    `split_known` tells whether the source itself said which part is the family name
    ("Lovelace, Ada"), rather than our guess from "Ada Lovelace". `damaged` tells that letters are
    lost: the text was cut within markup, or holds the marks of a wrong encoding.
    """

    given: str = ""
    family: str = ""
    particle: str = ""
    suffix: str = ""
    literal: str = ""
    split_known: bool = False
    damaged: bool = False

    @property
    def display(self) -> str:
        """The name as people write it: "Ludwig van Beethoven Jr."."""
        if self.literal:
            return self.literal
        return " ".join(p for p in (self.given, self.particle, self.family, self.suffix) if p)


LONGEST_NAME = 400
"""Characters of one name that are read: no person's name is longer, hostile input is."""


@knowledge.derived
@lru_cache(maxsize=1)
def group_words() -> frozenset[str]:
    """Return the folded words that make a name that of a group ("consortium")."""
    return knowledge.words("name_words", "group")


@knowledge.derived
@lru_cache(maxsize=1)
def particles() -> frozenset[str]:
    """Return the folded words that stand before a family name ("van", "de")."""
    return knowledge.words("name_words", "particle")


_AMBIGUOUS_SUFFIX = frozenset({"v", "md", "vi"})
_NUMBER = re.compile(r"\s+0\d{3}$")
_TRAILING_INITIALS = re.compile(
    r"(?:[^\W\d_a-z]\.[\s-]?){1,4}|[^\W\d_a-z]{1,3}\.?|(?:[^\W\d_a-z]\s){0,3}[^\W\d_a-z]\.?|"
    r"[B-DF-HJ-NP-TV-XZ]{4}"
)
_GROUP_OPEN = re.compile(r"^\{(?P<inside>.*)\}$")
_MARKUP = re.compile(r"[\\{}$~]")
_DAMAGE = re.compile(
    "[?_](?=\\w)|(?<=\\w)[?_]|[\u0080-\u009f\ufffd]|\u00c3(?:[\u0080-\u00bf]|$)|&#?\\w+$"
)
_ALIAS = re.compile(r"\s+(?:ALIAS|a\.k\.a\.|aka|n\u00e9e)\s+.*$")


def split_authors(field: str) -> tuple[tuple[PersonName, ...], bool]:
    """Return the people named in an author field, LaTeX or Unicode, and whether the list is cut.

    Separators are "and", semicolons, ampersands and, where a comma cannot part the two halves of
    one name, commas. "others" and "et al." cut the list and are no person. A field that breaks off
    within braces was cut too, by a program that did not say so; what is left of its last name
    names nobody, and is kept only where it is all that there is.
    """
    names, cut = split_names(field)
    broken_off = field.count("{") > field.count("}") and bool(names) and "{" in names[-1]
    whole = names[:-1] if broken_off and len(names) > 1 else names
    people = (parse_name(name) for name in whole)
    return tuple(person for person in people if person.family or person.literal), cut or broken_off


def parse_name(text: str) -> PersonName:
    """Return the parts of one name, written in either order, LaTeX or Unicode.

    A name in braces, or one with a word such as "Consortium", is taken as a whole.
    """
    return _parsed(text[:LONGEST_NAME])


@knowledge.derived
@lru_cache(maxsize=65536)
def _parsed(text: str) -> PersonName:
    text = " ".join(visible(text).split())
    if _is_ordinary(text):
        given, _, family = text.rpartition(" ")
        return PersonName(given, family)
    text = _ALIAS.sub("", _NUMBER.sub("", text))
    whole = _as_whole(text)
    if whole:
        return PersonName(literal=whole)
    damaged = text.count("{") != text.count("}") or _DAMAGE.search(text) is not None
    text = _without_title(text)
    parts = parse_single_name_into_parts(text, strict=False)
    name = PersonName(
        given=_decoded(parts.first),
        family=_decoded(parts.last),
        particle=_decoded(parts.von),
        suffix=_decoded(parts.jr),
        split_known="," in text,
        damaged=damaged,
    )
    return _put_right(name)


def family_key(name: PersonName) -> str:
    """Return the family name as one lower-case ASCII word without particles ("oord").

    For indexing and quick comparison; the whole of a group's name, "" for an empty name.
    """
    return compact(name.family or name.literal)


def placeholder_names(authors: Iterable[PersonName]) -> tuple[str, ...]:
    """Return the names, as displayed, that are self-evident stand-ins, whatever a record says.

    "John Doe" is one anywhere; "John Smith" only beside another stand-in.
    """
    return select_placeholders([author.display for author in authors])


def repeated_names(authors: Iterable[PersonName]) -> tuple[str, ...]:
    """Return the names that occur more than once, each once; bare initials repeat nobody."""
    seen: set[tuple[str, ...]] = set()
    repeated: dict[tuple[str, ...], str] = {}
    for author in authors:
        spelled = words(author.display)
        if spelled in seen and (author.literal or _has_full_given(author)):
            repeated.setdefault(spelled, author.display)
        seen.add(spelled)
    return tuple(repeated.values())


def is_group(name: PersonName) -> bool:
    """Whether the name is that of a consortium, company or team rather than of a person."""
    return bool(name.literal) and bool(group_words() & set(words(name.literal)))


def _is_ordinary(text: str) -> bool:
    """Whether a name is only capitalised words, none of which calls for a rule: most names are."""
    if _LETTERS.fullmatch(text) is None or text.isupper():
        return False
    words_of = text.split(" ")
    return (
        len(words_of) > 1
        and len(words_of[-1]) >= _ORDINARY
        and not words_of[-1].isupper()
        and all(word[:1].isupper() and word.lower() not in _special() for word in words_of)
    )


_LETTERS = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .'\u2019-])*[^\W\d_]")
_ORDINARY = 4


@knowledge.derived
@lru_cache(maxsize=1)
def _special() -> frozenset[str]:
    """Return every lower-case word, with a dot and without, that calls for a rule."""
    found = frozenset(word for word, _ in knowledge.rows("name_words")) | {"alias"}
    return found | {f"{word}." for word in found}


def _without_title(text: str) -> str:
    """Return the name without "Prof." or the like in front; more words must follow."""
    first, _, rest = text.partition(". ")
    return rest.strip() if rest and first.lower() in _titles() else text


@knowledge.derived
@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return knowledge.words("name_words", "title")


def _has_full_given(name: PersonName) -> bool:
    return any(len(word) > 1 for word in words(name.given))


def _as_whole(text: str) -> str:
    """Return the name of a group in Unicode, or "" for what is to be split into parts."""
    braced = _GROUP_OPEN.match(text)
    if braced and _is_balanced(braced["inside"]):
        inside = _unicode(braced["inside"])
        if "," in inside and not _names_group(inside):
            return ""
        return inside
    if "," in text or " " not in text:
        return ""
    plain = _unicode(text)
    return plain if _names_group(plain) else ""


def _names_group(text: str) -> bool:
    found = group_words() & set(fold(text).replace(",", " ").split())
    return bool(found - {"the", "ai", "e", "press", "lab"}) or text.startswith("The ")


def _is_balanced(text: str) -> bool:
    """Whether braces in `text` close in order, so that an outer pair encloses the whole."""
    depth = 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            return False
    return depth == 0


def _decoded(parts: list[str]) -> str:
    return _unicode(" ".join(parts))


def _unicode(text: str) -> str:
    """Return LaTeX as Unicode on one line; text without markup comes back as it is."""
    if not text:
        return ""
    if _MARKUP.search(text):
        text = to_unicode(text)
    return " ".join(text.replace("\u00a0", " ").split()).strip(" ,;")


def _put_right(name: PersonName) -> PersonName:
    """Move what stands in the wrong part: suffixes, particles, initials behind the family name."""
    given, particle, family, suffix = name.given, name.particle, name.family, name.suffix
    family, suffix = _suffix_off(family, suffix)
    given, suffix = _suffix_off(given, suffix)
    if not family:
        given, family = _family_from(given)
    if not name.split_known:
        given, family = _initials_behind(given, particle, family)
        given, particle, family = _initials_first(given, particle, family)
    given, particle = _particles_off(given, particle, known=name.split_known)
    if not any(letter.isalnum() for letter in given):
        given = ""
    return PersonName(
        given, family, particle, suffix, split_known=name.split_known, damaged=name.damaged
    )


def _suffix_off(part: str, suffix: str) -> tuple[str, str]:
    """Take a generational suffix or degree off the end of a part of several words."""
    before, _, last = part.rpartition(" ")
    if before and is_suffix(last) and last.lower().rstrip(".") not in _AMBIGUOUS_SUFFIX:
        return before.rstrip(","), f"{last} {suffix}".strip()
    if not before and not suffix and _is_certain_suffix(part):
        return "", part
    return part, suffix


def _is_certain_suffix(part: str) -> bool:
    return part.lower().rstrip(".") in {"jr", "sr", "ii", "iii", "iv", "2nd", "3rd"}


def _family_from(given: str) -> tuple[str, str]:
    """Where the last word was a suffix, the one before it is the family name."""
    before, _, last = given.rpartition(" ")
    return before, last


def _initials_behind(given: str, particle: str, family: str) -> tuple[str, str]:
    """Take the initials off "de Vries A." and "do Prado Paiva TW": they are the given name."""
    before, _, last = family.rpartition(" ")
    if given or not particle or not any(map(str.islower, before)):
        return given, family
    behind = last.isupper() and _TRAILING_INITIALS.fullmatch(last) is not None
    return (last, before) if behind else (given, family)


def _initials_first(given: str, particle: str, family: str) -> tuple[str, str, str]:
    """Turn "Burland V", "He K." and "de Vries A." round: the initials are the given name."""
    if not given and particle and len(family) > 1:
        return given, particle, family
    if not family.isupper() or not _TRAILING_INITIALS.fullmatch(family):
        return given, particle, family
    if not any(map(str.islower, given or particle)):
        return given, particle, family
    if (
        len(family) > 1
        and family.isalpha()
        and is_pinyin(compact(family))
        and is_pinyin(compact(given))
    ):
        return given, particle, family
    first = given.split()
    while first and _TRAILING_INITIALS.fullmatch(first[-1]) and len(first[-1].strip(".")) == 1:
        family = f"{first.pop()} {family}"
    if not first or (len(first) == 1 and len(first[0].strip(".")) == 1):
        return given, particle, family.split(" ")[-1]
    return family, "", " ".join([particle, *first]).strip()


def _particles_off(given: str, particle: str, *, known: bool) -> tuple[str, str]:
    """Move particles from behind the given name to where they belong ("Oord, Aaron van den")."""
    if " " not in given or particle:
        return given, particle
    kept = given.split(" ")
    while len(kept) > 1 and _is_particle(kept[-1], known=known):
        particle = f"{kept.pop()} {particle}".strip()
    return " ".join(kept), particle


def _is_particle(word: str, *, known: bool) -> bool:
    return word.lower() in particles() and (known or len(word) > 1) and not word.endswith(".")
