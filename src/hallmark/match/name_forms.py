"""In which ways can one name be read?

"Ada Lovelace" does not say which word is the family name, and sources split names differently.
A form holds every reading worth trying, the likeliest first.
"""

import re
from functools import lru_cache

from msgspec import Struct

from hallmark.text import knowledge
from hallmark.text.name_folding import (
    compact,
    expanded,
    expanded_words,
    is_latin,
    is_pinyin,
    skeleton,
    words,
)
from hallmark.text.names import LONGEST_NAME, PersonName, is_group, parse_name, particles


class Reading(Struct, frozen=True):
    """One way to read a name: which words are the family name, and which the given names.

    `keys` are spellings of the family name, words of `given` are folded; `spelt` are the same with
    umlauts written as vowel and e, where that differs. `how` is the code of the
    nuance that this reading brings ("" for the plain one, "compound-family", "family-dropped",
    "name-order").
    """

    keys: frozenset[str]
    given: tuple[str, ...]
    how: str = ""
    spelt: tuple[str, ...] = ()


class NameForm(Struct, frozen=True, eq=False):
    """A name ready for comparison; two forms are the same object or different.

    `name` is None for a group. `spelled` are all its folded words in order, `glued` says that a
    short given name in capitals may be initials written together ("ME"). `broken` marks a name
    that has lost letters.
    """

    display: str
    spelled: tuple[str, ...]
    name: PersonName | None = None
    broken: bool = False
    latin: bool = True

    @property
    def group(self) -> bool:
        """Whether this is a consortium, a company or a team."""
        return self.name is None

    @property
    def joined(self) -> str:
        """All words written together."""
        return "".join(self.spelled)

    @property
    def suffix(self) -> str:
        """The generational suffix, folded."""
        if self.name is None or not self.name.suffix:
            return ""
        folded = compact(self.name.suffix)
        return _NUMERALS.get(folded, folded)

    @property
    def glued(self) -> bool:
        """Whether the first given name may be initials written together."""
        return self.name is not None and _may_be_glued(self.name)

    @property
    def dotted(self) -> bool:
        """Whether the first given name is cut to some letters and a dot ("Yu.", "Chr.")."""
        return self.name is not None and _DOTTED.match(self.name.given) is not None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Every way to read the name, the plain one first; empty for a group or an empty name."""
        return _readings_of(self)

    @property
    def keys(self) -> frozenset[str]:
        """Every spelling of every word that could be the family name."""
        return _keys_of(self)


@knowledge.derived
@lru_cache(maxsize=32768)
def _readings_of(form: NameForm) -> tuple[Reading, ...]:
    return tuple(_readings(form.name)) if form.name else ()


@knowledge.derived
@lru_cache(maxsize=32768)
def _keys_of(form: NameForm) -> frozenset[str]:
    return frozenset(key for reading in _readings_of(form) for key in reading.keys)


def form_of_text(text: str) -> NameForm:
    """Return the form of a record's name."""
    return _form_of_text(text[:LONGEST_NAME])


@knowledge.derived
@lru_cache(maxsize=32768)
def _form_of_text(text: str) -> NameForm:
    return form_of(parse_name(text))


@knowledge.derived
@lru_cache(maxsize=32768)
def form_of(name: PersonName) -> NameForm:
    """Return the form of a parsed name."""
    group = is_group(name)
    if name.literal and not group:
        name = parse_name(_BRACES.sub("", name.literal))
        group = bool(name.literal)
    display = name.display
    return NameForm(
        display=display,
        spelled=_once(words(display)),
        name=None if group else name,
        broken=name.damaged or _MARKUP.search(display) is not None,
        latin=is_latin(display),
    )


_NUMERALS = {"2nd": "ii", "3rd": "iii", "4th": "iv", "junior": "jr", "senior": "sr"}
_BRACES = re.compile("[{}]")
_MARKUP = re.compile(r"[{}\\&;<>]")


def _once(spelled: tuple[str, ...]) -> tuple[str, ...]:
    """A single name that is written twice ("Mausam Mausam") counts once; "Chen Chen" is whole."""
    return spelled[:1] if _is_doubled(spelled) else spelled


def _is_doubled(spelled: tuple[str, ...]) -> bool:
    return len(spelled) == 2 and spelled[0] == spelled[1] and not is_pinyin(spelled[0])  # noqa: PLR2004 - the same word twice


