"""Does every format hold the numbers, survive hostile names, and stand alone?"""

import csv
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lxml import html

from hallmark.bench.evaluation import Evaluation, evaluate
from hallmark.bench.report import FORMATS
from hallmark.bench.report.cells import UNDEFINED
from hallmark.bench.report.comparison import equals
from hallmark.bench.resample import Plan
from tests.bench.made import gold_row, said_row, write

HOSTILE = '=<script>alert("x")</script> \\input{x} | \x1b[31m & %_$'


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    folder = tmp_path_factory.mktemp("formats")
    rows: list[dict[str, Any]] = [gold_row(f"b{i}", "near_miss_title") for i in range(10)]
    rows += [
        gold_row(f"g{i}") | {"generation_method": HOSTILE, "source": HOSTILE} for i in range(10)
    ]
    gold = write(folder / "gold.jsonl", rows)
    answers = [
        said_row(row["bibtex_key"], "HALLUCINATED" if i % 3 else "UNCERTAIN")
        for i, row in enumerate(rows)
    ]
    return evaluate(
        write(folder / "p.jsonl", answers), gold, system=HOSTILE, plan=Plan(resamples=100)
    )


@pytest.mark.parametrize("name", FORMATS.names())
def test_every_format_shows_the_detection_rate_and_ends_with_a_line_break(
    made: Evaluation, name: str
) -> None:
    text = FORMATS.get(name)(made)
    assert text.endswith("\n")
    assert "0.6" in text


@pytest.mark.parametrize("name", FORMATS.names())
def test_no_format_lets_control_characters_through(made: Evaluation, name: str) -> None:
    assert "\x1b" not in FORMATS.get(name)(made)


def test_json_gives_back_the_whole_record(made: Evaluation) -> None:
    assert msgspec.json.decode(FORMATS.get("json")(made), type=Evaluation) == made


def test_csv_has_a_line_for_every_measure_and_no_formula(made: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(FORMATS.get("csv")(made))))
    values = {(r["group"], r["stance"], r["measure"]): r["value"] for r in rows}
    for stance, measures in made.stances.items():
        for name, estimate in measures.items():
            expected = "" if estimate.value is None else repr(estimate.value)
            assert values["all", stance, name] == expected
    assert all(not r["system"].startswith(("=", "+", "-", "@")) for r in rows)


def test_html_stands_alone_and_runs_nothing(made: Evaluation) -> None:
    page = html.fromstring(FORMATS.get("html")(made))
    assert not page.xpath("//script | //link | //img | //iframe | //@src | //@href")
    assert len(page.xpath("//svg")) == 3
    assert "<script>alert" in page.xpath("string(//h1)")


def test_latex_escapes_what_latex_would_run(made: Evaluation) -> None:
    text = FORMATS.get("latex")(made)
    assert r"\input{x}" not in text.split("\n", 1)[1]
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


def test_markdown_tables_keep_their_columns(made: Evaluation) -> None:
    lines = [x for x in FORMATS.get("markdown")(made).splitlines() if x.startswith("|")]
    widths = {line.replace(r"\|", "").count("|") for line in lines}
    assert widths == {5, 6}


def test_undefined_numbers_are_written_as_such(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [gold_row("a")])
    found = evaluate(write(tmp_path / "p.jsonl", [said_row("a", "VALID")]), gold, plan=Plan(50))
    assert "undefined" in FORMATS.get("text")(found)
    assert "nan" not in FORMATS.get("text")(found).lower()
    measures = json.loads(FORMATS.get("json")(found))["stances"]["selective"]
    assert measures["auroc"]["value"] is None


def test_html_leaves_out_columns_without_a_number(made: Evaluation) -> None:
    tables = html.fromstring(FORMATS.get("html")(made)).xpath("//table")
    heads = {table.xpath(".//th")[0].text: table.text_content() for table in tables}
    assert "FPR" not in heads["Type"]
    assert "FPR" in heads["Generation method"]


@pytest.mark.parametrize(
    ("p", "told"), [(0.0001, "< 0.001"), (0.0124, "= 0.012"), (None, f"= {UNDEFINED}")]
)
def test_a_p_value_has_one_sign_before_it(p: float | None, told: str) -> None:
    assert equals(p) == told
