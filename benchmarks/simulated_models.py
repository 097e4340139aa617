"""How does a language model behave whose faults are known?

A simulated model answers like a real one, over the same seam, and errs as its knobs say: how often
it flags false references of each type, how often true ones before and after its cutoff, how much it
overstates its confidence, whether it flags whatever one look-up misses, how often nobody can read
its reply. It sees the request alone. Which entry that is about, and what is true of it, it learns
from a table that the benchmark hands to it: a simulation of what a model has read. The verifier
never sees that table.

Every throw of the dice follows from the seed, the entry and what is thrown for, so that a model
answers the same however often, and in whichever order, it is asked.
"""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from hallmark.bench.entry import Entry, Label
from hallmark.llm.interface import (
    Failure,
    ModelSpec,
    Reply,
    Request,
    Stop,
    ToolCall,
    ToolResult,
    ToolSpec,
    Trouble,
    Usage,
    User,
)

EVIDENCE = ("<<<evidence", "<<<report")
"""Where the part of a prompt ends that describes the reference itself."""
_WORD = re.compile(r"\w+")
_CHARACTERS_A_TOKEN = 4


class Knobs(Struct, frozen=True, kw_only=True):
    """How a simulated model errs; shares are in [0, 1].

    Attributes:
        recall: share of false references that it flags.
        recall_by_type: the same for single types.
        false_alarms: share of true references up to its cutoff's year that it flags.
        past_false_alarms: the same by years past the cutoff; the last number holds for all later.
        abstains: share of answers that say UNCERTAIN.
        stated: the confidence that it states; None states how often such an answer of it is right.
        any_no_match: share of entries on which, having tools, it flags whatever one look-up misses.
        reads_records: share of entries on which, having tools and not obeying that rule, it goes by
            a record of the title: valid where authors and year stand in it too, else false.
        overrules: share of entries on which it follows its own opinion against a verdict that the
            prompt shows; on the others it repeats that verdict.
        unreadable: share of replies that nobody can read.
        fails: share of requests that come to nothing.
    """

    recall: float = 0.8
    recall_by_type: Mapping[str, float] = {}
    false_alarms: float = 0.1
    past_false_alarms: tuple[float, ...] = (0.7,)
    abstains: float = 0.0
    stated: float | None = None
    any_no_match: float = 1.0
    reads_records: float = 0.0
    overrules: float = 1.0
    unreadable: float = 0.0
    fails: float = 0.0


