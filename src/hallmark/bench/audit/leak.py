"""What is a leak, and from which size on does it count?"""

from collections.abc import Mapping

from msgspec import Struct


class Leak(Struct, frozen=True, kw_only=True):
    """One thing that the data gives away, or (`note`) that a reader of the audit should know.

    `check` is the kind, in kebab-case; `where` the split or file; `figures` the numbers behind
    the message: counts, rates in [0, 1], p-values.
    """

    check: str
    where: str
    message: str
    figures: Mapping[str, float | int | str] = {}
    note: bool = False


class Limits(Struct, frozen=True, kw_only=True):
    """From which size on something counts as a leak; each number with its reason.

    `alpha`: with this chance at the most does a whole audit of clean data cry wolf; it is shared
    among all marks tried (Bonferroni).
    `gap`: points of P(hallucinated) by which a mark must move a guess, so that harmless
    differences of large files stay out.
    `margin`: accuracy above the majority class; the paper calls less than 5 points negligible
    (appendix C.4.2).
    `twin_share`: share of entries with a twin; below it, pairs are accidents of scraping.
    `least`: entries of each label below which a regression is not fitted.
    """

    alpha: float = 0.01
    gap: float = 0.2
    margin: float = 0.05
    twin_share: float = 0.01
    least: int = 30


LIMITS = Limits()
