"""How is DBLP asked, and how are its records read?

Search API as documented at https://dblp.org/faq/How+to+use+the+dblp+search+API.html. It has no
look-up by identifier and no batches; who checks many references takes its dump into the index.
"""

import html
from collections.abc import Sequence
from typing import Any

from lxml import etree
from msgspec import Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import asking, decode, venues
from hallmark.sources.asking import Listed
from hallmark.sources.interface import Ask, Rate, Reply, Request, SourceSpec, VenueAnswer, Way
from hallmark.sources.near import search_text
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="dblp",
    title="DBLP",
    base="https://dblp.org",
    rate=Rate(1, per_s=2.0),
    ways=(Way.TITLE,),
    kinds=frozenset({Kind.PAPER, Kind.PREPRINT, Kind.CHAPTER, Kind.BOOK, Kind.THESIS}),
    fields=("computer science",),
    sends="words of titles; names of venues",
    homepage="https://dblp.org/faq/How+to+use+the+dblp+search+API.html",
    covers="computer science: conferences as whole tables of contents, journals, arXiv's CoRR",
    quirks=(
        "Every word of the query must begin a word of the record; one wrong word finds nothing.",
        "Numbers behind names tell namesakes apart and are taken off.",
        "Titles hold HTML entities and end with a full stop, which is taken off.",
        "One hit, author or venue is an object, several are a list; counts are texts.",
        "Status 503 and pages against programs are common.",
    ),
    facts_as_of="2026-12",
)

HITS = 10
_SITE = "https://dblp.org/rec/"
_PREPRINT_STREAM = "journals/corr/"


class Author(Struct):
    """A person; the JSON form has the name as `text`."""

    text: str | None = None


class Authors(Struct):
    """The people of a publication: one, or a list."""

    author: list[Author | str] | Author | str | None = None


class Info(Struct):
    """One publication or venue, as far as it is needed."""

    authors: Authors | None = None
    title: str | None = None
    venue: list[str] | str | None = None
    acronym: str | None = None
    year: str | int | None = None
    type: str | None = None
    key: str | None = None
    doi: str | None = None
    ee: list[str] | str | None = None
    url: str | None = None
    volume: str | int | None = None


class Hit(Struct):
    """One result."""

    info: Info


class Hits(Struct, rename={"total": "@total"}):
    """The results; without any, `hit` is missing."""

    total: str | int
    hit: list[Hit] | Hit | None = None


class _Result(Struct):
    hits: Hits


class _Reply(Struct):
    result: _Result


class Dblp:
    """DBLP, asked by title and for venues."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is not Way.TITLE:
            return asking.not_asked(questions)
        return await asking.by_title(questions, lambda question: self._search(question, ask))

    async def venue(self, name: str, ask: Ask) -> VenueAnswer:
        """Tell whether DBLP knows a series or journal of this name or acronym."""
        found = await self._hits("venue", search_text(name), ask)
        if isinstance(found, Unavailable):
            return found
        return venues.judged(name, [_offered(info) for info in found])

    async def _search(self, question: Question, ask: Ask) -> Listed | Unavailable:
        found = await self._hits("publ", search_text(question.title), ask)
        if isinstance(found, Unavailable):
            return found
        return Listed([version(info) for info in found])

    async def _hits(self, kind: str, query: str, ask: Ask) -> list[Info] | Unavailable:
        params = (("q", query), ("h", str(HITS)), ("format", "json"))
        return infos_of(
            await ask(Request(self.spec.name, f"{self.spec.base}/search/{kind}/api", params))
        )


def infos_of(reply: Reply | Unavailable) -> list[Info] | Unavailable:
    """Return the hits of a search, whether they come as JSON or as XML."""
    if isinstance(reply, Reply) and reply.body.lstrip().startswith((b"<?xml", b"<result")):
        return _from_xml(reply)
    found = decode.json_as(_Reply, reply)
    if isinstance(found, Unavailable):
        return found
    hits = found.result.hits
    listed = [hit.info for hit in _listed(hits.hit)]
    return listed if listed or str(hits.total) == "0" else Unavailable(asking.EMPTY)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _from_xml(reply: Reply) -> list[Info] | Unavailable:
    """Read the XML form, which is the service's own default."""
    root = decode.xml_of(reply, "result")
    if isinstance(root, Unavailable):
        return root
    hits = decode.children(root, "hits")
    if not hits or not hits[0].get("total", "").isdigit():
        return Unavailable("It answered with XML that holds no hits and no count of them.")
    infos = [_info(one) for one in decode.children(root, "hits", "hit", "info")]
    return infos if infos or hits[0].get("total") == "0" else Unavailable(asking.EMPTY)


def _info(element: etree._Element) -> Info:
    def texts(*path: str) -> list[str]:
        return [decode.whole_text(one) for one in decode.children(element, *path)]

    def first(name: str) -> str:
        return decode.text(element, name)

    return Info(
        authors=Authors(list(texts("authors", "author"))),
        title=first("title"),
        venue=texts("venue"),
        acronym=first("acronym"),
        year=first("year"),
        type=first("type"),
        key=first("key"),
        doi=first("doi"),
        ee=texts("ee"),
        url=first("url"),
        volume=first("volume"),
    )


def version(info: Info) -> Version:
    """Return the version that a hit describes."""
    key = clean.field(info.key)
    links = [clean.field(one) for one in _listed(info.ee)]
    authors, cut = clean.people([_name(one) for one in _listed(_people(info))])
    places = [html.unescape(clean.field(one)) for one in _listed(info.venue)]
    return Version(
        collection=SPEC.name,
        title=_title(info.title),
        authors=authors,
        origin=key,
        authors_truncated=cut,
        venue=places[0] if places else "",
        venue_raw=", ".join(places),
        preprint=key.startswith(_PREPRINT_STREAM),
        year=clean.year(info.year),
        doi=_doi(info, links),
        arxiv=_arxiv(info, key, links),
        dblp=key or None,
        url=links[0] if links else f"{_SITE}{key}",
        kind=clean.field(info.type).lower(),
        retracted="withdrawn" in clean.field(info.type).lower(),
    )


def _people(info: Info) -> list[Author | str] | Author | str | None:
    return info.authors.author if info.authors else None


def _name(author: Author | str) -> str:
    text = author if isinstance(author, str) else author.text
    return clean.without_homonym_number(html.unescape(clean.field(text)))


def _title(text: str | None) -> str:
    """Return the title as one line without entities and without its full stop."""
    line = html.unescape(clean.line(text)[: clean.MAX_TITLE])
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line


def _doi(info: Info, links: Sequence[str]) -> str | None:
    return next((doi for one in (info.doi or "", *links) if (doi := identifiers.doi(one))), None)


def _arxiv(info: Info, key: str, links: Sequence[str]) -> str | None:
    """Return the arXiv id of a record of the preprint stream: in its links or its volume."""
    if not key.startswith(_PREPRINT_STREAM):
        return None
    for text in (*links, str(info.volume or "")):
        if found := identifiers.arxiv(text, marked=True):
            return found.id
    return None


def _offered(info: Info) -> venues.Offered:
    """Return a venue; DBLP writes its acronym also in brackets behind the name."""
    full = [html.unescape(clean.field(one)) for one in _listed(info.venue)]
    bare = [name.rpartition(" (")[0] for name in full if name.endswith(")")]
    names = (*full, *bare, clean.field(info.acronym))
    _, mark, path = clean.field(info.url).partition("/db/")
    own = (f"dblp:{path.strip('/')}",) if mark else ()
    return venues.Offered(tuple(name for name in names if name), own)
