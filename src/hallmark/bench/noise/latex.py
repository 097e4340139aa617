"""How is a text written in LaTeX, and an entry in BibTeX?"""

import re
from functools import lru_cache

from pylatexenc.latexencode import UnicodeToLatexEncoder

from hallmark.bench.entry import BlindEntry, Entry

_VERBATIM = frozenset({"doi", "url", "eprint", "file"})
_SPECIAL = re.compile(r"(?<!\\)(?:&(?!#?\w{1,31};)|%|(?<!&)#)")
_UNDERSCORE = re.compile(r"(?<!\\)_")
_MATHS = re.compile(r"(\$[^$]*\$)")


@lru_cache(maxsize=1)
def _encoder() -> UnicodeToLatexEncoder:
    return UnicodeToLatexEncoder(
        non_ascii_only=True,
        replacement_latex_protection="braces-almost-all",
        unknown_char_policy="keep",
        unknown_char_warning=False,
    )


def encoded(text: str) -> str:
    """Return `text` with letters beyond ASCII as LaTeX commands, where LaTeX has any."""
    return text if text.isascii() else str(_encoder().unicode_to_latex(text))


def bibtex(entry: Entry | BlindEntry) -> str:
    """Return the entry as BibTeX text: special characters escaped, braces balanced."""
    rows = [f"  {name} = {{{_value(name, text)}}},\n" for name, text in entry.fields.items()]
    return f"@{entry.bibtex_type}{{{entry.bibtex_key},\n{''.join(rows)}}}\n"


def _value(name: str, text: str) -> str:
    text = text if _balanced(text) else text.replace("{", "").replace("}", "")
    if name in _VERBATIM:
        return text
    if text.count("$") % 2:
        text = text.replace("$", r"\$")
    pieces = _MATHS.split(text)
    return "".join(piece if piece[:1] == "$" else _escaped(piece) for piece in pieces)


def _escaped(text: str) -> str:
    return _UNDERSCORE.sub(r"\\_", _SPECIAL.sub(lambda found: f"\\{found[0]}", text))


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text.replace(r"\{", "").replace(r"\}", ""):
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            return False
    return depth == 0 and not text.endswith("\\")
