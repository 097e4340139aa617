import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from hallmark.bench.systems.source_tools import (
    SOURCE_TOOLS,
    SOURCES,
    DoiArguments,
    SearchArguments,
    Sources,
    record,
)
from hallmark.llm.tools import LONGEST_FIELD, Refused, Told, Tool, clean, read_arguments
from hallmark.records.work import Version
from tests.fakeworld.direct import asking, source
from tests.fakeworld.knobs import Fault, Knobs, always
from tests.fakeworld.probes import probed_works
from tests.fakeworld.records import JOURNAL, PREPRINT, VERSIONS
from tests.fakeworld.world import World

TOOLS = {tool.name: tool for tool in SOURCE_TOOLS}
SEARCHES = ("search_crossref", "search_openalex", "search_arxiv")
CALLS: dict[str, Struct] = {
    "resolve_doi": DoiArguments("10.5555/tides.2021.7"),
    **{name: SearchArguments(JOURNAL.title) for name in SEARCHES},
}
DOWN = [
    Fault.TOO_MANY, Fault.SERVER_ERROR, Fault.FORBIDDEN, Fault.BOT_200, Fault.ERROR_200,
    Fault.EMPTY, Fault.CUT, Fault.MALFORMED, Fault.DRIFT, Fault.CLOSED, Fault.HOLDS_NOTHING,
]  # fmt: skip


def world(knobs: Mapping[str, Knobs] | None = None, *more: Version) -> World:
    return World([*VERSIONS, *probed_works(), *more], knobs)


def use(name: str, arguments: Struct, in_world: World) -> Told:
    sources = Sources({each: source(each) for each in SOURCES}, asking(in_world))
    return asyncio.run(_told(name, arguments, sources))


async def _told(name: str, arguments: Struct, sources: Sources) -> Told:
    return await TOOLS[name].use(sources, arguments)


def titles(told: Told) -> list[str]:
    return [one["title"] for one in told.data["records"]]


def test_the_tools_are_those_of_the_paper_with_its_limits() -> None:
    assert list(TOOLS) == ["resolve_doi", *SEARCHES]
    bounds = {name: _schema(name)["properties"]["limit"]["maximum"] for name in SEARCHES}
    assert bounds == {"search_crossref": 20, "search_openalex": 25, "search_arxiv": 20}
    assert {_schema(name)["properties"]["limit"]["default"] for name in SEARCHES} == {5}


def _schema(name: str) -> dict[str, Any]:
    return _tool(name).spec.parameters


def _tool(name: str) -> Tool:
    async def never(_: Struct) -> Told:
        raise AssertionError

    return Tool(name, TOOLS[name].description, TOOLS[name].arguments, never)


def test_a_search_returns_records_of_five_fields() -> None:
    told = use("search_crossref", SearchArguments(JOURNAL.title), world())
    assert told.answered
    assert told.data["source"] == "Crossref"
    first = told.data["records"][0]
    assert first == {
        "authors": "Ada Fenwick; Zoë van der Abel; Ursula K. Le Strand",
        "title": JOURNAL.title,
        "venue": "Journal of Tides",
        "year": 2021,
        "doi": "10.5555/tides.2021.7",
    }


def test_a_search_returns_what_is_not_near_as_well() -> None:
    told = use("search_openalex", SearchArguments("Theory of Slow Networks"), world())
    assert any(JOURNAL.title in title for title in titles(told))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_keeps_to_its_limit(name: str) -> None:
    works = [
        Version(
            collection="world",
            title=f"Harbours as Kernels for Ships {n}",
            authors=("A B",),
            doi=f"10.48550/arxiv.2101.1{n:04}",
            arxiv=f"2101.1{n:04}",
            preprint=True,
            venue="arXiv",
            year=2021,
        )
        for n in range(12)
    ]
    told = use(name, SearchArguments("Harbours as Kernels for Ships", 3), world(None, *works))
    assert len(titles(told)) <= 3
    if name != "search_crossref":
        assert len(titles(told)) == 3


def test_a_source_that_has_nothing_says_so_by_an_empty_list() -> None:
    told = use("search_arxiv", SearchArguments("Nobody Ever Wrote Such Nonsense Down"), world())
    assert told == Told({"source": "arXiv", "answered": True, "records": []})


@pytest.mark.parametrize("name", list(CALLS))
@pytest.mark.parametrize("fault", DOWN)
def test_nothing_that_fails_looks_like_nothing_found(name: str, fault: Fault) -> None:
    down = {each: always(fault) for each in SOURCES}
    told = use(name, CALLS[name], world(down))
    assert not told.answered
    assert "answer" in told.data["meaning"]
    assert told.data.get("records", []) == []
    assert told.data.get("registered") is None


def test_a_doi_is_resolved_to_its_record() -> None:
    told = use("resolve_doi", DoiArguments("https://doi.org/10.5555/TIDES.2021.7"), world())
    assert told.answered
    assert told.data["registered"] is True
    assert titles(told) == [JOURNAL.title]


def test_a_doi_of_arxiv_is_looked_up_there() -> None:
    told = use("resolve_doi", DoiArguments("10.48550/arXiv.2101.00007"), world())
    assert titles(told) == [PREPRINT.title]


def test_a_doi_that_nobody_registered_is_told_by_the_resolver_alone() -> None:
    told = use("resolve_doi", DoiArguments("10.5555/nothing.here"), world())
    assert told.answered
    assert told.data["registered"] is False
    assert told.data["records"] == []


def test_without_the_resolver_a_missing_record_is_no_missing_doi() -> None:
    in_world = world({"doi_org": always(Fault.SERVER_ERROR)})
    told = use("resolve_doi", DoiArguments("10.5555/nothing.here"), in_world)
    assert not told.answered
    assert "registered" not in told.data
    assert told.data["did_not_answer"] == ["doi.org"]


def test_a_registered_doi_without_a_record_is_an_answer_that_is_not_whole() -> None:
    in_world = world({"crossref": always(Fault.SERVER_ERROR)})
    told = use("resolve_doi", DoiArguments("10.5555/tides.2021.7"), in_world)
    assert told.answered
    assert told.data["registered"] is True
    assert told.data["did_not_answer"] == ["Crossref"]
    assert not told.whole


@pytest.mark.parametrize("text", ["nonsense", "10.1", "", "11.5555/x", "x" * 400])
def test_a_doi_must_have_the_form_of_one(text: str) -> None:
    arguments = f'{{"doi": "{text}"}}'
    assert isinstance(read_arguments(_tool("resolve_doi"), arguments), Refused)


@pytest.mark.parametrize("query", ["", "?", "...", "a" * 501])
def test_a_query_must_have_words_and_an_end(query: str) -> None:
    arguments = f'{{"query": "{query}"}}'
    assert isinstance(read_arguments(_tool("search_crossref"), arguments), Refused)


def test_a_long_list_of_authors_is_cut_and_says_so() -> None:
    crowd = Version(collection="world", title="T", authors=tuple(["Ada Fenwick"] * 3000))
    shown = clean(record(crowd))["authors"]
    assert len(shown) == LONGEST_FIELD
    assert shown.endswith("…")
    cut = Version(collection="world", title="T", authors=("A B",), authors_truncated=True)
    assert record(cut)["authors"] == "A B; and others"
