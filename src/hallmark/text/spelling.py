"""Are two words the same but for British or American spelling?

A word is rewritten by the regular correspondences (-our, -ise, -yse, -ogue, -tre, doubled l, ae
and oe) into its American form; words that only look British are left alone.
"""

import re
from functools import lru_cache

_KEPT = frozenset(
    "our hour four your tour pour sour flour devour contour glamour scour detour velour troubadour "
    "advise advertise arise comprise compromise concise demise despise devise disguise enterprise "
    "excise exercise expertise franchise guise improvise incise merchandise noise otherwise poise "
    "practise precise premise promise raise rise supervise surmise surprise televise treatise wise "
    "paradise praise chemise cruise bruise likewise clockwise pairwise pointwise elementwise "
    "layerwise stepwise raised".split()
)
_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^(behavi|savi|col|fav|hon|lab|neighb|vap|harb|hum|rum|flav|vig|rig|arm|endeav)our",
         r"\1or"),
        (r"(?<=[a-z]{3})is(e|ed|er|ers|es|ing|ation|ations|able|ability)$", r"iz\1"),
        (r"(?<=[a-z]{2})ys(e|ed|er|ers|es|ing)$", r"yz\1"),
        (r"(?<=[a-z]{3})ogue(s?)$", r"og\1"),
        (r"^(cent|theat|fib|lit|met|kilomet|millimet|spect)re(s?)$", r"\1er\2"),
        (r"^(mode|labe|trave|signa|leve|channe|cance|tunne|pane|tota|fue|jewe|equa|marve)ll(ed|ing|er|ers)$",
         r"\1l\2"),
        (r"^(an)?aesth", r"\1esth"),
        (r"^(pal|arch|encyclop|leuk|an|h|gyn)ae", r"\1e"),
        (r"^(f|man)oe", r"\1e"),
        (r"^defence(s?)$", r"defense\1"),
        (r"^offence(s?)$", r"offense\1"),
        (r"^licence(s?)$", r"license\1"),
        (r"^grey(s?|scale|level)$", r"gray\1"),
        (r"^programme(s?)$", r"program\1"),
        (r"^artefact(s?)$", r"artifact\1"),
        (r"^judgement(s?)$", r"judgment\1"),
        (r"^ageing$", r"aging"),
        (r"^sceptic", r"skeptic"),
        (r"^catalogue(s?)$", r"catalog\1"),
    )
)  # fmt: skip


@lru_cache(maxsize=16384)
def american(word: str) -> str:
    """Return the American form of a lower-case word; a word of no such pair comes back as it is."""
    if word in _KEPT:
        return word
    for pattern, replacement in _RULES:
        rewritten = pattern.sub(replacement, word)
        if rewritten != word:
            return rewritten
    return word
