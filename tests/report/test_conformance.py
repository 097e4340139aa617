"""The laws that every report format obeys."""

import io
import json
import re
from collections.abc import Iterable

import pytest
from msgspec import structs

from hallmark.records.queue import Queue
from hallmark.records.verdict import Result
from hallmark.report.formats import FORMATS
from hallmark.report.interface import Look, RunInfo
from hallmark.report.summary import Tally, is_problem
from tests.report import results

RUN = RunInfo(
    files=("paper.bib",),
    index=".hallmark/starter",
    records=159_432,
    as_of="2021-09-07",
    today="2026-01-31",
    version="0.1.0",
)

every_format = pytest.mark.parametrize("name", FORMATS.names())


def written(
    name: str, rows: Iterable[Result], look: Look | None = None, queue: Queue | None = None
) -> str:
    out, tally = io.StringIO(), Tally()
    report = FORMATS.get(name)(out, look or Look(names=results.NAMES))
    report.begin(RUN)
    for row in rows:
        tally.add(row)
        report.add(row)
    report.end(structs.replace(tally.summary(), queue=queue))
    report.close()
    return out.getvalue()


def numbered(count: int) -> list[Result]:
    return [results.verified(f"key{number:05}", number + 1) for number in range(count)]


@every_format
def test_every_result_appears_once_and_in_order(name: str) -> None:
    text = written(name, numbered(500))
    assert re.findall(r"key\d{5}", text) == [f"key{number:05}" for number in range(500)]


@every_format
def test_problems_keep_their_order(name: str) -> None:
    text = written(name, results.every_sort())
    places = [text.index(key) for key in ("vaswani2017require", "devlin2019bert", "doe2019")]
    assert places == sorted(places)


@every_format
def test_every_sort_of_result_has_a_row(name: str) -> None:
    text = written(name, results.every_sort())
    for result in results.every_sort():
        assert result.key in text
    assert "101" in text


@every_format
def test_only_problems_leaves_out_the_rest(name: str) -> None:
    look = Look(only_problems=True, names=results.NAMES)
    text = written(name, results.every_sort(), look)
    for result in results.every_sort():
        if result.key:
            assert (result.key in text) is is_problem(result)


@every_format
def test_nothing_from_outside_is_unescaped(name: str) -> None:
    text = written(name, [results.hostile()], queue=results.queue())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", text)


@every_format
def test_nothing_from_outside_starts_a_line(name: str) -> None:
    hostile = results.result("k\n# h", 1, results.near_miss().verdict, "t\n# h")
    assert not re.search("^# h", written(name, [hostile]), re.MULTILINE)


@every_format
def test_the_queue_is_shown_with_what_is_expected_of_it(name: str) -> None:
    text = written(name, results.every_sort(), Look(quiet=True), queue=results.queue())
    assert text.count("doe2019tangents") == 2
    assert "fabricated work" in text
    assert "42 %" in text or "0.4217" in text


@every_format
def test_without_a_queue_there_is_no_word_of_one(name: str) -> None:
    text = written(name, results.every_sort())
    assert "queue" not in text.replace("--queue", "")
    assert "Worth a look" not in text


@pytest.mark.parametrize("name", ["terminal", "markdown"])
def test_what_probabilities_rest_on_is_told_where_no_queue_says_it(name: str) -> None:
    told = "as if half of all references"
    assert told in written(name, results.every_sort())
    assert told not in written(name, results.every_sort(), queue=results.queue())
    assert told not in written(name, [results.verified()])


@every_format
def test_a_queue_of_nothing_can_be_written(name: str) -> None:
    written(name, [results.verified()], queue=Queue(prevalence=0.02, asked=5))


@every_format
def test_a_bibliography_that_the_index_does_not_know_is_told(name: str) -> None:
    lost = [
        structs.replace(results.unresolved(), grounds=results.grounds(f"Gut {n}", known=False))
        for n in range(10)
    ]
    queue = Queue(prevalence=0.02, asked=5) if name == "jsonl" else None
    text = written(name, lost, queue=queue)
    assert "does not fit this bibliography" in text or '"fits":false' in text


@every_format
def test_a_lone_surrogate_can_be_written(name: str) -> None:
    broken = results.result("key\ud800", 1, results.near_miss().verdict, "title\udfff")
    written(name, [broken]).encode()


@every_format
def test_no_result_makes_a_report_too(name: str) -> None:
    text = written(name, [])
    assert "Traceback" not in text
    if name == "json":
        assert json.loads(text)["results"] == []


@every_format
def test_a_title_of_ten_megabytes_is_bounded_for_people(name: str) -> None:
    huge = results.result("huge", 1, results.near_miss().verdict, "x" * 10_000_000)
    assert len(written(name, [huge])) < 10_000


@every_format
def test_the_same_results_give_the_same_bytes(name: str) -> None:
    assert written(name, results.every_sort()) == written(name, results.every_sort())


def test_markdown_holds_no_html_from_outside() -> None:
    text = written("markdown", [results.hostile()])
    assert "<script" not in text
    assert "@all" not in text
    assert set(re.findall(r"<[^>]*>", text)) <= {
        "<details>",
        "<summary>",
        "</summary>",
        "</details>",
    }


def test_every_row_of_a_markdown_table_has_the_same_cells() -> None:
    rows = [
        line
        for line in written("markdown", [results.hostile(), *results.every_sort()]).splitlines()
        if line.startswith("|")
    ]
    assert {line.count("|") for line in rows} == {5}


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_terminal_line_is_wider_than_the_terminal(width: int) -> None:
    look = Look(width=width, names=results.NAMES)
    rows = [*results.every_sort(), results.hostile()]
    text = written("terminal", rows, look, results.queue())
    assert max(len(line) for line in text.splitlines()) <= max(width, 40)


def test_without_colour_there_is_no_code_and_with_it_every_code_is_closed() -> None:
    plain = written("terminal", results.every_sort())
    assert "\x1b" not in plain
    look = Look(colour=True, names=results.NAMES)
    coloured = written("terminal", results.every_sort(), look)
    assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b[")
    unpainted = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    without_carets = [line for line in plain.splitlines() if not re.fullmatch(r"[ ^]*\^", line)]
    assert [line.rstrip() for line in unpainted.splitlines()] == without_carets


def test_an_ascii_terminal_gets_ascii_signs() -> None:
    look = Look(ascii=True, names=results.NAMES)
    written("terminal", [results.near_miss(), results.unresolved()], look).encode("ascii")


def test_quiet_leaves_the_results_only() -> None:
    text = written("terminal", [results.near_miss()], Look(quiet=True, names=results.NAMES))
    assert text.splitlines()[0].split()[:2] == ["✗", "vaswani2017require"]
    assert "1 reference" not in text
