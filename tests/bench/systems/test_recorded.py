import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.recorded import doi_only, read_answers, recorded_rule
from hallmark.bench.systems.resolver import RULES, resolver_system
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.parse.benchmark import reference_of
from hallmark.records.answer import (
    RESOLVER,
    Absent,
    Answer,
    Found,
    Registered,
    SourceAnswer,
    Unavailable,
)
from hallmark.records.source import Question
from hallmark.records.work import Version

TITLE = "Tidal Memory: A Theory of Slow Networks"
_DOWN = Unavailable("It timed out.")
_NONE = Absent(("title",))

Write = Callable[..., Path]


@pytest.fixture
def evidence(tmp_path: Path) -> Write:
    """Write evidence: for each key, (source, answer) pairs."""

    def write(**rows: Sequence[tuple[str, Answer]]) -> Path:
        path = tmp_path / "evidence.jsonl"
        path.write_bytes(b"".join(map(_line, rows.items())))
        return path

    return write


def _line(row: tuple[str, Sequence[tuple[str, Answer]]]) -> bytes:
    key, answers = row
    value: dict[str, Any] = {
        "schema": "hallmark.evidence/1",
        "reference": {"type": "reference", "key": key},
        "evidence": {"answers": [SourceAnswer(source, answer) for source, answer in answers]},
    }
    return msgspec.json.encode(value) + b"\n"


def _held(source: str, title: str = TITLE) -> tuple[str, Answer]:
    return source, Found((Version(collection=source, title=title),), ("title",))


def _entry(key: str = "a", **fields: str) -> BlindEntry:
    return BlindEntry(key, "article", {"title": TITLE, **fields})


def _label(path: Path, rule: str, **options: Any) -> Label:
    (row,) = recorded_rule(path, rule, similarity=0.85, **options).predict([_entry()])
    return row.label


@pytest.mark.parametrize(
    ("rule", "labels"), [("any-miss", "VHHH"), ("majority", "VVHH"), ("consensus", "VVVH")]
)
def test_the_rule_alone_decides_what_is_flagged(evidence: Write, rule: str, labels: str) -> None:
    names = ("crossref", "openalex", "arxiv")
    found = ""
    for confirming in (3, 2, 1, 0):
        held = [_held(name) for name in names[:confirming]]
        path = evidence(a=[*held, *((name, _NONE) for name in names[confirming:])])
        found += _label(path, rule)[0]
    assert found == labels


def test_who_did_not_answer_has_no_vote_unless_silence_is_counted(evidence: Write) -> None:
    path = evidence(a=[_held("crossref"), ("openalex", _DOWN)])
    assert _label(path, "any-miss") is Label.VALID
    assert _label(path, "any-miss", failures="miss") is Label.HALLUCINATED


def test_an_outage_is_a_failure_of_the_tool_and_never_a_verdict(evidence: Write) -> None:
    path = evidence(a=[("crossref", _DOWN), ("openalex", _DOWN)])
    for rule in RULES.names():
        assert _label(path, rule) is Label.ERROR
        assert _label(path, rule, failures="miss") is Label.HALLUCINATED


def test_an_identifier_that_is_not_held_is_no_vote_about_the_title(evidence: Write) -> None:
    path = evidence(a=[_held("crossref"), ("openalex", Absent(("doi",))), ("arxiv", Absent(()))])
    assert _label(path, "any-miss") is Label.VALID


def test_two_answers_of_one_source_are_one_vote(evidence: Write) -> None:
    path = evidence(a=[("crossref", _NONE), _held("crossref"), ("crossref", _DOWN)])
    assert _label(path, "any-miss") is Label.VALID


def test_a_record_of_another_title_confirms_nothing(evidence: Write) -> None:
    path = evidence(a=[_held("crossref", "On the Weight of Clouds")])
    assert _label(path, "consensus") is Label.HALLUCINATED


def test_index_and_resolver_vote_only_where_they_are_named(evidence: Write) -> None:
    path = evidence(a=[_held("index"), ("crossref", _NONE), ("doi_org", Registered("Crossref"))])
    assert _label(path, "consensus") is Label.HALLUCINATED
    assert _label(path, "consensus", sources=("index",)) is Label.VALID
    with pytest.raises(InputError, match="no source named dblp; it has: crossref, doi_org, index"):
        recorded_rule(path, "consensus", similarity=0.85, sources=("dblp",))


def test_a_contradiction_by_every_record_flags(evidence: Write) -> None:
    record = Version(
        collection="crossref", title=TITLE, authors=("Zoe Abel", "Ann Zorn"), year=2021
    )
    path = evidence(a=[("crossref", Found((record,), ("title",)))])
    entry = _entry(author="Joris van den Berg and Lena Strand", year="2021")
    for rule, label in (("consensus", Label.VALID), ("contradiction", Label.HALLUCINATED)):
        (row,) = recorded_rule(path, rule, similarity=0.85).predict([entry])
        assert row.label is label


@given(st.lists(st.sampled_from("hmf"), min_size=1, max_size=7), st.data())
def test_a_failure_in_place_of_any_answer_never_makes_consensus_flag_more(
    kinds: list[str], data: st.DataObject
) -> None:
    def flagged(votes: Sequence[str]) -> bool:
        cast = [vote for vote in votes if vote != "f"]
        return bool(cast) and RULES.get("consensus")(cast.count("h"), len(cast))

    place = data.draw(st.integers(0, len(kinds) - 1))
    if kinds[place] != "h":
        failed = [*kinds[:place], "f", *kinds[place + 1 :]]
        assert flagged(kinds) or not flagged(failed)


