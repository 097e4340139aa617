from hallmark.bench.conformance.guide import page, read_result
from hallmark.bench.conformance.judged import Outcome
from hallmark.bench.conformance.report import as_json
from hallmark.bench.conformance.run import Finding
from hallmark.bench.systems.external.rows import tools

FOUND = [
    Finding(
        case="outage-real", outcome=Outcome.FAIL, question="q", right="r", why="w", seen="a | b\x1b"
    )
]
SETTINGS = {"version": "1.2", "index_records": 5}


def test_what_conformance_wrote_is_what_the_page_shows() -> None:
    result = read_result(as_json("tool:t", FOUND, SETTINGS, "2026-12-02T10:00:00").encode())
    text = page([tool for _, tool in tools().items()], result, [result])
    assert "| tool:t | 1.2 | fail |" in text
    assert "2026-12-02" in text
    assert "\x1b" not in text
    assert "a &#124; b" in text


def test_the_page_names_every_tool_and_every_status() -> None:
    result = read_result(as_json("tool:t", FOUND, SETTINGS, "2026-12-02").encode())
    rows = [tool for _, tool in tools().items()]
    text = page(rows, result, [])
    for tool in rows:
        assert f"| {tool.name} |" in text
        for status in tool.statuses:
            assert f"| `{status.native}` | {status.label} |" in text
