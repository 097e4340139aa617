"""What does a LaTeX field value say in plain Unicode?

Accents, symbols, font commands and braces, which is nearly all that bibliographies hold, are
resolved here in linear time; the names of symbols are those of pylatexenc. What takes arguments
(fractions, roots, environments) is left to pylatexenc, as far as the text is short and shallow
enough for it; beyond that commands are dropped and their arguments kept.
"""

import contextlib
import logging
import re
import unicodedata
from functools import cache, lru_cache

from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError

logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)

_STUMBLES = (LatexWalkerError, LookupError, ValueError, TypeError, AttributeError, RuntimeError)
"""What pylatexenc raises on malformed arguments."""
_LONGEST = 20_000
"""Characters that are given to pylatexenc; it is slow, and no honest title is longer."""
_DEEPEST = 40
"""Levels of braces that are given to pylatexenc; it recurses."""
_SHORT = 400
"""Characters of a text whose result is remembered: journals and publishers repeat, titles not."""

_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323",
    "b": "\u0331", "k": "\u0328", "r": "\u030a", "G": "\u030f", "U": "\u030e", "h": "\u0309",
}  # fmt: skip
_ACCENT = re.compile(
    r"""\\(?:(?P<sign>[`'^"~=.])\s*|(?P<name>[uvHcdbkrGUh])(?:\s+|(?=[{\\])))"""
    r"(?:\{\s*(?:\\(?P<dotless>[ij])|(?P<braced>[^\W\d_]))\s*\}"
    r"|\\(?P<bare_dotless>[ij])(?![A-Za-z])\s?|(?P<bare>[^\W\d_]))"
)
_KEPT_WHOLE = re.compile(
    r"\\(?P<sign>[{}$%&#_])|\\[~^]\{\s*\}|\\text(?:asciitilde|asciicircum|underscore|backslash)"
    r"(?![A-Za-z])(?:\{\}|\s)?|%"
)
_SPACES = re.compile(r"\\[ ,;:!>\n]|(?<!\\)~")
_NOTHING = re.compile(r"\\[-/@()\[\]+*]")
_DROPPED = re.compile(
    r"\\(?:noopsort|sortnoop|cite[a-z]*\*?|footnote|thanks|label|index|vspace\*?|hspace\*?|"
    r"href|textcolor|color|fontsize)\s*(?:\[[^\[\]{}]{0,200}\])?\s*\{[^{}]*\}",
    re.IGNORECASE,
)
_DECLARATION = re.compile(
    r"\\(?:text(?:it|bf|sc|rm|tt|sf|sl|up|md|normal)?|emph|em|it|bf|sc|rm|tt|sl|sf|url|path|"
    r"math(?:rm|bf|it|sf|tt|cal|bb|frak|scr|bi|normal|bin|rel|op|ord)|boldsymbol|pmb|bm|mbox|hbox|"
    r"(?:it|bf|sc|rm|tt|sl|sf|up|md)(?:shape|series|family)|ensuremath|operatorname\*?|"
    r"uppercase|lowercase|Make(?:Upper|Lower)case|MakeTextLowercase|protect|relax|selectfont|"
    r"normalfont|textsuperscript|textsubscript|underline|overline|uline|enquote|textquote|"
    r"tiny|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge|left|right|"
    r"[bB]igg?[lrm]?|displaystyle|textstyle|limits|nolimits|nobreak|allowbreak|penalty\d*|"
    r"xspace|natexlab|bibinfo\s*\{[^{}]*\}|capitalize|newline|linebreak|hfill|quad|qquad)"
    r"(?![A-Za-z])\s*"
)
_NAMED = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])(?:\s*\{\}|\s*)")
_LEFT_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?\s?|.)?", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_BRACE_OR_MARK = re.compile(r"[\\{}$]")
_BLANKS = re.compile(r"[ \t\n]{2,}|[\t\n]")

_LITERALS = {
    "{": "\ufdd0", "}": "\ufdd1", "$": "\ufdd2", "%": "\ufdd3", "&": "\ufdd4", "#": "\ufdd5",
    "_": "\ufdd6", "~": "\ufdd7", "^": "\ufdd8", "\\": "\ufdd9",
}  # fmt: skip
_RESTORED = str.maketrans({stand_in: sign for sign, stand_in in _LITERALS.items()})
_STAND_INS = re.compile("[\ufdd0-\ufdd9]")
_WORDS = {"asciitilde": "~", "asciicircum": "^", "underscore": "_", "backslash": "\\"}
_NAMES_OF_PROGRAMS = {
    "TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "BibLaTeX": "BibLaTeX",
    "XeTeX": "XeTeX", "less": "<", "greater": ">", "textless": "<", "textgreater": ">",
    "textquotesingle": "'", "textquotedbl": '"', "lt": "<", "gt": ">", "and": "and",
}  # fmt: skip