class SimulatedModel:
    """A model that errs as its knobs say.

    Args:
        spec: its row in the table of models; the cutoff decides what it cannot have read.
        knobs: how it errs.
        entries: what it may be asked about, with the truth.
        seed: of all dice.
    """

    def __init__(
        self, spec: ModelSpec, knobs: Knobs, entries: Iterable[Entry], seed: int = 0
    ) -> None:
        self._spec = spec
        self._knobs = knobs
        self._table = Table(entries)
        self._seed = seed
        self.asked = 0

    @property
    def spec(self) -> ModelSpec:
        """Its row in the table of models."""
        return self._spec

    async def ask(self, request: Request) -> Reply | Failure:
        """Answer one question: by look-ups first where there are tools, then with a label."""
        self.asked += 1
        entry = self._table.find(_shown(request))
        if entry is None:
            return self._reply(request, _answer(Label.UNCERTAIN, 0.5, None))
        if self._throw(entry, "fails") < self._knobs.fails:
            return Failure(Trouble.TIMEOUT, "no reply in time (simulated)")
        if self._throw(entry, "unreadable") < self._knobs.unreadable:
            return self._reply(request, "I looked at the reference and found it to be", Stop.LENGTH)
        results = [one for one in request.messages if isinstance(one, ToolResult)]
        calls = _calls(entry, request.tools) if not results else ()
        if calls:
            return Reply(text="", calls=calls, stop=Stop.TOOLS, usage=_usage(request, ""))
        return self._reply(request, self._said(entry, request, results))

    def _said(self, entry: Entry, request: Request, results: Sequence[ToolResult]) -> str:
        label = self._label(entry, request, results)
        kind = entry.hallucination_type if label is Label.HALLUCINATED else None
        return _answer(label, self._confidence(entry, label), kind)

    def _label(self, entry: Entry, request: Request, results: Sequence[ToolResult]) -> Label:
        knobs = self._knobs
        obeys = self._throw(entry, "obeys") < knobs.any_no_match
        if results and obeys and not all(_holds(one, entry) for one in results):
            return Label.HALLUCINATED
        if results and self._throw(entry, "reads") < knobs.reads_records:
            read = _read(results, entry)
            if read is not None:
                return read
        verdict = _verdict_shown(request)
        settled = verdict in {Label.VALID, Label.HALLUCINATED}
        if verdict is not None and settled and self._throw(entry, "overrules") >= knobs.overrules:
            return verdict
        return self._opinion(entry)

    def _opinion(self, entry: Entry) -> Label:
        """Return what it takes an entry for when nobody helps it."""
        if self._throw(entry, "abstains") < self._knobs.abstains:
            return Label.UNCERTAIN
        flags = self._throw(entry, "flags") < self._flag_rate(entry)
        return Label.HALLUCINATED if flags else Label.VALID

    def _flag_rate(self, entry: Entry) -> float:
        """Return the share of such entries that it flags; what is past its cutoff looks false."""
        false_alarms = self._false_alarms(entry)
        if entry.label is Label.VALID:
            return false_alarms
        kind = str(entry.hallucination_type or "")
        known = self._knobs.recall_by_type.get(kind, self._knobs.recall)
        return max(known, false_alarms) if self._years_past(entry) > 0 else known

    def _false_alarms(self, entry: Entry) -> float:
        past = self._years_past(entry)
        if past <= 0:
            return self._knobs.false_alarms
        rates = self._knobs.past_false_alarms
        return rates[min(past, len(rates)) - 1]

    def _years_past(self, entry: Entry) -> int:
        """Return by how many years an entry is younger than the training data, 0 at least."""
        year = re.search(r"\d{4}", entry.fields.get("year", ""))
        cutoff = self._spec.cutoff[:4]
        if year is None or not cutoff:
            return 0
        return max(0, int(year[0]) - int(cutoff))

    def _confidence(self, entry: Entry, label: Label) -> float:
        if label is Label.UNCERTAIN:
            return 0.5
        if self._knobs.stated is not None:
            return self._knobs.stated
        flags, alarms = self._knobs.recall, self._false_alarms(entry)
        right, wrong = (flags, alarms) if label is Label.HALLUCINATED else (1 - alarms, 1 - flags)
        return round(right / (right + wrong), 2) if right + wrong else 0.5

    def _throw(self, entry: Entry, what: str) -> float:
        """Return a number in [0, 1) that follows from the seed, the model, the entry and `what`."""
        fields = json.dumps(entry.fields, sort_keys=True)
        seed = f"{self._seed}|{self._spec.name}|{entry.bibtex_key}|{fields}|{what}"
        return random.Random(seed).random()

    def _reply(self, request: Request, text: str, stop: Stop = Stop.END) -> Reply:
        return Reply(text=text, stop=stop, usage=_usage(request, text), model=self._spec.id)


class Table:
    """Which entry a text describes: the one whose words it holds, title first."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_title: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            self._by_title[_bare(entry.fields.get("title", ""))].append(entry)
        self._titles = sorted(filter(None, self._by_title), key=len, reverse=True)

    def find(self, text: str) -> Entry | None:
        """Return the entry; None where no title occurs in the text."""
        bare, words = _bare(text), _words(text)
        found = [title for title in self._titles if title in bare]
        if not found:
            return None
        first = [one for title in found if len(title) == len(found[0])
                 for one in self._by_title[title]]  # fmt: skip
        return max(first, key=lambda one: _likeness(one, words))


def _likeness(entry: Entry, words: frozenset[str]) -> float:
    """Return how well an entry's fields are all in a text, in [0, 1]: the mean over the fields."""
    shares = []
    for name, value in entry.fields.items():
        own = _words(value)
        if own and name != "url":
            shares.append(len(own & words) / len(own))
    return sum(shares) / len(shares) if shares else 0.0


