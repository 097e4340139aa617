"""Answers are kept as long as their kind holds, and never more than fits."""

import multiprocessing
import sqlite3
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.cache import ABSENT_S, FOUND_S, Cache, key_of
from hallmark.sources.interface import Way
from hallmark.sources.specs import SOURCES, relocated
from hallmark.text.names import split_authors

CROSSREF = SOURCES.get("crossref")(None).spec
OPENALEX = SOURCES.get("openalex")(None).spec
NOW = 1_800_000_000.0
QUESTION = Question(title="A Title", authors=split_authors("Ada Lovelace")[0], doi="10.1/x")
FOUND = Found((Version(collection="crossref", title="A Title"),), ("title",))
ABSENT = Absent(("title",))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "answers.sqlite")


def put(cache: Cache, answer: Answer, question: Question = QUESTION, now: float = NOW) -> None:
    cache.put(CROSSREF, Way.TITLE, question, answer, now)


def get(cache: Cache, now: float = NOW, question: Question = QUESTION) -> Answer | None:
    return cache.get(CROSSREF, Way.TITLE, question, now)


def test_a_mirrors_answers_are_nobody_elses(cache: Cache) -> None:
    mirror = relocated(CROSSREF, "http://127.0.0.1:8000")
    cache.put(mirror, Way.TITLE, QUESTION, FOUND, NOW)
    assert get(cache) is None
    assert cache.get(mirror, Way.TITLE, QUESTION, NOW) == FOUND
    put(cache, ABSENT)
    assert cache.get(mirror, Way.TITLE, QUESTION, NOW) == FOUND


@pytest.mark.parametrize(
    ("answer", "holds_s"), [(FOUND, FOUND_S), (Registered("Crossref"), FOUND_S), (ABSENT, ABSENT_S)]
)
def test_an_answer_is_kept_as_long_as_its_kind_holds(
    cache: Cache, answer: Answer, holds_s: float
) -> None:
    put(cache, answer)
    assert get(cache, NOW + holds_s - 1) == answer
    assert get(cache, NOW + holds_s + 1) is None


def test_a_failure_is_never_kept(cache: Cache) -> None:
    put(cache, Unavailable("down"))
    put(cache, Absent(()))
    assert get(cache) is None


def test_an_answer_from_the_future_is_not_believed(cache: Cache) -> None:
    put(cache, FOUND, now=NOW + 100)
    assert get(cache) is None


def test_a_question_is_known_by_what_is_asked(cache: Cache) -> None:
    put(cache, FOUND)
    assert get(cache, question=structs.replace(QUESTION, title="a  TITLE.")) == FOUND
    for other in (
        structs.replace(QUESTION, title="Another"),
        structs.replace(QUESTION, year=2020),
        structs.replace(QUESTION, authors=split_authors("Grace Hopper")[0]),
    ):
        assert get(cache, question=other) is None
    assert cache.get(OPENALEX, Way.TITLE, QUESTION, NOW) is None
    assert cache.get(CROSSREF, Way.DOI, QUESTION, NOW) is None


def test_every_way_has_its_own_key() -> None:
    assert len({key_of(CROSSREF, way, QUESTION) for way in Way}) == len(Way)


def test_what_was_not_used_for_longest_goes_when_there_is_too_much(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "answers.sqlite", largest=4000)
    questions = [structs.replace(QUESTION, title=f"Title {n}") for n in range(60)]
    for number, question in enumerate(questions):
        put(cache, FOUND, question, NOW + number)
    get(cache, NOW + 100, questions[0])
    cache.shrink(NOW + 101)
    assert sum(held.size for held in cache.info()) <= 4000
    assert get(cache, NOW + 102, questions[0]) == FOUND
    assert get(cache, NOW + 102, questions[1]) is None


def test_the_cache_can_be_looked_at_and_cleared(cache: Cache) -> None:
    put(cache, FOUND)
    cache.put(OPENALEX, Way.TITLE, QUESTION, ABSENT, NOW)
    assert [(one.source, one.outcome, one.answers) for one in cache.info()] == [
        ("crossref", "found", 1),
        ("openalex", "absent", 1),
    ]
    assert cache.clear("openalex") == 1
    assert cache.clear() == 1
    assert cache.info() == []


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"no database" * 500)
    cache = Cache(path)
    assert cache.replaced
    put(cache, FOUND)
    assert get(cache) == FOUND


def test_a_file_that_is_damaged_under_way_is_replaced(cache: Cache, tmp_path: Path) -> None:
    put(cache, FOUND)
    for path in tmp_path.iterdir():
        path.write_bytes(b"\0" * 5000)
    assert get(cache) is None
    put(cache, FOUND)
    assert get(cache) == FOUND


def test_a_place_that_cannot_be_used_costs_only_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "answers.sqlite")
    put(cache, FOUND)
    assert get(cache) is None
    assert cache.info() == []
    assert cache.clear() == 0


def _fill(path: str, start: int) -> None:
    cache = Cache(Path(path))
    for number in range(start, start + 20):
        put(cache, FOUND, structs.replace(QUESTION, title=f"Title {number}"))


def test_processes_share_the_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    Cache(path)
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.starmap(_fill, [(str(path), 0), (str(path), 20), (str(path), 40)])
    assert sum(held.answers for held in Cache(path).info()) == 60


def test_a_row_of_something_else_is_no_answer(cache: Cache, tmp_path: Path) -> None:
    put(cache, FOUND)
    with sqlite3.connect(tmp_path / "answers.sqlite") as table:
        table.execute("UPDATE answers SET answer = 'text'")
    table.close()
    assert get(cache) is None
