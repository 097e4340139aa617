"""Does a DOI exist, and which agency registered it?

doi.org's "Which RA?" service takes lists and names the agency of each DOI; its answer that a DOI
does not exist is confirmed by the proxy's Handle API (response code 100), for that is the one
proof of it (https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation).
The link itself is never followed: it leads to publishers' walls against programs.
"""

import asyncio
from collections.abc import Sequence
from urllib.parse import quote

from msgspec import Struct, field

from hallmark.records.answer import RESOLVER, Absent, Answer, Registered, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import NOT_ASKED, batches
from hallmark.sources.interface import Ask, Rate, Reply, Request, SourceSpec, Way
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="doi_org",
    title="doi.org",
    base="https://doi.org",
    rate=Rate(5, connections=2),
    ways=(Way.DOI, Way.ARXIV),
    batch={"doi": 100, "arxiv": 100},
    kinds=frozenset(Kind),
    sends="DOIs, and arXiv ids in the form of their DOIs",
    homepage="https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation",
    covers="every DOI that is registered with any agency; no descriptions of works",
    quirks=(
        "Only response code 100 of the Handle API says that a DOI does not exist.",
        "An unregistered prefix may be answered with status 500, which says nothing.",
        "Publishers' pages behind the link (202, 403) are never asked.",
        "The DOI of an arXiv paper is registered without its version.",
    ),
    facts_as_of="2026-12",
)

_EXISTS = frozenset({1, 200})
"""Response codes: 1 success, 200 the handle exists and has no values of the type asked for."""
_NONE = 100
_DENIED = frozenset({"doi does not exist", "invalid doi"})


class Agency(Struct):
    """What the service says of one DOI: its agency, or why there is none."""

    DOI: str = field(name="DOI")
    RA: str | None = field(default=None, name="RA")
    status: str | None = None


class Handle(Struct, rename="camel"):
    """What the proxy says of one handle."""

    response_code: int


class DoiOrg:
    """The resolver of all DOIs, asked in batches."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order: `Registered`, `Absent` of the resolver, or neither."""
        identifier = {Way.DOI: identify.doi, Way.ARXIV: identify.arxiv_doi}.get(way)
        if identifier is None:
            return asking.not_asked(questions)
        asked = [identifier(question) for question in questions]
        distinct = list(dict.fromkeys(one for one in asked if one is not None))
        lists = list(batches(distinct, self.spec.batch[way.value]))
        found = await asyncio.gather(*(self._agencies(dois, ask) for dois in lists))
        answers = {doi: answer for batch in found for doi, answer in batch.items()}
        return [NOT_ASKED if one is None else answers[one] for one in asked]

    async def _agencies(self, dois: Sequence[str], ask: Ask) -> dict[str, Answer]:
        listed = ",".join(quote(doi, safe="/") for doi in dois)
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/ra/{listed}"))
        told = decode.json_as(list[Agency], reply)
        if isinstance(told, Unavailable):
            return dict.fromkeys(dois, told)
        by_doi = {_normal(one.DOI): one for one in told}
        answers = await asyncio.gather(*(self._answer(doi, by_doi.get(doi), ask) for doi in dois))
        return dict(zip(dois, answers, strict=True))

    async def _answer(self, doi: str, told: Agency | None, ask: Ask) -> Answer:
        if told is None:
            return Unavailable("It left this DOI out of its reply.")
        if told.RA:
            return Registered(clean.field(told.RA))
        if clean.field(told.status).lower() in _DENIED:
            return await self._confirmed(doi, ask)
        return Unavailable(f"It does not tell the agency ({clean.field(told.status) or 'empty'}).")

    async def _confirmed(self, doi: str, ask: Ask) -> Answer:
        """Ask the Handle API about a DOI that is said not to exist."""
        url = f"{self.spec.base}/api/handles/{quote(doi, safe='/')}"
        handle = _handle(await ask(Request(self.spec.name, url)))
        if isinstance(handle, Unavailable):
            return handle
        if handle.response_code in _EXISTS:
            return Registered()
        if handle.response_code == _NONE:
            return Absent((RESOLVER,))
        return Unavailable(f"It answered with response code {handle.response_code}.")


def _handle(reply: Reply | Unavailable) -> Handle | Unavailable:
    """Return what the proxy says; that there is no handle comes with status 404, as JSON."""
    if isinstance(reply, Reply) and decode.is_missing(reply):
        reply = Reply(decode.OK, reply.body, reply.content_type, reply.url)
    return decode.json_as(Handle, reply)


def _normal(doi: str) -> str:
    return identifiers.doi(doi) or doi.strip().lower()
