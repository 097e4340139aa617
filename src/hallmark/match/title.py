"""Do two titles name the same work?

EQUAL: the same words (`text.titles.words`). VARIANT: a documented equivalence, by nuance code:

- `hyphen`: the same words, joined by hyphens in other places ("self supervised");
- `spacing`: the same letters, written together or apart ("multi-view", "multiview");
- `annotation`: a publisher's mark or a label around the same title ("RETRACTED: ...",
  "... (Extended Abstract)");
- `subtitle-dropped`: the claim is the record's title without its subtitle;
- `maths`: the same but for formulas, where either side holds one;
- `spelling`: the same but for British or American spelling;
- `former-title`: an earlier or alternative title of this version.

Everything else is a CONFLICT: `words-changed` (claimed and found hold what differs, the titles
are otherwise the same), `subtitle-added` (weak: the record may lack the subtitle) or `different`.
"""

import re
from collections.abc import Iterator
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
    claimed_words, found_words = titles.words(claimed), titles.words(found)
    if claimed_words == found_words and _hyphens_agree(claimed, found):
        return Comparison(Field.TITLE, Relation.EQUAL, claimed, found)
    code = _equivalence(claimed, found)
    if code is not None:
        nuance = Nuance(code, claimed, found)
        return Comparison(Field.TITLE, Relation.VARIANT, claimed, found, (nuance,))
    return _conflict(claimed, found)


def _hyphens_agree(claimed: str, found: str) -> bool:
    return claimed == found or titles.hyphenated(claimed) == titles.hyphenated(found)


def _equivalence(claimed: str, found: str) -> str | None:
    """Return the code of the documented equivalence that makes two titles the same, or None."""
    if titles.words(claimed) == titles.words(found):
        return "hyphen"
    claimed_key, found_key = titles.key(claimed), titles.key(found)
    if claimed_key == found_key:
        return "spacing"
    if titles.key(_bare(claimed)) == titles.key(_bare(found)) != "":
        return "annotation"
    if claimed_key and claimed_key == titles.key(titles.head(found)):
        return "subtitle-dropped"
    if _same_but_for_maths(claimed, found):
        return "maths"
    if _americanised(claimed) == _americanised(found):
        return "spelling"
    return None


def _conflict(claimed: str, found: str) -> Comparison:
    """Describe how two titles that are not equivalent differ."""
    head = titles.head(claimed)
    if head and titles.key(head) == titles.key(found):
        nuance = Nuance("subtitle-added", claimed, found)
        return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, (nuance,), weak=True)
    if similarity(claimed, found) < NEAR:
        nuance = Nuance("different", claimed, found)
        return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, (nuance,))
    nuances = tuple(_changes(titles.words(claimed), titles.words(found)))
    return Comparison(Field.TITLE, Relation.CONFLICT, claimed, found, nuances)


def _better(one: Comparison, other: Comparison) -> Comparison:
    return one if one.agrees or not other.agrees else other


def _bare(title: str) -> str:
    """Return the title without a publisher's mark in front and a label behind."""
    return _LABEL.sub("", titles.without_annotation(title))


def _same_but_for_maths(claimed: str, found: str) -> bool:
    """Whether one side holds a formula, and the words outside of formulas are the same."""
    if _MATHS.search(claimed) is None and _MATHS.search(found) is None:
        return False
    one, other = _wordy(claimed), _wordy(found)
    return len(one) >= _FEWEST_WORDS and one == other


_FEWEST_WORDS = 3


def _wordy(title: str) -> tuple[str, ...]:
    """Return the words that are no symbols: longer than one letter, no digits, no Greek letter."""
    return tuple(
        word
        for word in titles.words(title)
        if len(word) > 1 and word.isalpha() and word not in _GREEK_NAMES
    )


def _americanised(title: str) -> str:
    return "".join(american(word) for word in titles.words(title))


def _changes(claimed: tuple[str, ...], found: tuple[str, ...]) -> Iterator[Nuance]:
    """Yield one nuance for each run of words that differs."""
    matcher = SequenceMatcher(None, claimed[:_MOST_WORDS], found[:_MOST_WORDS], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Nuance("words-changed", " ".join(claimed[i1:i2]), " ".join(found[j1:j2]))


_MOST_WORDS = 200
