"""Does a person see all of a question?"""

from msgspec import structs

from hallmark.llm.interface import Assistant, Request, ToolCall, ToolResult, ToolSpec, User
from hallmark.llm.models import find
from hallmark.llm.shown import lines

SPEC = structs.replace(find("gpt-5.1"), structured="schema")
ASKED = Request(
    system="Judge.\n  Well.",
    messages=(
        User("Is it real?"),
        Assistant("I look.", calls=(ToolCall("1", "look", "{}"),)),
        ToolResult("1", "look", "Nothing."),
    ),
    tools=(ToolSpec("look", "Looks.", {"type": "object"}),),
    schema={"type": "object"},
)


def test_every_part_stands_under_its_name_and_keeps_its_lines() -> None:
    shown = list(lines(ASKED, SPEC))
    heads = [line for line in shown if line.startswith("---")]
    assert heads == [
        "--- system ---", "--- user ---", "--- assistant ---", "--- result of look ---",
        "--- tool look ---", "--- form of the answer ---",
    ]  # fmt: skip
    assert shown[1:3] == ["Judge.", "  Well."]
    assert "Nothing." in shown


def test_a_form_that_is_not_sent_is_not_shown() -> None:
    shown = list(lines(ASKED, structs.replace(SPEC, structured="none")))
    assert "--- form of the answer ---" not in shown
