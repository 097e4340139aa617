"""What would DataCite answer?"""

import re
from typing import Any

from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.services.doi_org import is_datacite
from tests.fakeworld.wire import Answer, Call, as_json, family

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_MISSING = {
    "errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]
}


def answer(library: Library, call: Call) -> Answer:
    """Answer a request."""
    match call.steps:
        case ["dois"]:
            return _list(library, call)
        case ["dois", *parts]:
            found = _ours(library.doi("/".join(parts)))
            return as_json({"data": record(found[0])}) if found else as_json(_MISSING, 404)
        case _:
            return as_json(_MISSING, 404)


def _list(library: Library, call: Call) -> Answer:
    found = _ours(_found(library, call.params.get("query", "")))
    size = call.number("page[size]", 25)
    meta = {"total": len(found), "totalPages": 1, "page": 1}
    links = {"self": f"https://api.datacite.org/dois?{call.query}"}
    return as_json({"data": [record(one) for one in found[:size]], "meta": meta, "links": links})


def _found(library: Library, query: str) -> list[Holding]:
    if query.startswith("doi:"):
        dois = [one.replace('\\"', '"').replace("\\\\", "\\") for one in _QUOTED.findall(query)]
        return [held for doi in dois for held in library.doi(doi)[:1]]
    found: dict[int, Holding] = {}
    for group in query.split(" OR titles.title:"):
        terms = [word for one in _QUOTED.findall(group) for word in words(one)]
        found.update((one.number, one) for one in library.with_all(terms))
    return list(found.values())


def _ours(found: list[Holding]) -> list[Holding]:
    return [one for one in found if is_datacite(one.version.doi or "")]


def record(one: Holding) -> dict[str, Any]:
    """Return a record as DataCite writes it."""
    version = one.version
    doi = version.doi or ""
    creators: list[dict[str, Any]] = [
        {
            "name": f"{family(name)}, {name.given}".strip(", "),
            "nameType": "Organizational" if name.literal else "Personal",
            **({} if name.literal else {"givenName": name.given, "familyName": family(name)}),
            "affiliation": [],
            "nameIdentifiers": [],
        }
        for name in one.people
    ]
    attributes = {
        "doi": doi,
        "prefix": doi.partition("/")[0],
        "suffix": doi.partition("/")[2],
        "identifiers": [],
        "alternateIdentifiers": [],
        "creators": creators,
        "titles": [{"title": version.title}],
        "publisher": "arXiv" if version.arxiv else "Repository",
        "container": {},
        "publicationYear": one.year,
        "subjects": [],
        "contributors": [],
        "dates": [{"date": f"{one.year}-06-01", "dateType": "Issued"}],
        "language": "en",
        "types": {
            "ris": "GEN",
            "bibtex": "misc",
            "citeproc": "article",
            "schemaOrg": "CreativeWork",
            "resourceType": "Article",
            "resourceTypeGeneral": "Preprint" if version.preprint else "Text",
        },
        "relatedIdentifiers": _related(one),
        "sizes": [],
        "formats": [],
        "version": "1",
        "url": version.url or f"https://arxiv.org/abs/{version.arxiv}",
        "state": "findable",
    }
    return {"id": doi, "type": "dois", "attributes": attributes, "relationships": {}}


def _related(one: Holding) -> list[dict[str, str]]:
    if not one.version.published_as:
        return []
    return [
        {
            "relationType": "IsVersionOf",
            "relatedIdentifier": one.version.published_as,
            "relatedIdentifierType": "DOI",
        }
    ]
