"""Do two titles name the same work?

EQUAL: the same words (`text.titles.words`). VARIANT: a documented equivalence, by nuance code:

- `hyphen`: the same words, joined by hyphens in other places ("self supervised");
- `spacing`: the same letters, written together or apart ("multi-view", "multiview");
- `annotation`: a publisher's mark or a label around the same title ("RETRACTED: ...",
  "Invited Paper: ...", "... (Extended Abstract)");
- `ampersand`: "&" for "and";
- `umlaut`: "ü" written "ue";
- `numeral`: "Part 2" for "Part II";
- `cut`: one side ends in an ellipsis, and what is left begins the other;
- `subtitle-dropped`: the claim is the record's title without its subtitle;
- `maths`: the same but for formulas, where either side holds one;
- `spelling`: the same but for British or American spelling;
- `former-title`: an earlier or alternative title of this version.

Everything else is a CONFLICT: `words-changed` (claimed and found hold what differs, the titles
are otherwise the same), `subtitle-added` (weak: the record may lack the subtitle),
`short-title` (weak: one or two words before a colon could name many works), `cut` (weak: too little
is left before the ellipsis) or `different`. A notice about a work ("Corrigendum to ...") is another
item.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from rapidfuzz.distance import Indel

from hallmark.records.evidence import Comparison, Field, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text import knowledge, titles
from hallmark.text.spelling import american

NEAR = 0.75
"""Similarity in [0, 1] of two titles' keys from which they are called nearly the same."""

_LABEL = re.compile(
    r"[\s:,.–—-]*[(\[]?\b(?:extended abstract|student abstract|"
    r"(?:short|extended|full) (?:paper|version)|abstract only|demo(?:nstration)?(?: paper)?|"
    r"poster(?: abstract)?|technical report|preprint|"
    r"reprint|oral|spotlight)\b[)\]]?[\s.]*$",
    re.IGNORECASE,
)
_LABEL_IN_FRONT = re.compile(
    r"^\s*(?:[(\[]\s*(?:{0})\s*[)\]]\s*[:.]?|(?:{0})\s*[:.])\s*".format(
        r"brief announcement|invited (?:paper|talk)|short paper|extended abstract|"
        r"poster(?: abstract)?|"
        r"demo(?:nstration)?(?: paper)?|student abstract"
    ),
    re.IGNORECASE,
)
_MATHS = re.compile(
    r"[$\\^_]|<[a-z]+:?(?:math|sub|sup|inline)|[α-ωΑ-Ωℓℝℤ∞⊕₀-₉⁰-⁹²³¹×±≤≥→∀∃]", re.IGNORECASE
)
_GREEK_NAMES = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega infinity ell".split()
)


def compare_title(reference: Reference, version: Version) -> Comparison:
    """Compare the claimed title with a record's titles; the best relation counts."""
    claimed = whole_title(reference)
    if not claimed or not version.title:
        return Comparison(Field.TITLE, Relation.SILENT, claimed, version.title)
    best = _relate(claimed, version.title)
    if reference.subtitle and best.conflicts:
        best = _better(best, _relate(reference.title, version.title))
    for other in version.title_others:
        if not best.conflicts:
            break
        relation = _relate(claimed, other)
        if relation.agrees:
            former = Nuance("former-title", claimed, version.title)
            best = Comparison(Field.TITLE, Relation.VARIANT, claimed, other, (former,))
    return best


def whole_title(reference: Reference) -> str:
    """Return the claimed title with its subtitle, as one text."""
    if not reference.subtitle:
        return reference.title
    return f"{reference.title}: {reference.subtitle}"


@lru_cache(maxsize=16384)
def similarity(one: str, other: str) -> float:
    """Return how alike two titles are, in [0, 1], by the letters of their keys (Indel ratio)."""
    return float(Indel.normalized_similarity(titles.key(one), titles.key(other)))


@knowledge.derived
@lru_cache(maxsize=16384)
def _relate(claimed: str, found: str) -> Comparison:
    """Relate two titles as written; symmetric but for the two subtitle rules."""
    if titles.words(claimed) == titles.words(found) and _hyphens_agree(claimed, found):
        return Comparison(Field.TITLE, Relation.EQUAL, claimed, found)
    codes = _equivalence(claimed, found)
    if codes:
        nuances = tuple(Nuance(code, claimed, found) for code in codes)
        return Comparison(Field.TITLE, Relation.VARIANT, claimed, found, nuances)
    return _conflict(claimed, found)


