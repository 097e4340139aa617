"""What would DBLP's search answer?"""

import html
import re
from typing import Any
from xml.sax.saxutils import escape

from hallmark.text.identifiers import arxiv_of_doi
from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import NOT_FOUND, XML, Answer, Call, as_json, as_text

_DEFAULT_HITS = 30
_FACETS = re.compile(r"(venue|streamid|year):([^:]+):")


def answer(library: Library, call: Call) -> Answer:
    """Answer a request for publications or venues, as JSON or as XML."""
    most = call.number("h", _DEFAULT_HITS)
    query = call.params.get("q", "")
    match call.steps:
        case ["search", "publ", "api"]:
            start = call.number("f", 0)
            found = _listed(library, query) or library.with_all(_plain(query), prefixes=True)
            infos = [info(one) for one in found[start : start + most]]
            return _written(call, query, infos, len(found))
        case ["search", "venue", "api"]:
            named = library.venues_like(query, most)
            return _written(call, query, [_venue(*pair) for pair in named], len(named))
        case _:
            return NOT_FOUND


def _plain(query: str) -> list[str]:
    return [] if _FACETS.search(query) else words(query)


def _listed(library: Library, query: str) -> list[Holding]:
    """Answer exact facets: `venue:NAME:` or `streamid:conf/name:`, with `year:2022:`."""
    facets = dict(_FACETS.findall(query))
    venue = facets.get("venue", "").replace("_", " ")
    stream = facets.get("streamid", "").rpartition("/")[2]
    return [
        one
        for one in library.holdings
        if facets
        and facets.get("year") in {None, str(one.year)}
        and venue in {"", info(one)["venue"]}
        and (not stream or stream == "".join(words(one.version.venue)))
    ]


def _written(call: Call, query: str, infos: list[dict[str, Any]], total: int) -> Answer:
    if call.params.get("format") == "json":
        return as_json(_json(query, infos, total))
    return as_text(_xml(query, infos, total), content_type=XML)


def _json(query: str, infos: list[dict[str, Any]], total: int) -> dict[str, Any]:
    hits: dict[str, Any] = {
        "@total": str(total),
        "@computed": str(total),
        "@sent": str(len(infos)),
        "@first": "0",
    }
    if infos:
        hits["hit"] = [
            {"@score": "5", "@id": str(number), "info": one, "url": f"URL#{number}"}
            for number, one in enumerate(infos, start=1)
        ]
    return {
        "result": {
            "query": " ".join(f"{word}*" for word in words(query)),
            "status": {"@code": "200", "text": "OK"},
            "time": {"@unit": "msecs", "text": "4.20"},
            "completions": {"@total": "0", "@computed": "0", "@sent": "0"},
            "hits": hits,
        }
    }


def _xml(query: str, infos: list[dict[str, Any]], total: int) -> str:
    rows = "\n".join(
        f'<hit score="4" id="{number}">\n<info>{_fields(one)}</info>\n<url>URL#{number}</url>\n</hit>'
        for number, one in enumerate(infos, start=1)
    )
    asked = escape(" ".join(f"{word}*" for word in words(query)))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<result>
<query id="1">{asked}</query>
<status code="200">OK</status>
<time unit="msecs">6.79</time>
<completions total="0" computed="0" sent="0">
</completions>
<hits total="{total}" computed="{total}" sent="{len(infos)}" first="0">
{rows}
</hits>
</result>
"""


def _fields(one: dict[str, Any]) -> str:
    text = ""
    for name, value in one.items():
        if name == "authors":
            people = value["author"] if isinstance(value["author"], list) else [value["author"]]
            inner = "".join(
                f'<author pid="{person["@pid"]}">{escape(html.unescape(person["text"]))}</author>'
                for person in people
            )
            text += f"<authors>{inner}</authors>"
        else:
            texts = value if isinstance(value, list) else [value]
            text += "".join(
                f"<{name}>{escape(html.unescape(str(each)))}</{name}>" for each in texts
            )
    return text


def info(one: Holding) -> dict[str, Any]:
    """Return a record as DBLP writes it: one author is an object, several are a list."""
    version = one.version
    people = [
        {"@pid": f"{one.number % 400}/{place}", "text": html.escape(name, quote=False)}
        for place, name in enumerate(version.authors, start=1)
    ]
    corr = version.preprint and version.arxiv
    key = version.dblp or (
        f"journals/corr/abs-{(version.arxiv or '').replace('.', '-')}"
        if corr
        else f"conf/fake/R{one.number}"
    )
    found: dict[str, Any] = {}
    if people:
        found["authors"] = {"author": people if len(people) > 1 else people[0]}
    found["title"] = html.escape(version.title, quote=False) + "."
    found["venue"] = "CoRR" if corr else html.escape(version.venue or one.venue, quote=False)
    if corr:
        found["volume"] = f"abs/{version.arxiv}"
    found["year"] = str(one.year)
    found["type"] = "Informal and Other Publications" if corr else "Conference and Workshop Papers"
    found["access"] = "open"
    found["key"] = key
    if version.doi and arxiv_of_doi(version.doi) is None:
        found["doi"] = version.doi.upper()
        found["ee"] = f"https://doi.org/{version.doi}"
    elif corr:
        found["ee"] = f"https://arxiv.org/abs/{version.arxiv}"
    elif version.url:
        found["ee"] = version.url
    found["url"] = f"https://dblp.org/rec/{key}"
    return found


def _venue(full: str, short: str) -> dict[str, Any]:
    name = f"{full} ({short})" if short != full else full
    slug = "".join(words(short)) or "fake"
    return {
        "venue": html.escape(name, quote=False),
        **({"acronym": short} if short != full else {}),
        "type": "Conference or Workshop",
        "url": f"https://dblp.org/db/conf/{slug}/",
    }
