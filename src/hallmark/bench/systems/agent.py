"""What does a language model say of an entry when it may look things up?

The paper's agents (sections 5.2, B.2.4, G.2): a model with tools over live sources, or with our
verifier as its tool, optional or called for it beforehand; and a model that is shown our verifier's
evidence and asked once. Which is which is a row of `AGENTS`
(`agent_specs`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec
from msgspec import structs

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.agent_desk import Desk
from hallmark.bench.systems.agent_specs import AgentSpec
from hallmark.bench.systems.asking import (
    MEANINGS,
    TYPE_NAMES,
    Outcome,
    model_settings,
    outcome_of,
    without_sources,
)
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.opening import Opened
from hallmark.bench.systems.source_tools import SOURCE_TOOLS
from hallmark.bench.systems.verifier_tool import SPEC as VERIFIER
from hallmark.llm import interface as llm
from hallmark.llm.agent import MOST_CALLS, CallOutcome, Transcript, converse
from hallmark.llm.answers import Kind, Unreadable, read, schema
from hallmark.llm.estimate import Estimate, estimate
from hallmark.llm.loop import answered
from hallmark.llm.prompts.entry import NEUTRAL_KEY, values
from hallmark.llm.prompts.quoting import quoted
from hallmark.llm.prompts.template import Prompt
from hallmark.llm.tools import Told, clean, spec_of, texts_of

REPORT = "report"
_TYPICAL_RESULT = 2500
"""Characters of a tool's result, for estimates of what a run costs."""


