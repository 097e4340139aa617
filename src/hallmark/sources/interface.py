"""What is a live source, and how does it reach its service?

A source knows end-points and formats; it never opens a connection. It is handed `ask`, which sends
one request with all the politeness there is (limits, retries, cache) and never raises: a failure
of transport is an `Unavailable`. So a source is tested with a function in place of the network.
"""

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Protocol, runtime_checkable

from msgspec import Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question


class Way(StrEnum):
    """By what a source is asked."""

    DOI = "doi"
    ARXIV = "arxiv"
    PMID = "pmid"
    ISBN = "isbn"
    TITLE = "title"


class Rate(Struct, frozen=True):
    """What a service allows: `requests` in `per_s` seconds, and `connections` at once."""

    requests: float
    per_s: float = 1.0
    connections: int = 1


class Request(Struct, frozen=True):
    """One request, without keys and contact: the client adds these.

    `url` has no query; `params` are its pairs in order. `host` and `source` decide the limits.
    A request with `body` is a POST of JSON. `again` numbers the times that a question is put anew,
    whose answer may have changed in the meantime: a reply to one is not taken for another.
    """

    source: str
    url: str
    params: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    accept: str = "application/json"
    again: int = 0


class Reply(Struct, frozen=True):
    """What came back, whole: any status below 500 but 401, 403 and 429, and a body of text."""

    status: int
    body: bytes
    content_type: str = ""
    url: str = ""


Ask = Callable[[Request], Awaitable[Reply | Unavailable]]


class SourceSpec(Struct, frozen=True, kw_only=True):
    """What is known of a source before it is asked.

    Attributes:
        name: under which its answers are reported ("crossref").
        title: for people ("Crossref").
        base: the address of its service, which tests and mirrors replace.
        rates: what it allows, by the way of asking; `rate` holds for every other way.
        keyed_rate: what it allows with a key, where that is more.
        contact_rate: what it allows to those who give a contact address, where that is more.
        ways: by what it can be asked; an empty tuple for one that answers about venues only.
        batch: questions per request, by way; 1 where there is no batch end-point.
        kinds: kinds of works that it holds; absence says nothing about any other.
        fields: fields of study that it covers, () for all.
        key_variable: the environment variable of its key, "" for none; `key_header` or
            `key_param` says where the key goes. `needs_key` marks one that answers nobody else.
        contact_param: the parameter that carries the contact address, "" for none.
        registry_of: DOI agencies of which it is the registry ("crossref"): its record of such an
            identifier is an authority.
        sends: what leaves the machine, for people ("titles, first author's surname, DOIs").
        homepage: where its terms stand.
        more_bases: further addresses, for a service that is spread over several hosts
            (OpenReview's first interface).
        covers: what it holds, for people.
        quirks: what is peculiar about its answers and how that is handled, for people.
        facts_as_of: the date of these facts ("2026-12").
    """

    name: str
    title: str
    base: str
    rate: Rate
    rates: dict[str, Rate] = {}
    keyed_rate: Rate | None = None
    contact_rate: Rate | None = None
    ways: tuple[Way, ...] = ()
    batch: dict[str, int] = {}
    kinds: frozenset[Kind] = frozenset({Kind.PAPER})
    fields: tuple[str, ...] = ()
    key_variable: str = ""
    key_header: str = ""
    key_param: str = ""
    needs_key: bool = False
    contact_param: str = ""
    registry_of: tuple[str, ...] = ()
    sends: str = ""
    homepage: str = ""
    more_bases: tuple[str, ...] = ()
    covers: str = ""
    quirks: tuple[str, ...] = ()
    facts_as_of: str = ""


class KnownVenue(Struct, frozen=True, tag="known"):
    """The service knows a venue of exactly this name; `names` are all names that it has for it.

    `identifiers` are its own and international ones ("issn:0899-7667", "dblp:conf/icml").
    """

    names: tuple[str, ...]
    identifiers: tuple[str, ...] = ()


class UnknownVenue(Struct, frozen=True, tag="unknown"):
    """The service answered, and knows no venue of this name; `near` are the names it offered."""

    near: tuple[str, ...] = ()


VenueAnswer = KnownVenue | UnknownVenue | Unavailable


class LiveSource(Protocol):
    """Somebody who holds bibliographic records and is asked over the network."""

    @property
    def spec(self) -> SourceSpec:
        """What is known of it before it is asked."""
        ...

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order; at most `spec.batch` of them in one request.

        A question that lacks what `way` asks by is `Absent` of nothing (`searched=()`). A reply
        that is not what the service documents is `Unavailable`, never `Absent`.

        A DOI that is known to exist, of which nothing more is known, is `Registered`; a DOI that
        its resolver knows not to exist is `Absent(searched=(RESOLVER,))`. Only doi.org gives these
        two answers (`records.answer`).
        """
        ...


@runtime_checkable
class VenueSource(Protocol):
    """A live source that can also be asked whether a venue exists."""

    @property
    def spec(self) -> SourceSpec:
        """What is known of it before it is asked."""
        ...

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        """Tell whether the service knows a venue of this name."""
        ...
