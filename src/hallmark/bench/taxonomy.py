"""Which kinds of fabricated or corrupted citation are there, and how hard is each to notice?

The 14 types, 3 tiers and expected sub-test signatures follow Table 1 of the HALLMARK paper. A
signature says which of the six sub-tests an entry of that type passes (true), fails (false), or
where it varies or does not apply (None).
"""

import difflib
from enum import IntEnum, StrEnum
from typing import Any, Self

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


class Doi(StrEnum):
    """What the entries of a type have as DOI: always one, for the fault shows in it, or none."""

    OPEN = "open"
    ALWAYS = "always"
    NEVER = "never"


class TypeInfo(Struct, frozen=True):
    """What Table 1 says about a type; `stress` marks the three without a documented incident.

    `preprint` marks the types that only a work with a preprint can be made into.
    """

    tier: Tier
    signature: dict[str, bool | None]
    description: str
    stress: bool = False
    doi: Doi = Doi.OPEN
    preprint: bool = False


_PASSES: dict[str, bool | None] = {"+": True, "-": False, "?": None}


def _info(tier: Tier, signature: str, description: str, **more: Any) -> TypeInfo:
    """Return a row of Table 1; the signature has one mark for each of `SUBTESTS`, in order."""
    passes = dict(zip(SUBTESTS, (_PASSES[mark] for mark in signature), strict=True))
    return TypeInfo(tier, passes, description, **more)


class HallucinationType(StrEnum):
    """The 14 types and all that there is to say of each: a further one is a further row.

    A value is spelled as the released data stores it. In signatures, + passes, - fails, ? varies.
    """

    _value_: str
    info: TypeInfo

    FABRICATED_DOI = (
        "fabricated_doi",
        _info(Tier.EASY, "-++++-", "the DOI does not resolve", doi=Doi.ALWAYS),
    )
    NONEXISTENT_VENUE = (
        "nonexistent_venue",
        _info(Tier.EASY, "?++-+-", "the conference or journal is invented"),
    )
    PLACEHOLDER_AUTHORS = (
        "placeholder_authors",
        _info(Tier.EASY, "?+-++-", "generic or made-up author names"),
    )
    FUTURE_DATE = (
        "future_date",
        _info(Tier.EASY, "?+++--", "the year lies in the future"),
    )
    CHIMERIC_TITLE = (
        "chimeric_title",
        _info(Tier.MEDIUM, "+-+?+-", "real authors under an invented title"),
    )
    WRONG_VENUE = (
        "wrong_venue",
        _info(Tier.MEDIUM, "+++-+-", "a real work at a venue it did not appear at"),
    )
    SWAPPED_AUTHORS = (
        "swapped_authors",
        _info(Tier.MEDIUM, "++-++-", "a real title with other people's names"),
    )
    PREPRINT_AS_PUBLISHED = (
        "preprint_as_published",
        _info(Tier.MEDIUM, "+++-+-", "a preprint cited as a venue paper", preprint=True),
    )
    HYBRID_FABRICATION = (
        "hybrid_fabrication",
        _info(Tier.MEDIUM, "?--++-", "a real DOI under invented metadata", doi=Doi.ALWAYS),
    )
    MERGED_CITATION = (
        "merged_citation",
        _info(Tier.MEDIUM, "?+--+-", "metadata of two or more works in one entry", stress=True),
    )
    PARTIAL_AUTHOR_LIST = (
        "partial_author_list",
        _info(Tier.MEDIUM, "++-++-", "fewer than half of the authors, without et al.", stress=True),
    )
    NEAR_MISS_TITLE = (
        "near_miss_title",
        _info(Tier.HARD, "+-+++-", "the title is off by one or two words"),
    )
    PLAUSIBLE_FABRICATION = (
        "plausible_fabrication",
        _info(Tier.HARD, "?--+?-", "wholly invented, yet realistic", doi=Doi.NEVER),
    )
    ARXIV_VERSION_MISMATCH = (
        "arxiv_version_mismatch",
        _info(
            Tier.HARD,
            "?++-+-",
            "a preprint with a wrong venue and a shifted year",
            stress=True,
            preprint=True,
        ),
    )

    def __new__(cls, value: str, info: TypeInfo | None = None) -> Self:
        """Return the member of a row; a look-up by value alone never comes here."""
        member = str.__new__(cls, value)
        member._value_ = value
        if info is not None:
            member.info = info
        return member


ALIASES = {"author_mismatch": HallucinationType.SWAPPED_AUTHORS}

TAXONOMY: dict[HallucinationType, TypeInfo] = {kind: kind.info for kind in HallucinationType}
"""What there is to say about each type, in the order of Table 1."""


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
