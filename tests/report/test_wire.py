import io
import json

import msgspec
import pytest

from hallmark.records.verdict import SUBTESTS, Result
from hallmark.report import wire
from hallmark.report.formats import FORMATS
from hallmark.report.interface import Look, RunInfo
from hallmark.report.summary import Tally
from tests.report import results

ROW = [
    "key",
    "file",
    "line",
    "status",
    "probability",
    "type",
    "subtests",
    "findings",
    "work",
    "suggestion",
    "sources",
]


def document() -> str:
    out, tally = io.StringIO(), Tally()
    report = FORMATS.get("json")(out, Look())
    report.begin(RunInfo(files=("paper.bib",)))
    for result in results.every_sort():
        tally.add(result)
        report.add(result)
    report.end(tally.summary())
    report.close()
    return out.getvalue()


def test_the_document_has_the_documented_keys_in_order() -> None:
    loaded = json.loads(document())
    assert list(loaded) == ["schema", "summary", "results"]
    assert all(list(row) == ROW for row in loaded["results"])


def test_every_row_has_all_six_subtests() -> None:
    for row in json.loads(document())["results"]:
        assert tuple(row["subtests"]) == SUBTESTS


def test_what_is_written_obeys_the_schema() -> None:
    decoded = msgspec.json.decode(document(), type=wire.Document)
    assert len(decoded.results) == decoded.summary.references == len(results.every_sort())


def test_the_schema_names_every_status() -> None:
    text = json.dumps(wire.schema())
    for status in ("verified", "contradicted", "not_found", "unresolved", "not_checked"):
        assert f'"{status}"' in text


@pytest.mark.parametrize("result", results.every_sort(), ids=lambda result: result.key)
def test_a_line_is_a_row_of_the_document(result: Result) -> None:
    out = io.StringIO()
    report = FORMATS.get("jsonl")(out, Look())
    report.begin(RunInfo(files=()))
    report.add(result)
    line = out.getvalue()
    assert line.count("\n") == 1
    assert msgspec.json.decode(line, type=wire.Row) == wire.row(result)


def test_json_lines_are_written_as_they_come() -> None:
    out = io.StringIO()
    report = FORMATS.get("jsonl")(out, Look())
    report.begin(RunInfo(files=()))
    for number, result in enumerate(results.every_sort(), start=1):
        report.add(result)
        assert out.getvalue().count("\n") == number
