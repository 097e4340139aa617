"""How is PubMed asked, and how are its records read?

E-utilities as documented at https://www.ncbi.nlm.nih.gov/books/NBK25499/: `esearch` finds ids,
`efetch` gives the records as XML (https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html).
"""

import asyncio
from collections.abc import Sequence

from lxml import etree
from msgspec import Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.sources import asking, decode, identify, people
from hallmark.sources.asking import Held, Listed
from hallmark.sources.interface import Ask, Rate, Reply, Request, SourceSpec, Way
from hallmark.sources.near import groups
from hallmark.sources.notices import notice, retracts
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="pubmed",
    title="PubMed",
    base="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    rate=Rate(3, connections=2),
    keyed_rate=Rate(10, connections=3),
    ways=(Way.PMID, Way.DOI, Way.TITLE),
    batch={"pmid": 200, "doi": 50},
    kinds=frozenset({Kind.PAPER}),
    fields=("medicine", "biology"),
    key_variable="NCBI_API_KEY",
    key_param="api_key",
    contact_param="email",
    sends="PubMed ids and DOIs; words of titles",
    homepage="https://www.ncbi.nlm.nih.gov/books/NBK25497/",
    covers="medicine and the life sciences",
    quirks=(
        "Records come as XML; document type and entities are never loaded.",
        "Retractions, concerns and corrections stand in `CommentsCorrectionsList`.",
        "Groups are collective names; initials are glued and are taken apart.",
        "A list of authors may be marked as incomplete.",
        "Titles end with a full stop, and are in brackets where they are translated.",
        "A search that fails says so in a field, with status 200.",
    ),
    facts_as_of="2026-12",
)

ROWS = 10
_LOST = "It found a record, and did not give it."
_RETRACTED = "Retracted Publication"


class _Result(Struct):
    idlist: list[str] | None = None
    count: str | int | None = None
    ERROR: str | None = None


class _Reply(Struct):
    esearchresult: _Result


class PubMed:
    """PubMed, asked by PubMed id and DOI in batches, and by title."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await self._by_title(questions, ask)
        if way is Way.PMID:
            return await asking.by_identifier(
                questions,
                identify.pmid,
                lambda pmids: self._by_pmid(pmids, ask),
                way="pmid",
                size=self.spec.batch["pmid"],
            )
        if way is Way.DOI:
            return await asking.by_identifier(
                questions,
                identify.doi,
                lambda dois: self._by_doi(dois, ask),
                way="doi",
                size=self.spec.batch["doi"],
            )
        return asking.not_asked(questions)

    async def _by_pmid(self, pmids: Sequence[str], ask: Ask) -> Held | Unavailable:
        found = await self._fetch(pmids, ask)
        return found if isinstance(found, Unavailable) else Held(found)

    async def _by_doi(self, dois: Sequence[str], ask: Ask) -> Held | Unavailable:
        term = " OR ".join(f'"{_plain(doi)}"[doi]' for doi in dois)
        pmids = await self._search(term, 2 * len(dois), ask)
        if isinstance(pmids, Unavailable):
            return pmids
        found = await self._fetch(pmids, ask)
        if isinstance(found, Unavailable):
            return found
        versions = [one for group in found.values() for one in group]
        return asking.held(versions, lambda one: one.doi, "" if len(found) == len(pmids) else _LOST)

    async def _by_title(self, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Search for every title, and fetch the records of all together."""
        distinct = list(dict.fromkeys(filter(asking.has_title, questions)))
        searched = await asyncio.gather(
            *(self._search(_term(question), ROWS, ask) for question in distinct)
        )
        wanted = [pmid for one in searched if not isinstance(one, Unavailable) for pmid in one]
        lists = list(asking.batches(list(dict.fromkeys(wanted)), self.spec.batch["pmid"]))
        fetched = await asyncio.gather(*(self._fetch(pmids, ask) for pmids in lists))
        held = dict[str, list[Version] | Unavailable]()
        for pmids, reply in zip(lists, fetched, strict=True):
            held.update(_each(pmids, reply))
        answers = {
            question: asking.of_search(question, _listed(pmids, held))
            for question, pmids in zip(distinct, searched, strict=True)
        }
        return [answers.get(question, asking.NOT_ASKED) for question in questions]

    async def _search(self, term: str, rows: int, ask: Ask) -> list[str] | Unavailable:
        params = (
            ("db", "pubmed"),
            ("term", term),
            ("retmode", "json"),
            ("retmax", str(rows)),
            ("sort", "relevance"),
        )
        return pmids_of(
            await ask(Request(self.spec.name, f"{self.spec.base}/esearch.fcgi", params))
        )

    async def _fetch(
        self, pmids: Sequence[str], ask: Ask
    ) -> dict[str, list[Version]] | Unavailable:
        """Return the records by PubMed id."""
        if not pmids:
            return {}
        params = (("db", "pubmed"), ("id", ",".join(pmids)), ("retmode", "xml"))
        url = f"{self.spec.base}/efetch.fcgi"
        return records(await ask(Request(self.spec.name, url, params, accept="text/xml")))


def pmids_of(reply: Reply | Unavailable) -> list[str] | Unavailable:
    """Return the PubMed ids in an answer of `esearch`."""
    found = decode.json_as(_Reply, reply)
    if isinstance(found, Unavailable):
        return found
    result = found.esearchresult
    if result.ERROR or result.idlist is None:
        return Unavailable(f"Its search failed ({clean.field(result.ERROR) or 'no list'}).")
    if not result.idlist and str(result.count or 0) != "0":
        return Unavailable(asking.EMPTY)
    return [pmid for one in result.idlist if (pmid := identifiers.pmid(one))]