def _bare(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _shown(request: Request) -> str:
    """Return what a request's first message says of the reference itself."""
    text = next((one.text for one in request.messages if isinstance(one, User)), "")
    ends = [at for mark in EVIDENCE if (at := text.find(mark)) > 0]
    return text[: min(ends)] if ends else text


_VERDICTS = {
    "a record of this work was found, and agrees": Label.VALID,
    "a record disagrees with the reference": Label.HALLUCINATED,
    "no record was found where one is to be expected": Label.HALLUCINATED,
    "not settled": Label.UNCERTAIN,
    "not checked": Label.UNCERTAIN,
}
"""What our verifier's tool says in words, and the label that it stands for."""


def _verdict_in(text: str) -> Label | None:
    """Return what a verdict of our verifier stands for, None where a text holds none."""
    found = (label for words, label in _VERDICTS.items() if f'"result": "{words}' in text
             or f'"result":"{words}' in text)  # fmt: skip
    return next(found, None)


def _verdict_shown(request: Request) -> Label | None:
    """Return what the last verdict in the prompt or in a tool's answer stands for."""
    told = (_verdict_in(getattr(one, "text", "")) for one in reversed(request.messages))
    return next((label for label in told if label is not None), None)


def _calls(entry: Entry, tools: Sequence[ToolSpec]) -> tuple[ToolCall, ...]:
    """Return a look-up with every tool, by the arguments that its schema asks for."""
    calls = []
    for number, tool in enumerate(tools):
        wanted = tool.parameters.get("properties", {})
        given = {name: value for name in wanted if (value := _argument(entry, name))}
        if all(name in given for name in tool.parameters.get("required", ())):
            calls.append(ToolCall(f"call-{number}", tool.name, json.dumps(given)))
    return tuple(calls)


def _argument(entry: Entry, name: str) -> str:
    if name == "doi":
        return entry.fields.get("doi", "")
    if name in {"query", "title"}:
        return entry.fields.get("title", "")
    if name in {"bibtex", "entry", "reference"}:
        fields = "".join(f"  {key} = {{{value}}},\n" for key, value in entry.fields.items())
        return f"@{entry.bibtex_type}{{{entry.bibtex_key},\n{fields}}}"
    return ""


def _holds(result: ToolResult, entry: Entry) -> bool:
    """Whether a look-up's result has the entry's title, or calls it verified."""
    title = _bare(entry.fields.get("title", ""))
    verdict = _verdict_in(result.text)
    if verdict is not None:
        return verdict is Label.VALID
    return bool(title) and title in _bare(result.text)


def _read(results: Sequence[ToolResult], entry: Entry) -> Label | None:
    """Return what records of the title say of authors and year; None where there is no record."""
    named = [_words(one.text) for one in results if _holds(one, entry)]
    if not named:
        return None
    people = [word for word in _words(entry.fields.get("author", "")) if word.isalpha()]
    claimed = frozenset([word for word in people if len(word) > 3] + [entry.fields.get("year", "")])
    return Label.VALID if any(claimed <= words for words in named) else Label.HALLUCINATED


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _answer(label: Label, confidence: float, kind: str | None) -> str:
    return json.dumps({
        "label": str(label),
        "confidence": confidence,
        "type": kind,
        "predicted_hallucination_type": kind,
        "reason": "simulated",
    })  # fmt: skip


def _usage(request: Request, text: str) -> Usage:
    said = sum(len(getattr(one, "text", "")) for one in request.messages) + len(request.system)
    return Usage(input=said // _CHARACTERS_A_TOKEN, output=len(text) // _CHARACTERS_A_TOKEN)
