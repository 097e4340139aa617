"""Do the fake services write only what the real ones are recorded to write?"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakeworld import records, shapes
from tests.fakeworld.server import call_of
from tests.fakeworld.world import World

PATHS = {
    "crossref": "works?query.bibliographic=tidal+memory&rows=5",
    "openalex": "works?filter=doi:10.5555/tides.2021.7",
    "datacite": "dois/10.48550/arxiv.2101.00007",
    "semanticscholar": (
        "graph/v1/paper/DOI:10.5555/tides.2021.7"
        "?fields=title,authors,year,venue,publicationVenue,journal,externalIds,publicationTypes,url"
    ),
    "europepmc": 'search?query=DOI:"10.5555/tides.2021.7"&resultType=core&format=json',
    "biorxiv": "details/biorxiv/10.1101/2020.12.30.424242",
    "doi_org": "ra/10.5555/tides.2021.7",
    "arxiv": "api/query?id_list=2101.00007",
    "dblp": "search/publ/api?q=tidal+memory",
    "pubmed": f"efetch.fcgi?db=pubmed&id={30_000_001}&retmode=xml",
}
FILES = {
    "crossref": ["crossref-search-200-*", "crossref-message-*", "crossref-work-200-*"],
    "openalex": ["openalex-search-200-*", "openalex-works-200-*"],
    "datacite": ["datacite-dois-200-*"],
    "semanticscholar": [
        "semanticscholar-paper-200-*",
        "semanticscholar-match-200-*",
        "semanticscholar-search-200-*",
    ],
    "europepmc": ["europepmc-search-200-*"],
    "biorxiv": ["biorxiv-details-200-*"],
    "doi_org": ["doi-negotiation-200-*"],
    "arxiv": ["arxiv-search-200-*", "arxiv-id_*"],
    "dblp": ["dblp-search-200-*"],
    "pubmed": ["pubmed-efetch-200-*"],
}
XML = frozenset({"arxiv", "dblp", "pubmed"})
UNRECORDED = {
    "semanticscholar": {f".publicationVenue{inner}" for inner in ("", ".id", ".name", ".type")}
}
"""Paths that the services document and no recording happens to hold, by service."""


def body_of(path: Path) -> bytes:
    """Return the body of a recording."""
    raw = path.read_bytes()
    if path.suffix == ".xml":
        return raw
    value: Any = json.loads(raw)
    if not isinstance(value, dict) or "body" not in value:
        return raw
    inner = value["body"]
    return inner.encode() if isinstance(inner, str) else json.dumps(inner).encode()


def emitted(name: str) -> bytes:
    """Return what the fake service writes."""
    world = World(records.VERSIONS)
    answer, _ = world.handle(call_of("GET", f"/{name}/{PATHS[name]}", {}, b""))
    assert answer.status == 200
    return answer.body


def merged(many: list[dict[str, set[str]]]) -> dict[str, set[str]]:
    """Return the union of shapes."""
    whole: dict[str, set[str]] = {}
    for one in many:
        for path, kinds in one.items():
            whole.setdefault(path, set()).update(kinds)
    return whole


def recorded(folder: Path, name: str) -> dict[str, set[str]]:
    """Return the union of the shapes of all recordings of a service."""
    files = [path for pattern in FILES[name] for path in sorted(folder.glob(pattern))]
    assert files, name
    if name in XML:
        return merged([shapes.of_xml(body_of(path)) for path in files])
    return merged(
        [shapes.of_json(json.loads(one)) for one in map(body_of, files) if one[:1] in b"[{"]
    )


@pytest.mark.shared_data
@pytest.mark.parametrize("name", sorted(PATHS))
def test_nothing_is_written_that_was_never_recorded(shared: Path, name: str) -> None:
    if not (shared / "wire").is_dir():
        pytest.skip("there are no recorded payloads")
    theirs = recorded(shared / "wire", name)
    ours = (
        shapes.of_xml(emitted(name)) if name in XML else shapes.of_json(json.loads(emitted(name)))
    )
    wrong = shapes.foreign(ours, theirs)
    assert {
        path: kinds for path, kinds in wrong.items() if path not in UNRECORDED.get(name, set())
    } == {}


def test_a_shape_holds_the_kinds_at_every_path() -> None:
    found = shapes.of_json({"a": [1, None], "b": {"c": "x"}})
    assert found == {
        "": {"object"},
        ".a": {"list"},
        ".a[]": {"number", "null"},
        ".b": {"object"},
        ".b.c": {"text"},
    }


def test_what_is_foreign_to_a_shape_is_named() -> None:
    ours = shapes.of_json({"a": "x", "b": 1, "c": None})
    theirs = shapes.of_json({"a": 1, "c": "y"})
    assert shapes.foreign(ours, theirs) == {".a": {"text"}, ".b": {"number"}}


def test_xml_is_walked_without_its_namespaces() -> None:
    body = b"<f xmlns='u'><e k='1'><t/></e><e j='2'/></f>"
    assert shapes.of_xml(body) == {"/f": set(), "/f/e": {"k", "j"}, "/f/e/t": set()}
