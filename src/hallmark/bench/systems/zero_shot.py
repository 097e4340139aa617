"""What does a language model say of an entry when it is asked once, without any tool?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from msgspec import Struct, structs

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.asking import (
    MEANINGS,
    TYPE_NAMES,
    Outcome,
    model_settings,
    outcome_of,
)
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.opening import Opened, opener, packages_missing
from hallmark.bench.systems.spec import Request
from hallmark.errors import InputError
from hallmark.llm import interface as llm
from hallmark.llm.answers import read, schema
from hallmark.llm.estimate import Estimate, estimate
from hallmark.llm.loop import answered
from hallmark.llm.models import find
from hallmark.llm.prompts.catalogue import list_types, month_in_words, read_prompt, variant
from hallmark.llm.prompts.entry import NEUTRAL_KEY, SHAPES, Shape, read_parts, values
from hallmark.llm.prompts.template import Prompt, ready


class Contract(Struct, frozen=True):
    """What form of answer is asked for.

    `schema` gives the JSON schema that goes with a prompt, None for none. `outcome` says what came
    of a question; its last argument is what goes into the row.
    """

    schema: Callable[[Prompt], dict[str, object] | None]
    outcome: Callable[[BlindEntry, llm.Reply | llm.Failure, llm.ModelSpec, dict[str, Any]], Outcome]


def _verdict(
    entry: BlindEntry, came: llm.Reply | llm.Failure, spec: llm.ModelSpec, extra: dict[str, Any]
) -> Outcome:
    shown = values(entry.bibtex_type, entry.fields, "bibtex")
    found = read(came, (shown["entry"],), TYPE_NAMES)
    return outcome_of(entry, found, (came,), spec, extra)


def _schema_of(prompt: Prompt) -> dict[str, object] | None:
    """Return the schema for prompts of ours; a user's own may ask for another form."""
    if not prompt.own:
        return None
    return schema(MEANINGS if MEANINGS.keys() <= _words(prompt.system) else ())


VERDICT = Contract(_schema_of, _verdict)
"""The contract of all systems of the benchmark: a label, with a confidence and a reason."""


class ZeroShot:
    """A model that is asked once about each entry, several entries at a time.

    Args:
        spec: the model's row.
        opened: opens the model.
        prompt: what it is asked, with all but the placeholders of the entry filled in.
        shape: what is shown of an entry.
        without: names of parts that are not shown.
        sample: the number of a repeated run; each asks anew.
        seed: sent where the model takes one.
        contract: the form of its answers.
        kept: opens what is kept of the model's replies; None where nobody needs to know.
    """

    def __init__(
        self,
        spec: llm.ModelSpec,
        opened: Opened,
        prompt: Prompt,
        *,
        shape: Shape = "bibtex",
        without: Sequence[str] = (),
        sample: int = 0,
        seed: int = 42,
        contract: Contract = VERDICT,
        kept: Opened | None = None,
    ) -> None:
        self._kept = kept
        self._spec = spec
        self._opened = opened
        self._prompt = prompt
        self._shape: Shape = shape
        self._without = tuple(without)
        self._sample = sample
        self._seed = seed
        self._digest = prompt.digest
        self._contract = contract
        self._schema = contract.schema(prompt)

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The model, the prompt by name, version and digest, and what is shown."""
        return {
            **model_settings(self._spec),
            "prompt": self._prompt.name,
            "prompt_version": self._prompt.version,
            "prompt_sha256": self._digest,
            "input": self._shape,
            "citation_key": NEUTRAL_KEY,
            "without": ",".join(self._without),
            "sample": self._sample,
        }

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Ask about the entries, several at a time; answers come in order.

        Raises:
            ModelStopped: nothing more may be asked, or three failures followed one another.
        """
        if not entries:
            return
        with self._opened() as model:

            async def one(entry: BlindEntry) -> Outcome:
                return await self._ask(model, entry)

            outcomes = answered(
                one, entries, self._spec.at_once, failed=lambda outcome: outcome.failed
            )
            with closing(outcomes):  # what is under way comes in before the model is closed
                for outcome in outcomes:
                    yield outcome.prediction

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate:
        """Return what asking about these entries takes."""
        return estimate((self.request(entry) for entry in entries), self._spec)

    def unkept(self, entries: Sequence[BlindEntry]) -> Sequence[BlindEntry]:
        """Return the entries to which no reply is kept; all of them where that cannot be told."""
        if self._kept is None:
            return entries
        try:
            with self._kept() as model:
                known = getattr(model, "keeps", None)
                return [one for one in entries if known is None or not known(self.request(one))]
        except InputError:
            return entries

    def request(self, entry: BlindEntry) -> llm.Request:
        """Return the question about an entry."""
        filled = self._prompt.filled(
            values(entry.bibtex_type, entry.fields, self._shape, self._without)
        )
        return llm.Request(
            messages=(llm.User(filled.user.strip("\n")),),
            system=filled.system.strip("\n"),
            schema=self._schema,
            seed=self._seed,
            sample=self._sample,
        )

    async def _ask(self, model: llm.Model, entry: BlindEntry) -> Outcome:
        came = await model.ask(self.request(entry))
        return self._contract.outcome(entry, came, self._spec, {"prompt_sha256": self._digest})


def zero_shot_system(request: Request, variant_name: str, *, shape: str, without: str) -> ZeroShot:
    """Return the system that a run asks for.

    Args:
        request: with the model, and perhaps a file of a prompt, which takes the variant's place.
        variant_name: one of our prompts.
        shape: bibtex or fields.
        without: parts that are left out, separated by commas.

    Raises:
        InputError: the model, the prompt or an option cannot be used.
        UnknownName: there is no such model, or no such part.
    """
    spec = find(request.model)
    kept = structs.replace(request, offline=True, spent=None)
    prompt = read_prompt(request.prompt) if request.prompt else variant(variant_name)
    return ZeroShot(
        spec,
        opener(request, spec),
        ready_for(prompt, spec, request.today),
        shape=_shape(shape),
        without=read_parts(without),
        sample=request.sample,
        seed=request.seed,
        kept=None if packages_missing({}) else opener(kept, spec),
    )


def ready_for(prompt: Prompt, spec: llm.ModelSpec, today: str) -> Prompt:
    """Return a prompt with everything filled in that is the same for all entries.

    Raises:
        InputError: it does not show the entry, or needs what is not known of the model.
    """
    return ready(
        prompt,
        {
            "types": list_types(MEANINGS),
            "type_names": ", ".join(MEANINGS),
            "cutoff": month_in_words(spec.cutoff),
            "today": today,
        },
    )


def _words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())


def _shape(text: str) -> Shape:
    for shape in SHAPES:
        if shape == text:
            return shape
    raise InputError(f"The option input is {text!r}; give {' or '.join(SHAPES)}.")
