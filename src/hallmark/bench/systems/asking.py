"""What prediction does a model's answer make, and what did it take?

Every system that asks a model shares this: an answer that cannot be read is ERROR with its kind,
never an abstention; the label, confidence and type are the model's own; what was spent is that of
all calls for the entry, whether they were asked now or kept from before.
"""

from collections.abc import Sequence
from typing import Any, assert_never

import msgspec
from msgspec import Struct

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import Setting, fail
from hallmark.bench.taxonomy import ALIASES, TAXONOMY, HallucinationType
from hallmark.llm.answers import OF_SERVICE, Answer, Unreadable
from hallmark.llm.estimate import cost
from hallmark.llm.interface import Failure, ModelSpec, Reply

SOURCES = "sources"
"""The kind of error of an entry none of whose look-ups was answered, since the sources failed."""

LONGEST_REPLY = 2000
"""Characters of a raw reply that a prediction keeps."""
NO_LEAN = 0.5
"""Confidence of an abstention that leans to no side."""

TYPE_NAMES: dict[str, str] = {
    **{kind.value: kind.value for kind in HallucinationType},
    **{alias: kind.value for alias, kind in ALIASES.items()},
}
"""Every spelling of a type that a model may use, and the type's name."""

MEANINGS: dict[str, str] = {kind.value: info.description for kind, info in TAXONOMY.items()}
"""The types and their one-line meanings, as prompts list them."""


class Outcome(Struct, frozen=True):
    """A prediction, and whether the service failed for it; `detail` is what went wrong."""

    prediction: Prediction
    failed: bool = False
    detail: str = ""


def outcome_of(
    entry: BlindEntry,
    read: Answer | Unreadable,
    calls: Sequence[Reply | Failure],
    spec: ModelSpec,
    extra: dict[str, Any] | None = None,
) -> Outcome:
    """Return what a model's answer means for the benchmark.

    Args:
        entry: the entry that was asked about.
        read: the answer, or why there is none.
        calls: everything that came back for this entry, in order.
        spec: the model, for its prices.
        extra: what the system adds to the row, such as the digest of its prompt.
    """
    prediction = with_costs(prediction_of(entry, read), calls, spec, extra or {})
    match read:
        case Answer():
            return Outcome(prediction)
        case Unreadable(kind, detail):
            return Outcome(prediction, kind in OF_SERVICE, f"{kind}: {storable(detail)}")
        case _ as never:
            assert_never(never)


def prediction_of(entry: BlindEntry, read: Answer | Unreadable) -> Prediction:
    """Return the label that an answer gives, or ERROR with the kind of what cannot be read."""
    match read:
        case Answer():
            return _committed(entry, read)
        case Unreadable(kind, detail):
            failure = fail(entry, f"{kind}: {storable(detail)}")
            return msgspec.structs.replace(failure, extra={"error": kind.value})
        case _ as never:
            assert_never(never)


def is_of_service(prediction: Prediction) -> bool:
    """Tell whether a row is an error of the model's service or of the sources that it looked into.

    Asking again may mend such a row.
    """
    error = prediction.extra.get("error")
    return prediction.label is Label.ERROR and error in {SOURCES, *OF_SERVICE}


def without_sources(outcome: Outcome, unanswered: int) -> Outcome:
    """Return the outcome of an entry about which a model looked things up and learnt nothing.

    Args:
        outcome: what the model's answer came to; one that is an error already stays as it is.
        unanswered: how many look-ups failed, all of them for want of the sources.
    """
    given = outcome.prediction
    if given.label is Label.ERROR:
        return outcome
    said = f"the model then said {given.label} from memory"
    failed = fail(given, f"{SOURCES}: none of {unanswered} look-ups was answered; {said}")
    kept = {"error": SOURCES, "label_from_memory": str(given.label)}
    return Outcome(
        msgspec.structs.replace(
            failed,
            seconds=given.seconds,
            calls=given.calls,
            cost=given.cost,
            extra={**given.extra, **kept},
        )
    )


def model_settings(spec: ModelSpec) -> dict[str, Setting]:
    """Return what a manifest says of a model: all that decides its answers, and no key."""
    return {
        "model": spec.name,
        "model_id": spec.id,
        "provider": spec.provider,
        "base_url": spec.base_url,
        "temperature": spec.temperature,
        "max_tokens": spec.max_tokens,
        "effort": spec.effort,
        "structured": spec.structured,
        "cutoff": spec.cutoff,
    }


def storable(text: str, longest: int = LONGEST_REPLY) -> str:
    """Return the beginning of a text as every file can hold it: no half characters."""
    return text[:longest].encode("utf-8", "replace").decode("utf-8")


def _committed(entry: BlindEntry, answer: Answer) -> Prediction:
    label = Label(answer.label)
    lean = Label(answer.lean) if answer.lean else None
    aside = label is Label.UNCERTAIN and lean is None
    extra: dict[str, Any] = {}
    if aside:
        extra["stated_confidence"] = answer.confidence
    if answer.unknown_type:
        extra["unknown_type"] = storable(answer.unknown_type)
    if answer.candidates > 1:
        extra["answers_in_reply"] = answer.candidates
    return Prediction(
        bibtex_key=entry.bibtex_key,
        label=label,
        confidence=NO_LEAN if aside else answer.confidence,
        predicted_hallucination_type=HallucinationType(answer.type) if answer.type else None,
        reason=storable(answer.reason),
        forced_label=lean,
        extra=extra,
    )


def with_costs(
    prediction: Prediction,
    calls: Sequence[Reply | Failure],
    spec: ModelSpec,
    extra: dict[str, Any],
) -> Prediction:
    """Return a prediction with what its calls took, and with `extra`."""
    replies = [one for one in calls if isinstance(one, Reply)]
    used_in = sum(one.usage.input for one in replies)
    used_out = sum(one.usage.output for one in replies)
    spent: dict[str, Any] = {
        "model": storable(next((one.model for one in reversed(replies) if one.model), ""), 200),
        "tokens_in": used_in,
        "tokens_out": used_out,
        "tokens_reasoning": sum(one.usage.reasoning for one in replies),
        "kept": sum(one.kept for one in replies),
        "reply": storable(replies[-1].text) if replies else "",
    }
    uncounted = sum(not one.usage.counted for one in replies)
    if uncounted:
        spent["uncounted"] = uncounted
    found = None if uncounted else cost(spec, used_in, used_out)
    return msgspec.structs.replace(
        prediction,
        seconds=round(sum(one.seconds for one in calls), 6),
        calls=len(calls),
        cost=None if found is None else round(found, 9),
        extra={**prediction.extra, **spent, **extra},
    )
