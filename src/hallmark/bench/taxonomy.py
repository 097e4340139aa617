"""Which kinds of fabricated or corrupted citation are there, and how hard is each to notice?

The 14 types, 3 tiers and expected sub-test signatures follow Table 1 of the HALLMARK paper. A
signature says which of the six sub-tests an entry of that type passes (true), fails (false), or
where it varies or does not apply (None).
"""

import difflib
from enum import IntEnum, StrEnum

from msgspec import Struct

from hallmark.errors import InputError

SUBTESTS = (
    "doi_resolves",
    "title_exists",
    "authors_match",
    "venue_correct",
    "fields_complete",
    "cross_db_agreement",
)


class Tier(IntEnum):
    """How much work it takes to notice: one look-up, comparing fields, or semantic reasoning."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


class HallucinationType(StrEnum):
    """The 14 types; each value is spelled as the released data stores it."""

    FABRICATED_DOI = "fabricated_doi"
    NONEXISTENT_VENUE = "nonexistent_venue"
    PLACEHOLDER_AUTHORS = "placeholder_authors"
    FUTURE_DATE = "future_date"
    CHIMERIC_TITLE = "chimeric_title"
    WRONG_VENUE = "wrong_venue"
    SWAPPED_AUTHORS = "swapped_authors"
    PREPRINT_AS_PUBLISHED = "preprint_as_published"
    HYBRID_FABRICATION = "hybrid_fabrication"
    MERGED_CITATION = "merged_citation"
    PARTIAL_AUTHOR_LIST = "partial_author_list"
    NEAR_MISS_TITLE = "near_miss_title"
    PLAUSIBLE_FABRICATION = "plausible_fabrication"
    ARXIV_VERSION_MISMATCH = "arxiv_version_mismatch"


ALIASES = {"author_mismatch": HallucinationType.SWAPPED_AUTHORS}


class TypeInfo(Struct, frozen=True):
    """What Table 1 says about a type; `stress` marks the three without a documented incident."""

    tier: Tier
    stress: bool
    description: str
    signature: dict[str, bool | None]


_PASSES: dict[str, bool | None] = {"+": True, "-": False, "?": None}


def _info(tier: Tier, signature: str, description: str, *, stress: bool = False) -> TypeInfo:
    passes = (_PASSES[mark] for mark in signature)
    return TypeInfo(tier, stress, description, dict(zip(SUBTESTS, passes, strict=True)))


_T = HallucinationType

TAXONOMY: dict[HallucinationType, TypeInfo] = {
    _T.FABRICATED_DOI: _info(Tier.EASY, "-++++-", "the DOI does not resolve"),
    _T.NONEXISTENT_VENUE: _info(Tier.EASY, "?++-+-", "the conference or journal is invented"),
    _T.PLACEHOLDER_AUTHORS: _info(Tier.EASY, "?+-++-", "generic or made-up author names"),
    _T.FUTURE_DATE: _info(Tier.EASY, "?+++--", "the year lies in the future"),
    _T.CHIMERIC_TITLE: _info(Tier.MEDIUM, "+-+?+-", "real authors under an invented title"),
    _T.WRONG_VENUE: _info(Tier.MEDIUM, "+++-+-", "a real work at a venue it did not appear at"),
    _T.SWAPPED_AUTHORS: _info(Tier.MEDIUM, "++-++-", "a real title with other people's names"),
    _T.PREPRINT_AS_PUBLISHED: _info(Tier.MEDIUM, "+++-+-", "a preprint cited as a venue paper"),
    _T.HYBRID_FABRICATION: _info(Tier.MEDIUM, "?--++-", "a real DOI under invented metadata"),
    _T.MERGED_CITATION: _info(
        Tier.MEDIUM, "?+--+-", "metadata of two or more works in one entry", stress=True
    ),
    _T.PARTIAL_AUTHOR_LIST: _info(
        Tier.MEDIUM, "++-++-", "fewer than half of the authors, without et al.", stress=True
    ),
    _T.NEAR_MISS_TITLE: _info(Tier.HARD, "+-+++-", "the title is off by one or two words"),
    _T.PLAUSIBLE_FABRICATION: _info(Tier.HARD, "?--+?-", "wholly invented, yet realistic"),
    _T.ARXIV_VERSION_MISMATCH: _info(
        Tier.HARD, "?++-+-", "a preprint with a wrong venue and a shifted year", stress=True
    ),
}


def parse_type(text: str) -> HallucinationType:
    """Return the type of this name; `author_mismatch` is another name of `swapped_authors`.

    Raises:
        InputError: where no type has this name; the message offers the nearest one.
    """
    if text in ALIASES:
        return ALIASES[text]
    try:
        return HallucinationType(text)
    except ValueError:
        raise InputError(_unknown(text)) from None


def _unknown(text: str) -> str:
    near = difflib.get_close_matches(text, [*HallucinationType, *ALIASES], n=1, cutoff=0.5)
    hint = f"Did you mean `{near[0]}`?" if near else "See `hallmark bench stats` for the 14 types."
    return f"There is no hallucination type `{text[:80]}`. {hint}"
