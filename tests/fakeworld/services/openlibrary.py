"""What would Open Library answer?"""

from typing import Any

from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json, chosen


def answer(library: Library, call: Call) -> Answer:
    """Answer a request for books or a search."""
    match call.steps:
        case ["api", "books"]:
            keys = call.params.get("bibkeys", "").split(",")
            return as_json(
                {
                    key: edition(held)
                    for key in keys
                    for held in library.isbn(key.removeprefix("ISBN:"))[:1]
                }
            )
        case ["search.json"]:
            return _search(library, call)
        case _:
            return NOT_FOUND


def _search(library: Library, call: Call) -> Answer:
    ranked = library.ranked(call.params.get("title", ""), call.number("limit", 100))
    found = [one for one in ranked if one.isbn]
    fields = call.params.get("fields", "")
    return as_json(
        {
            "numFound": len(found),
            "start": 0,
            "numFoundExact": True,
            "num_found": len(found),
            "documentation_url": "https://openlibrary.org/dev/docs/api/search",
            "q": "",
            "offset": None,
            "docs": [chosen(work(one), fields) for one in found],
        }
    )


def edition(one: Holding) -> dict[str, Any]:
    """Return a book as the Books API writes it."""
    return {
        "url": f"https://openlibrary.org/books/OL{one.number}M/Fake",
        "key": f"/books/OL{one.number}M",
        "title": one.version.title,
        "authors": [
            {"url": f"https://openlibrary.org/authors/OL{place}A", "name": name}
            for place, name in enumerate(one.version.authors)
        ],
        "number_of_pages": 90,
        "identifiers": {"isbn_13": [one.isbn], "openlibrary": [f"OL{one.number}M"]},
        "publishers": [{"name": one.venue or "Press"}],
        "publish_date": f"June 1, {one.year}",
    }


def work(one: Holding) -> dict[str, Any]:
    """Return a book as the search writes it."""
    return {
        "key": f"/works/OL{one.number}W",
        "title": one.version.title,
        "author_name": list(one.version.authors),
        "first_publish_year": one.year,
        "publish_year": list(one.version.all_years),
        "publisher": [one.venue or "Press"],
    }
