"""What would OpenAlex answer?"""

import re
from typing import Any

from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import HTML, Answer, Call, as_json, as_text, chosen

_MISSING = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    "<p>The requested URL was not found on the server. If you entered the URL manually please "
    "check your spelling and try again.</p>\n"
)
_MOST_VALUES = 100
_AUTHORS = 100
_SITE = "https://openalex.org"
_LINK = re.compile(r"^(?:https?://)?(?:dx\.)?doi\.org/")


def answer(library: Library, call: Call) -> Answer:
    """Answer a request."""
    match call.steps:
        case ["works"]:
            return _works(library, call)
        case ["works", *parts]:
            return _work(library, "/".join(parts), call)
        case ["sources"]:
            return _sources(library, call)
        case _:
            return as_text(_MISSING, 404, HTML)


def _works(library: Library, call: Call) -> Answer:
    name, _, value = call.params.get("filter", "").partition(":")
    rows = call.number("per_page", 25)
    values = value.split("|")
    if len(values) > _MOST_VALUES:
        message = "Maximum number of values exceeded for doi. Decrease values to 100 or below."
        return as_json({"error": "Invalid query parameters error.", "message": message}, 403)
    match name:
        case "doi":
            found = [one for doi in values for one in library.doi(_LINK.sub("", doi))[:1]]
        case "pmid":
            found = [one for pmid in values for one in library.pmid(pmid)[:1]]
        case "title.search" | "display_name.search":
            found = library.with_all(words(value))
        case _:
            found = library.ranked(call.params.get("search", ""), rows)
    meta = {
        "count": len(found),
        "db_response_time_ms": 30,
        "page": 1,
        "per_page": rows,
        "groups_count": None,
        "cost_usd": 0.001,
    }
    fields = call.params.get("select", "")
    results = [chosen(record(one), fields) for one in found[:rows]]
    return as_json({"meta": meta, "results": results, "group_by": []})


def _work(library: Library, name: str, call: Call) -> Answer:
    doi = _LINK.sub("", name.removeprefix("doi:"))
    found = library.doi(doi)
    if not found:
        return as_text(_MISSING, 404, HTML)
    return as_json(chosen(record(found[0]), call.params.get("select", "")))


def _sources(library: Library, call: Call) -> Answer:
    found = library.venues_like(call.params.get("search", ""), call.number("per_page", 25))
    results: list[dict[str, Any]] = [
        {
            "id": f"{_SITE}/S{number}",
            "display_name": full,
            "abbreviated_title": short if short != full else None,
            "alternate_titles": [],
            "issn": None,
            "issn_l": None,
            "type": "journal",
            "works_count": 100,
        }
        for number, (full, short) in enumerate(found, start=1)
    ]
    meta = {"count": len(results), "page": 1, "per_page": len(results)}
    fields = call.params.get("select", "")
    return as_json({"meta": meta, "results": [chosen(one, fields) for one in results]})


def record(one: Holding) -> dict[str, Any]:
    """Return a work as OpenAlex writes it."""
    version = one.version
    doi = f"https://doi.org/{version.doi}" if version.doi else None
    place = _place(one)
    return {
        "id": f"{_SITE}/W{one.number}",
        "doi": doi,
        "title": version.title,
        "display_name": version.title,
        "relevance_score": 100.0,
        "publication_year": version.year,
        "publication_date": f"{one.year}-06-01",
        "ids": {
            "openalex": f"{_SITE}/W{one.number}",
            **({"doi": doi} if doi else {}),
            **({"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{one.pmid}"} if one.pmid else {}),
        },
        "language": "en",
        "primary_location": place,
        "type": _kind(one),
        "indexed_in": ["crossref"] if doi else [],
        "open_access": {"is_oa": False, "oa_status": "closed", "oa_url": None},
        "authorships": [_authorship(name, place) for place, name in _listed(version.authors)],
        "countries_distinct_count": 0,
        "cited_by_count": 0,
        "is_retracted": version.retracted,
        "is_paratext": False,
        "locations_count": 1,
        "locations": [place],
    }


def _listed(authors: tuple[str, ...]) -> list[tuple[str, str]]:
    shown = authors[:_AUTHORS]
    last = len(shown) - 1
    return [
        ("first" if place == 0 else "last" if place == last else "middle", name)
        for place, name in enumerate(shown)
    ]


def _authorship(name: str, place: str) -> dict[str, Any]:
    return {
        "author_position": place,
        "author": {"id": f"{_SITE}/A1", "display_name": name, "orcid": None},
        "institutions": [],
        "countries": [],
        "is_corresponding": False,
        "raw_author_name": name,
        "raw_affiliation_strings": [],
        "affiliations": [],
    }


def _place(one: Holding) -> dict[str, Any]:
    version = one.version
    on_arxiv = version.preprint and version.arxiv is not None
    name = "arXiv (Cornell University)" if on_arxiv else one.venue
    link = f"http://arxiv.org/abs/{version.arxiv}" if on_arxiv else f"https://doi.org/{version.doi}"
    holder: dict[str, Any] = {
        "id": f"{_SITE}/S{one.number}",
        "display_name": name,
        "issn_l": None,
        "issn": None,
        "is_oa": False,
        "is_in_doaj": False,
        "is_core": True,
        "host_organization": None,
        "host_organization_name": None,
        "host_organization_lineage": [],
        "host_organization_lineage_names": [],
        "type": "repository" if version.preprint else "journal",
    }
    return {
        "id": f"doi:{version.doi}",
        "is_oa": False,
        "landing_page_url": link if on_arxiv or version.doi else version.url or None,
        "pdf_url": None,
        "source": holder if name else None,
        "license": None,
        "license_id": None,
        "version": "publishedVersion",
        "is_accepted": True,
        "is_published": True,
        "raw_source_name": one.venue or None,
        "raw_type": "journal-article",
    }


def _kind(one: Holding) -> str:
    if one.version.preprint:
        return "preprint"
    return "book" if one.isbn else "article"
