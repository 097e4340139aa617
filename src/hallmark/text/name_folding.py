"""How is a name written in plain lower-case Latin letters?

Accents go, letters that do not decompose are spelled out (ß is ss, đ is d), other scripts are
romanised. A second and a third spelling tell what else the same name is written as: German umlauts
with an e, and a skeleton that romanisations of one name share (Yuri, Yury, Iuri).
"""

import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

_MARKS = re.compile("[\u0300-\u036f]+")
_LETTERS = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t", "ə": "e", "ɛ": "e", "ɔ": "o", "ɖ": "d",
        "ƒ": "f", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y", "ſ": "s",
    }
)  # fmt: skip
_EXPANDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"})
_REMNANTS = re.compile("textcommabelow|textcommaabove|textquotesingle|textsuperscript")
_DASHES = re.compile("[\\-\u00ad\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d_/~]+")
_APOSTROPHES = re.compile("['`\u00b4\u02b9-\u02bd\u2018-\u201b\u2032\u2035\uff07]+")
_WORD = re.compile(r"[a-z0-9]+")
_CJK = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LATIN = re.compile("[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return `text` in lower-case ASCII; apostrophes vanish, every kind of dash becomes a blank."""
    text = _APOSTROPHES.sub("", text)
    if "text" in text:
        text = _REMNANTS.sub("", text)
    if text.isascii():
        return _DASHES.sub(" ", text.lower())
    text = _DASHES.sub(" ", unicodedata.normalize("NFKC", text)).lower()
    text = _MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(_LETTERS)
    if text.isascii():
        return text
    for pair, latin in _GREEK_PAIRS:
        text = text.replace(pair, latin)
    return anyascii(unicodedata.normalize("NFC", text)).lower()


_GREEK_PAIRS = (("ου", "ou"), ("αυ", "av"), ("ευ", "ev"), ("μπ", "b"), ("γκ", "gk"), ("ντ", "nt"))
"""Two Greek letters that are one sound, in Latin letters as in names (ISO 843, type 2)."""


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a name; hyphens and dots separate words."""
    return tuple(_WORD.findall(fold(text)))


_INVISIBLE = re.compile("[\u0000-\u0008\u000e-\u001f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """Return `text` without control characters, zero-width letters and direction marks."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def compact(text: str) -> str:
    """Return the folded words written together ("van den Oord" is "vandenoord")."""
    return "".join(words(text))


@lru_cache(maxsize=65536)
def expanded(text: str) -> str:
    """Return `compact(text)` with umlauts written as vowel and e ("Müßig" is "muessig")."""
    if text.isascii():
        return compact(text)
    composed = unicodedata.normalize("NFC", text).lower()
    return compact(composed.translate(_EXPANDED))


def expanded_words(text: str) -> tuple[str, ...]:
    """Return `words(text)` with umlauts written as vowel and e."""
    return words(unicodedata.normalize("NFC", text).lower().translate(_EXPANDED))


def is_cjk(text: str) -> bool:
    """Whether the name is written in Chinese, Japanese or Korean letters."""
    return _CJK.search(text) is not None


def is_phonetic(text: str) -> bool:
    """Whether the name is in Cyrillic or Greek letters: they say how every sound is written."""
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and all("\u0370" <= letter <= "\u052f" for letter in letters)


def is_latin(text: str) -> bool:
    """Whether the name has at least one Latin letter."""
    return _LATIN.search(text) is not None


_INITIALS = "b p m f d t n l g k h j q x zh ch sh r z c s y w".split()
_FINALS = (
    "a o e i u v ai ei ui ao ou iu ie ue ve er an en in un vn ang eng ing ong ia iao ian iang iong "
    "ua uo uai uan uang uen van yu yue".split()
)
_SYLLABLE = f"(?:(?:{'|'.join(_INITIALS)})?(?:{'|'.join(sorted(_FINALS, key=len, reverse=True))}))"
_PINYIN = re.compile(f"{_SYLLABLE}{{1,3}}")


@lru_cache(maxsize=65536)
def is_pinyin(word: str) -> bool:
    """Whether a folded word could be Chinese in pinyin: one to three syllables, nothing else.

    One other letter there is another name, where it may be a slip or a romanisation elsewhere.
    """
    return _PINYIN.fullmatch(word) is not None


@lru_cache(maxsize=65536)
def pinyin_key(word: str) -> str:
    """Return pinyin with its one letter of many spellings (ü, v, yu after l and n) as u."""
    return _UMLAUT.sub("u", word)


_UMLAUT = re.compile("(?<=[ln])(?:yu|v|ue(?!n))|v")

_SKELETON = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("dj", "d"),
        ("^gh", "k"),
        ("zh", "j"),
        ("woo", "u"),
        ("eo", "u"),
        ("shch|tsch|sch|tch|tsh|sh", "ch"),
        ("kh|gh", "h"),
        ("ph", "f"),
        ("th", "t"),
        ("ks", "x"),
        ("ck|q", "k"),
        ("c(?!h)", "k"),
        ("w", "v"),
        ("ou|oo", "u"),
        ("ee|ie|ei|iy|yi|ij|yj|j|y", "i"),
        ("ae|ai", "e"),
        ("oe", "o"),
        ("ue", "u"),
        ("(?<!^)(?<![cs])h", ""),
        ("ts|tz|z", "z"),
        ("ff$|v$", "f"),
        (r"(.)\1+", r"\1"),
        (r"(?<=.)e(?=[aou])", "i"),
    )
)


@lru_cache(maxsize=65536)
def skeleton(word: str) -> str:
    """Return a spelling that romanisations of one name share; meaningless on its own.

    Made for names from Cyrillic, Arabic, Hebrew, Greek and Indian scripts.
    """
    for pattern, replacement in _SKELETON:
        word = pattern.sub(replacement, word)
    return word
