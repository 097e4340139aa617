"""What can an agent look up in live sources, and how is what they answered told to it?

The four tools of the paper (B.2.4): a DOI, and searches of Crossref, OpenAlex and arXiv. Requests
go through our sources: their adapters, client, limits and keys. A source that did not answer is
told as such, in other words than one that has nothing.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from hallmark.llm.tools import Told
from hallmark.online.careful import HOPELESS_ANSWER, Careful
from hallmark.online.health import Health
from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.asking import Listed, SearchSource
from hallmark.sources.interface import Ask, LiveSource, Way
from hallmark.text.identifiers import arxiv_of_doi, doi

SOURCES = ("crossref", "datacite", "doi_org", "openalex", "arxiv")
"""The sources that these tools ask."""
LONGEST_QUERY = 500
_SEARCHED = "Words of the title as they are cited, without the names of its authors."
_NO_ANSWER = "It did not answer. This says nothing about the work; it may hold it or not."

Query: TypeAlias = Annotated[
    str, Meta(min_length=2, max_length=LONGEST_QUERY, pattern=r"[^\W_]", description=_SEARCHED)
]


class DoiArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What resolve_doi takes."""

    doi: Annotated[
        str,
        Meta(max_length=300, pattern=r"10\.\d{4,9}/\S", description="The DOI, such as 10.1000/xyz"),
    ]


class SearchArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What a search takes; at most 20 records."""

    query: Query
    limit: Annotated[int, Meta(ge=1, le=20, description="Records at the most")] = 5


class WideSearchArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What a search of OpenAlex takes; at most 25 records."""

    query: Query
    limit: Annotated[int, Meta(ge=1, le=25, description="Records at the most")] = 5


class Sources:
    """The sources that tools ask, each watched for faults.

    Args:
        sources: by name.
        ask: sends a request; see `sources.interface.Ask`.
        probe: whether each is probed before it is first asked.
    """

    def __init__(self, sources: Mapping[str, LiveSource], ask: Ask, *, probe: bool = True) -> None:
        self._sources = sources
        self._ask = ask
        self._health = Health()
        self._careful = Careful(ask, self._health, probe=probe)

    def title(self, name: str) -> str:
        """Return a source's name for people and models."""
        return self._sources[name].spec.title

    async def look_up(self, name: str, way: Way, question: Question) -> Answer:
        """Return what a source answers; an absence that is not to be trusted is no answer."""
        source = self._sources[name]
        await self._careful.probed(source)
        answer = (await self._careful.look_up(source, way, [question]))[0]
        return await self._watched(source, way, answer)

    async def search(self, name: str, words: str, rows: int) -> Found | Absent | Unavailable:
        """Return the first records that a source finds for words, near or not."""
        source = self._sources[name]
        await self._careful.probed(source)
        if not isinstance(source, SearchSource):
            return Unavailable(f"{name} cannot be searched.")
        if self._health.is_hopeless(name, Way.TITLE):
            return HOPELESS_ANSWER
        listed = await source.search(Question(title=words), self._ask, rows)
        answer = await self._watched(source, Way.TITLE, _as_answer(listed, rows))
        return answer if not isinstance(answer, Registered) else Unavailable("It found no record.")

    async def _watched(self, source: LiveSource, way: Way, answer: Answer) -> Answer:
        name = source.spec.name
        self._health.observe(name, way, answer)
        if self._health.is_suspicious(name, way):
            await self._careful.probed_again(source)
        return self._health.doubted(name, answer)


def _as_answer(listed: Listed | Unavailable, rows: int) -> Answer:
    """Return a list as an answer; records that could not be read may be those looked for."""
    if isinstance(listed, Unavailable):
        return listed
    if listed.versions:
        return Found(tuple(listed.versions)[:rows], ("title",))
    return Unavailable(listed.unread) if listed.unread else Absent(("title",))


Use: TypeAlias = Callable[[Sources, Any], Awaitable[Told]]


