"""What would arXiv's API answer?"""

import re
from xml.sax.saxutils import escape

from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import ATOM, Answer, Call, as_text

_ID = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?")
_TERM = re.compile(r'(?:ti|all|au):(?:"([^"]*)"|(\S+))')
_SUBMITTED = re.compile(r"submittedDate:\[(\d{8})\d{4} TO (\d{8})\d{4}\]")
CATEGORY = "cs.LG"
"""The one category of all works."""
_HEAD = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" \
xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/fake</id>
  <title>arXiv Query: {query}</title>
  <updated>2026-01-01T00:00:00Z</updated>
  <link href="https://arxiv.org/api/query?{query}" type="application/atom+xml"/>
  <opensearch:itemsPerPage>{shown}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
"""


def answer(library: Library, call: Call) -> Answer:
    """Answer a request."""
    if call.steps != ["api", "query"]:
        return as_text("Not Found", 404)
    params = call.params
    ids = [one for one in params.get("id_list", "").split(",") if one]
    for one in ids:
        if not _ID.fullmatch(one):
            return _wrong(one)
    if ids:
        found = [held for one in ids for held in library.arxiv(one.partition("v")[0])[:1]]
    else:
        found = _search(library, params.get("search_query", ""))
    found = [one for one in found if one.version.arxiv]
    start = call.number("start", 0)
    shown = found[start : start + call.number("max_results", 10)]
    head = _HEAD.format(query=escape(call.query), shown=len(shown), total=len(found))
    return as_text(head + "".join(map(entry, shown)) + "</feed>\n", content_type=ATOM)


def _search(library: Library, query: str) -> list[Holding]:
    """Answer queries of terms with AND, in groups with OR between them; or a category by dates."""
    if dates := _SUBMITTED.search(query):
        first, last = (int(day[:4]) for day in dates.groups())
        return [
            one
            for one in library.holdings
            if f"cat:{CATEGORY} " in query and first <= one.year <= last and one.version.arxiv
        ]
    found: dict[int, Holding] = {}
    for group in query.split(" OR "):
        terms = [word for pair in _TERM.findall(group) for word in words(" ".join(pair))]
        found.update((one.number, one) for one in library.with_all(terms))
    return list(found.values())


def _wrong(one: str) -> Answer:
    where = f"https://arxiv.org/api/errors#incorrect_id_format_for_{escape(one)}"
    body = f"""  <entry>
    <id>{where}</id>
    <title>Error</title>
    <updated>2026-01-01T00:00:00Z</updated>
    <link href="{where}" rel="alternate" type="text/html"/>
    <summary>incorrect id format for {escape(one)}</summary>
    <author>
      <name>arXiv api core</name>
    </author>
  </entry>
</feed>
"""
    return as_text(_HEAD.format(query="", shown=1, total=1) + body, 400, ATOM)


def entry(one: Holding) -> str:
    """Return a record as arXiv writes it."""
    version = one.version
    year = next((year for year in version.known_years), 2000)
    people = "".join(
        f"    <author>\n      <name>{escape(name)}</name>\n    </author>\n"
        for name in version.authors
    )
    published = (
        f"    <arxiv:doi>{escape(version.published_as)}</arxiv:doi>\n"
        if version.published_as
        else ""
    )
    comment = "This paper has been withdrawn" if version.retracted else "9 pages"
    return f"""  <entry>
    <id>http://arxiv.org/abs/{version.arxiv}v1</id>
    <title>{escape(version.title)}</title>
    <updated>{max(version.known_years, default=year)}-03-01T00:00:00Z</updated>
    <link href="https://arxiv.org/abs/{version.arxiv}v1" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/{version.arxiv}v1" rel="related" type="application/pdf" \
title="pdf"/>
    <summary>We study it.</summary>
    <category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>
    <published>{min(version.known_years, default=year)}-02-01T00:00:00Z</published>
    <arxiv:comment>{comment}</arxiv:comment>
    <arxiv:primary_category term="cs.LG"/>
{published}{people}  </entry>
"""
