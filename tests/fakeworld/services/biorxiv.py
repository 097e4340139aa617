"""What would the API of bioRxiv and medRxiv answer?"""

import re
from typing import Any

from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json, family, initials

PAGE = 3
"""Items of a page of a list: few, so that tests turn pages."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d$")


def answer(library: Library, call: Call) -> Answer:
    """Answer a request for the details of a preprint."""
    match call.steps:
        case ["details", ("biorxiv" | "medrxiv") as server, since, until, cursor] if _DAY.match(
            since
        ):
            return _posted(library, server, (since, until), int(cursor))
        case ["details", ("biorxiv" | "medrxiv") as server, *parts] if parts:
            return _details(library, server, "/".join(parts))
        case _:
            return NOT_FOUND


def _details(library: Library, server: str, doi: str) -> Answer:
    found = [one for one in library.doi(doi) if server_of(one) == server]
    if not found:
        return as_json({"messages": [{"status": "no posts found"}], "collection": []})
    items = [item(found[0], server)]
    head = {
        "status": "ok",
        "category": "all",
        "interval": doi,
        "cursor": 0,
        "count": 1,
        "total": "1",
    }
    return as_json({"messages": [head], "collection": items})


def _posted(library: Library, server: str, days: tuple[str, str], cursor: int) -> Answer:
    """Answer a request for what was posted between two days, a page of `PAGE` items."""
    found = [
        one
        for one in library.holdings
        if (one.version.doi or "").startswith(("10.1101/", "10.64898/"))
        and server_of(one) == server
        and days[0] <= f"{one.year}-06-01" <= days[1]
    ]
    items = [item(one, server) for one in found[cursor : cursor + PAGE]]
    if not items:
        return as_json({"messages": [{"status": "no posts found"}], "collection": []})
    head = {
        "status": "ok",
        "category": "all",
        "interval": ":".join(days),
        "cursor": cursor,
        "count": len(items),
        "count_new_papers": str(len(items)),
        "total": str(len(found)),
    }
    return as_json({"messages": [head], "collection": items})


def server_of(one: Holding) -> str:
    """Return the server that holds a preprint."""
    return "medrxiv" if "medrxiv" in one.venue.lower() else "biorxiv"


def item(one: Holding, server: str) -> dict[str, Any]:
    """Return one version of a preprint as the API writes it."""
    version = one.version
    people = (
        f"{family(name)}, {' '.join(f'{letter}.' for letter in initials(name))}".rstrip(", ")
        for name in one.people
    )
    return {
        "title": version.title,
        "authors": "; ".join(people),
        "author_corresponding": version.authors[0] if version.authors else "",
        "author_corresponding_institution": "An Institute",
        "doi": version.doi,
        "date": f"{one.year}-06-01",
        "version": "1",
        "type": "withdrawn" if version.retracted else "new results",
        "license": "cc_by",
        "category": "ecology",
        "jatsxml": f"https://www.biorxiv.org/content/{one.number}.source.xml",
        "abstract": "We study it.",
        "published": version.published_as or "NA",
        "server": "medRxiv" if server == "medrxiv" else "bioRxiv",
    }
