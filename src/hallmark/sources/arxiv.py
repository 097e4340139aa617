"""How is arXiv asked, and how are its entries read?

API as documented at https://info.arxiv.org/help/api/user-manual.html (Atom). One request in three
seconds over one connection is all that it allows, so that ids are asked by the hundred.
"""

import re
from collections.abc import Sequence

from lxml import etree
from msgspec import Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import Held, Listed
from hallmark.sources.interface import Ask, Rate, Reply, Request, SourceSpec, Way
from hallmark.sources.near import groups
from hallmark.text import clean, identifiers
from hallmark.text.latex import to_unicode

SPEC = SourceSpec(
    name="arxiv",
    title="arXiv",
    base="https://export.arxiv.org",
    rate=Rate(1, per_s=3.0, connections=1),
    ways=(Way.ARXIV, Way.DOI, Way.TITLE),
    batch={"arxiv": 100, "doi": 100},
    kinds=frozenset({Kind.PREPRINT}),
    fields=("physics", "mathematics", "computer science", "statistics", "quantitative biology"),
    sends="arXiv ids; words of titles",
    homepage="https://info.arxiv.org/help/api/tou.html",
    covers="its own preprints, whatever became of them later",
    quirks=(
        "A wrong id is answered with an entry named Error, with status 200 or 400; it is no paper.",
        "One malformed id spoils the answer to all others, which are asked for again.",
        "Ids that nobody has are left out of the answer without a word.",
        "A feed that counts entries and shows none is a fault, and is asked for once more.",
        "Every version may be cited: the years of the first and of the last are both right.",
        "The DOI and journal that authors report belong to the published version.",
    ),
    facts_as_of="2026-12",
)

ROWS = 10
_MOST_CATEGORIES = 20
_ROUNDS = 5
"""Malformed ids that one batch may hold before it is given up; well-formed ones are no error."""
_BAD_ID = re.compile(r"incorrect id format for (\S+)", re.IGNORECASE)
_WITHDRAWN = re.compile(r"\b(?:withdrawn|withdrew)\b", re.IGNORECASE)
_BAD_REQUEST = 400
_EMPTY = Unavailable(asking.EMPTY)


class Feed(Struct, frozen=True):
    """What an answer holds: papers by id, or the message of an error entry."""

    papers: tuple[Version, ...] = ()
    error: str = ""


class Arxiv:
    """arXiv, asked by id and by the DOIs that it mints in batches, and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self.search(question, ask))
        identifier = {Way.ARXIV: identify.arxiv, Way.DOI: identify.arxiv_of_doi}.get(way)
        if identifier is None:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions,
            identifier,
            lambda ids: self._by_id(ids, ask),
            way=way.value,
            size=self.spec.batch[way.value],
        )

    async def _by_id(self, ids: Sequence[str], ask: Ask) -> Held | Unavailable:
        """Ask for ids; those that arXiv calls malformed are nobody's, and the rest asked again."""
        left = list(ids)
        for _ in range(_ROUNDS):
            feed = await self._feed(("id_list", ",".join(left)), len(left), ask)
            if isinstance(feed, Unavailable):
                return feed
            if not feed.error:
                return asking.held(feed.papers, lambda one: one.arxiv)
            spoiling = _BAD_ID.search(feed.error)
            if spoiling is None or spoiling.group(1) not in left:
                return Unavailable(f"It answered with an error ({feed.error}).")
            left.remove(spoiling.group(1))
            if not left:
                return Held()
        return Unavailable("It called too many of the ids malformed.")

    async def search(self, question: Question, ask: Ask, rows: int = ROWS) -> Listed | Unavailable:
        """Search by the telling words of the title, all of one half of which are demanded."""
        query = " OR ".join(_demanded(words) for words in groups(question.title))
        feed = await self._feed(("search_query", query), rows, ask)
        if isinstance(feed, Unavailable):
            return feed
        if feed.error:
            return Unavailable(f"It answered with an error ({feed.error}).")
        return Listed(feed.papers)

    async def _feed(self, wanted: tuple[str, str], rows: int, ask: Ask) -> Feed | Unavailable:
        """Ask, and once more where the answer counts entries and shows none.

        The second request asks for one row more, lest a cache give the same answer again.
        """
        feed = await self._page(wanted, rows, ask)
        return await self._page(wanted, rows + 1, ask) if feed == _EMPTY else feed

    async def _page(self, wanted: tuple[str, str], rows: int, ask: Ask) -> Feed | Unavailable:
        url = f"{self.spec.base}/api/query"
        params = (wanted, ("start", "0"), ("max_results", str(rows)))
        accept = "application/atom+xml"
        return read_feed(await ask(Request(self.spec.name, url, params, accept=accept)))


