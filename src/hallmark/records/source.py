"""How is a source of records asked?

The local index and every live source obey this protocol.
"""

from typing import Protocol

from msgspec import Struct

from hallmark.records.answer import Answer
from hallmark.records.reference import Kind, Reference
from hallmark.text.names import PersonName


class Question(Struct, frozen=True):
    """What a source is asked about one reference; empty values are not asked about."""

    title: str
    authors: tuple[PersonName, ...] = ()
    venue: str = ""
    year: int | None = None
    doi: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
    isbn: str | None = None
    kind: Kind = Kind.PAPER

    @classmethod
    def about(cls, reference: Reference) -> "Question":
        """Return the question that finds the records of this reference's work."""
        return cls(
            title=reference.title,
            authors=reference.authors,
            venue=reference.venue,
            year=reference.year,
            doi=reference.doi,
            arxiv=reference.arxiv,
            pmid=reference.pmid,
            isbn=reference.isbn,
            kind=reference.kind,
        )


class Source(Protocol):
    """Somebody who holds bibliographic records."""

    @property
    def name(self) -> str:
        """The name under which answers are reported."""
        ...

    @property
    def as_of(self) -> str:
        """The date of what it holds ("2026-05-01"), "" for a live source."""
        ...

    def look_up(self, question: Question) -> Answer:
        """Return what the source holds; a failure is `Unavailable`, never an exception."""
        ...
