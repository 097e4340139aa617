"""Who may overrule whom where a model stands behind the verifier?"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from hallmark.assist.question import prompt
from hallmark.assist.weights import Cell, Counts, Era, Fitted, Group, Table
from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.cascade import (
    VOTER,
    Assisted,
    Cascade,
    Commit,
    promoted,
    votes_of_model,
)
from hallmark.bench.systems.interface import EntrySystem, estimate_of
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from hallmark.bench.systems.stages import FirstStage, Judged
from hallmark.bench.systems.verifier import reference
from hallmark.errors import InputError
from hallmark.judge.policy import DEFAULT
from hallmark.records.evidence import (
    Compared,
    ComparedWork,
    Comparison,
    Evidence,
    Field,
    Relation,
)
from hallmark.records.reference import Location
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Result,
    Unresolved,
    Verdict,
    Verified,
)
from tests.fakeworld.records import JOURNAL
from tests.llm.scripted import SPEC, Scripted

VERDICTS: dict[str, Verdict] = {
    "verified": Verified(probability=0.02, reason="It is there."),
    "contradicted": Contradicted(probability=0.97, reason="Not so.", type="wrong_venue"),
    "not_found": NotFound(probability=0.96, reason="Nowhere."),
    "open": Unresolved(probability=0.6, reason="No record."),
    "skipped": NotChecked(probability=0.5, reason="Software."),
}
ENTRIES = [
    BlindEntry(key, "article", {"title": f"Work {key}", "author": "Ada Vole", "year": "2020"})
    for key in VERDICTS
]
ALONE = {
    "verified": "VALID",
    "contradicted": "HALLUCINATED",
    "not_found": "HALLUCINATED",
    "open": "UNCERTAIN",
    "skipped": "UNCERTAIN",
}


def judge(entry: BlindEntry) -> Judged:
    result = Result(entry.bibtex_key, Location("-", 1), VERDICTS[entry.bibtex_key])
    return Judged(entry, reference(entry), Evidence(today="2026-01-01"), result)


FIRST = FirstStage(judge, DEFAULT, {"policy": "default"})


class Second:
    """A second stage that says the same of all, and remembers what it was asked."""

    def __init__(self, label: Label, confidence: float = 0.9) -> None:
        self.asked: list[str] = []
        self._label = label
        self._confidence = confidence

    @property
    def settings(self) -> dict[str, Any]:
        return {"label": self._label.value}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        for entry in entries:
            self.asked.append(entry.bibtex_key)
            yield Prediction(
                bibtex_key=entry.bibtex_key, label=self._label, confidence=self._confidence
            )


def labels(rows: Sequence[Prediction]) -> dict[str, str]:
    return {row.bibtex_key: row.label.value for row in rows}


@pytest.mark.parametrize("label", Label)
def test_a_cascade_asks_about_what_is_open_and_nothing_else(label: Label) -> None:
    second = Second(label)
    rows = list(Cascade(FIRST, second).predict(ENTRIES))
    assert second.asked == ["open"]
    assert labels(rows) == {**ALONE, "open": label.value}
    assert [row.extra["stage"] for row in rows] == [
        "model" if row.bibtex_key == "open" else "verifier" for row in rows
    ]


HELD = Compared(
    JOURNAL,
    title=Comparison(Field.TITLE, Relation.EQUAL),
    authors=Comparison(Field.AUTHORS, Relation.SILENT),
    venue=Comparison(Field.VENUE, Relation.SILENT),
    year=Comparison(Field.YEAR, Relation.CONFLICT, weak=True),
    doi=Comparison(Field.DOI, Relation.SILENT),
    arxiv=Comparison(Field.ARXIV, Relation.SILENT),
)
OTHER = structs.replace(HELD, title=Comparison(Field.TITLE, Relation.CONFLICT))
SAME_DOI = structs.replace(OTHER, doi=Comparison(Field.DOI, Relation.EQUAL))


@pytest.mark.parametrize(
    ("held", "failed", "asked"),
    [(None, False, True), (OTHER, False, True), (HELD, False, False), (SAME_DOI, False, False),
     (None, True, False)],
)  # fmt: skip
def test_a_careful_cascade_asks_only_where_no_source_holds_the_title_or_the_number(
    held: Compared | None, *, failed: bool, asked: bool
) -> None:
    works = () if held is None else (ComparedWork((held,)),)
    evidence = Evidence(works=works, today="2026-01-01")

    def found(entry: BlindEntry) -> Judged:
        verdict = Unresolved(probability=0.6, reason="Open.", source_failed=failed)
        result = Result(entry.bibtex_key, Location("-", 1), verdict)
        return Judged(entry, reference(entry), evidence, result)

    first, second = structs.replace(FIRST, judge=found), Second(Label.HALLUCINATED)
    (row,) = Cascade(first, second, careful=True).predict(ENTRIES[:1])
    assert bool(second.asked) is asked
    assert row.extra["stage"] == ("model" if asked else "verifier")
    assert (row.label is Label.HALLUCINATED) is asked


def test_the_aggressive_stance_flags_what_neither_stage_verifies() -> None:
    rows = list(Cascade(FIRST, Second(Label.UNCERTAIN), aggressive=True).predict(ENTRIES))
    assert labels(rows) == {**ALONE, "open": "HALLUCINATED", "skipped": "HALLUCINATED"}
    assert {row.confidence for row in rows if row.bibtex_key in {"open", "skipped"}} == {0.55}


@pytest.mark.parametrize("label", [Label.ERROR, Label.VALID, Label.HALLUCINATED])
def test_only_an_abstention_is_promoted(label: Label) -> None:
    row = Prediction(bibtex_key="k", label=label, confidence=0.7)
    assert promoted(row) == row


AT_TWO_PERCENT = Commit()


def table(flags: float = 3.0, accepts: float = -3.0) -> Table:
    cell = Cell(group=Group.PAPER, era=Era.KNOWN, flags=flags, accepts=accepts, counts=Counts())
    row = Fitted(
        model=SPEC.name, prompt=prompt().digest, cutoff="2024-09", disclosed=True, cells=(cell,)
    )
    return Table(models=(row,))


def said(label: str) -> str:
    return json.dumps({"label": label, "confidence": 1.0, "type": "wrong_venue", "reason": "r"})


def assisted(
    answer: str, weights: Table, commit: Commit = AT_TWO_PERCENT
) -> tuple[list[Prediction], Scripted]:
    model = Scripted(lambda _: answer)
    voter = votes_of_model(SPEC, lambda: nullcontext(model))
    return list(Assisted(FIRST, voter, weights, commit, {}, SPEC).predict(ENTRIES)), model


@pytest.mark.parametrize("label", ["VALID", "HALLUCINATED", "UNCERTAIN"])
def test_a_model_that_is_heard_changes_no_settled_label(label: str) -> None:
    rows, model = assisted(said(label), table(), Commit(prevalence=0.5))
    assert len(model.asked) == 1
    assert {k: v for k, v in labels(rows).items() if k != "open"} == {
        k: v for k, v in ALONE.items() if k != "open"
    }


@pytest.mark.parametrize("label", ["VALID", "HALLUCINATED"])
def test_without_a_fitted_weight_labels_are_those_of_the_verifier(label: str) -> None:
    rows, _ = assisted(said(label), Table(), Commit(flag=0.0, accept=1.0))
    assert labels(rows) == ALONE


def test_a_vote_commits_only_where_the_posterior_passes_the_stated_limit() -> None:
    at_two_percent, _ = assisted(said("HALLUCINATED"), table())
    at_half, _ = assisted(said("HALLUCINATED"), table(), Commit(prevalence=0.5))
    assert labels(at_two_percent)["open"] == "UNCERTAIN"
    assert labels(at_half)["open"] == "HALLUCINATED"
    row = next(row for row in at_half if row.bibtex_key == "open")
    assert row.predicted_hallucination_type == "wrong_venue"
    assert row.confidence > 0.9
    accepted, _ = assisted(said("VALID"), table(), Commit(accept=0.1, prevalence=0.5))
    assert labels(accepted)["open"] == "VALID"


def test_a_reply_that_cannot_be_read_leaves_the_verifiers_label_and_is_recorded() -> None:
    rows, _ = assisted("no JSON", table(), Commit(flag=0.0, accept=1.0))
    row = next(row for row in rows if row.bibtex_key == "open")
    assert row.label is Label.UNCERTAIN
    assert row.extra["vote"] == "failed"


def test_a_prediction_keeps_the_vote_and_what_it_took() -> None:
    rows, _ = assisted(said("HALLUCINATED"), table())
    row = next(row for row in rows if row.bibtex_key == "open")
    told = {name: row.extra[name] for name in (VOTER, "prompt", "vote", "weight", "before")}
    assert told == {
        VOTER: SPEC.name,
        "prompt": prompt().digest,
        "vote": "hallucinated",
        "weight": 3.0,
        "before": 0.6,
    }
    assert row.extra["model"] == "scripted-1"  # as reported, like everywhere
    assert row.calls == 1
    msgspec.json.encode(row.row())


def test_what_asking_takes_is_told_before() -> None:
    voter = votes_of_model(SPEC, lambda: nullcontext(Scripted([])))
    found = estimate_of(Assisted(FIRST, voter, Table(), Commit(), {}, SPEC), ENTRIES)
    assert found is not None
    assert found.calls == 1
    silent = EntrySystem(lambda e: Prediction(bibtex_key=e.bibtex_key, label=Label.VALID), {})
    assert estimate_of(Cascade(FIRST, silent), ENTRIES) is None


def test_a_file_of_answers_stands_in_for_the_model(
    prediction_file: Callable[..., Path], index: Path
) -> None:
    answers = prediction_file("a.jsonl", ("x", "HALLUCINATED", 0.9))
    request = Request(files=(answers,), index=index, today="2026-01-01")
    entry = BlindEntry("x", "article", {"title": "A Theory of Unwritten Clouds", "year": "1987"})
    (row,) = build("cascade", request).predict([entry])
    assert (row.label, row.extra["stage"]) == (Label.HALLUCINATED, "model")
    asked = structs.replace(request, model="gpt-5.1")
    (heard,) = build("assisted", asked).predict([entry])
    assert heard.label is Label.UNCERTAIN
    assert heard.extra["vote"] == "hallucinated"


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("cascade", {}, "needs --model"),
        ("cascade", {"second": "cascade"}, "The option second"),
        ("assisted", {"flag": "2"}, "The option flag"),
        ("assisted", {"weights": "none.json"}, "cannot be read"),
        ("assisted", {"evidence": "none.jsonl"}, "cannot be read"),
        ("assisted", {"today": "soon"}, "The option today"),
    ],
)
def test_what_cannot_be_used_is_told(
    name: str, options: dict[str, str], told: str, index: Path
) -> None:
    model = "gpt-5.1" if name == "assisted" else ""
    request = Request(index=index, today="2026-01-01", options=options, model=model)
    with pytest.raises(InputError) as problem:
        build(name, request)
    assert told in str(problem.value)
