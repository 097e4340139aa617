"""Does the page on prompts show all that a model is asked with?"""

from hallmark.bench.systems.agent_specs import AGENTS
from hallmark.llm.prompts.catalogue import names, shipped
from hallmark.study.document import as_markdown
from hallmark.study.prompts_guide import asked_by, page

BASES = {"agent"}
"""What no model is asked with as it stands."""


def test_every_prompt_stands_whole_on_the_page_with_who_asks_it() -> None:
    text = as_markdown(page())
    for name in set(names()) - BASES:
        prompt = shipped(name)
        assert prompt.digest in text, name
        assert prompt.system.strip() in text, name
        assert prompt.user.strip() in text, name
        assert asked_by(name)


def test_every_agent_is_named_beside_its_prompt() -> None:
    for row in AGENTS:
        assert row.name in asked_by(row.prompt).split(", ")
