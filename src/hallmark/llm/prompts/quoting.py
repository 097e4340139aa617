r"""How does a stranger's text stand in a prompt so that it stays data?

References, records and replies of tools may hold instructions, the marks of roles, ends of
quotations and letters that nobody sees. Each line of such a text stands behind a bar, between two
lines that no text behind bars can form; unseen letters are taken out, and what a model's server
may read as a mark of its own (`<|end|>`, `</think>`, `[INST]`) is broken by a blank.
"""

import re

LONGEST = 20_000
"""Characters of one quoted text; the rest is cut, and the cut is told."""

BAR = "| "
_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Controls, invisible and direction-changing characters, tags, variation selectors, surrogates. The
joiners are not among them, since several scripts need them."""
_MARK = re.compile(r"<(?=[/|｜!?<A-Za-z_])|(?<=[|｜>])>|\[(?=/?(?:INST|SYS|TOOL)\w*\])")
_BACKTICKS = re.compile(r"```+")


def plain(text: str) -> str:
    """Return a text without unseen characters, server's marks, and fences of three backticks.

    Line ends of every kind become newlines. Applying it twice changes nothing more.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _UNSEEN.sub("", text)
    text = _MARK.sub(lambda mark: f" {mark[0]}" if mark[0] == ">" else f"{mark[0]} ", text)
    return _BACKTICKS.sub(lambda run: " ".join(_pairs(run[0])), text)


def one_line(text: str) -> str:
    """Return a text as `plain` does, on one line."""
    return " ".join(plain(text).split())


def quoted(name: str, text: str, longest: int = LONGEST) -> str:
    """Return a text as a block of data.

    Args:
        name: what the block is called in the prompt: a word, such as "reference".
        text: anything; at most `longest` characters of it are shown.
        longest: characters, from 1 on.

    Returns:
        A line `<<<name`, the lines of the text behind bars, and a line `>>>name`. No line of the
        text can end the block, since each begins with a bar.
    """
    lines = [BAR + line for line in plain(cut(text, longest)).split("\n")]
    return "\n".join((f"<<<{name}", *lines, f">>>{name}"))


def cut(text: str, longest: int) -> str:
    """Return at most `longest` characters of a text, and say how many are missing."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]} [{len(text) - longest} more characters are left out]"


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(0, len(run), 2)]