def _demanded(words: Sequence[str]) -> str:
    return "(" + " AND ".join(f'ti:"{word}"' for word in words) + ")"


def read_feed(reply: Reply | Unavailable) -> Feed | Unavailable:
    """Return the papers or the error of an answer; errors come with status 200 or 400."""
    if isinstance(reply, Reply) and reply.status == _BAD_REQUEST:
        reply = Reply(decode.OK, reply.body, reply.content_type, reply.url)
    root = decode.xml_of(reply, "feed")
    if isinstance(root, Unavailable):
        return root
    total = decode.text(root, "totalResults").strip()
    if not total.isdecimal():
        return Unavailable("It answered with a feed that counts no results.")
    entries = decode.children(root, "entry")
    if not entries and total.strip("0"):
        return _EMPTY
    error = next((one for one in entries if _is_error(one)), None)
    if error is not None:
        return Feed(error=clean.field(decode.text(error, "summary")) or "Error")
    papers = [version(one) for one in entries]
    if None in papers:
        return Unavailable(asking.NAMELESS)
    return Feed(tuple(paper for paper in papers if paper is not None))


def _is_error(entry: etree._Element) -> bool:
    return "/api/errors" in decode.text(entry, "id") or decode.text(entry, "title") == "Error"


def version(entry: etree._Element) -> Version | None:
    """Return the version that an entry describes, None for one without an id."""
    found = identifiers.arxiv(decode.text(entry, "id"), marked=True)
    if found is None:
        return None
    names = [to_unicode(decode.text(one, "name")) for one in decode.children(entry, "author")]
    authors, cut = clean.people(names)
    years = _years(entry, found.year)
    withdrawn = _WITHDRAWN.search(decode.text(entry, "comment")) is not None
    return Version(
        collection=SPEC.name,
        title=to_unicode(clean.line(decode.text(entry, "title"))[: clean.MAX_TITLE]),
        authors=authors,
        origin=clean.field(decode.text(entry, "id")),
        authors_truncated=cut,
        venue="arXiv",
        venue_raw=f"arXiv:{found.id}",
        preprint=True,
        year=years[0],
        years=years[1:],
        doi=f"10.48550/arxiv.{found.id}",
        arxiv=found.id,
        url=f"https://arxiv.org/abs/{found.id}",
        kind="preprint",
        retracted=withdrawn,
        notices=(Notice("withdrawal", source=SPEC.name),) if withdrawn else (),
        published_as=identifiers.doi(decode.text(entry, "doi")),
        categories=_categories(entry),
    )


def _categories(entry: etree._Element) -> tuple[str, ...]:
    """Return the subject classes, the primary one first."""
    listed = [*decode.children(entry, "primary_category"), *decode.children(entry, "category")]
    terms = (clean.field(one.get("term")) for one in listed[:_MOST_CATEGORIES])
    return tuple(dict.fromkeys(term for term in terms if term))


def _years(entry: etree._Element, first: int) -> tuple[int, ...]:
    """Return the year of the first version and of the one shown."""
    dates = (decode.text(entry, "published"), decode.text(entry, "updated"))
    found = [year for date in dates if (year := clean.year(date)) is not None]
    return tuple(dict.fromkeys(found)) or (first,)