def _plain(doi: str) -> str:
    return doi.replace('"', "")


def _term(question: Question) -> str:
    demanded = (
        " AND ".join(f"{word}[Title]" for word in words) for words in groups(question.title)
    )
    return " OR ".join(f"({words})" for words in demanded)


def _each(
    pmids: Sequence[str], reply: dict[str, list[Version]] | Unavailable
) -> dict[str, list[Version] | Unavailable]:
    if isinstance(reply, Unavailable):
        return dict.fromkeys(pmids, reply)
    return {pmid: reply.get(pmid) or Unavailable(_LOST) for pmid in pmids}


def _listed(
    pmids: list[str] | Unavailable, held: dict[str, list[Version] | Unavailable]
) -> Listed | Unavailable:
    """Return the records that a search led to; one that could not be fetched is no absence."""
    if isinstance(pmids, Unavailable):
        return pmids
    versions: list[Version] = []
    for pmid in pmids:
        one = held[pmid]
        if isinstance(one, Unavailable):
            return one
        versions.extend(one)
    return Listed(versions)


def records(reply: Reply | Unavailable) -> dict[str, list[Version]] | Unavailable:
    """Return the versions in an answer of `efetch`, by PubMed id."""
    root = decode.xml_of(reply, "PubmedArticleSet")
    if isinstance(root, Unavailable):
        return root
    found: dict[str, list[Version]] = {}
    for article in decode.children(root, "PubmedArticle"):
        pmid = clean.field(decode.text(article, "MedlineCitation", "PMID"))
        if not pmid:
            return Unavailable(asking.NAMELESS)
        found.setdefault(pmid, []).append(version(article, pmid))
    return found


def version(article: etree._Element, pmid: str) -> Version:
    """Return the version that a record describes."""
    body = ("MedlineCitation", "Article")
    lists = decode.children(article, *body, "AuthorList")
    authors, cut = clean.people([_author(one) for one in _authors(lists)])
    years = _years(article, body)
    kinds = [
        decode.whole_text(one)
        for one in decode.children(article, *body, "PublicationTypeList", "PublicationType")
    ]
    notices = _notices(article)
    return Version(
        collection=SPEC.name,
        title=_title(decode.text(article, *body, "ArticleTitle")),
        authors=authors,
        origin=f"pmid:{pmid}",
        authors_truncated=cut or any(one.get("CompleteYN") == "N" for one in lists),
        title_others=_others(decode.text(article, *body, "VernacularTitle")),
        venue=clean.field(decode.text(article, *body, "Journal", "ISOAbbreviation")),
        venue_raw=clean.field(decode.text(article, *body, "Journal", "Title")),
        year=years[0] if years else None,
        years=years[1:],
        doi=_doi(article),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        kind=", ".join(map(clean.field, kinds)).lower()[: clean.MAX_FIELD],
        retracted=_RETRACTED in kinds or retracts(notices),
        notices=notices,
    )


def _authors(lists: Sequence[etree._Element]) -> list[etree._Element]:
    """Return the authors in order; a list of editors stands apart and is left out."""
    return [
        author
        for one in lists
        if one.get("Type", "authors") == "authors"
        for author in decode.children(one, "Author")
        if author.get("ValidYN", "Y") == "Y"
    ]


def _author(author: etree._Element) -> str:
    if group := clean.field(decode.text(author, "CollectiveName")):
        return group
    initials = people.spaced(decode.text(author, "Initials"))
    given = decode.text(author, "ForeName")
    family = decode.text(author, "LastName")
    return people.in_order(people.spaced(given) or initials, family, decode.text(author, "Suffix"))


def _title(text: str) -> str:
    """Return the title without the full stop behind it and the brackets of a translation."""
    line = clean.line(text)[: clean.MAX_TITLE]
    if line.endswith(".") and not line.endswith(".."):
        line = line[:-1]
    return line[1:-1] if line.startswith("[") and line.endswith("]") else line


def _others(vernacular: str) -> tuple[str, ...]:
    title = _title(vernacular)
    return (title,) if title else ()


def _years(article: etree._Element, body: tuple[str, ...]) -> tuple[int, ...]:
    """Return the years of the issue and of the online article; never those of its history."""
    issue = (*body, "Journal", "JournalIssue", "PubDate")
    dates = (
        decode.text(article, *issue, "Year"),
        decode.text(article, *issue, "MedlineDate"),
        decode.text(article, *body, "ArticleDate", "Year"),
    )
    found = (clean.year(date) for date in dates)
    return tuple(dict.fromkeys(year for year in found if year is not None))


def _doi(article: etree._Element) -> str | None:
    for one in decode.children(article, "PubmedData", "ArticleIdList", "ArticleId"):
        if one.get("IdType") == "doi":
            return identifiers.doi(decode.whole_text(one))
    for one in decode.children(article, "MedlineCitation", "Article", "ELocationID"):
        if one.get("EIdType") == "doi":
            return identifiers.doi(decode.whole_text(one))
    return None


def _notices(article: etree._Element) -> tuple[Notice, ...]:
    listed = ("MedlineCitation", "CommentsCorrectionsList", "CommentsCorrections")
    found = (_notice(one) for one in decode.children(article, *listed))
    return tuple(dict.fromkeys(one for one in found if one is not None))


def _notice(comment: etree._Element) -> Notice | None:
    cited = decode.text(comment, "RefSource")
    return notice(
        comment.get("RefType", ""),
        SPEC.name,
        date=str(clean.year(cited) or ""),
        doi=identifiers.doi(cited),
    )