def test_the_rules_agree_with_those_over_the_index_it_was_recorded_from(
    index: Path, tmp_path: Path
) -> None:
    titles = (
        "GLUE: A Multi-Task Benchmark and Analysis Platform for Natural Language Understanding",
        "Deep Residual Learning for Image Recognition",
        "A Title That Nobody Has Ever Given to Any Work of Theirs",
    )
    entries = [
        BlindEntry(f"k{n}", "inproceedings", {"title": title}) for n, title in enumerate(titles)
    ]
    opened = open_index(index)
    rows: dict[str, list[tuple[str, Answer]]] = {}
    for one in entries:
        asked = Question.about(reference_of(one.bibtex_key, one.bibtex_type, one.fields))
        answer = opened.look_up(asked)
        versions = answer.versions if isinstance(answer, Found) else ()
        rows[one.bibtex_key] = [
            (name, Found(tuple(v for v in versions if v.collection == name), ("title",)))
            for name in ("dblp", "acl")
        ]
    path = tmp_path / "evidence.jsonl"
    path.write_bytes(b"".join(map(_line, rows.items())))
    for rule in ("any-miss", "majority", "consensus"):
        there = [
            row.label for row in resolver_system(index, rule, similarity=0.85).predict(entries)
        ]
        here = [row.label for row in recorded_rule(path, rule, similarity=0.85).predict(entries)]
        assert here == there


def test_what_cannot_be_answered_is_told_apart(evidence: Write) -> None:
    path = evidence(a=[_held("crossref")])
    system = recorded_rule(path, "consensus", similarity=0.85)
    rows = list(system.predict([_entry("other"), BlindEntry("a")]))
    assert [row.label for row in rows] == [Label.ERROR, Label.UNCERTAIN]
    assert system.settings["sources"] == "crossref"


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        (Registered("Crossref"), Label.VALID),
        (Absent((RESOLVER,)), Label.HALLUCINATED),
        (Absent(("doi",)), Label.ERROR),
        (_DOWN, Label.ERROR),
    ],
)
def test_only_the_resolver_s_own_denial_flags_a_doi(
    evidence: Write, answer: Answer, label: Label
) -> None:
    path = evidence(a=[("crossref", Absent(("doi",))), ("doi_org", answer)])
    (row,) = doi_only(path).predict([_entry(doi="10.1000/tides.7")])
    assert row.label is label


def test_an_entry_without_a_doi_is_believed_or_left_open(evidence: Write) -> None:
    path = evidence(a=[])
    for without, label in (("valid", Label.VALID), ("uncertain", Label.UNCERTAIN)):
        (row,) = doi_only(path, without=without).predict([_entry()])
        assert row.label is label
    (row,) = doi_only(path).predict([_entry(doi="see the web")])
    assert row.label is Label.HALLUCINATED


def test_pre_screening_flags_before_the_resolver_is_heard(evidence: Write) -> None:
    path = evidence(a=[("doi_org", Registered("Crossref"))])
    entry = _entry(doi="10.1000/tides.7", year="2099")
    for name, label in (("doi-only", Label.VALID), ("doi-only-prescreened", Label.HALLUCINATED)):
        (row,) = build(name, Request(files=(path,))).predict([entry])
        assert row.label is label


def test_the_table_of_systems_holds_every_rule(evidence: Write) -> None:
    path = evidence(a=[_held("crossref"), ("openalex", _NONE)])
    labels = {
        rule: next(
            iter(build(f"recorded-{rule}", Request(files=(path,))).predict([_entry()]))
        ).label
        for rule in RULES.names()
    }
    assert labels["any-miss"] is Label.HALLUCINATED
    assert labels["majority"] is labels["consensus"] is labels["contradiction"] is Label.VALID
    with pytest.raises(InputError, match="one --from FILE"):
        build("recorded-consensus", Request(files=(path, path)))


def test_files_that_are_no_evidence_are_told(tmp_path: Path, evidence: Write) -> None:
    path = tmp_path / "x.jsonl"
    for content in (b"[]\n", b"{\n", b"\xff\n", b'{"evidence": {"answers": 1}}\n'):
        path.write_bytes(content)
        with pytest.raises(InputError, match="no evidence"):
            read_answers(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_answers(tmp_path / "none.jsonl")
    twice = evidence(a=[]).read_bytes() * 2
    path.write_bytes(twice)
    with pytest.raises(InputError, match="occurs a second time"):
        read_answers(path)
    path.write_text(json.dumps({"failed": {"reason": "x"}, "reference": None}) + "\n")
    assert read_answers(path) == {}


def test_options_that_cannot_be_used_are_told(evidence: Write) -> None:
    path = evidence(a=[_held("crossref")])
    with pytest.raises(InputError, match="similarity is 85"):
        recorded_rule(path, "consensus", similarity=85)
    with pytest.raises(InputError, match="failures is 'x'"):
        recorded_rule(path, "consensus", similarity=0.85, failures="x")
    with pytest.raises(InputError, match="without is 'x'"):
        doi_only(path, without="x")
