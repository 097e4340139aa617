"""How are records of Crossref read?

The public data file (JSON lines, gzip, in a folder or a tar archive; older ones: objects with
"items") and answers of the REST API. Fields as in Crossref's "REST API JSON format". Titles and
subtitles are joined; the years are those of print, online and issue, never of the deposit.
"""

import re
from collections.abc import Iterator
from typing import Any

from hallmark.index.loaders import tidy
from hallmark.index.loaders.csl import date_year, person_names
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.jsonstream import objects
from hallmark.records.work import Version
from hallmark.text import identifiers, titles

NO_WORKS = frozenset(
    "component grant journal journal-issue journal-volume peer-review book-series book-set "
    "proceedings-series report-series report-component database sa-component".split()
)
"""Types of records that are no citable works."""
UNORDERED_PREFIX = "10.52202/"
"""Curran Associates deposits authors in alphabetical order."""

_DATES = ("issued", "published", "published-print", "published-online", "published-other")
_PREPRINTS = frozenset({"posted-content"})
_RETRACTIONS = frozenset({"retraction", "withdrawal", "removal"})


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each work."""
    for item in objects(opened):
        yield item if isinstance(item, Skipped) else _loaded(item, opened)


def _loaded(item: dict[str, Any], opened: Opened) -> Loaded:
    kind = tidy.field(item.get("type"))
    if kind in NO_WORKS:
        return Skipped(f"record of a {kind}, which is no work")
    doi = identifiers.doi(tidy.field(item.get("DOI")))
    if doi is None:
        return Skipped("record without a DOI")
    return _version(item, kind, doi, opened)


def _version(item: dict[str, Any], kind: str, doi: str, opened: Opened) -> Version:
    authors, cut = tidy.people(person_names(item.get("author")))
    years = _years(item)
    venue = _first(item, "container-title") or _event(item) or _institution(item, kind)
    return Version(
        collection=opened.collection,
        title=_title(item),
        authors=authors,
        origin=opened.label,
        authors_truncated=cut,
        authors_ordered=not doi.startswith(UNORDERED_PREFIX),
        editors=tidy.people(person_names(item.get("editor")))[0],
        title_others=_other_titles(item),
        venue=_first(item, "short-container-title") or venue,
        venue_raw=venue,
        preprint=kind in _PREPRINTS,
        year=years[0] if years else None,
        years=years[1:],
        doi=doi,
        arxiv=identifiers.arxiv_of_doi(doi),
        url=tidy.field(item.get("URL")),
        kind=kind,
        retracted=_is_retracted(item),
    )


def _title(item: dict[str, Any]) -> str:
    """Return title and subtitle as one, unless the title says the subtitle already."""
    title, subtitle = _first(item, "title"), _first(item, "subtitle")
    if not subtitle or titles.key(subtitle) in titles.key(title):
        return title
    return f"{title.rstrip(':')}: {subtitle}"


def _other_titles(item: dict[str, Any]) -> tuple[str, ...]:
    """Return the title without its subtitle and the title in the original language."""
    plain = _first(item, "title")
    found = [plain] if _first(item, "subtitle") and plain != _title(item) else []
    return (*found, *(text for one in _list(item, "original-title") if (text := tidy.line(one))))


def _first(item: dict[str, Any], name: str) -> str:
    return next((text for one in _list(item, name) if (text := tidy.line(one))), "")


def _list(item: dict[str, Any], name: str) -> list[Any]:
    value = item.get(name)
    if isinstance(value, str):
        return [value]
    return value if isinstance(value, list) else []


def _event(item: dict[str, Any]) -> str:
    event = item.get("event")
    return tidy.field(event.get("name")) if isinstance(event, dict) else ""


def _institution(item: dict[str, Any], kind: str) -> str:
    """Return the preprint server that posted the work."""
    if kind not in _PREPRINTS:
        return ""
    for one in _list(item, "institution"):
        if isinstance(one, dict) and (name := tidy.field(one.get("name"))):
            return name
    return tidy.field(item.get("group-title"))


def _years(item: dict[str, Any]) -> tuple[int, ...]:
    found = (date_year(item.get(name)) for name in _DATES)
    return tuple(dict.fromkeys(year for year in found if year is not None))


def _is_retracted(item: dict[str, Any]) -> bool:
    updates = _list(item, "updated-by")
    return any(isinstance(one, dict) and one.get("type") in _RETRACTIONS for one in updates)


def sniff(head: bytes, name: str) -> bool:
    """Whether the file holds objects with a DOI and a list of titles."""
    del name
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start not in {b"{", b"["}:
        return False
    return b'"DOI"' in head and re.search(rb'"title"\s*:\s*\[', head) is not None


LOADER = Loader(
    name="crossref",
    description="Crossref public data file and REST answers",
    load=load,
    sniff=sniff,
    collection="crossref",
)
