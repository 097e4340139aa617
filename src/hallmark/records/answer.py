"""What did a source answer?

Silence has a type: only `Absent` is evidence against a work, and only as far as the coverage that
the source claims. A source that failed is `Unavailable` and says nothing.
"""

from msgspec import Struct

from hallmark.records.work import Version


class VenueYear(Struct, frozen=True):
    """What an index holds of one venue in one year.

    `complete` means that the held list is known to be the whole list: at least 99 % of an
    independently published count, or complete by construction (a table of contents).
    `expected` is that count, None where there is none. `basis` names the evidence.
    `not_held` says that the venue is known to have had no edition in that year.
    """

    venue_id: str
    year: int
    held: int = 0
    expected: int | None = None
    complete: bool = False
    not_held: bool = False
    basis: str = ""
    sources: tuple[str, ...] = ()


class Found(Struct, frozen=True, tag="found"):
    """Records that may describe the work; `searched` says by which ways they were looked for."""

    versions: tuple[Version, ...]
    searched: tuple[str, ...]
    coverage: tuple[VenueYear, ...] = ()


class Absent(Struct, frozen=True, tag="absent"):
    """The source answered, and holds nothing near; `searched` says what was looked for."""

    searched: tuple[str, ...]
    coverage: tuple[VenueYear, ...] = ()


class Registered(Struct, frozen=True, tag="registered"):
    """The DOI exists, says its resolver, which holds no description of the work.

    Evidence that the identifier is real, and of nothing else: neither a record nor the absence of
    one. `agency` is the registration agency as the resolver names it ("Crossref"), "" where that
    is unknown. A DOI that does not exist is `Absent(searched=(RESOLVER,))` instead.
    """

    agency: str = ""


RESOLVER = "doi-resolver"
"""What an `Absent` of the resolver says it searched: the one proof that a DOI does not exist."""


class Unavailable(Struct, frozen=True, tag="unavailable"):
    """The source did not answer; `reason` is a sentence. Never evidence of anything."""

    reason: str


Answer = Found | Absent | Registered | Unavailable


class SourceAnswer(Struct, frozen=True, omit_defaults=True):
    """An answer with the name of the source that gave it and its date ("2026-05-01" or "").

    `live` says that it came over the network just now: its records bear the source's name as their
    collection. `registry` says that the source is the registry of the identifier it was asked by,
    so that its record of it is an authority.
    """

    source: str
    answer: Answer
    as_of: str = ""
    live: bool = False
    registry: bool = False
