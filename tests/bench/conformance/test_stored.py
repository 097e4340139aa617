from pathlib import Path

import pytest

from hallmark.bench.conformance.cases import CASES
from hallmark.bench.conformance.guide import Result, read_result
from hallmark.bench.systems.external.rows import PREFIX, Tool, named, tools

STORED = Path(__file__).parents[3] / "docs" / "data" / "conformance"


def results() -> dict[str, Result]:
    found = [read_result(file.read_bytes()) for file in sorted(STORED.glob("*.json"))]
    return {result.system.removeprefix(PREFIX): result for result in found}


def usable() -> list[tuple[Tool, str]]:
    rows = [tool for _, tool in tools().items() if not tool.unusable]
    return [(tool, version) for tool in rows for version in tool.versions]


@pytest.mark.parametrize(
    ("tool", "version"), usable(), ids=lambda value: getattr(value, "name", value)
)
def test_every_usable_tool_has_an_outcome_of_every_test_by_the_row_of_today(
    tool: Tool, version: str
) -> None:
    result = results()[named(f"{tool.name}@{version}").name]
    assert result.settings["version"] == version
    assert result.settings["row_digest"] == tool.digest
    assert [finding.case for finding in result.findings] == [case.name for case in CASES]


def test_our_own_verifier_has_an_outcome_of_every_test() -> None:
    found = results()["hallmark"].findings
    assert [finding.case for finding in found] == [case.name for case in CASES]
