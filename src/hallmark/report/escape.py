"""How is text from strangers made harmless before it is shown?

Titles, names and messages may hold terminal escapes, characters that reverse the direction of
the line, invisible characters, Markdown and HTML. Every report passes them through here.
"""

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls, direction marks, invisible characters and lone surrogates; joiners are not among
them, since several scripts need them."""

_UNSEEN_IN_LINES = re.compile(rf"(?!\t|\n|\r\n){_UNSEEN.pattern}")

_BLANK = re.compile(r"[ \t\r\n\f\v]+")
_MARKDOWN = re.compile(r"[\\`*_\[\]|~$<>&@#]|://|(?i:\bwww\.)")
_ENTITIES = {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
    "@": "&#64;",
    "#": "&#35;",
    "|": "&#124;",
    "://": ":&#47;&#47;",
}
_UNSAFE_IN_JSON = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\U000e0000-\U000e007f]"
)

LONGEST = 2000
"""Characters of one text that a report for people shows; the rest is counted."""


def visible(text: str) -> str:
    r"""Return the text on one line, with every unseen character written out (`\x1b`).

    Blanks are joined into one; texts over `LONGEST` characters are cut, and say so.
    """
    shown = text
    if len(text) > LONGEST:
        shown = f"{text[:LONGEST]}… ({len(text):,} characters)"
    return _UNSEEN.sub(_written_out, _BLANK.sub(" ", shown)).strip(" ")


def harmless(text: str) -> str:
    r"""Return lines of text, with every unseen character written out.

    Tabs and line ends stay.
    """
    return _UNSEEN_IN_LINES.sub(_written_out, text)


def markdown(text: str) -> str:
    """Return the text for use inside a line of Markdown, where it shows as it is.

    It forms no markup, HTML, link, mention of a person or issue, or table cell.
    """
    return _MARKDOWN.sub(_neutral, visible(text))


def markdown_spaced(text: str) -> str:
    """Return a stretch for Markdown with the blanks at its ends, which part it from others."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{markdown(text)}{after}"


def json(text: str) -> str:
    r"""Return JSON text in which every unseen character is an escape (`\u202e`): the same value."""
    return _UNSAFE_IN_JSON.sub(_json_escape, text)


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:  # noqa: PLR2004 (the two-digit form ends there)
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 (likewise)


def _neutral(match: re.Match[str]) -> str:
    special = match[0]
    if special.lower() == "www.":
        return f"{special[:3]}&#46;"
    return _ENTITIES.get(special, f"\\{special}")


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
