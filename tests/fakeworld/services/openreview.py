"""What would OpenReview's two interfaces answer?"""

from typing import Any

from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json

SECOND_FROM = 2023
"""The year from which venues use the second interface."""
_MS_PER_YEAR = 31_556_952_000


def answer(library: Library, call: Call) -> Answer:
    """Answer a request to the second interface (its service is "openreview")."""
    return _answer(library, call, second=True)


def answer_first(library: Library, call: Call) -> Answer:
    """Answer a request to the first interface ("openreview-2": the second address)."""
    return _answer(library, call, second=False)


def _answer(library: Library, call: Call, *, second: bool) -> Answer:
    if call.steps != ["notes", "search"]:
        return NOT_FOUND
    found = library.ranked(call.params.get("term", ""), call.number("limit", 1000))
    held = [one for one in found if (one.year >= SECOND_FROM) is second]
    held = [one for one in held if not one.version.preprint]
    return as_json({"notes": [note(one, second=second) for one in held], "count": len(held)})


def note(one: Holding, *, second: bool) -> dict[str, Any]:
    """Return an accepted paper as OpenReview writes it."""
    version = one.version
    short = version.venue or one.venue
    content = {
        "title": version.title,
        "authors": list(version.authors),
        "authorids": [f"~Author_{place}1" for place in range(len(version.authors))],
        "venue": f"{short} {one.year}",
        "venueid": f"{short.replace(' ', '_')}.cc/{one.year}/Conference",
        "abstract": "We study it.",
    }
    return {
        "id": f"note{one.number}",
        "forum": f"note{one.number}",
        "number": one.number,
        "pdate": (one.year - 1970) * _MS_PER_YEAR,
        "cdate": (one.year - 1970) * _MS_PER_YEAR,
        "readers": ["everyone"],
        **({"invitations": ["Conference/-/Submission"]} if second else {"invitation": "Blind"}),
        "content": {name: {"value": value} for name, value in content.items()}
        if second
        else content,
    }
