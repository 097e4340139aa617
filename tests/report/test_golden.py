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


@pytest.mark.parametrize("file", LOOKS)
def test_a_report_looks_as_it_did(file: str) -> None:
    name, look = LOOKS[file]
    text = written(name, [*results.every_sort(), results.hostile()], look)
    path = GOLDEN / file
    if os.environ.get("HALLMARK_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