def _hyphens_agree(claimed: str, found: str) -> bool:
    return claimed == found or titles.hyphenated(claimed) == titles.hyphenated(found)


def _equivalence(claimed: str, found: str) -> tuple[str, ...]:
    """Return the codes of the documented equivalences that make two titles the same, or ()."""
    if titles.words(claimed) == titles.words(found):
        return ("hyphen",)
    if titles.key(claimed) == titles.key(found):
        return ("spacing",)
    head = titles.head(found)
    alike = head and titles.key(head)[:_TELLING] == titles.key(claimed)[:_TELLING]
    if alike and _essence(claimed) == _essence(head) != "":
        return ("subtitle-dropped",)
    if _is_cut(claimed, found) is True:
        return ("cut",)
    if similarity(claimed, found) < _FAR:
        return ()
    if _essence(claimed) == _essence(found) != "":
        return _steps_needed(claimed, found)
    return ("maths",) if _same_but_for_maths(claimed, found) else ()


_TELLING = 3
_FAR = 0.45
"""Similarity in [0, 1] of keys below which no step makes two titles the same: a cheap test."""


@knowledge.derived
@lru_cache(maxsize=16384)
def _essence(title: str) -> str:
    """Return the title's key after every step that takes a documented difference away."""
    return _key_after(title, tuple(_STEPS))


def _key_after(title: str, steps: Sequence[str]) -> str:
    for step in steps:
        title = _STEPS[step](title)
    return titles.key(title)


def _steps_needed(claimed: str, found: str) -> tuple[str, ...]:
    """Return the fewest steps, in order, after which the two keys are the same."""
    needed = list(_STEPS)
    for step in _STEPS:
        fewer = [one for one in needed if one != step]
        if _key_after(claimed, fewer) == _key_after(found, fewer):
            needed = fewer
    return tuple(sorted(needed, key=lambda step: step != "spelling"))


def _is_cut(claimed: str, found: str) -> bool | None:
    """Whether one title, cut by an ellipsis, begins the other; None where too little is left."""
    for cut, whole in ((claimed, found), (found, claimed)):
        ends = _ELLIPSIS.search(cut)
        if ends and _ELLIPSIS.search(whole) is None:
            rest = cut[: ends.start()]
            if rest and titles.key(whole).startswith(titles.key(rest)):
                return True if len(titles.words(rest)) >= _ENOUGH_LEFT else None
    return False


_ELLIPSIS = re.compile(r"\s*(?:\u2026|\.{3}|\\l?dots\b)[\s.}\]]*$")
_ENOUGH_LEFT = 6
"""Words before an ellipsis that name one work."""


def _conflict(claimed: str, found: str) -> Comparison:
    """Describe how two titles that are not equivalent differ."""
    slight = _slight(claimed, found)
    if slight:
        nuance = Nuance(slight, claimed, found)
        return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, (nuance,), weak=True)
    if similarity(claimed, found) < NEAR:
        nuance = Nuance("different", claimed, found)
        return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, (nuance,))
    nuances = tuple(_changes(titles.words(claimed), titles.words(found)))
    return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, nuances)


def _slight(claimed: str, found: str) -> str:
    """Return the code of a conflict that a record's way to keep titles may explain, or ""."""
    if titles.key(_before_colon(claimed)) == titles.key(found) != "":
        return "subtitle-added"
    if titles.key(_before_colon(found)) == titles.key(claimed) != "":
        return "short-title"
    head = titles.head(claimed)
    if head and titles.key(head) == titles.key(found):
        return "subtitle-added"
    return "cut" if _is_cut(claimed, found) is None else ""


def _before_colon(title: str) -> str:
    before, _, after = title.partition(": ")
    return before if after.strip() else ""


def _better(one: Comparison, other: Comparison) -> Comparison:
    return one if one.agrees or not other.agrees else other