class SourceTool(Struct, frozen=True):
    """A tool over live sources: its name, what it does for the model, what it takes and does."""

    name: str
    description: str
    arguments: type[Struct]
    use: Use


async def resolve_doi(sources: Sources, arguments: DoiArguments) -> Told:
    """Look a DOI up: in Crossref or arXiv, else whether it is registered, else in DataCite."""
    wanted = doi(arguments.doi)
    if wanted is None:
        return Told({"doi": arguments.doi, "meaning": "This text is no DOI."})
    question = Question(title="", doi=wanted)
    given: dict[str, Answer] = {}
    for name, way in _asked_for(wanted):
        given[name] = await sources.look_up(name, way, question)
        if isinstance(given[name], Found):
            return _resolved(sources, wanted, given)
    given["doi_org"] = await sources.look_up("doi_org", Way.DOI, question)
    match given["doi_org"]:
        case Registered(agency) if agency.lower() == "datacite":
            given["datacite"] = await sources.look_up("datacite", Way.DOI, question)
        case _:
            pass
    return _resolved(sources, wanted, given)


def _asked_for(wanted: str) -> Iterator[tuple[str, Way]]:
    yield ("arxiv" if arxiv_of_doi(wanted) else "crossref"), Way.DOI


def _resolved(sources: Sources, wanted: str, given: Mapping[str, Answer]) -> Told:
    """Return what the answers about a DOI say; that it is not registered, the resolver alone."""
    found = [
        version
        for one in given.values()
        if isinstance(one, Found)
        for version in one.versions
        if version.doi == wanted
    ]
    silent = [name for name, one in given.items() if isinstance(one, Unavailable)]
    data: dict[str, Any] = {"doi": wanted, "records": [record(one) for one in found]}
    resolver = given.get("doi_org")
    if found or isinstance(resolver, Registered):
        data["registered"] = True
    elif isinstance(resolver, Absent):
        data["registered"] = False
    if silent:
        data["did_not_answer"] = [sources.title(name) for name in silent]
        data["meaning"] = _NO_ANSWER
    return Told(data, answered="registered" in data, whole=not silent)


def _searching(name: str) -> Use:
    async def use(sources: Sources, arguments: SearchArguments | WideSearchArguments) -> Told:
        answer = await sources.search(name, arguments.query, arguments.limit)
        title = sources.title(name)
        if isinstance(answer, Unavailable):
            told = {"source": title, "answered": False, "why": answer.reason, "meaning": _NO_ANSWER}
            return Told(told, answered=False)
        versions = answer.versions if isinstance(answer, Found) else ()
        records = [record(one) for one in versions]
        return Told({"source": title, "answered": True, "records": records})

    return use


def record(version: Version) -> dict[str, Any]:
    """Return a record as agents see it: authors, title, venue, year, DOI."""
    return {
        "authors": "; ".join(version.authors) + ("; and others" * version.authors_truncated),
        "title": version.title,
        "venue": version.venue_raw or version.venue,
        "year": version.year,
        "doi": version.doi,
    }


SOURCE_TOOLS = (
    SourceTool(
        "resolve_doi",
        "Looks a DOI up with its registration agency. Returns whether it is registered, and the "
        "record that it belongs to.",
        DoiArguments,
        resolve_doi,
    ),
    SourceTool(
        "search_crossref",
        "Searches Crossref: works with DOIs of most publishers. Returns the records that fit best, "
        "which need not be the work.",
        SearchArguments,
        _searching("crossref"),
    ),
    SourceTool(
        "search_openalex",
        "Searches the titles of OpenAlex: works of all fields, merged by machine. Returns the "
        "records that fit best, which need not be the work.",
        WideSearchArguments,
        _searching("openalex"),
    ),
    SourceTool(
        "search_arxiv",
        "Searches the titles of arXiv: its own preprints only. Returns the records that fit best, "
        "which need not be the work.",
        SearchArguments,
        _searching("arxiv"),
    ),
)
"""The tools over live sources, as the paper's multi-source agent has them."""
