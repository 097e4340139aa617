"""What is known about one reference when it is judged?

`Evidence` is all that a verdict may depend on, besides the reference and the policy: it can be
stored and judged again.
"""

from enum import StrEnum

from msgspec import Struct

from hallmark.records.answer import SourceAnswer, VenueYear
from hallmark.records.work import Notice, Version
from hallmark.text.venues import VenueClaim, VenueKind

__all__ = [
    "Compared",
    "ComparedWork",
    "Comparison",
    "Evidence",
    "Field",
    "Nuance",
    "Relation",
    "VenueClaim",
    "VenueKind",
]


class Field(StrEnum):
    """A field of a reference that is compared with records."""

    TITLE = "title"
    AUTHORS = "authors"
    VENUE = "venue"
    YEAR = "year"
    DOI = "doi"
    ARXIV = "arxiv"


class Relation(StrEnum):
    """How a claimed field stands to a record's.

    EQUAL: the same. VARIANT: a documented equivalent (initials, an alias). CONFLICT: contradicted.
    SILENT: one side says nothing, or nothing certain; never evidence of anything.
    """

    EQUAL = "equal"
    VARIANT = "variant"
    CONFLICT = "conflict"
    SILENT = "silent"


class Nuance(Struct, frozen=True):
    """One reason behind a relation.

    `code` is in kebab-case and documented where it is produced ("initials", "foreign-author",
    "venue-alias", "off-by-one"); `claimed` and `found` hold the two values that it is about.
    """

    code: str
    claimed: str = ""
    found: str = ""


class Comparison(Struct, frozen=True):
    """One field of the reference against one version.

    `weak` marks a conflict that must not count alone (a year off by one).
    """

    field: Field
    relation: Relation
    claimed: str = ""
    found: str = ""
    nuances: tuple[Nuance, ...] = ()
    weak: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the field is equal or a documented variant."""
        return self.relation in (Relation.EQUAL, Relation.VARIANT)

    @property
    def conflicts(self) -> bool:
        """Whether the field is contradicted."""
        return self.relation is Relation.CONFLICT

    @property
    def matched_share(self) -> float:
        """Of a comparison of authors: the share of claimed ones that the record names, in [0, 1].

        0.0 where nothing was counted, which is so for other fields too.
        """
        if self.agrees:
            return 1.0
        for nuance in self.nuances:
            if nuance.code == "matched" and int(nuance.found or 0):
                return int(nuance.claimed or 0) / int(nuance.found)
        return 0.0

    def has(self, code: str) -> bool:
        """Whether a nuance of this code is among the reasons."""
        return any(nuance.code == code for nuance in self.nuances)


class Compared(Struct, frozen=True):
    """One version with every field compared."""

    version: Version
    title: Comparison
    authors: Comparison
    venue: Comparison
    year: Comparison
    doi: Comparison
    arxiv: Comparison

    @property
    def fields(self) -> tuple[Comparison, ...]:
        """All comparisons, the most decisive field first."""
        return (self.title, self.authors, self.venue, self.year, self.doi, self.arxiv)


class ComparedWork(Struct, frozen=True):
    """The versions of one work, each compared with the reference; never empty."""

    versions: tuple[Compared, ...]


class Evidence(Struct, frozen=True, kw_only=True):
    """Everything gathered about one reference, ready to be judged.

    `works` are candidate works with their versions compared, the nearest first.
    `coverage` is what the sources hold, by year, of the claimed venue and of those at which records
    of the work were found.
    `prefix_venues` tells, for the claimed DOI's structure, what it says: see `match.identifier`.
    `together` tells, where no record names any of the claimed authors, whether two of them
    published together; None where that was not asked. It names the type, and never decides.
    `ought` names the live sources that cover such a work and were to be asked for its title,
    whether they answered or not. `venue_exists` is what venue end-points say of a venue that no
    table knows: None where they were not asked or do not tell.
    `notices` are those about the reference's own identifiers, whether records of them are held or
    not; `own_notice` is the notice that is itself published under the claimed DOI.
    `today` is the date of the check ("2026-12-02"): years beyond it lie in the future.
    """

    answers: tuple[SourceAnswer, ...] = ()
    venue: VenueClaim = VenueClaim(name="", kind=VenueKind.MISSING)
    works: tuple[ComparedWork, ...] = ()
    coverage: tuple[VenueYear, ...] = ()
    doi_facts: tuple[Nuance, ...] = ()
    together: bool | None = None
    ought: tuple[str, ...] = ()
    venue_exists: bool | None = None
    notices: tuple[Notice, ...] = ()
    own_notice: Notice | None = None
    today: str = ""
