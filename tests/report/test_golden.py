"""What reports look like; write the files anew with HALLMARK_GOLDEN=write."""

import os
from pathlib import Path

import pytest

from hallmark.report.interface import Look
from tests.report import results
from tests.report.test_conformance import written

GOLDEN = Path(__file__).parent.parent / "golden"
LOOKS = {
    "terminal.txt": ("terminal", Look(names=results.NAMES)),
    "terminal_colour.txt": ("terminal", Look(colour=True, names=results.NAMES)),
    "terminal_narrow.txt": ("terminal", Look(width=50, ascii=True, names=results.NAMES)),
    "report.md": ("markdown", Look(names=results.NAMES)),
    "report.json": ("json", Look(names=results.NAMES)),
    "report.jsonl": ("jsonl", Look(names=results.NAMES)),
}
QUEUES = {
    "queue.txt": "terminal",
    "queue.md": "markdown",
    "queue.json": "json",
    "queue.jsonl": "jsonl",
}


@pytest.mark.parametrize("file", QUEUES)
def test_a_report_with_a_queue_looks_as_it_did(file: str) -> None:
    rows = [results.invented(), results.unresolved(), results.verified()]
    must_equal(written(QUEUES[file], rows, Look(names=results.NAMES), results.queue()), file)


@pytest.mark.parametrize("file", LOOKS)
def test_a_report_looks_as_it_did(file: str) -> None:
    name, look = LOOKS[file]
    must_equal(written(name, [*results.every_sort(), results.hostile()], look), file)


def must_equal(text: str, file: str) -> None:
    path = GOLDEN / file
    if os.environ.get("HALLMARK_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
