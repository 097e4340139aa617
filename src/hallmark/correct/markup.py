"""How is plain text written in LaTeX, in the way of the file that it goes into?"""

import re
from functools import lru_cache

from msgspec import Struct
from pylatexenc.latexencode import UnicodeToLatexEncoder

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "&%#_$"})
_TYPOGRAPHIC = str.maketrans(
    {"–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "\u00a0": "~"}
)


class Script(Struct, frozen=True):
    """How a file writes letters beyond ASCII.

    `encoding` is the file's. `unicode` says that such letters stand in it as they are; else they
    are written as commands.
    """

    encoding: str = "utf-8"
    unicode: bool = True

    def write(self, text: str) -> str:
        """Return plain text as LaTeX; letters that the file cannot hold become commands."""
        return "".join(map(self._letter, text.translate(_SPECIAL)))

    def _letter(self, letter: str) -> str:
        if letter.isascii():
            return letter
        if self.unicode and self._holds(letter):
            return letter
        plain = letter.translate(_TYPOGRAPHIC)
        return plain if plain.isascii() else _command(letter)

    def _holds(self, letter: str) -> bool:
        try:
            letter.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True


_ACCENT = re.compile(
    r"""\\(?:["'`^~=.]|[uvHcdbkrt](?![A-Za-z])|(?:ss|ae|oe|o|l|i|aa)\b)""", re.IGNORECASE
)


def writes_unicode(text: str) -> bool:
    """Whether a file writes letters beyond ASCII as they are, more often than as commands."""
    letters = sum(letter > "\x7f" and letter.isalpha() for letter in text)
    return letters > 0 and letters >= len(_ACCENT.findall(text))


@lru_cache(maxsize=4096)
def _command(letter: str) -> str:
    r"""Return the command for a letter, in braces so that BibTeX takes it for one: `{\'e}`."""
    written = str(_encoder().unicode_to_latex(letter))
    return written if written.startswith("{") or written == letter else f"{{{written}}}"


@lru_cache(maxsize=1)
def _encoder() -> UnicodeToLatexEncoder:
    return UnicodeToLatexEncoder(
        replacement_latex_protection="none", unknown_char_policy="keep", unknown_char_warning=False
    )