class Agent:
    """A model that may look things up about each entry, several entries at a time.

    Args:
        row: which agent it is.
        spec: the model's row.
        opened: opens the model for one run.
        desk: opens the tools for one run.
        prompt: what it is asked, with all but the placeholders of the entry filled in.
        closing: what asks for the verdict when all calls are used.
        settings: what a manifest says of the tools.
        most_calls: calls for one entry.
        seed: sent where the model takes one.
        sample: the number of a repeated run; each asks anew.
    """

    def __init__(
        self,
        row: AgentSpec,
        spec: llm.ModelSpec,
        opened: Opened,
        desk: Callable[[], Desk],
        prompt: Prompt,
        closing: Prompt,
        *,
        settings: Mapping[str, Setting],
        most_calls: int = MOST_CALLS,
        seed: int = 42,
        sample: int = 0,
    ) -> None:
        self._row = row
        self._spec = spec
        self._opened = opened
        self._desk = desk
        self._prompt = prompt
        self._closing = closing
        self._settings = dict(settings)
        self._most_calls = most_calls if row.report != "instead" else 0
        self._seed = seed
        self._sample = sample
        self._digest = prompt.digest

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The model, the prompts by version and digest, the tools and what they ask."""
        return {
            **model_settings(self._spec),
            "prompt": self._prompt.name,
            "prompt_version": self._prompt.version,
            "prompt_sha256": self._digest,
            "closing_sha256": self._closing.digest,
            "citation_key": NEUTRAL_KEY,
            "tool_calls": self._most_calls,
            "sample": self._sample,
            **self._settings,
        }

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Ask about the entries, several at a time; answers come in order.

        Raises:
            ModelStopped: nothing more may be asked, a result is not kept offline, or three
                failures of the service followed one another.
        """
        if not entries:
            return
        desk = self._desk()
        with self._opened() as model:

            async def one(entry: BlindEntry) -> Outcome:
                return await self._ask(model, desk, entry)

            outcomes = answered(
                one,
                entries,
                self._spec.at_once,
                failed=lambda outcome: outcome.failed,
                ending=desk.aclose,
            )
            with closing(outcomes):  # what is under way comes in before the model is closed
                for outcome in outcomes:
                    yield outcome.prediction

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate:
        """Return what asking about these entries takes, from no call at all to all calls used."""
        most = estimate(
            (question for entry in entries for question in self._questions(entry)), self._spec
        )
        least = estimate((next(self._questions(entry)) for entry in entries), self._spec)
        return structs.replace(
            most,
            calls_least=least.calls,
            input_least=least.input_tokens,
            output_least=least.output_least,
            cost_least=least.cost_least,
        )

    def _questions(self, entry: BlindEntry) -> Iterator[llm.Request]:
        request = structs.replace(self._opening(entry, None), tools=self._offered())
        if self._row.report != "no":
            report = llm.User("x" * _TYPICAL_RESULT)
            request = structs.replace(request, messages=(*request.messages, report))
        for _ in range(self._most_calls + 1):
            yield request
            more = llm.ToolResult("call", "tool", "x" * _TYPICAL_RESULT)
            request = structs.replace(request, messages=(*request.messages, more))

    def _offered(self) -> tuple[llm.ToolSpec, ...]:
        looked_up = [spec_of(one.name, one.description, one.arguments) for one in SOURCE_TOOLS]
        return (*[VERIFIER] * self._row.verifier, *looked_up * self._row.sources)

    async def _ask(self, model: llm.Model, desk: Desk, entry: BlindEntry) -> Outcome:
        told = await desk.report(entry) if self._row.report != "no" else None
        tools = () if self._row.report == "instead" else desk.tools(entry)
        transcript = await converse(
            model,
            self._opening(entry, told),
            tools,
            closing=self._closing.user.strip("\n"),
            most_calls=self._most_calls,
        )
        shown = (*_shown_of(entry), *_shown_in(told), *transcript.shown)
        found = read(transcript.last, shown, TYPE_NAMES)
        if transcript.calls_refused:
            words = f"it made {transcript.calls_refused} calls in one reply; none was carried out"
            found = Unreadable(Kind.PARSE, words)
        elif isinstance(found, Unreadable):
            found = _named(found, transcript)
        extra = self._extra(transcript, told)
        outcome = outcome_of(entry, found, transcript.came, self._spec, extra)
        unanswered = transcript.count(CallOutcome.UNANSWERED)
        cut_off = unanswered and extra["answer_from"] == "memory"
        return without_sources(outcome, unanswered) if cut_off else outcome

    def _opening(self, entry: BlindEntry, told: Told | None) -> llm.Request:
        filled = self._prompt.filled(values(entry.bibtex_type, entry.fields, "bibtex"))
        user = filled.user.strip("\n")
        return llm.Request(
            messages=(llm.User(user if told is None else f"{user}\n\n{_block(told)}"),),
            system=filled.system.strip("\n"),
            schema=schema(MEANINGS) if self._prompt.own else None,
            seed=self._seed,
            sample=self._sample,
        )

    def _extra(self, transcript: Transcript, told: Told | None) -> dict[str, Any]:
        """Return what a prediction records of the conversation."""
        given = told is not None and told.answered
        return {
            "prompt_sha256": self._digest,
            "answer_from": "tool" if given or transcript.used_a_tool else "memory",
            "tools_used": list(transcript.tools()),
            "report_given": given,
            "turns": len(transcript.turns),
            "tool_calls": len(transcript.uses),
            "tool_calls_unanswered": transcript.count(CallOutcome.UNANSWERED),
            "tool_mistakes": transcript.mistakes,
            "transcript": transcript.record(),
        }


def _block(told: Told) -> str:
    """Return a report as a quoted block of data."""
    text = msgspec.json.format(msgspec.json.encode(clean(told.data)), indent=1).decode()
    return quoted(REPORT, text)


def _shown_of(entry: BlindEntry) -> tuple[str, ...]:
    return (values(entry.bibtex_type, entry.fields, "bibtex")["entry"],)


def _shown_in(told: Told | None) -> tuple[str, ...]:
    return () if told is None else (_block(told), *texts_of(clean(told.data)))


def _named(found: Unreadable, transcript: Transcript) -> Unreadable:
    """Say what happened where the model went on calling instead of answering."""
    last = transcript.last
    if isinstance(last, llm.Reply) and last.calls and found.kind is Kind.EMPTY:
        return Unreadable(found.kind, "it called a tool where only the verdict was left to give")
    return found
