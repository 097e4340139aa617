"""What would Google Books answer?"""

from typing import Any

from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json


def answer(library: Library, call: Call) -> Answer:
    """Answer a search for volumes."""
    if call.steps != ["volumes"]:
        return NOT_FOUND
    found = _found(library, call.params.get("q", ""))
    whole: dict[str, Any] = {"kind": "books#volumes", "totalItems": len(found)}
    if found:
        whole["items"] = [volume(one) for one in found[: call.number("maxResults", 10)]]
    return as_json(whole)


def _found(library: Library, query: str) -> list[Holding]:
    if query.startswith("isbn:"):
        return library.isbn(query.removeprefix("isbn:"))
    terms = [word for part in query.split() for word in words(part.removeprefix("intitle:"))]
    return [one for one in library.with_all(terms) if one.isbn]


def volume(one: Holding) -> dict[str, Any]:
    """Return a book as Google Books writes it."""
    return {
        "kind": "books#volume",
        "id": f"gb{one.number}",
        "volumeInfo": {
            "title": one.version.title,
            "authors": list(one.version.authors),
            "publisher": one.venue or "Press",
            "publishedDate": f"{one.year}-06-01",
            "industryIdentifiers": [{"type": "ISBN_13", "identifier": one.isbn}],
            "printType": "BOOK",
        },
    }
