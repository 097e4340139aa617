"""What words does a title consist of, and under which key is it found?

One symmetric normaliser for titles that people cite and titles that sources hold. It takes away
what differs without meaning anything: case, accents, markup, quotes, punctuation, the way maths
is written. What is left is compared as it stands: one other letter is another title.
"""

import html
import re
import unicodedata
from functools import lru_cache

from hallmark.text.latex import to_unicode

_TAG = re.compile(
    r"</?(?:[a-z]+:)?(?:i|b|u|em|strong|sub|sup|sc|scp|tt|span|p|br|italic|bold|underline|inf|"
    r"monospace|roman|sans-serif|styled-content|named-content|title|abstract|math|m[a-z]+|"
    r"inline-formula|tex-math|alternatives|font|a|div|h[1-6])\b[^<>]{0,200}/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ANNOTATION = re.compile(
    r"^\s*\[?\(?(?:RETRACTED(?: ARTICLE| CHAPTER)?|WITHDRAWN|Retraction of|Retracted)"
    r"\)?\]?\s*[:.]\s*"
)
_GLUED_MACRO = re.compile(
    r"(?<![^\W_])(?:text(?:tt|sc|bf|it|sf|rm)|math(?:cal|bb|bf|it|sf|rm|scr|frak))(?=[A-Z])"
)
"""A command that lost its backslash and its braces on the way: "textttBERT"."""
_VARIANT_LETTER = re.compile(
    r"(?<![^\W_])var(?=(?:epsilon|theta|phi|rho|sigma|pi|kappa)(?![^\W\d_]))"
)
"""LaTeX's second form of a Greek letter, which means the same letter."""
_PLUS_PLUS = re.compile(r"(?<=\w)\+\+")
_SHARP = re.compile(r"(?<=\b[CcFf])#")
_WORD = re.compile(r"[^\W_]+")

_LETTERS = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ħ": "h", "ı": "i", "ŋ": "n", "ĸ": "k", "ŧ": "t", "ə": "e", "’": "", "‘": "", "'": "",
        "`": "", "ʼ": "", "´": "", "ʹ": "", "\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "",
    }
)  # fmt: skip

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "ϰ": "kappa",
    "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ϖ": "pi",
    "ρ": "rho", "ϱ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi",
    "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "∞": "infinity",
}  # fmt: skip
_GREEK_TABLE = str.maketrans(_GREEK)
_FOLDED = str.maketrans(dict.fromkeys(map(chr, range(768, 880))))


def plain(text: str) -> str:
    """Return `text` without markup: tags, entities and LaTeX are gone, the letters stay.

    Takes time linear in the length of `text`; applying it twice changes nothing that matters to
    `words`.
    """
    if "&" in text:
        text = _unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "\\" in text or "$" in text or "{" in text:
        text = to_unicode(text)
    return _GLUED_MACRO.sub("", text) if "text" in text or "math" in text else text


def fold(text: str) -> str:
    """Return `text` in lower case, without accents, in compatibility form (NFKC)."""
    if text.isascii():
        return text.lower().replace("'", "").replace("`", "")
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKD", text).translate(_FOLDED)
    return unicodedata.normalize("NFC", text).translate(_LETTERS).translate(_GREEK_TABLE)


@lru_cache(maxsize=65536)
def words(text: str) -> tuple[str, ...]:
    """Return the title's words: folded runs of letters and digits, in order.

    Hyphens and all other punctuation separate words; apostrophes vanish ("Let's" is "lets").
    """
    text = plain(text)
    if "+" in text:
        text = _PLUS_PLUS.sub("plusplus", text)
    if "#" in text:
        text = _SHARP.sub("sharp", text)
    if "var" in text:
        text = _VARIANT_LETTER.sub("", text)
    return tuple(_WORD.findall(fold(text)))


def key(text: str) -> str:
    """Return the one key under which a title is looked up: its words written together.

    Two titles of the same key differ at most in case, accents, markup and punctuation. Empty for
    a title without any letter or digit.
    """
    return "".join(words(text))


@lru_cache(maxsize=16384)
def hyphenated(text: str) -> tuple[str, ...]:
    """Return the title's words as `words` does, but keep the parts of a hyphenated one together.

    Every kind of hyphen and dash inside a word is written "-".
    """
    folded = fold(plain(text).translate(_HYPHENS).replace("---", " ").replace("--", "-"))
    return tuple(_HYPHENATED.findall(folded))


_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"))
_HYPHENATED = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def without_annotation(text: str) -> str:
    """Return the title without a publisher's mark in front ("RETRACTED: ...")."""
    return _ANNOTATION.sub("", text, count=1)


def has_retraction_mark(text: str) -> bool:
    """Whether a publisher's mark in front of the title says that the work was retracted.

    A title that merely begins with the word ("Retracted Science and ...") carries no mark.
    """
    found = _ANNOTATION.match(text)
    return found is not None and "retract" in found.group().lower()


def head(text: str) -> str:
    """Return the part before the subtitle ("Title" of "Title: subtitle"), or "" without one.

    A head shorter than three words could name many works and is not returned.
    """
    for mark in (": ", " - ", " – ", " — ", "? ", ". "):
        before, found, after = text.partition(mark)
        if found and after.strip() and len(words(before)) >= _MIN_HEAD_WORDS:
            return before
    return ""


_MIN_HEAD_WORDS = 3


def _unescape(text: str) -> str:
    """Resolve HTML entities, also doubly escaped ones ("&amp;amp;")."""
    for _ in range(2):
        if _ENTITY.search(text) is None:
            break
        text = html.unescape(text)
    return text
