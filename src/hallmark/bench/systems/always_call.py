"""What does a model say that is shown our verifier's verdict and has the last word?

The paper's always-call combination, with our verifier in the place of its own. It is a baseline: it
shows what is lost where a model may overrule a record.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from hallmark.assist.question import as_json
from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.asking import TYPE_NAMES, Outcome, model_settings, outcome_of
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.stages import MODEL, FirstStage, Judged, staged
from hallmark.bench.systems.zero_shot import Opened
from hallmark.llm import interface as llm
from hallmark.llm.answers import read, schema
from hallmark.llm.loop import answered
from hallmark.llm.prompts.entry import values
from hallmark.llm.prompts.quoting import quoted
from hallmark.llm.prompts.template import Prompt

_MOST_FINDINGS = 10


class AlwaysCall:
    """A model that is asked about every entry and told what the verifier says of it.

    Args:
        first: the verifier.
        spec: the model's row.
        opened: opens the model.
        prompt: what it is asked, with all but the placeholders of the entry filled in.
        seed: sent where the model takes one.
        sample: the number of a repeated run; each asks anew.
    """

    def __init__(
        self,
        first: FirstStage,
        spec: llm.ModelSpec,
        opened: Opened,
        prompt: Prompt,
        *,
        seed: int = 42,
        sample: int = 0,
    ) -> None:
        self._first = first
        self._spec = spec
        self._opened = opened
        self._prompt = prompt
        self._seed = seed
        self._sample = sample

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The verifier's, the model, and the prompt by version and digest."""
        return {
            **self._first.settings,
            **model_settings(self._spec),
            "prompt": self._prompt.name,
            "prompt_version": self._prompt.version,
            "prompt_sha256": self._prompt.digest,
            "sample": self._sample,
        }

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Ask about the entries, several at a time; answers come in order."""
        if not entries:
            return
        with self._opened() as model:

            async def one(judged: Judged) -> Outcome:
                return await self._ask(model, judged)

            outcomes = answered(
                one,
                self._first.judged(entries),
                self._spec.at_once,
                failed=lambda outcome: outcome.failed,
            )
            for outcome in outcomes:
                yield outcome.prediction

    async def _ask(self, model: llm.Model, judged: Judged) -> Outcome:
        entry, verdict = _blocks(judged)
        filled = self._prompt.filled(
            values(judged.entry.bibtex_type, judged.entry.bibtex_key, judged.entry.fields, "bibtex")
        )
        request = llm.Request(
            messages=(llm.User(f"{filled.user.strip()}\n\n{verdict}"),),
            system=filled.system.strip(),
            schema=schema(dict.fromkeys(TYPE_NAMES.values())),
            seed=self._seed,
            sample=self._sample,
        )
        came = await model.ask(request)
        found = read(came, (entry, verdict), TYPE_NAMES)
        outcome = outcome_of(judged.entry, found, (came,), self._spec)
        told = staged(outcome.prediction, MODEL, first=judged.result.status)
        return structs.replace(outcome, prediction=told)


def _blocks(judged: Judged) -> tuple[str, str]:
    """Return the two texts of others that the model is shown: the entry, and the verdict."""
    entry = judged.entry
    shown = values(entry.bibtex_type, entry.bibtex_key, entry.fields, "bibtex")["entry"]
    return shown, quoted("verdict", as_json(verdict_of(judged)))


def verdict_of(judged: Judged) -> dict[str, Any]:
    """Return the verdict as the model is shown it."""
    verdict = judged.result.verdict
    return {
        "status": judged.result.status,
        "type": verdict.type,
        "reason": verdict.reason,
        "findings": [
            {"severity": str(one.severity), "message": one.message}
            for one in verdict.findings[:_MOST_FINDINGS]
        ],
        "sources": [{"name": one.name, "outcome": one.outcome} for one in judged.result.sources],
    }
