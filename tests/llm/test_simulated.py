"""Simulated models of the benchmarks err as their knobs say, and the same way each time."""

import asyncio
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hallmark.assist.question import question
from hallmark.bench.entry import Entry, Label
from hallmark.bench.systems.verifier import reference
from hallmark.bench.taxonomy import HallucinationType
from hallmark.llm.interface import Failure, ModelSpec, Reply, Request, ToolResult, ToolSpec, User
from hallmark.records.evidence import Evidence
from hallmark.records.verdict import Unresolved

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
SPEC = ModelSpec(name="simulated", id="simulated", cutoff="2022-12", cutoff_disclosed=True)
N = 800


@pytest.fixture(scope="module")
def simulated() -> Any:
    """The module, which is a script beside the package."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("simulated_models")
    finally:
        sys.path.remove(str(BENCHMARKS))


def entry(n: int, *, bad: bool = False, year: int = 2020) -> Entry:
    kind = HallucinationType.WRONG_VENUE if n % 4 == 1 else HallucinationType.NEAR_MISS_TITLE
    return Entry(
        bibtex_key=f"k{n}",
        label=Label.HALLUCINATED if bad else Label.VALID,
        hallucination_type=kind if bad else None,
        bibtex_type="article",
        fields={"title": f"The {n}th theory of clouds", "author": f"Ada Vole{n}",
                "year": str(year)},
    )  # fmt: skip


def ask(model: Any, one: Entry, *more: ToolResult, tools: tuple[ToolSpec, ...] = ()) -> Any:
    text = "\n".join(f"{name}: {value}" for name, value in one.fields.items())
    request = Request(messages=(User(text), *more), tools=tools)
    return asyncio.run(model.ask(request))


def label(reply: Any) -> str:
    assert isinstance(reply, Reply)
    return str(json.loads(reply.text)["label"])


def flagged(model: Any, entries: list[Entry]) -> float:
    async def all_of() -> list[Any]:
        asked = []
        for one in entries:
            text = "\n".join(one.fields.values())
            asked.append(await model.ask(Request(messages=(User(text),))))
        return asked

    return sum(label(reply) == "HALLUCINATED" for reply in asyncio.run(all_of())) / len(entries)


def test_shares_are_those_of_the_knobs_by_type_and_by_year_past_the_cutoff(simulated: Any) -> None:
    bad = [entry(n, bad=True) for n in range(N)]
    good = [entry(N + n, year=2020 + n % 6) for n in range(N)]
    knobs = simulated.Knobs(
        recall=0.3,
        recall_by_type={"wrong_venue": 0.9},
        false_alarms=0.1,
        past_false_alarms=(0.5, 0.8),
    )
    model = simulated.SimulatedModel(SPEC, knobs, [*bad, *good])
    kinds = {kind: [e for e in bad if e.hallucination_type is kind] for kind in HallucinationType}
    assert flagged(model, kinds[HallucinationType.WRONG_VENUE]) == pytest.approx(0.9, abs=0.08)
    assert flagged(model, kinds[HallucinationType.NEAR_MISS_TITLE]) == pytest.approx(0.3, abs=0.08)
    by_year = {y: [e for e in good if e.fields["year"] == str(y)] for y in range(2020, 2026)}
    known = [e for y in (2020, 2021, 2022) for e in by_year[y]]
    assert flagged(model, known) == pytest.approx(0.1, abs=0.06)
    assert flagged(model, by_year[2023]) == pytest.approx(0.5, abs=0.15)
    assert flagged(model, by_year[2024] + by_year[2025]) == pytest.approx(0.8, abs=0.1)


def test_a_model_answers_the_same_whenever_it_is_asked(simulated: Any) -> None:
    entries = [entry(n, bad=n % 2 == 0) for n in range(30)]
    one, two = (simulated.SimulatedModel(SPEC, simulated.Knobs(), entries) for _ in range(2))
    forth = [ask(one, each) for each in entries]
    back = [ask(two, each) for each in reversed(entries)]
    assert forth == back[::-1]
    other = simulated.SimulatedModel(SPEC, simulated.Knobs(), entries, seed=1)
    assert forth != [ask(other, each) for each in entries]


def test_unreadable_replies_and_failures_come_as_often_as_wished(simulated: Any) -> None:
    one = entry(1)
    broken = simulated.SimulatedModel(SPEC, simulated.Knobs(unreadable=1.0), [one])
    assert "{" not in ask(broken, one).text
    failing = simulated.SimulatedModel(SPEC, simulated.Knobs(fails=1.0), [one])
    assert isinstance(ask(failing, one), Failure)


def test_having_tools_it_looks_first_and_then_obeys_the_any_no_match_rule(simulated: Any) -> None:
    one = entry(1)
    properties = {"query": {"type": "string"}}
    tool = ToolSpec("search", "", {"properties": properties, "required": ["query"]})
    knobs = simulated.Knobs(false_alarms=0.0, any_no_match=1.0)
    model = simulated.SimulatedModel(SPEC, knobs, [one])
    (call,) = ask(model, one, tools=(tool,)).calls
    assert json.loads(call.arguments) == {"query": one.fields["title"]}
    found = ToolResult(call.id, "search", json.dumps([one.fields["title"]]))
    missed = ToolResult(call.id, "search", "[]")
    assert label(ask(model, one, found, tools=(tool,))) == "VALID"
    assert label(ask(model, one, found, missed, tools=(tool,))) == "HALLUCINATED"
    careful = simulated.SimulatedModel(
        SPEC, simulated.Knobs(false_alarms=0.0, any_no_match=0.0), [one]
    )
    assert label(ask(careful, one, missed, tools=(tool,))) == "VALID"


def test_it_knows_which_of_two_entries_of_one_title_is_meant(simulated: Any) -> None:
    right = entry(1)
    wrong = Entry(
        bibtex_key="twin",
        label=Label.HALLUCINATED,
        hallucination_type=HallucinationType.SWAPPED_AUTHORS,
        bibtex_type="article",
        fields={**right.fields, "author": "Cleo Stoat"},
    )
    knobs = simulated.Knobs(recall=1.0, false_alarms=0.0)
    model = simulated.SimulatedModel(SPEC, knobs, [right, wrong])
    verdict = Unresolved(probability=0.6, reason=f"A record names {right.fields['author']}.")
    for one, expected in ((right, "VALID"), (wrong, "HALLUCINATED")):
        request = question(reference(one.blind()), verdict, Evidence(today="2026-01-01"))
        assert label(asyncio.run(model.ask(request))) == expected
