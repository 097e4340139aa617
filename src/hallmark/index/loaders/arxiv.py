"""How is the arXiv metadata snapshot read?

JSON lines as in `arxiv-metadata-oai-snapshot.json`: id, title, authors_parsed (family, given,
suffix), versions with dates. The record is the preprint; the DOI and journal that authors report
belong to another version and are not taken over.
"""

import re
from collections.abc import Iterator
from typing import Any

from hallmark.index.loaders import tidy
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.jsonstream import objects
from hallmark.records.work import Version
from hallmark.text import identifiers
from hallmark.text.latex import to_unicode

_MOST_CATEGORIES = 20
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each preprint."""
    for item in objects(opened):
        if isinstance(item, Skipped):
            yield item
            continue
        found = identifiers.arxiv(tidy.field(item.get("id")))
        yield _version(item, found.id, opened) if found else Skipped("record without an arXiv id")


def _version(item: dict[str, Any], arxiv: str, opened: Opened) -> Version:
    authors, cut = tidy.people(_authors(item.get("authors_parsed")))
    years = _years(item)
    return Version(
        collection=opened.collection,
        title=to_unicode(tidy.line(item.get("title"))),
        authors=authors,
        origin=opened.label,
        authors_truncated=cut,
        venue="arXiv",
        venue_raw=f"arXiv:{arxiv}",
        preprint=True,
        year=years[0],
        years=years[1:],
        doi=f"10.48550/arxiv.{arxiv}",
        arxiv=arxiv,
        url=f"https://arxiv.org/abs/{arxiv}",
        kind="preprint",
        retracted=_WITHDRAWN.search(tidy.field(item.get("comments"))) is not None,
        categories=tuple(tidy.field(item.get("categories")).split()[:_MOST_CATEGORIES]),
    )


def _authors(parsed: Any) -> list[str]:
    """Return "given family suffix" for each author; names are in LaTeX."""
    if not isinstance(parsed, list):
        return []
    rows = ([tidy.field(part) for part in one[:3]] for one in parsed if isinstance(one, list))
    return [to_unicode(name) for row in rows if row and (name := _in_order(*row))]


def _in_order(family: str, given: str = "", suffix: str = "") -> str:
    return " ".join(part for part in (given, family, suffix) if part)


def _years(item: dict[str, Any]) -> tuple[int, ...]:
    """Return the years of all versions, that of the first submission in front."""
    versions = item.get("versions")
    dates = [one.get("created") for one in versions or [] if isinstance(one, dict)]
    found = [year for date in dates if (year := tidy.year(date)) is not None]
    first = identifiers.arxiv(tidy.field(item.get("id")))
    if not found and first:
        found = [first.year]
    return tuple(dict.fromkeys(found))


def sniff(head: bytes, name: str) -> bool:
    """Whether the first object has the snapshot's fields."""
    del name
    return b'"authors_parsed"' in head and head.lstrip()[:1] == b"{"


LOADER = Loader(
    name="arxiv",
    description="arXiv metadata snapshot (JSON lines)",
    load=load,
    sniff=sniff,
    collection="arxiv",
)
