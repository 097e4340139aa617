"""How are works of OpenAlex read?

The snapshot's partitions of JSON lines (`data/works/updated_date=.../part_000.gz`) and answers of
the API ("results"). OpenAlex is gathered by machine and holds records with foreign titles or
authors; its lists of authors are EXTRACTED and never reject a claim alone.
"""

import re
from collections.abc import Iterator
from typing import Any

from hallmark.index.loaders import tidy
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.jsonstream import objects
from hallmark.records.work import Quality, Version, on_arxiv
from hallmark.text import identifiers

API_AUTHORS = 100
"""Authors after which the API cuts a list."""
_WORK = re.compile(rb'"id"\s*:\s*"https://openalex\.org/W')
_NO_WORKS = frozenset({"paratext", "grant", "peer-review", "supplementary-materials"})


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield the versions of each work: where it appeared, and its preprint on arXiv."""
    for item in objects(opened):
        if isinstance(item, Skipped):
            yield item
        elif item.get("type") in _NO_WORKS:
            yield Skipped(f"record of the type {item.get('type')}, which is no work")
        else:
            yield from _versions(item, opened)


def _versions(item: dict[str, Any], opened: Opened) -> Iterator[Loaded]:
    primary = _dict(item.get("primary_location"))
    main = _version(item, primary, opened)
    yield main
    for location in _dicts(item.get("locations")):
        arxiv = _arxiv(location)
        if arxiv and main.arxiv is None:
            yield on_arxiv(main, arxiv)
            return


def _version(item: dict[str, Any], location: dict[str, Any], opened: Opened) -> Version:
    authorships = _dicts(item.get("authorships"))
    authors, cut = tidy.people([_author(one) for one in authorships])
    source = _dict(location.get("source"))
    venue = tidy.field(source.get("display_name") or location.get("raw_source_name"))
    return Version(
        collection=opened.collection,
        title=tidy.line(item.get("title") or item.get("display_name")),
        authors=authors,
        origin=tidy.field(item.get("id")) or opened.label,
        authors_truncated=cut
        or bool(item.get("is_authors_truncated"))
        or len(authorships) == API_AUTHORS,
        quality=Quality.EXTRACTED,
        venue=venue,
        venue_raw=venue,
        preprint=item.get("type") == "preprint" or source.get("type") == "repository",
        year=tidy.year(item.get("publication_year")),
        doi=identifiers.doi(tidy.field(item.get("doi"))),
        arxiv=_arxiv(location),
        url=tidy.field(location.get("landing_page_url") or item.get("id")),
        kind=tidy.field(item.get("type_crossref") or item.get("type")),
        retracted=item.get("is_retracted") is True,
    )


def _author(authorship: dict[str, Any]) -> str:
    """Return the name as printed, else the name of the author's profile."""
    raw = tidy.field(authorship.get("raw_author_name"))
    return raw or tidy.field(_dict(authorship.get("author")).get("display_name"))


def _arxiv(location: dict[str, Any]) -> str | None:
    found = identifiers.arxiv(tidy.field(location.get("landing_page_url")), marked=True)
    return found.id if found else None


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def sniff(head: bytes, name: str) -> bool:
    """Whether the first object is a work of OpenAlex."""
    del name
    return _WORK.search(head) is not None and head.lstrip()[:1] in {b"{", b"["}


LOADER = Loader(
    name="openalex",
    description="OpenAlex snapshot of works (JSON lines)",
    load=load,
    sniff=sniff,
    collection="openalex",
)
