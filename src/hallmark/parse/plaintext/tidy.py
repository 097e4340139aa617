"""How does a reference read once line ends, stray accents and full-width marks are put right?

Text that was copied from pages breaks words and identifiers at line ends, and has accents as
characters of their own before the letter.
"""

import re
import unicodedata

_ACCENTS = {
    "¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "˝": "\u030b", "ˇ": "\u030c",
    "˘": "\u0306", "˚": "\u030a", "˙": "\u0307", "¯": "\u0304",
}  # fmt: skip
_ACCENTED = re.compile(rf"([{''.join(_ACCENTS)}]) ?([^\W\d_])")
_CEDILLA = re.compile(r"([cCsStT]) ?¸ ?")
_FULL_WIDTH = str.maketrans(
    {
        "，": ", ", "；": "; ", "：": ": ", "（": " (", "）": ") ", "［": " [", "］": "] ",
        "．": ". ", "、": ", ", "－": "-", "＆": "&", "。": ". ", "\u00a0": " ", "\u202f": " ",
        "\u00ad": "", "\ufeff": "", "\u200b": "",
    }
)  # fmt: skip
_LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})
_IDENTIFIER_END = re.compile(r"(?:10\.\d{4,9}/\S*|https?://\S+)$", re.IGNORECASE)
_WORD_END = re.compile(r"[^\W\d_]{2,}-$")
_LOWER_START = re.compile(r"[a-zß-öø-ÿ]")
_INNER_BREAK = re.compile(r"(?<=[^\W\d_]{2})- (?!(?:and|or|und|oder|to)\b)(?=[a-zß-öø-ÿ]{2})")
_SPACE = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,;.])(?=\s|$)")


def tidied(text: str) -> str:
    """Return a reference on one line, broken words and identifiers joined, accents composed."""
    whole = ""
    for line in text.splitlines():
        whole = _joined(whole, line.strip()) if whole else line.strip()
    whole = whole.translate(_FULL_WIDTH).translate(_LIGATURES)
    if not whole.isascii():
        whole = _ACCENTED.sub(lambda found: found[2] + _ACCENTS[found[1]], whole)
        whole = unicodedata.normalize("NFC", _CEDILLA.sub("\\1\u0327", whole))
    whole = "".join(letter for letter in whole if letter.isprintable() or letter.isspace())
    whole = _INNER_BREAK.sub("", _SPACE.sub(" ", whole))
    return _BEFORE_MARK.sub(r"\1", whole).strip()


def _joined(before: str, line: str) -> str:
    """Join a line to what stands before it; a word that was divided loses its hyphen."""
    if not line:
        return before
    identifier = _IDENTIFIER_END.search(before[-300:])
    goes_on = before[-1] in "-/._" and (line[0].isdigit() or _LOWER_START.match(line))
    if identifier and goes_on:
        return before + line
    if _WORD_END.search(before[-40:]) and _LOWER_START.match(line):
        return before[:-1] + line
    if before.endswith("-") and line[0].isalnum():
        return before + line
    return f"{before} {line}"