def _bare(title: str) -> str:
    """Return the title without a publisher's mark in front and a label or a year behind."""
    bare = _LABEL.sub("", _LABEL_IN_FRONT.sub("", titles.without_annotation(title)))
    return _YEAR_BEHIND.sub("", bare)


_YEAR_BEHIND = re.compile(r"\s\((?:1[89]|20)\d\d\)[\s.]*$")


def _and(title: str) -> str:
    return titles.plain(title).replace("&", " and ") if "&" in title else title


def _umlauts(title: str) -> str:
    if title.isascii() and "\\" not in title:
        return title
    return unicodedata.normalize("NFC", titles.plain(title)).translate(_SPELT_OUT)


_SPELT_OUT = str.maketrans(
    {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00f8": "oe", "\u00e5": "aa",
     "\u00c4": "Ae", "\u00d6": "Oe", "\u00dc": "Ue", "\u00d8": "Oe", "\u00c5": "Aa"}
)  # fmt: skip


def _arabic(title: str) -> str:
    """Write Roman numerals behind "part" or "volume", or at the end, and centuries in digits."""
    title = _CENTURY.sub(lambda found: _CENTURIES[found[1].lower().replace(" ", "-")], title)
    return _NUMERAL.sub(lambda found: _DIGITS[found[0].upper()], title)


_CENTURIES = {
    "sixteenth": "16th", "seventeenth": "17th", "eighteenth": "18th", "nineteenth": "19th",
    "twentieth": "20th", "twenty-first": "21st",
}  # fmt: skip
_CENTURY = re.compile(
    r"\b((?:six|seven|eigh|nine)teenth|twentieth|twenty[- ]first)(?=[\s-]+centur)", re.IGNORECASE
)


_DIGITS = {
    "I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8",
    "IX": "9", "X": "10",
}  # fmt: skip
_NUMERAL = re.compile(
    r"(?:(?<=\bpart )|(?<=\bpart\. )|(?<=\bvolume )|(?<=\bchapter ))"
    r"(?:VIII|VII|VI|IV|IX|III|II|I|V|X)\b|\b(?:VIII|VII|VI|IV|IX|III|II)(?=[\s.})]*$)",
    re.IGNORECASE,
)


def _same_but_for_maths(claimed: str, found: str) -> bool:
    """Whether one side holds a formula, and the words outside of formulas are the same.

    Where both sides have Greek letters, or both have digits, these must be the same.
    """
    if _MATHS.search(claimed) is None and _MATHS.search(found) is None:
        return False
    one, other = _wordy(claimed), _wordy(found)
    if len(one) < _FEWEST_WORDS or one != other:
        return False
    return all(
        not mine or not theirs or mine == theirs
        for mine, theirs in zip(_symbols(claimed), _symbols(found), strict=True)
    )


def _symbols(title: str) -> tuple[list[str], list[str]]:
    """Return the names of Greek letters and the digits in a title, in no order."""
    spelled = titles.words(title)
    greek = sorted(word for word in spelled if word in _GREEK_NAMES and word not in {"ell", "l"})
    return greek, sorted(letter for word in spelled for letter in word if letter.isdecimal())


_FEWEST_WORDS = 3


def _wordy(title: str) -> tuple[str, ...]:
    """Return the words that are no symbols: longer than one letter, no digits, no Greek letter."""
    return tuple(
        word
        for word in titles.words(title)
        if len(word) > 1 and word.isalpha() and word not in _GREEK_NAMES
    )


def _americanised(title: str) -> str:
    return " ".join(american(word) for word in titles.words(title))


_STEPS: dict[str, Callable[[str], str]] = {
    "annotation": _bare,
    "ampersand": _and,
    "umlaut": _umlauts,
    "numeral": _arabic,
    "spelling": _americanised,
}
"""What takes each documented difference away, in this order."""


def _changes(claimed: tuple[str, ...], found: tuple[str, ...]) -> Iterator[Nuance]:
    """Yield one nuance for each run of words that differs."""
    matcher = SequenceMatcher(None, claimed[:_MOST_WORDS], found[:_MOST_WORDS], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Nuance("words-changed", " ".join(claimed[i1:i2]), " ".join(found[j1:j2]))


_MOST_WORDS = 200
