"""What would Semantic Scholar answer?"""

import hashlib
import json
from typing import Any

from rapidfuzz.distance import Indel

from hallmark.text import titles
from hallmark.text.identifiers import arxiv_of_doi
from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import Answer, Call, as_json, chosen

_MOST_IDS = 500
_LEAST_ALIKE = 0.6


def answer(library: Library, call: Call) -> Answer:
    """Answer a request."""
    fields = call.params.get("fields", "title")
    match call.steps:
        case ["graph", "v1", "paper", "batch"]:
            return _batch(library, call, fields)
        case ["graph", "v1", "paper", "search", "match"]:
            return _match(library, call.params.get("query", ""), fields)
        case ["graph", "v1", "paper", "search"]:
            return _search(library, call, fields)
        case ["graph", "v1", "paper", *parts]:
            name = "/".join(parts)
            found = _one(library, name)
            if found is None:
                return as_json({"error": f"Paper with id {name} not found"}, 404)
            return as_json(_chosen(found, fields))
        case _:
            return as_json({"error": "Not Found"}, 404)


def _batch(library: Library, call: Call, fields: str) -> Answer:
    if call.method != "POST":
        return as_json({"error": "Method Not Allowed"}, 405)
    ids = json.loads(call.body)["ids"]
    if len(ids) > _MOST_IDS:
        return as_json({"error": "Too many ids; at most 500 are allowed."}, 400)
    found = [_one(library, name) for name in ids]
    return as_json([None if one is None else _chosen(one, fields) for one in found])


def _one(library: Library, name: str) -> Holding | None:
    mark, _, value = name.partition(":")
    match mark.upper():
        case "DOI":
            found = library.doi(value)
        case "ARXIV":
            found = library.arxiv(value)
        case "PMID":
            found = library.pmid(value)
        case _:
            found = [one for one in library.holdings if _id(one) == name]
    return found[0] if found else None


def _match(library: Library, query: str, fields: str) -> Answer:
    best = [one for one in library.ranked(query, 1) if _is_alike(query, one)]
    if not best:
        return as_json({"error": "Title match not found"}, 404)
    return as_json({"data": [{**_chosen(best[0], fields), "matchScore": 180.5}]})


def _is_alike(query: str, one: Holding) -> bool:
    asked, held = titles.key(query), titles.key(one.version.title)
    return Indel.normalized_similarity(asked, held) >= _LEAST_ALIKE


def _search(library: Library, call: Call, fields: str) -> Answer:
    found = library.ranked(call.params.get("query", ""), call.number("limit", 100))
    data = [_chosen(one, fields) for one in found]
    return as_json({"total": len(data), "offset": 0, "data": data})


def _chosen(one: Holding, fields: str) -> dict[str, Any]:
    return chosen(record(one), f"paperId,{fields}")


def _id(one: Holding) -> str:
    return hashlib.sha1(str(one.number).encode()).hexdigest()


def record(one: Holding) -> dict[str, Any]:
    """Return a paper as Semantic Scholar writes it."""
    version = one.version
    on_arxiv = version.preprint and version.arxiv
    doi = version.doi if version.doi and arxiv_of_doi(version.doi) is None else None
    ids = {
        **({"DBLP": version.dblp} if version.dblp else {}),
        **({"ArXiv": version.arxiv} if version.arxiv else {}),
        **({"DOI": version.doi if on_arxiv else doi} if version.doi else {}),
        "CorpusId": one.number,
        **({"PubMed": one.pmid} if one.pmid else {}),
    }
    venue = "arXiv.org" if on_arxiv else one.venue
    return {
        "paperId": _id(one),
        "externalIds": ids,
        "url": f"https://www.semanticscholar.org/paper/{_id(one)}",
        "title": version.title,
        "venue": venue,
        "publicationVenue": {"id": "v", "name": venue, "type": "conference"} if venue else None,
        "year": version.year,
        "publicationTypes": None if on_arxiv else ["JournalArticle"],
        "journal": {"name": "ArXiv" if on_arxiv else one.venue, "volume": "1"},
        "authors": [
            {"authorId": f"{one.number}{place}", "name": name}
            for place, name in enumerate(version.authors)
        ],
    }
