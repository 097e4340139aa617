"""What would Crossref's REST API answer?"""

from typing import Any

from hallmark.text.identifiers import arxiv_of_doi
from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import Answer, Call, as_json, as_text, chosen, family

_MOST = 1000
_DEFAULT_ROWS = 20


def answer(library: Library, call: Call) -> Answer:
    """Answer a request."""
    match call.steps:
        case ["works"]:
            return _works(library, call)
        case ["works", *parts]:
            return _work(library, "/".join(parts))
        case ["journals"]:
            return _journals(library, call)
        case _:
            return as_text("Resource not found.", 404)


def _works(library: Library, call: Call) -> Answer:
    params = call.params
    rows = call.number("rows", _DEFAULT_ROWS)
    if rows > _MOST:
        return _refused(f"Integer specified as {rows} but must be less than or equal to 1000.")
    if "filter" in params:
        dois = [value for name, value in _filters(params["filter"]) if name == "doi"]
        found = [one for doi in dois for one in library.doi(doi) if _is_ours(one)]
        total = len(found)
    else:
        query = params.get("query.bibliographic") or params.get("query.title", "")
        found = [one for one in library.ranked(query, 2 * rows) if _is_ours(one)]
        total = 1000 * len(found)
    items = [chosen(record(one), params.get("select", "")) for one in found[:rows]]
    message = {
        "facets": {},
        "total-results": total,
        "items": items,
        "items-per-page": rows,
        "query": {"start-index": 0, "search-terms": params.get("query")},
    }
    return as_json(_envelope("work-list", message))


def _filters(text: str) -> list[tuple[str, str]]:
    return [(name, value) for part in text.split(",") for name, _, value in [part.partition(":")]]


def _work(library: Library, doi: str) -> Answer:
    found = [one for one in library.doi(doi) if _is_ours(one)]
    if not found:
        return as_text("Resource not found.", 404)
    return as_json(_envelope("work", record(found[0])))


def _journals(library: Library, call: Call) -> Answer:
    found = library.venues_like(call.params.get("query", ""), call.number("rows", _DEFAULT_ROWS))
    items = [{"title": full, "publisher": "Press", "ISSN": [], "counts": {}} for full, _ in found]
    message = {"items-per-page": len(items), "total-results": len(items), "items": items}
    return as_json(_envelope("journal-list", message))


def _envelope(kind: str, message: Any) -> dict[str, Any]:
    return {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}


def _refused(why: str) -> Answer:
    message = [{"type": "integer-not-valid", "value": "rows", "message": why}]
    whole = {"status": "failed", "message-type": "validation-failure", "message": message}
    return as_json(whole, 400)


def _is_ours(one: Holding) -> bool:
    doi = one.version.doi
    return doi is not None and arxiv_of_doi(doi) is None


def record(one: Holding) -> dict[str, Any]:
    """Return a record as Crossref writes it."""
    version = one.version
    people: list[dict[str, Any]] = [
        {
            "given": name.given,
            "family": family(name),
            "sequence": "additional" if place else "first",
            "affiliation": [],
        }
        if not name.literal
        else {"name": name.literal, "sequence": "additional" if place else "first"}
        for place, name in enumerate(one.people)
    ]
    when = {"date-parts": [[one.year, 6, 1]]}
    found: dict[str, Any] = {
        "indexed": {
            "date-parts": [[2026, 1, 1]],
            "date-time": "2026-01-01T00:00:00Z",
            "timestamp": 1767225600000,
            "version": "3.41.2",
        },
        "reference-count": 0,
        "publisher": "Press",
        "DOI": version.doi,
        "type": _kind(one),
        "created": {**when, "date-time": f"{one.year}-06-01T00:00:00Z", "timestamp": 0},
        "source": "Crossref",
        "is-referenced-by-count": 0,
        "title": [version.title],
        "prefix": (version.doi or "").partition("/")[0],
        "author": people,
        "member": "1",
        "container-title": [one.venue] if one.venue else [],
        "short-container-title": [version.venue] if version.venue else [],
        "deposited": {**when, "date-time": f"{one.year}-06-01T00:00:00Z", "timestamp": 0},
        "score": 20.0,
        "resource": {"primary": {"URL": f"https://publisher.example/{one.number}"}},
        "issued": when,
        "references-count": 0,
        "URL": f"https://doi.org/{version.doi}",
        "published": when,
    }
    if version.preprint:
        found["posted"] = when
    if version.published_as:
        related = {"id-type": "doi", "id": version.published_as, "asserted-by": "subject"}
        found["relation"] = {"is-preprint-of": [related]}
    if version.retracted or version.notices:
        found["updated-by"] = _notices(one)
    return found


def _notices(one: Holding) -> list[dict[str, Any]]:
    notices = one.version.notices
    told = [(note.kind, note.date, note.doi) for note in notices] or [("retraction", "", "")]
    return [
        {
            "DOI": doi or f"10.5555/notice.{one.number}",
            "type": "expression_of_concern" if kind == "concern" else kind,
            "label": kind.capitalize(),
            "source": "retraction-watch",
            "updated": {"date-parts": [_date(date, one.year)]},
        }
        for kind, date, doi in told
    ]


def _date(date: str, year: int) -> list[int]:
    parts = [int(part) for part in date.split("-") if part.isdigit()]
    return parts or [year + 1]


def _kind(one: Holding) -> str:
    if one.version.preprint:
        return "posted-content"
    if one.isbn:
        return "book"
    return "proceedings-article" if "onference" in one.venue else "journal-article"
