"""How do people write titles?"""

import html
import re
from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.perturb.drafts import with_fields
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.text import titles

_SMALL = frozenset(
    "a an and as at but by for from in into of on or over the to via vs with without".split()
)
_CAPITALS = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z])[\w]+\b")
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb]+)[\"\u201d\u201c\u00bb]"
)
_QUOTES = (
    ("\u201e", "\u201c"),
    ("\u00ab", "\u00bb"),
    ("\u2018", "\u2019"),
    ("``", "''"),
    ("\u201c", "\u201d"),
)
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_NAMED = {ord(letter): f"&{name};" for letter, name in (("&", "amp"), ("<", "lt"), (">", "gt"),
    ('"', "quot"), ("\u2013", "ndash"), ("\u2014", "mdash"), ("\u2019", "rsquo"))}  # fmt: skip


@noise("title-case")
def title_case(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the words with capitals, short ones and those with capitals inside apart."""
    return _retitled(entry, " ".join(map(_capital, _title(entry).split(" "))))


@noise("sentence-case")
def sentence_case(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write all letters small but the first, as styles print titles."""
    title = _title(entry)
    return _retitled(entry, title[:1] + title[1:].lower() if "\\" not in title else title)


@noise("upper-case")
def upper_case(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write all letters as capitals, as some publishers deposit titles."""
    title = _title(entry)
    return (
        Inapplicable("holds LaTeX")
        if set("\\$&{") & set(title)
        else _retitled(entry, _upper(title))
    )


@noise("braces")
def braces(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Protect the whole title, or its words with capitals, from being written small."""
    title = _title(entry)
    if set("{}$\\") & set(title):
        return Inapplicable("holds LaTeX")
    whole = rng.random() < 0.5  # noqa: PLR2004 - one in two
    protected = _CAPITALS.sub(lambda found: f"{{{found[0]}}}", title)
    return _retitled(entry, f"{{{title}}}" if whole else protected)


@noise("subtitle-dropped")
def subtitle_dropped(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave out what stands behind the colon."""
    head = titles.head(_title(entry))
    return _retitled(entry, head) if head else Inapplicable("has no subtitle")


@noise("foreign-quotes")
def foreign_quotes(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write quotation marks as another language does."""
    left, right = rng.choice(_QUOTES)
    title = _QUOTED.sub(lambda found: f"{left}{found[1]}{right}", _title(entry))
    return _retitled(entry, title)


@noise("html-entities")
def html_entities(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave HTML's spelling of characters in title and names."""
    changes = {name: _as_html(entry.fields.get(name, "")) for name in ("title", "author")}
    return with_fields(entry, {name: text for name, text in changes.items() if text})


@noise("dashes")
def dashes(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write a dash for hyphens, or for the colon before the subtitle."""
    title = _title(entry)
    if ": " in title and rng.random() < 0.5:  # noqa: PLR2004 - one in two
        return _retitled(
            entry, title.replace(": ", rng.choice((" - ", " -- ", " \u2013 ", " \u2014 ")), 1)
        )
    dash = rng.choice(("\u2013", "\u2010", "--", "\u2011"))
    return _retitled(entry, _HYPHEN.sub(dash, title))


@noise("full-stop")
def full_stop(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """End the title with a full stop."""
    title = _title(entry)
    return _retitled(entry, title if title.endswith((".", "?", "!")) else f"{title}.")


def _title(entry: Entry) -> str:
    return entry.fields.get("title", "")


def _retitled(entry: Entry, title: str) -> Entry | Inapplicable:
    return with_fields(entry, {"title": title}) if title else Inapplicable("has no title")


def _upper(text: str) -> str:
    """Return `text` in capitals; Greek letters are symbols and stay as they are."""
    return "".join(one if "\u0370" <= one <= "\u03ff" else one.upper() for one in text)


def _capital(word: str) -> str:
    if word.lower() in _SMALL or word[:1] in "$\\{" or not word[:1].isalpha():
        return word
    return _upper(word[0]) + word[1:]


def _as_html(text: str) -> str:
    """Return `text` with named entities; letters beyond Latin-1 by number."""
    if "{" in text or "\\" in text or "$" in text:
        return text
    named = html.unescape(text).translate(_NAMED)
    return named.encode("ascii", "xmlcharrefreplace").decode("ascii")
