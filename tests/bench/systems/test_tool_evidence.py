import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from hallmark.bench.entry import BlindEntry, Label, Prediction, write_jsonl
from hallmark.bench.systems.recorded import recorded_rule
from hallmark.bench.systems.source_tools import SOURCES
from hallmark.bench.systems.tool_cache import FILE, ToolCache
from hallmark.bench.systems.tool_evidence import lookups
from hallmark.cli.main import main
from hallmark.errors import InputError
from hallmark.records.answer import Absent, Found, Unavailable
from tests.bench.systems.test_agent import INVENTED, REAL, Opened, agent, any_no_match, world
from tests.fakeworld.knobs import Fault, Knobs, always
from tests.fakeworld.records import JOURNAL
from tests.llm.scripted import Scripted


def ran(folder: Path, entries: Sequence[BlindEntry], **knobs: Knobs) -> list[Prediction]:
    """The predictions of an agent that asks three sources about each entry."""
    opened = Opened(world(knobs))
    return list(agent(Scripted(any_no_match), cache=folder / FILE, opened=opened).predict(entries))


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    return int(stopped.value.code or 0)


def test_what_the_model_was_shown_becomes_evidence(tmp_path: Path) -> None:
    rows = ran(tmp_path, [REAL], openalex=always(Fault.SERVER_ERROR))
    (found,) = lookups(rows, ToolCache(tmp_path / FILE, offline=True))
    answers = {one.source: one.answer for one in found.answers}
    assert found.key == "real"
    assert isinstance(answers["crossref"], Found)
    version = answers["crossref"].versions[0]
    assert (version.title, version.authors) == (JOURNAL.title, JOURNAL.authors)
    assert (version.year, version.doi) == (2021, JOURNAL.doi)
    assert answers["arxiv"] == Absent(("title",))
    assert isinstance(answers["openalex"], Unavailable)


def test_the_rules_of_the_paper_run_over_it(tmp_path: Path) -> None:
    rows = ran(tmp_path, [REAL, INVENTED])
    write_jsonl(tmp_path / "agent.jsonl", rows)
    arguments = ["lookups", str(tmp_path / "agent.jsonl"), "--cache", str(tmp_path)]
    assert call(*arguments, "--out", str(tmp_path / "evidence.jsonl")) == 0
    flagged = {
        rule: [
            one.label is Label.HALLUCINATED
            for one in recorded_rule(tmp_path / "evidence.jsonl", rule, similarity=0.85).predict(
                [REAL, INVENTED]
            )
        ]
        for rule in ("any-miss", "majority", "consensus")
    }
    assert flagged == {
        "any-miss": [True, True],
        "majority": [False, True],
        "consensus": [False, True],
    }


def test_who_did_not_answer_has_no_vote(tmp_path: Path) -> None:
    rows = ran(tmp_path, [REAL], **dict.fromkeys(SOURCES, always(Fault.SERVER_ERROR)))
    evidence = tmp_path / "evidence.jsonl"
    kept = ToolCache(tmp_path / FILE, offline=True)
    lines = [json.dumps(_plain(one.row())) for one in lookups(rows, kept)]
    evidence.write_text("\n".join(lines), encoding="utf-8")
    (prediction,) = recorded_rule(evidence, "any-miss", similarity=0.85).predict([REAL])
    assert prediction.label is Label.ERROR


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    answers = [
        {"source": one.source, "answer": {"type": "unavailable", "reason": one.answer.reason}}
        for one in row["evidence"]["answers"]
    ]
    return {**row, "evidence": {"answers": answers}}


def test_wrong_calls_are_no_evidence(tmp_path: Path) -> None:
    (row,) = ran(tmp_path, [REAL])
    transcript = [
        {"calls": [{**call, "outcome": "repeated"} for call in turn.get("calls", ())]}
        for turn in row.extra["transcript"]
    ]
    spoilt = structs.replace(row, extra={"transcript": transcript})
    (found,) = lookups([spoilt], ToolCache(tmp_path / FILE, offline=True))
    assert found.answers == ()


def test_predictions_of_another_system_are_refused(tmp_path: Path) -> None:
    ran(tmp_path, [REAL])
    plain = Prediction(bibtex_key="k", label=Label.VALID)
    with pytest.raises(InputError, match="has no transcript"):
        list(lookups([plain], ToolCache(tmp_path / FILE, offline=True)))


def test_predictions_of_another_run_are_refused(tmp_path: Path) -> None:
    rows = ran(tmp_path / "one", [REAL])
    ran(tmp_path / "two", [INVENTED])
    with pytest.raises(InputError, match="is not kept"):
        list(lookups(rows, ToolCache(tmp_path / "two" / FILE, offline=True)))


def test_without_kept_results_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_jsonl(tmp_path / "agent.jsonl", [Prediction(bibtex_key="k", label=Label.VALID)])
    arguments = ["lookups", str(tmp_path / "agent.jsonl"), "--out", str(tmp_path / "e.jsonl")]
    assert call(*arguments, "--cache", str(tmp_path / "none")) == 2
    assert "no kept results of tools" in capsys.readouterr().err
    assert not (tmp_path / "e.jsonl").exists()
