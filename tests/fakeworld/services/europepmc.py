"""What would Europe PMC answer?"""

import re
from typing import Any

from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import NOT_FOUND, Answer, Call, as_json, family, initials

_DOI = re.compile(r'DOI:"((?:[^"\\]|\\.)*)"')
_PMID = re.compile(r"EXT_ID:(\d+)")
_TITLE = re.compile(r"TITLE:\(([^)]*)\)")
_KINDS = {"retraction": "Retraction in", "concern": "Expression of concern in"}


def answer(library: Library, call: Call) -> Answer:
    """Answer a search."""
    if call.steps != ["search"]:
        return NOT_FOUND
    query = call.params.get("query", "")
    found = _found(library, query)
    size = call.number("pageSize", 25)
    return as_json(
        {
            "version": "6.9",
            "hitCount": len(found),
            "request": {
                "queryString": query,
                "resultType": call.params.get("resultType", "lite"),
                "cursorMark": "*",
                "pageSize": size,
                "sort": "",
                "synonym": False,
            },
            "resultList": {"result": [record(one) for one in found[:size]]},
        }
    )


def _found(library: Library, query: str) -> list[Holding]:
    found: dict[int, Holding] = {}
    for doi in _DOI.findall(query):
        plain = doi.replace('\\"', '"').replace("\\\\", "\\")
        found.update((one.number, one) for one in library.doi(plain)[:1])
    for pmid in _PMID.findall(query):
        found.update((one.number, one) for one in library.pmid(pmid))
    for group in _TITLE.findall(query):
        terms = [word for word in words(group) if word != "and"]
        found.update((one.number, one) for one in library.with_all(terms))
    return list(found.values())


def record(one: Holding) -> dict[str, Any]:
    """Return a record as Europe PMC writes it."""
    version = one.version
    source = "PPR" if version.preprint else "MED"
    found: dict[str, Any] = {
        "id": one.pmid if source == "MED" else f"PPR{one.number}",
        "source": source,
        **({"pmid": one.pmid} if source == "MED" else {}),
        **({"doi": version.doi} if version.doi else {}),
        "title": f"{version.title}.",
        "authorString": ", ".join(f"{family(name)} {initials(name)}" for name in one.people) + ".",
        "authorList": {"author": [_author(name) for name in one.people]},
        "pubYear": str(one.year),
        "pubModel": "Print",
        "language": "eng",
        "pubTypeList": {"pubType": _types(one)},
        "isOpenAccess": "N",
        "citedByCount": 0,
        "firstPublicationDate": f"{one.year}-06-01",
    }
    if version.preprint:
        found["bookOrReportDetails"] = {"publisher": one.venue, "yearOfPublication": one.year}
    else:
        found["journalInfo"] = {
            "issue": "1",
            "volume": "1",
            "dateOfPublication": f"{one.year} Jun",
            "monthOfPublication": 6,
            "yearOfPublication": one.year,
            "printPublicationDate": f"{one.year}-06-01",
            "journal": {
                "title": one.venue,
                "medlineAbbreviation": version.venue,
                "isoabbreviation": version.venue,
            },
        }
    if comments := _comments(one):
        found["commentCorrectionList"] = {"commentCorrection": comments}
    return found


def _author(name: Any) -> dict[str, Any]:
    if name.literal:
        return {"collectiveName": name.literal}
    return {
        "fullName": f"{family(name)} {initials(name)}",
        "firstName": name.given,
        "lastName": family(name),
        "initials": initials(name),
    }


def _types(one: Holding) -> list[str]:
    kinds = ["Preprint"] if one.version.preprint else ["Journal Article"]
    return [*kinds, "Retracted Publication"] if one.version.retracted else kinds


def _comments(one: Holding) -> list[dict[str, Any]]:
    told = [
        {
            "id": str(40_000_000 + one.number),
            "source": "MED",
            "type": _KINDS.get(note.kind, "Erratum in"),
            "reference": f"J Fake. {note.date[:4]};1:1. doi: {note.doi}",
            "note": None,
            "orderIn": 1,
        }
        for note in one.version.notices
    ]
    if one.version.preprint and one.version.published_as:
        told.append({"type": "Preprint of", "source": "MED", "reference": one.version.published_as})
    return told
