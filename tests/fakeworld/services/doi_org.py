"""What would doi.org answer?"""

from urllib.parse import unquote

from hallmark.text.identifiers import arxiv_of_doi
from tests.fakeworld.library import Library
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json


def answer(library: Library, call: Call) -> Answer:
    """Answer a request for agencies or for a handle."""
    parts = call.path.strip("/").split("/")
    match parts:
        case ["ra", *rest]:
            dois = [unquote(one) for one in "/".join(rest).split(",")]
            return as_json([_agency(library, doi) for doi in dois])
        case ["api", "handles", *rest]:
            return _handle(library, unquote("/".join(rest)))
        case _:
            return NOT_FOUND


def _agency(library: Library, doi: str) -> dict[str, str]:
    prefix, mark, suffix = doi.partition("/")
    if not prefix.startswith("10.") or (mark and not suffix):
        return {"DOI": doi, "status": "Invalid DOI"}
    if suffix and not library.doi(doi):
        return {"DOI": doi, "status": "DOI does not exist"}
    return {"DOI": doi, "RA": "DataCite" if is_datacite(doi) else "Crossref"}


def is_datacite(doi: str) -> bool:
    """Whether DataCite registered a DOI."""
    return arxiv_of_doi(doi) is not None or doi.startswith(("10.5281/", "10.6084/"))


def _handle(library: Library, doi: str) -> Answer:
    if not library.doi(doi):
        return as_json({"responseCode": 100, "handle": doi}, 404)
    value = {
        "index": 1,
        "type": "URL",
        "data": {"format": "string", "value": f"https://publisher.example/{doi}"},
        "ttl": 86400,
        "timestamp": "2026-01-01T00:00:00Z",
    }
    return as_json({"responseCode": 1, "handle": doi, "values": [value]})
