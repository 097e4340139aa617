import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.stages import FirstStage, Judged, first_stage
from hallmark.bench.systems.tool_cache import ToolCache
from hallmark.bench.systems.verifier import reference
from hallmark.bench.systems.verifier_tool import (
    NAME,
    VerifierTool,
    VerifyArguments,
    over,
    with_changes,
)
from hallmark.llm.tools import Refused, Told, read_arguments
from hallmark.records.answer import SourceAnswer, Unavailable
from hallmark.records.evidence import Evidence
from hallmark.verifier import replay

REAL = BlindEntry(
    "real",
    "inproceedings",
    {
        "title": "GloVe: Global Vectors for Word Representation",
        "author": "Jeffrey Pennington and Richard Socher and Christopher D. Manning",
        "booktitle": "EMNLP",
        "year": "2014",
    },
)
WRONG = BlindEntry(
    "wrong", "inproceedings", {**REAL.fields, "author": "Ada Lovelace and Alan Turing"}
)
UNKNOWN = BlindEntry("unknown", "article", {"title": "A Theory of Nothing at All", "year": "2020"})


@pytest.fixture(scope="module")
def first(index: Path) -> FirstStage:
    return first_stage(Request(index=index), today="2026-12-02")


@pytest.fixture
def verifier(first: FirstStage) -> VerifierTool:
    return over(first, fixed=False)


def told(tool: VerifierTool, entry: BlindEntry, **arguments: Any) -> Told:
    return asyncio.run(tool.told(entry, VerifyArguments(**arguments)))


def test_the_result_is_in_words_that_leave_the_verdict_open(verifier: VerifierTool) -> None:
    agreeing, differing = told(verifier, REAL).data, told(verifier, WRONG).data
    assert agreeing["result"] == "a record of this work was found, and agrees"
    assert differing["result"] == "a record disagrees with the reference"
    assert differing["works_found"][0][0]["differs_in"] == ["authors"]
    text = json.dumps([agreeing, differing]).lower()
    assert "hallucinat" not in text
    assert "label" not in text


def test_the_sources_asked_are_named_and_absence_is_told_to_be_no_evidence(
    verifier: VerifierTool,
) -> None:
    data = told(verifier, UNKNOWN).data
    (source,) = data["sources"]
    assert source == {"name": "index", "answered": "no record (by itself no evidence of anything)"}
    assert "no evidence" in data["meaning"]


def test_the_day_of_the_run_is_not_part_of_the_result(index: Path) -> None:
    days = [
        over(first_stage(Request(index=index), today=day), fixed=False)
        for day in ("2026-12-02", "2027-03-01")
    ]
    assert told(days[0], REAL) == told(days[1], REAL)


def test_a_changed_reference_is_told_to_be_another_one(verifier: VerifierTool) -> None:
    authors = REAL.fields["author"]
    data = told(verifier, WRONG, authors=authors).data
    assert data["checked"] == "another reference, with other authors"
    assert data["result"] == "a record of this work was found, and agrees"
    assert told(verifier, WRONG).data["checked"] == "the reference as given"


def test_changes_take_the_place_of_the_entrys_own_fields() -> None:
    changed = with_changes(
        REAL, VerifyArguments(title="T", authors="A B", venue="ACL", year=2015, doi="10.1000/x")
    )
    assert changed.fields == {
        "title": "T",
        "author": "A B",
        "booktitle": "ACL",
        "year": "2015",
        "doi": "10.1000/x",
    }
    assert with_changes(REAL, VerifyArguments()) == REAL


def test_recorded_evidence_is_of_the_reference_as_given_only(first: FirstStage) -> None:
    fixed = over(first, fixed=True)
    assert "result" in told(fixed, REAL).data
    assert "result" not in told(fixed, REAL, title="Another Title").data


@pytest.mark.parametrize(
    "text",
    [
        '{"title": ""}',
        '{"title": 3}',
        '{"year": "2014"}',
        '{"year": 99}',
        '{"label": "VALID"}',
        '{"bibtex": "@misc{x}"}',
        f'{{"title": "{"x" * 1001}"}}',
        f'{{"authors": "{"x" * 4001}"}}',
    ],
)
def test_arguments_are_checked(verifier: VerifierTool, text: str) -> None:
    assert isinstance(read_arguments(verifier.tool(REAL), text), Refused)


def test_no_argument_is_needed(verifier: VerifierTool) -> None:
    assert read_arguments(verifier.tool(REAL), "{}") == VerifyArguments()
    assert verifier.tool(REAL).spec.parameters.get("required", []) == []
    assert verifier.tool(REAL).name == NAME


def test_a_failed_source_is_no_answer() -> None:
    silent = SourceAnswer("crossref", Unavailable("It timed out."), live=True)
    evidence = Evidence(answers=(silent,), today="2026-12-02")

    async def judge(entry: BlindEntry) -> Judged:
        cited = reference(entry)
        return Judged(entry, cited, evidence, replay(cited, evidence))

    outage = told(VerifierTool(judge), UNKNOWN)
    assert not outage.answered
    assert outage.data["result"] == "not settled: a source that is needed did not answer"
    assert outage.data["sources"] == [
        {"name": "crossref", "answered": "nothing, it failed: It timed out."}
    ]


def test_what_rests_on_live_sources_is_kept(tmp_path: Path, first: FirstStage) -> None:
    path, identity = tmp_path / "tools.sqlite", {"policy": "default"}

    async def judge(entry: BlindEntry) -> Judged:
        return first.judge(entry)

    async def never(entry: BlindEntry) -> Judged:
        raise AssertionError(entry)

    once = told(VerifierTool(judge, cache=ToolCache(path), identity=identity), REAL)
    kept = VerifierTool(never, cache=ToolCache(path), identity=identity)
    assert told(kept, REAL) == once
    renamed = BlindEntry("another key", REAL.bibtex_type, REAL.fields)
    assert told(kept, renamed) == once
    other = VerifierTool(never, cache=ToolCache(path), identity={"policy": "strict"})
    with pytest.raises(AssertionError):
        told(other, REAL)