def to_unicode(text: str) -> str:
    """Return a LaTeX field value as plain Unicode text.

    Accents are composed (NFC), commands replaced or dropped, braces and the dollars of maths
    removed, ties turned into spaces, dashes and quotes into the typographic ones. Text without
    anything to decode is returned as it is. Never raises; takes time linear in the length.
    """
    if not (
        "{" in text
        or "\\" in text
        or "}" in text
        or "$" in text
        or "~" in text
        or "--" in text
        or "``" in text
        or "''" in text
    ):
        return text
    if "\\" not in text and "$" not in text:
        return _typographic(_BRACE.sub("", text).replace("~", " "))
    if len(text) <= _SHORT:
        return _remembered(text)
    return _decoded(text)


@lru_cache(maxsize=16384)
def _remembered(text: str) -> str:
    return _decoded(text)


def _decoded(text: str) -> str:
    """Decode text with commands or maths."""
    text = _STAND_INS.sub("", text)
    text = _KEPT_WHOLE.sub(_literal, text) if "\\" in text or "%" in text else text
    text = _resolved(text) if "\\" in text else text.replace("~", " ")
    if "\\" in text:
        text = _by_library(text)
    text = _without_dollars(_BRACE.sub("", text))
    return _BLANKS.sub(" ", _typographic(text)).translate(_RESTORED)


def _resolved(text: str) -> str:
    """Resolve accents, fonts and symbols; what takes arguments stays."""
    text = _ACCENT.sub(_accented, text)
    if "\\" in text:
        text = _DROPPED.sub("", text)
        text = _DECLARATION.sub("", text)
        text = _NAMED.sub(_symbol, text)
    return _NOTHING.sub("", _SPACES.sub(" ", text))


def _literal(found: re.Match[str]) -> str:
    """Return the stand-in of a sign that is meant as itself: an escaped or a bare percent."""
    sign = found["sign"]
    if sign is None:
        whole = found.group()
        sign = next((s for name, s in _WORDS.items() if name in whole), whole.lstrip("\\")[:1])
    return _LITERALS[sign]


def _accented(found: re.Match[str]) -> str:
    letter = found["braced"] or found["bare"] or found["dotless"] or found["bare_dotless"]
    accent = _COMBINING[found["sign"] or found["name"]]
    return unicodedata.normalize("NFC", letter + accent)


def _symbol(found: re.Match[str]) -> str:
    """Return the sign that a command names; a command that takes arguments is left as it is."""
    sign = symbols().get(found.group(1))
    if sign is None:
        return found.group()
    is_word = len(sign) > 1 and sign.isascii() and sign.isalpha()
    return f"{sign} " if is_word and found.group()[-1].isspace() else sign


@cache
def symbols() -> dict[str, str]:
    """Return the commands without arguments that stand for a sign, by name without backslash."""
    database = get_default_latex_context_db()
    table = {
        spec.macroname: spec.simplify_repl
        for category in database.categories()
        for spec in database.iter_macro_specs([category])
        if isinstance(spec.simplify_repl, str) and "%" not in spec.simplify_repl
    }
    plain = {
        name: sign
        for name, sign in table.items()
        if name.isalpha() and sign and not sign.startswith("<") and not _BRACE_OR_MARK.search(sign)
    }
    return plain | _NAMES_OF_PROGRAMS


def _by_library(text: str) -> str:
    """Let pylatexenc resolve what is left, where it can; else drop the commands."""
    if len(text) <= _LONGEST and _depth(text) <= _DEEPEST:
        with contextlib.suppress(*_STUMBLES):
            text = str(_converter().latex_to_text(text))
    return _LEFT_COMMAND.sub("", text)


@cache
def _converter() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text", strict_latex_spaces=False)


def _depth(text: str) -> int:
    """Return how deeply braces and environments are nested."""
    depth = deepest = 0
    for found in re.finditer(r"[{}$\[]|\\(?:begin|left|end|right)", text):
        depth += -1 if found.group() in {"}", "\\end", "\\right"} else 1
        deepest = max(deepest, depth)
    return deepest


def _without_dollars(text: str) -> str:
    """Take away the dollars around maths; a single one is a currency."""
    return text.replace("$", "") if text.count("$") > 1 else text


def _typographic(text: str) -> str:
    """Write dashes and double quotes as the typesetter would."""
    if "--" in text:
        text = text.replace("---", "—").replace("--", "–")
    if "``" in text or "''" in text:
        text = text.replace("``", "“").replace("''", "”")
    return text
