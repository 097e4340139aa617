"""The contract of `bench.systems.interface`, kept by every system that can be run."""

import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Entry, Label, Prediction
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import SYSTEMS, build
from tests.bench.systems.conftest import HOSTILE

ECHO = (
    "import sys, json\n"
    "for line in sys.stdin:\n"
    "    row = json.loads(line)\n"
    "    label = 'VALID' if 'doi' in row['fields'] else 'HALLUCINATED'\n"
    "    print(json.dumps({'label': label, 'confidence': 0.7}))\n"
)
EVIDENCE = (
    '{"reference": {"key": "empty"}, "evidence": {"answers": ['
    '{"source": "crossref", "answer": {"type": "absent", "searched": ["title"]}}, '
    '{"source": "doi_org", "answer": {"type": "unavailable", "reason": "down"}}]}}\n'
    '{"reference": {"key": "years"}, "evidence": {"answers": ['
    '{"source": "doi_org", "answer": {"type": "registered", "agency": "Crossref"}}]}}\n'
)
FUNCTION = "def check(entry):\n    return len(entry.fields) / 100 if entry.fields else 1 / 0\n"
ASKING = {name for name, spec in SYSTEMS.items() if "--model" in spec.needs}
"""Systems that ask a model: their contract is in test_llm_conformance.py, over a scripted one."""
NAMES = [*(name for name in SYSTEMS.names() if name not in ASKING), "function", "program"]
IN_PROCESS = [name for name in NAMES if name != "program"]

Make = Callable[[str], System]

entries = st.lists(
    st.builds(
        BlindEntry,
        bibtex_key=st.text(min_size=1, max_size=8),
        bibtex_type=st.sampled_from(["misc", "article", "inproceedings", ""]),
        fields=st.dictionaries(
            st.sampled_from(["title", "author", "year", "doi", "booktitle", "journal", "x"]),
            st.text(max_size=30) | st.sampled_from(["2021", "10.1145/1", "A B and C D"]),
        ),
        raw_bibtex=st.none() | st.text(max_size=20),
    ),
    max_size=6,
)


@pytest.fixture
def make(tmp_path: Path, prediction_file: Callable[..., Path], index: Path) -> Make:
    first = prediction_file("a.jsonl", ("empty", "VALID", 0.9), ("long", "HALLUCINATED", 1.0))
    second = prediction_file("b.jsonl", ("empty", "UNCERTAIN", 0.5), ("years", "ERROR", 0.0))
    evidence = tmp_path / "evidence.jsonl"
    evidence.write_text(EVIDENCE, encoding="utf-8")
    (tmp_path / "own.py").write_text(FUNCTION, encoding="utf-8")
    (tmp_path / "echo.py").write_text(ECHO, encoding="utf-8")
    gold = (
        Entry(bibtex_key="g", label=Label.HALLUCINATED, fields={"title": "x" * 100_000}),
        Entry(bibtex_key="h", label=Label.VALID, fields={"title": "the same key again"}),
    )

    def of(name: str) -> System:
        if name == "function":
            return build(f"{tmp_path}/own.py:check", Request())
        if name == "program":
            return build(f"exec:{sys.executable} {tmp_path}/echo.py", Request())
        files = {"replay": (first,), "recorded": (evidence,), "cascade": (first,)}.get(
            SYSTEMS.get(name).kind if name != "replay" else name, (first, second)
        )
        request = Request(seed=7, files=files, gold=gold, index=index, today="2026-06-01")
        return build(name, request)

    return of


def timeless(predictions: list[Prediction]) -> list[Prediction]:
    return [msgspec.structs.replace(row, seconds=None) for row in predictions]


def check_contract(given_entries: list[BlindEntry], predictions: list[Prediction]) -> None:
    assert [row.bibtex_key for row in predictions] == [e.bibtex_key for e in given_entries]
    for row in predictions:
        assert row.label in Label
        assert math.isfinite(row.confidence)
        assert 0.0 <= row.confidence <= 1.0


@pytest.mark.parametrize("name", NAMES)
def test_every_hostile_entry_gets_one_answer_in_order(name: str, make: Make) -> None:
    check_contract(list(HOSTILE), list(make(name).predict(HOSTILE)))


@pytest.mark.parametrize("name", NAMES)
def test_no_entries_get_no_answers(name: str, make: Make) -> None:
    assert list(make(name).predict([])) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_answers(name: str, make: Make) -> None:
    first, second = make(name), make(name)
    assert timeless(list(first.predict(HOSTILE))) == timeless(list(second.predict(HOSTILE)))
    assert first.settings == second.settings


@pytest.mark.parametrize("name", IN_PROCESS)
def test_going_on_at_any_row_gives_what_a_whole_run_gives(name: str, make: Make) -> None:
    system = make(name)
    whole = timeless(list(system.predict(HOSTILE)))
    for row in range(len(HOSTILE) + 1):
        assert timeless(list(system.predict(HOSTILE[row:]))) == whole[row:]


@pytest.mark.parametrize("name", IN_PROCESS)
def test_the_order_of_entries_does_not_change_an_answer(name: str, make: Make) -> None:
    system = make(name)
    forth = timeless(list(system.predict(HOSTILE)))
    back = timeless(list(system.predict(HOSTILE[::-1])))
    assert back[::-1] == forth


@pytest.mark.parametrize("name", IN_PROCESS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(given_entries=entries)
def test_any_entries_get_answers_within_the_contract(
    name: str, make: Make, given_entries: list[BlindEntry]
) -> None:
    check_contract(given_entries, list(make(name).predict(given_entries)))


@pytest.mark.parametrize("name", NAMES)
def test_settings_can_be_stored_in_a_manifest(name: str, make: Make) -> None:
    assert isinstance(msgspec.json.encode(make(name).settings), bytes)


def test_the_table_names_each_system_once_and_says_what_it_is() -> None:
    names = SYSTEMS.names()
    assert all(a != b for a, b in pairwise(sorted(names)))
    assert all(spec.summary and spec.kind for _, spec in SYSTEMS.items())
    assert {name for name, spec in SYSTEMS.items() if spec.cheat} == {"format-tell", "title-oracle"}
