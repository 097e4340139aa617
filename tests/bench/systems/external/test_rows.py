import re

import pytest

from hallmark.bench.entry import Label
from hallmark.bench.systems.external.rows import JsonForm, TextForm, Tool, decode, named, tools
from hallmark.errors import InputError, UnknownName

ROW = """
name = "t"
package = "t"
versions = ["2.0", "1.0"]
summary = "s"
[output]
form = "json"
key = "key"
status = [["status"]]
"""
STATUS = '[[statuses]]\nnative = "{}"\nlabel = "{}"\nwhy = "w"\n'


def test_every_shipped_row_can_be_read_and_is_named_after_its_file() -> None:
    assert {"bibtex-updater", "harcx", "paper-preflight"} <= set(tools().names())
    assert all(name == tool.name for name, tool in tools().items())


@pytest.mark.parametrize("tool", [t for _, t in tools().items()], ids=lambda t: t.name)
def test_a_shipped_row_says_how_a_tool_is_called_or_why_it_cannot_be(tool: Tool) -> None:
    if tool.unusable:
        return
    assert tool.versions
    assert tool.program
    assert any("{bib}" in part for part in tool.arguments)
    assert tool.output is not None
    assert all(status.why for status in tool.statuses)


@pytest.mark.parametrize(
    "tool", [t for _, t in tools().items() if not t.unusable], ids=lambda t: t.name
)
def test_a_shipped_row_knows_of_confirmation_and_of_complaint(tool: Tool) -> None:
    assert {Label.VALID, Label.HALLUCINATED} <= {status.label for status in tool.statuses}


@pytest.mark.parametrize("tool", [t for _, t in tools().items()], ids=lambda t: t.name)
def test_the_patterns_of_a_text_form_have_the_groups_that_are_read(tool: Tool) -> None:
    if isinstance(tool.output, TextForm):
        entry = re.compile(tool.output.entry).groupindex
        status = re.compile(tool.output.status).groupindex if tool.output.status else entry
        assert "key" in entry
        assert "status" in status


@pytest.mark.parametrize("tool", [t for _, t in tools().items()], ids=lambda t: t.name)
def test_a_shipped_row_looks_for_outages_only_where_the_tool_can_abstain(tool: Tool) -> None:
    assert not tool.outage or Label.UNCERTAIN in {status.label for status in tool.statuses}


def test_the_digest_of_a_row_stands_for_what_decides_and_not_for_its_words() -> None:
    row = decode(ROW + STATUS.format("ok", "VALID"), "t.toml")
    words = (ROW + STATUS.format("ok", "VALID")).replace('"w"', '"v"').replace('"s"', '"r"')
    assert decode(words, "t.toml").digest == row.digest
    assert decode(ROW + STATUS.format("ok", "UNCERTAIN"), "t.toml").digest != row.digest
    batch = decode("batch = 7" + ROW + STATUS.format("ok", "VALID"), "t.toml")
    assert batch.digest != row.digest


def test_the_first_version_is_the_default_and_needs_no_name() -> None:
    assert named("bibtex-updater").name == "bibtex-updater"
    assert named("bibtex-updater@1.2.0").name == "bibtex-updater@1.2.0"
    assert named("bibtex-updater@1.2.0").version == "1.2.0"


def test_an_unknown_tool_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="bibtex-updater"):
        named("bibtexupdater")


@pytest.mark.parametrize("version", ["", "../../x", "latest", "1 2", "1/2"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(InputError, match="no version"):
        named(f"harcx@{version}")


def test_a_row_is_read_with_its_statuses() -> None:
    tool = decode(ROW + STATUS.format("ok", "VALID"), "t.toml")
    status = tool.status("ok")
    assert isinstance(tool.output, JsonForm)
    assert status is not None
    assert status.label is Label.VALID
    assert tool.status("OK") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = 3", "no row of a tool"),
        ("not toml at all", "no row of a tool"),
        (ROW + STATUS.format("ok", "VALID") * 2, "twice"),
        (ROW + STATUS.format("ok", "GOOD"), "no row of a tool"),
        ('silence = "ok"\n' + ROW, "none of its statuses"),
        ('surprise = "x"\n' + ROW, "surprise"),
    ],
)
def test_a_row_that_cannot_be_used_is_told(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        decode(text, "t.toml")
