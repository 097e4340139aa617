"""What does a user's own verifier mean by what it returned?

One rule for Python functions and for programs: the answer is a probability, a label with its
confidence, or an object with the fields of a prediction. Whatever else it is counts as a failure
of the tool for that entry, with the reason.
"""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import commit_probability, fail
from hallmark.bench.taxonomy import parse_type
from hallmark.errors import InputError

EXPECTED = (
    "return P(hallucinated) from 0 to 1, a pair (label, confidence), or a dict with `label` and "
    "`confidence`; labels are VALID, HALLUCINATED, UNCERTAIN"
)


class Answer(msgspec.Struct):
    """The fields that an object may have; `confidence` in [0, 1] is P(the label is right).

    Other fields are left out: only what the protocol knows is stored.
    """

    label: Label
    confidence: float
    bibtex_key: str | None = None
    predicted_hallucination_type: str | None = None
    reason: str = ""
    subtest_results: dict[str, bool | None] = {}
    sources: tuple[str, ...] = ()
    seconds: float | None = None
    calls: int | None = None
    cost: float | None = None
    forced_label: Label | None = None


def understand(entry: BlindEntry, answer: object) -> Prediction:
    """Return the prediction that an answer stands for, or the record of a failure."""
    match answer:
        case Prediction():
            return _checked(entry, answer)
        case bool() | None:
            return fail(entry, f"the verifier returned {answer}; {EXPECTED}")
        case int() | float():
            return _from_probability(entry, float(answer))
        case (label, confidence):
            return _from_object(entry, {"label": label, "confidence": confidence})
        case Mapping():
            return _from_object(entry, answer)
        case _:
            return fail(entry, f"the verifier returned {type(answer).__name__}; {EXPECTED}")


def _from_probability(entry: BlindEntry, probability: float) -> Prediction:
    if not 0.0 <= probability <= 1.0:
        return fail(entry, f"the verifier returned {probability}; {EXPECTED}")
    return commit_probability(entry, probability)


def _from_object(entry: BlindEntry, answer: Mapping[Any, Any]) -> Prediction:
    try:
        parsed = msgspec.convert(dict(answer), Answer)
    except (msgspec.ValidationError, TypeError) as problem:
        return fail(entry, f"the verifier's answer cannot be read: {problem}; {EXPECTED}")
    fields = msgspec.structs.asdict(parsed)
    fields["bibtex_key"] = parsed.bibtex_key or entry.bibtex_key
    try:
        kind = parsed.predicted_hallucination_type
        fields["predicted_hallucination_type"] = parse_type(kind) if kind else None
    except InputError as problem:
        return fail(entry, f"the verifier's answer cannot be read: {problem}")
    return _checked(entry, Prediction(**fields))


def _checked(entry: BlindEntry, prediction: Prediction) -> Prediction:
    confidence = prediction.confidence
    if not (math.isfinite(confidence) and 0.0 <= confidence <= 1.0):
        return fail(entry, f"the verifier's confidence is {confidence}; give one from 0 to 1")
    if prediction.bibtex_key != entry.bibtex_key:
        return fail(entry, f"the verifier answered for another key, {prediction.bibtex_key[:80]!r}")
    return prediction
