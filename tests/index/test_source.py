"""Does the index find what a reference means, and say what it looked for?"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from hallmark.index import LocalIndex, open_index
from hallmark.index.build import build
from hallmark.index.schema import title_mark
from hallmark.index.search import similarity
from hallmark.records.answer import Absent, Answer, Found, Unavailable
from hallmark.records.source import Question, Source
from hallmark.text.names import parse_name
from tests.index.helpers import record, write_records

TITLE = "Sparse Spectral Methods for Molecular Property Prediction"
LONG = "Learning to Rank Proteins: A Benchmark of Graph Kernels"
FILLER = [
    record(f"{word} {topic} for {noun} Networks", authors=[f"{word} {topic}"])
    for word in ("Deep", "Robust", "Fast", "Sparse")
    for topic in ("Learning", "Inference", "Spectral", "Prediction")
    for noun in ("Molecular", "Social", "Neural", "Graph", "Property")
]
ROWS = [
    record(
        TITLE, authors=["Ada Lovelace", "Émile Zola"], doi="10.5555/a.1", venue="ICML", year=2020
    ),
    record(TITLE, authors=["A. Lovelace"], arxiv="1901.00001", venue="arXiv", year=2019),
    record(LONG, authors=["Wei Wang"]),
    record("Spectral Methods", authors=["Kurt Gödel"]),
    *FILLER,
    *(record("Introduction", authors=[f"Person Number{n}"]) for n in range(90)),
    record("Introduction", authors=["Emmy Noether"]),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    folder = tmp_path_factory.mktemp("source")
    build(folder / "idx", [str(write_records(folder / "made.jsonl", ROWS))], built="2026-05-01")
    return open_index(folder / "idx")


def _ask(index: LocalIndex, title: str = "", **more: object) -> Answer:
    authors = tuple(parse_name(name) for name in more.pop("authors", ()))  # type: ignore[attr-defined]
    return index.look_up(Question(title=title, authors=authors, **more))  # type: ignore[arg-type]


def _titles(answer: Answer) -> list[str]:
    return [version.title for version in answer.versions] if isinstance(answer, Found) else []


def test_the_index_is_a_source(index: LocalIndex) -> None:
    source: Source = index
    assert (source.name, source.as_of) == ("index", "2026-05-01")


def test_all_versions_of_a_title_are_found_whatever_its_case(index: LocalIndex) -> None:
    answer = _ask(index, TITLE.upper() + ".")
    assert isinstance(answer, Found)
    assert answer.searched == ("title",)
    assert [version.year for version in answer.versions] == [2020, 2019]


@pytest.mark.parametrize(
    "title",
    [
        "Sparse Spectral Methods for Molecular Property Detection",
        "Sparse Spectral Methods for Property Prediction",
        "Very Sparse Spectral Methods for Molecular Property Prediction",
        "Sparse Spectral Methods for Molecular Property Predictions",
        "Sparse Spec-tral Methods for Molecular Property Predictor",
        "Sparse Spectral Methods for Moleculer Property Prediktion",
        "Spectral Sparse Methods for Molecular Property Prediction",
    ],
)
def test_a_title_that_was_changed_a_little_is_found(index: LocalIndex, title: str) -> None:
    answer = _ask(index, title)
    assert isinstance(answer, Found)
    assert "near title" in answer.searched
    assert _titles(answer)[:1] == [TITLE]
    assert _titles(answer).count(TITLE) == 2, "the records of all sources come along"


def test_a_title_that_nothing_is_near_to_is_absent(index: LocalIndex) -> None:
    answer = _ask(index, "Culinary Traditions of Medieval Monasteries")
    assert answer == Absent(("title", "head of title", "near title"), ())


def test_a_title_without_its_subtitle_and_with_another_is_found(index: LocalIndex) -> None:
    assert LONG in _titles(_ask(index, "Learning to Rank Proteins"))
    assert TITLE in _titles(_ask(index, f"{TITLE}: Ten Years Later and What We Learnt from It"))


def test_identifiers_find_records_of_other_titles(index: LocalIndex) -> None:
    answer = _ask(index, "Introduction to Nothing at All", doi="10.5555/a.1")
    assert isinstance(answer, Found)
    assert answer.searched[0] == "doi"
    assert _titles(answer)[:2] == [TITLE, TITLE], "the work's other record comes along"
    assert TITLE in _titles(_ask(index, "", arxiv="1901.00001"))
    assert TITLE in _titles(_ask(index, "", doi="10.48550/arxiv.1901.00001"))


def test_of_a_frequent_title_the_authors_records_come_first(index: LocalIndex) -> None:
    answer = _ask(index, "Introduction", authors=("Emmy Noether",))
    assert isinstance(answer, Found)
    assert answer.versions[0].authors == ("Emmy Noether",)
    assert len(answer.versions) <= 64


def test_an_empty_question_is_answered(index: LocalIndex) -> None:
    assert _ask(index) == Absent((), ())
    assert _ask(index, "!?") == Absent((), ())


@pytest.mark.parametrize("title", ["x" * 100_000, "a b " * 20_000, "\x00\ud800", "((((" * 500])
def test_a_hostile_title_is_answered(index: LocalIndex, title: str) -> None:
    assert isinstance(_ask(index, title), Absent | Found)


def test_a_failure_of_the_index_is_unavailable_and_no_exception(
    index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("the disk is on fire")

    monkeypatch.setattr(index._searcher, "marked", fail)
    answer = _ask(index, "A title that nobody asked about before")
    assert isinstance(answer, Unavailable)
    assert "on fire" in answer.reason


def test_identifiers_are_looked_up_in_any_writing(index: LocalIndex) -> None:
    assert index.by_doi("https://doi.org/10.5555/A.1")[0].title == TITLE
    assert index.by_doi("no doi") == ()
    assert index.by_arxiv("arXiv:1901.00001v3")[0].title == TITLE
    assert index.by_title_key("spectralmethods")[0].authors == ("Kurt Gödel",)
    assert index.by_title_key("") == ()


def test_searching_finds_identifiers_titles_and_words(index: LocalIndex) -> None:
    assert index.search("doi:10.5555/a.1")[0].title == TITLE
    assert index.search("spectral methods")[0].title == "Spectral Methods"
    assert index.search("rank proteins")[0].title == LONG
    assert index.search("zzz") == []
    assert len(index.search("networks", limit=3)) == 3


@pytest.fixture
def colt(tmp_path: Path) -> Callable[[int], LocalIndex]:
    """Return a function that builds an index holding so many papers of COLT 2021 (141 appeared)."""

    def built(held: int) -> LocalIndex:
        rows = [
            record(
                f"Regret bound number{n}",
                authors=["Olga One", "Titus Two"],
                venue="COLT",
                year=2021,
            )
            for n in range(held)
        ]
        build(tmp_path / "idx", [str(write_records(tmp_path / "list.jsonl", rows))])
        return open_index(tmp_path / "idx")

    return built


def test_the_answer_tells_whether_the_claimed_year_is_complete(
    colt: Callable[[int], LocalIndex],
) -> None:
    for held, complete in ((141, True), (138, False)):
        index = colt(held)
        answer = _ask(index, "No such paper", venue="Conference on Learning Theory", year=2021)
        assert isinstance(answer, Absent)
        (row,) = [row for row in answer.coverage if row.year == 2021]
        assert (row.held, row.expected, row.complete) == (held, 141, complete)


def test_authors_are_asked_only_where_the_year_is_complete(
    colt: Callable[[int], LocalIndex],
) -> None:
    authors = ("Olga One", "Titus Two")
    asked = {
        "title": "An entirely different bound on queueing delays of elevators",
        "venue": "COLT",
        "year": 2021,
        "authors": authors,
    }
    found = _ask(colt(141), **asked)  # type: ignore[arg-type]
    assert isinstance(found, Found)
    assert "authors" in found.searched
    assert isinstance(_ask(colt(70), **asked), Absent)  # type: ignore[arg-type]


def test_similarity_sees_letters_and_words() -> None:
    words = tuple("sparse spectral methods".split())
    assert similarity(words, words) == 100
    assert similarity(words, ("sparse", "spectral", "method")) > 90
    assert similarity(words, ("methods", "spectral", "sparse")) == 100
    assert similarity(words, ("culinary", "traditions")) < 60


@pytest.mark.shared_data
@pytest.mark.slow
def test_real_records_are_found_again(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "records" / "confmeta.jsonl.gz"
    build(tmp_path / "idx", [str(source)])
    index = open_index(tmp_path / "idx")
    with gzip.open(source) as stream:
        rows = [json.loads(line) for number, line in enumerate(stream) if number % 450 == 0]
    exact = [_ask(index, row["title"]) for row in rows]
    assert all(isinstance(answer, Found) for answer in exact)
    shorter = [" ".join(row["title"].split()[:-1]) for row in rows if len(row["title"].split()) > 5]
    found = sum(isinstance(_ask(index, title), Found) for title in shorter)
    assert found >= 0.98 * len(shorter)


def _sampled(folder: Path, rows: list[dict[str, object]]) -> LocalIndex:
    build(folder / "idx", [str(write_records(folder / "made.jsonl", rows))], built="2026-05-01")
    return open_index(folder / "idx")


def test_a_sample_yields_every_title_once_with_all_its_records(tmp_path: Path) -> None:
    rows = [record(f"Sampled work number {n}") for n in range(100)]
    twice = [*rows, record("Sampled work number 7", authors=["Grace Hopper"])]
    index = _sampled(tmp_path, twice)
    groups = list(index.sample(Random(1)))
    assert sorted(group[0].title for group in groups) == sorted(str(row["title"]) for row in rows)
    assert sorted({len(group) for group in groups}) == [1, 2]


def test_all_records_are_yielded_and_each_is_found_by_the_mark_of_its_title(
    index: LocalIndex,
) -> None:
    every = list(index.every())
    assert len(every) == index.records
    for version in every:
        group = index.group(title_mark(version.title))
        assert version in group
        assert {title_mark(one.title) for one in group} == {title_mark(version.title)}


def test_a_sample_is_the_same_for_the_same_seed_only(tmp_path: Path) -> None:
    index = _sampled(tmp_path, [record(f"Sampled work number {n}") for n in range(100)])
    first, again, other = (
        [group[0].title for group in index.sample(Random(seed))] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_neighbours_who_published_together_are_told_from_strangers(index: LocalIndex) -> None:
    assert index.published_together(["Kurt Gödel", "ada lovelace", "Émile Zola"])
    assert not index.published_together(["Ada Lovelace", "Kurt Gödel", "Émile Zola"])
    assert not index.published_together(["Augusta Lovelace", "Émile Zola"])
    assert not index.published_together(["Ada Lovelace"])
    assert not index.published_together(["Lovelace", "Lovelace"])
