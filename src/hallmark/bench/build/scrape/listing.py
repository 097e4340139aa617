"""How do the sources list what they hold, page by page?

Look-ups stand in the adapters (`hallmark.sources`); these are the end-points by which the same
services list works by venue, category, search or date. Records are read by the adapters' own
functions. Nothing here opens a connection: `ask` is handed in.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import Struct

from hallmark.bench.build.scrape.recipe import Listing, Recipe
from hallmark.records.answer import Unavailable
from hallmark.records.work import Version
from hallmark.sources import arxiv, asking, biorxiv, dblp, decode, pubmed
from hallmark.sources.interface import Ask, Request, SourceSpec
from hallmark.text import identifiers

DBLP_HITS = 500
"""Hits of a page; 1,000 is the service's most."""
ARXIV_ROWS = 100
PUBMED_ROWS = 200
FURTHEST = 9_900
"""Works of a list after which no further page is asked for: PubMed ends at 10,000."""


class Part(Struct, frozen=True):
    """One list as one question: a list of a recipe, for DBLP in one year."""

    number: int
    listing: Listing
    year: int | None = None


class Page(Struct, frozen=True):
    """Works listed; `following` is where the next page begins, None after the last."""

    versions: tuple[Version, ...]
    following: int | None = None


Lister = Callable[[Part, int, SourceSpec, Ask], Awaitable[Page | Unavailable]]


def parts_of(recipe: Recipe) -> list[Part]:
    """Return the questions of a recipe, in order."""
    found: list[Part] = []
    for number, listing in enumerate(recipe.lists):
        if listing.years is None or listing.source != "dblp":
            found.append(Part(number, listing))
        else:
            first, last = listing.years
            found += [Part(number, listing, year) for year in range(first, last + 1)]
    return found


async def list_dblp(part: Part, start: int, spec: SourceSpec, ask: Ask) -> Page | Unavailable:
    """List a venue's works of one year.

    The query language as at https://dblp.org/search: `venue:NeurIPS:` and `year:2022:` are exact;
    a blank in a name is written "_". At most 1,000 hits a request, `f` is the first of them
    (https://dblp.org/faq/How+to+use+the+dblp+search+API.html).
    """
    name = part.listing.venue
    venue = f"streamid:{name}:" if "/" in name else f"venue:{'_'.join(name.split())}:"
    params = (
        ("q", f"{venue} year:{part.year}:"),
        ("h", str(DBLP_HITS)),
        ("f", str(start)),
        ("format", "json"),
    )
    reply = await ask(Request(spec.name, f"{spec.base}/search/publ/api", params))
    infos = dblp.infos_of(reply)
    if isinstance(infos, Unavailable):
        if infos.reason == asking.EMPTY and start:
            return Page(())
        return infos
    versions = tuple(
        one for one in map(dblp.version, infos) if one.year == part.year and one.authors
    )
    return Page(versions, start + len(infos) if len(infos) == DBLP_HITS else None)


async def list_arxiv(part: Part, start: int, spec: SourceSpec, ask: Ask) -> Page | Unavailable:
    """List the newest works of a category first.

    `submittedDate:[YYYYMMDDTTTT TO YYYYMMDDTTTT]`, `sortBy` and paging as at
    https://info.arxiv.org/help/api/user-manual.html.
    """
    since, until = (day.replace("-", "") for day in (part.listing.since, part.listing.until))
    query = f"cat:{part.listing.category} AND submittedDate:[{since}0000 TO {until}2359]"
    params = (
        ("search_query", query),
        ("sortBy", "submittedDate"),
        ("sortOrder", "descending"),
        ("start", str(start)),
        ("max_results", str(ARXIV_ROWS)),
    )
    url = f"{spec.base}/api/query"
    feed = arxiv.read_feed(
        await ask(Request(spec.name, url, params, accept="application/atom+xml"))
    )
    if isinstance(feed, Unavailable):
        return Page(()) if start and feed.reason == asking.EMPTY else feed
    if feed.error:
        return Unavailable(f"It answered with an error ({feed.error}).")
    full = len(feed.papers) == ARXIV_ROWS
    return Page(feed.papers, start + len(feed.papers) if full else None)


async def list_pubmed(part: Part, start: int, spec: SourceSpec, ask: Ask) -> Page | Unavailable:
    """List what a search finds between two days of publication (`datetype=pdat`).

    Parameters as at https://www.ncbi.nlm.nih.gov/books/NBK25499/.
    """
    since, until = (day.replace("-", "/") for day in (part.listing.since, part.listing.until))
    params = (
        ("db", "pubmed"),
        ("term", part.listing.term or "journal article[pt]"),
        ("datetype", "pdat"),
        ("mindate", since),
        ("maxdate", until),
        ("retmode", "json"),
        ("retstart", str(start)),
        ("retmax", str(PUBMED_ROWS)),
    )
    pmids = pubmed.pmids_of(await ask(Request(spec.name, f"{spec.base}/esearch.fcgi", params)))
    if isinstance(pmids, Unavailable):
        return Page(()) if start and pmids.reason == asking.EMPTY else pmids
    if not pmids:
        return Page(())
    fetched = (("db", "pubmed"), ("id", ",".join(pmids)), ("retmode", "xml"))
    found = pubmed.records(
        await ask(Request(spec.name, f"{spec.base}/efetch.fcgi", fetched, accept="text/xml"))
    )
    if isinstance(found, Unavailable):
        return found
    versions = tuple(one for group in found.values() for one in group)
    return Page(versions, start + len(pmids) if len(pmids) == PUBMED_ROWS else None)


class _Count(Struct):
    """How far a page of bioRxiv reaches; counts are numbers or texts."""

    status: str | None = None
    total: int | str | None = None


class _Posts(Struct):
    messages: list[_Count]
    collection: list[biorxiv.Item] | None = None


async def list_biorxiv(part: Part, start: int, spec: SourceSpec, ask: Ask) -> Page | Unavailable:
    """List what a server posted between two days, with all versions of a preprint as one.

    `/details/SERVER/SINCE/UNTIL/CURSOR` as at https://api.biorxiv.org; how many works a page holds
    is the service's choice, so that what it shows is counted.
    """
    wanted = part.listing
    url = f"{spec.base}/details/{wanted.server}/{wanted.since}/{wanted.until}/{start}"
    posts = decode.json_as(_Posts, await ask(Request(spec.name, url)))
    if isinstance(posts, Unavailable):
        return posts
    items = posts.collection or []
    told = str(posts.messages[0].total or "") if posts.messages else ""
    groups: dict[str, list[biorxiv.Item]] = {}
    for item in items:
        doi = identifiers.doi(item.doi)
        if doi is not None:
            groups.setdefault(doi, []).append(item)
    versions = tuple(biorxiv.preprint(group, doi, wanted.server) for doi, group in groups.items())
    reached = start + len(items)
    more = bool(items) and told.isdecimal() and reached < int(told)
    return Page(versions, reached if more else None)


LISTERS: Mapping[str, Lister] = {
    "dblp": list_dblp,
    "arxiv": list_arxiv,
    "pubmed": list_pubmed,
    "biorxiv": list_biorxiv,
}
"""Who can list, by the name of the source."""


def sources_of(recipe: Recipe) -> Sequence[str]:
    """Return the names of all sources that following a recipe may ask, each once."""
    listing = (one.source for one in recipe.lists)
    return tuple(dict.fromkeys([*listing, "crossref", "datacite", *recipe.confirm]))
