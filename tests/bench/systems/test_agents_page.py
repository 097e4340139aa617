"""Does docs/agents.md say what the code does?"""

import re
import shlex
from pathlib import Path

import pytest

from hallmark.bench.systems.agent_specs import AGENTS, AgentSpec
from hallmark.bench.systems.llm_specs import AGENT_ROWS
from hallmark.bench.systems.source_tools import SOURCE_TOOLS, SearchArguments
from hallmark.bench.systems.specs import SYSTEMS
from hallmark.bench.systems.tool_cache import FILE
from hallmark.bench.systems.verifier_tool import NAME, VerifyArguments
from hallmark.cli.bench import COMMANDS
from hallmark.llm.agent import MOST_CALLS
from hallmark.llm.tools import LONGEST_FIELD

PAGE = (Path(__file__).parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", AGENTS, ids=lambda row: row.name)
def test_every_agent_has_its_row(row: AgentSpec) -> None:
    assert f"| `{row.name}` |" in PAGE


def test_every_tool_has_its_row() -> None:
    for name in (NAME, *(tool.name for tool in SOURCE_TOOLS)):
        assert f"| `{name}` |" in PAGE
    for argument in (*VerifyArguments.__struct_fields__, *SearchArguments.__struct_fields__):
        assert f"`{argument}`" in PAGE


def test_every_option_is_told() -> None:
    for spec in AGENT_ROWS:
        for option in spec.options:
            if option.name != "today":
                assert f"--option {option.name}=" in PAGE


def test_numbers_and_names_are_those_of_the_code() -> None:
    assert MOST_CALLS == 5
    assert "Five calls for one entry" in PAGE
    assert f"cut at {LONGEST_FIELD} characters" in PAGE
    assert f"`{FILE}`" in PAGE


def test_every_command_names_what_there_is() -> None:
    commands = re.findall(r"^\$ hallmark bench (.*)$", PAGE, re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        words = shlex.split(command)
        assert words[0] in COMMANDS
        assert words[0] != "run" or words[1] in SYSTEMS