_DOTTED = re.compile(r"[^\W\d_][^\W\d_A-Z]{1,3}\.")
_LONGEST_GLUED = 3


def _may_be_glued(name: PersonName) -> bool:
    first = name.given.split(" ")[0].replace("-", "")
    if _UNSPEAKABLE.fullmatch(first):
        return True
    return (
        1 < len(first) <= _LONGEST_GLUED
        and first.isalpha()
        and first.isupper()
        and not (len(name.family) > 1 and name.family.isupper())
    )


_UNSPEAKABLE = re.compile(r"[B-DF-HJ-NP-TV-XZ]{2,4}")
"""Capitals without a vowel: initials, even where the family name is in capitals as well."""


def _may_be_initials(name: PersonName) -> bool:
    """Whether what stands last may be initials that spell a syllable: "Padua DA", "Wang SI"."""
    family = name.family
    return (
        1 < len(family) <= _LONGEST_GLUED
        and not name.split_known
        and family.isalpha()
        and family.isupper()
        and any(map(str.islower, name.given))
    )


def _readings(name: PersonName) -> list[Reading]:
    """Return the readings of a person's name, the plain one first."""
    given = name.given.split()
    family = _family_words(name.family)
    if len(given) == len(family) == 1 and _is_doubled(words(f"{name.given} {name.family}")):
        given = []
    readings = [_reading(name.particle, " ".join(family), given)]
    if len(family) > 1:
        readings.append(_reading("", family[-1], [*given, *family[:-1]], "compound-family"))
        readings.append(_reading("", family[0], given, "family-dropped"))
    if len(given) > 1:
        readings.extend(_longer(name, given))
        last = given[-1]
        readings.append(_reading("", last, given[:-1], "family-dropped"))
    if given:
        readings.extend(_turned(name, given, family))
    if _may_be_initials(name):
        readings.append(_reading("", name.given, list(name.family)))
    return [reading for reading in readings if reading.keys]


def _family_words(family: str) -> list[str]:
    """Return the words of a family name; "ImaniGooghari" and "LeCun" are two written together."""
    if family.isalpha() and family[1:].islower():
        return [family]
    apart = _CAMEL.sub(_apart, family)
    return apart.replace("-", " ").replace("\u2010", " ").split()


_CAMEL = re.compile(r"\b([^\W\d_][a-z\u00df-\u024f]+)([A-Z\u00c0-\u00de][a-z\u00df-\u024f]{2,})\b")
_KEPT_IN_FRONT = frozenset({"mc", "mac", "fitz"})


def _apart(found: re.Match[str]) -> str:
    return found[0] if found[1].lower() in _KEPT_IN_FRONT else f"{found[1]} {found[2]}"


_MOST_FAMILY_NAMES = 3


def _longer(name: PersonName, given: list[str]) -> list[Reading]:
    """Read the last given names as a part of the family name."""
    return [
        _reading("", " ".join([*given[cut:], name.particle, name.family]), given[:cut],
                 "compound-family")
        for cut in range(len(given) - 1, max(0, len(given) - _MOST_FAMILY_NAMES), -1)
    ]  # fmt: skip


def _turned(name: PersonName, given: list[str], family: list[str]) -> list[Reading]:
    """Read the family name as standing first."""
    rest = [*name.particle.split(), *family]
    readings = [_reading("", given[0], [*given[1:], *rest], "name-order")]
    if len(given) > 1:
        readings.append(_reading("", " ".join(given), rest, "name-order"))
    return readings


def _reading(particle: str, family: str, given: list[str], how: str = "") -> Reading:
    """Build a reading; the family name counts with and without its particles."""
    spelled = words(family)
    keys = {"".join(spelled)}
    if len(spelled) > 1:
        first = next((i for i, word in enumerate(spelled[:-1]) if word not in particles()), -1)
        keys.add("".join(spelled[first:]))
    if particle:
        keys.add(compact(f"{particle} {family}"))
    if not family.isascii():
        keys.add(expanded(family))
    keys.discard("")
    text = " ".join(given)
    plain = words(text)
    spelt = plain if text.isascii() else expanded_words(text)
    return Reading(frozenset(keys), plain, how, spelt if spelt != plain else ())


@knowledge.derived
@lru_cache(maxsize=32768)
def family_skeletons(form: NameForm) -> frozenset[str]:
    """Return the skeletons of the plain family name: what its romanisations share."""
    if not form.readings:
        return frozenset()
    return frozenset(skeleton(key) for key in form.readings[0].keys)
