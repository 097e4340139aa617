"""How are CSL-JSON files read?

The form in which reference managers export (citation-style-language schema, `csl-data.json`): an
array of items. They are people's own libraries, so that the lists of authors are PERSONAL.
"""

import re
from collections.abc import Iterator
from typing import Any

from hallmark.index.loaders import tidy
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.jsonstream import objects
from hallmark.records.work import Quality, Version
from hallmark.text import identifiers

_NAME_PARTS = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
_OTHERS = frozenset({"others", "et al", "et al."})


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each item."""
    for item in objects(opened):
        yield item if isinstance(item, Skipped) else _version(item, opened)


def _version(item: dict[str, Any], opened: Opened) -> Loaded:
    names = person_names(item.get("author"))
    kept = [name for name in names if name.lower() not in _OTHERS]
    authors, cut = tidy.people(kept)
    url = tidy.field(item.get("URL"))
    return Version(
        collection=opened.collection,
        title=tidy.line(item.get("title")),
        authors=authors,
        origin=opened.label,
        authors_truncated=cut or len(kept) < len(names),
        quality=Quality.PERSONAL,
        editors=tidy.people(person_names(item.get("editor")))[0],
        venue=tidy.field(item.get("container-title")),
        venue_raw=tidy.field(item.get("container-title") or item.get("event-title")),
        year=date_year(item.get("issued")),
        doi=identifiers.doi(tidy.field(item.get("DOI"))) or identifiers.doi(url),
        arxiv=_arxiv(item, url),
        url=url,
        kind=tidy.field(item.get("type")),
    )


def person_names(people: Any) -> list[str]:
    """Return the full names of a list of CSL (or Crossref) names, in order."""
    if not isinstance(people, list):
        return []
    return [name for one in people if isinstance(one, dict) and (name := _person_name(one))]


def _person_name(person: dict[str, Any]) -> str:
    literal = tidy.field(person.get("literal") or person.get("name"))
    return literal or " ".join(part for key in _NAME_PARTS if (part := tidy.field(person.get(key))))


def date_year(date: Any) -> int | None:
    """Return the year of a CSL date: of its parts, else of its text."""
    if not isinstance(date, dict):
        return None
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return tidy.year(parts[0][0])
    return tidy.year(date.get("literal") or date.get("raw"))


def _arxiv(item: dict[str, Any], url: str) -> str | None:
    for value in (item.get("number"), item.get("note"), item.get("archive_location"), url):
        found = identifiers.arxiv(tidy.field(value), marked=True)
        if found:
            return found.id
    return None


def sniff(head: bytes, name: str) -> bool:
    """Whether the file is an array of objects with a CSL type and an id or a title."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"["):
        return False
    known = rb'"(?:issued|container-title|citation-key|family|DOI|event-title)"\s*:'
    return ".csl" in name or re.search(known, start) is not None


LOADER = Loader(name="csl", description="CSL-JSON of reference managers", load=load, sniff=sniff)
