"""Which agents are there?

A row is an agent: its prompt, the tools that it has, and what it is given beforehand.
"""

from typing import Literal

from msgspec import Struct

Given = Literal["no", "before", "instead"]
"""Whether our verifier's report is shown beforehand, and whether in the place of any tool."""


class AgentSpec(Struct, frozen=True, kw_only=True):
    """A row of the table of agents.

    Attributes:
        name: of the system.
        prompt: the name of its prompt.
        summary: a sentence for `bench systems`.
        sources: whether it has the tools over live sources.
        verifier: whether it has our verifier as a tool.
        report: whether the verifier's report is given beforehand, or instead of all tools.
    """

    name: str
    prompt: str
    summary: str
    sources: bool = False
    verifier: bool = False
    report: Given = "no"

    @property
    def needs_verifier(self) -> bool:
        """Whether the verifier is asked at all."""
        return self.verifier or self.report != "no"


AGENTS = (
    AgentSpec(
        name="agent-sources",
        prompt="agent-sources",
        summary="a model with five calls of DOI look-ups and searches; the paper's agent",
        sources=True,
    ),
    AgentSpec(
        name="agent-sources-careful",
        prompt="agent-sources-careful",
        summary="the same, told that one source's absence is no evidence",
        sources=True,
    ),
    AgentSpec(
        name="agent-hallmark",
        prompt="agent-hallmark",
        summary="a model that may call our verifier, and need not believe it",
        verifier=True,
    ),
    AgentSpec(
        name="agent-hallmark-always",
        prompt="agent-hallmark-always",
        summary="the same, with our verifier called beforehand",
        verifier=True,
        report="before",
    ),
    AgentSpec(
        name="agent-all",
        prompt="agent-sources-careful",
        summary="a careful model with live sources and our verifier as tools",
        sources=True,
        verifier=True,
    ),
    AgentSpec(
        name="tool-augmented",
        prompt="tool-augmented",
        summary="a model that is shown our verifier's evidence and asked once, without tools",
        report="instead",
    ),
    AgentSpec(
        name="always-call",
        prompt="always-call",
        summary="the same, told to trust itself more; the paper's combination, a baseline",
        report="instead",
    ),
)
"""The agents, in the order of `bench systems`."""
