"""What did a model answer, and if nothing can be read, why not?

The contract: one JSON object with label, confidence, lean, type and reason. The reader takes it
bare, fenced, with prose around it or after reasoning in tags, and of several with one label the
last that is whole. Several that differ in label are no answer, and neither is one that names
another entry than the one asked about. A reference, record or tool may itself hold the form of
an answer. Then only a reply that is one object from end to end counts,
and none that stands in what was shown: quoting is not answering. What cannot be read is a value
with its kind, and never an abstention.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Any, Generic, Literal, TypeVar, assert_never

from msgspec import Struct

from hallmark.llm.interface import Failure, Reply, Stop, Trouble
from hallmark.llm.objects import Found, find_objects, only_object
from hallmark.llm.prompts.entry import NEUTRAL_KEY

Verdict = Literal["VALID", "HALLUCINATED", "UNCERTAIN"]
Lean = Literal["VALID", "HALLUCINATED"]
T = TypeVar("T", bound=Struct)

LONGEST_REASON = 1000
"""Characters of a reason that are kept."""
_PERCENT = 100.0
_LEAST_PERCENT = 2.0
"""From here on a bare number is taken for per cent; between 1 and this it may mean anything."""
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,12})?|\.\d{1,12})\s*(%?)")
_THOUGHT_END = re.compile(r"</\s*(?:think|thinking|thought|thoughts|reasoning)\s*>", re.IGNORECASE)
_MOST_ENDS = 20
"""Ends of reasoning that are tried."""
_THOUGHT_START = re.compile(r"\s*<(?:think|thinking|thought|thoughts|reasoning)>", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\W*(?:i['’]?m sorry|i apologi[sz]e|sorry,|i can(?:no|['’])t |i am (?:unable|not able)|"
    r"i['’]?m (?:unable|not able))",
    re.IGNORECASE,
)
_FORM_OF_ANSWER = re.compile(r"label\W{0,8}:", re.IGNORECASE)
_WORD = re.compile(r"[^a-z]+")
_KEYS = ("bibtex_key", "key")
"""Under which models name the entry that they answer about."""


class Kind(StrEnum):
    """Why there is no answer: what the model did, then what its service did."""

    PARSE = "parse"
    EMPTY = "empty"
    LENGTH = "length"
    FILTER = "content-filter"
    REFUSAL = "refusal"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMIT = "rate-limit"
    SERVER = "server"
    REQUEST = "request"
    MALFORMED = "malformed"


OF_SERVICE = frozenset(
    {
        Kind.TIMEOUT,
        Kind.CONNECTION,
        Kind.RATE_LIMIT,
        Kind.SERVER,
        Kind.REQUEST,
        Kind.MALFORMED,
    }
)
"""Kinds that say nothing about the model: asking again may give an answer."""

_KIND_OF = {
    Trouble.TIMEOUT: Kind.TIMEOUT,
    Trouble.CONNECTION: Kind.CONNECTION,
    Trouble.RATE_LIMIT: Kind.RATE_LIMIT,
    Trouble.SERVER: Kind.SERVER,
    Trouble.REQUEST: Kind.REQUEST,
    Trouble.MALFORMED: Kind.MALFORMED,
}


class Answer(Struct, frozen=True, kw_only=True):
    """What a model answered.

    `confidence` in [0, 1] is the model's P(label is right), for UNCERTAIN P(lean is right). `type`
    is one of the known ones, None where the label does not call for one or it was unknown; then
    `unknown_type` is what the model wrote. `candidates` counts the answers in the reply. `about` is
    the key under which it names its entry, empty where it names none.
    """

    label: Verdict
    confidence: float
    lean: Lean | None = None
    type: str | None = None
    unknown_type: str = ""
    reason: str = ""
    candidates: int = 1
    about: str = ""


class Unreadable(Struct, frozen=True):
    """There is no answer: its kind, and what happened in words."""

    kind: Kind
    detail: str


class Form(Struct, Generic[T], frozen=True):
    """A form of answer.

    `signs` finds what any text of this form holds. `understand` returns what an object stands for,
    or what it lacks in words; "" where it is no answer at all.
    """

    signs: re.Pattern[str]
    understand: Callable[[Mapping[str, Any]], T | str]


def schema(types: Iterable[str] = ()) -> dict[str, Any]:
    """Return the JSON schema of an answer; without types it has no key `type`."""
    text = {"type": "string"}
    properties: dict[str, Any] = {
        "label": text | {"enum": ["VALID", "HALLUCINATED", "UNCERTAIN"]},
        "confidence": {"type": "number"},
        "lean": {"anyOf": [text | {"enum": ["VALID", "HALLUCINATED"]}, {"type": "null"}]},
    }
    names = list(types)
    if names:
        properties["type"] = {"anyOf": [text | {"enum": names}, {"type": "null"}]}
    properties["reason"] = text
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read(
    outcome: Reply | Failure, shown: Sequence[str] = (), types: Mapping[str, str] | None = None
) -> Answer | Unreadable:
    """Return the answer in what came back for a question.

    Args:
        outcome: the reply, or the failure to get one.
        shown: every text of others that the model was shown: the reference, records, what tools
            returned, in the form in which they were sent.
        types: each accepted spelling of a type to its name.
    """
    return _settled(read_form(outcome, _verdict(types or {}), shown))


def read_form(
    outcome: Reply | Failure, form: Form[T], shown: Sequence[str] = ()
) -> list[T] | Unreadable:
    """Return the answers of one form in what came back for a question, at least one, in order.

    Args:
        outcome: the reply, or the failure to get one.
        form: the form that was asked for.
        shown: as for `read`.
    """
    match outcome:
        case Failure(trouble, detail):
            return Unreadable(_KIND_OF[trouble], detail)
        case Reply():
            return _read_reply(outcome, shown, form)
        case _ as never:
            assert_never(never)


def _read_reply(reply: Reply, shown: Sequence[str], form: Form[T]) -> list[T] | Unreadable:
    match reply.stop:
        case Stop.FILTER:
            return Unreadable(Kind.FILTER, "the provider's content filter held the reply back")
        case Stop.REFUSAL:
            return Unreadable(Kind.REFUSAL, _said("the model refused", reply.text))
        case Stop.END | Stop.TOOLS | Stop.LENGTH:
            return _all_in(reply.text, shown, form, truncated=reply.stop is Stop.LENGTH)
        case _ as never:
            assert_never(never)


def read_text(
    text: str,
    shown: Sequence[str] = (),
    types: Mapping[str, str] | None = None,
    *,
    truncated: bool = False,
) -> Answer | Unreadable:
    """Return the answer in the text of a reply; see `read`.

    Args:
        text: of any length; a draft that a reply cut off at its limit holds does not count,
            unless the reply begins with it.
        shown: as for `read`.
        types: as for `read`.
        truncated: whether the reply ended at its limit of tokens.
    """
    found = _all_in(text, shown, _verdict(types or {}), truncated=truncated)
    return _settled(found)


def _verdict(types: Mapping[str, str]) -> Form[Answer]:
    return Form(_FORM_OF_ANSWER, partial(_understand, types=types))


def _all_in(
    text: str, shown: Sequence[str], form: Form[T], *, truncated: bool
) -> list[T] | Unreadable:
    if not text.strip():
        kind = Kind.LENGTH if truncated else Kind.EMPTY
        return Unreadable(kind, "the reply is empty")
    said = after_reasoning(text)
    if said is None:
        return _none(text, "its reasoning does not end", truncated=truncated)
    others = [_bones(one) for one in shown if form.signs.search(one)]
    bare = truncated or bool(others)
    found = _alone(text) or only_object(said, trailing=truncated)
    if not bare:
        found = found or find_objects(said)
    answers, problem = _answers(found, others, form)
    return answers or _none(said, problem, truncated=truncated)


def _alone(text: str) -> list[Found]:
    """Return the object that a reply is made of, after reasoning or without any.

    A reason may itself hold the end of a tag, so that every end is tried and not the last alone.
    """
    ends = [found.end() for found in islice(_THOUGHT_END.finditer(text), _MOST_ENDS)]
    return next((found for at in (0, *ends) if (found := only_object(text[at:]))), [])


def _answers(found: Sequence[Found], others: Sequence[str], form: Form[T]) -> tuple[list[T], str]:
    """Return the answers among objects, and what is wrong with the last that is none."""
    answers = list[T]()
    problem = "it holds no answer"
    if others:
        problem = "the reference holds the form of an answer, so that only a bare one counts"
    for one in found:
        if any(_bones(one.text) in other for other in others):
            problem = "it only quotes what it was shown"
            continue
        answer = form.understand(_unwrapped(one.value))
        if not isinstance(answer, str):
            answers.append(answer)
        elif answer:
            problem = answer
    return answers, problem


def _bones(text: str) -> str:
    """Return the letters and digits of a text: what stays however it is quoted."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def holds_answer(shown: Iterable[str]) -> bool:
    """Tell whether a text that the model was shown has anything like the form of an answer."""
    return any(_FORM_OF_ANSWER.search(text) for text in shown)


def after_reasoning(text: str) -> str | None:
    """Return what follows the last end of reasoning in tags, None where it never ends."""
    ends = [found.end() for found in _THOUGHT_END.finditer(text)]
    if ends:
        return text[ends[-1] :]
    return None if _THOUGHT_START.match(text) else text


def confidence_of(value: object) -> float | None:
    """Return a confidence in [0, 1]: 0.85, "0.85", 85 and "85%" are the same; None if unclear."""
    match value:
        case bool():
            return None
        case int() | float():
            return _share(value, percent=False)
        case str():
            found = _NUMBER.fullmatch(value.strip())
            return _share(float(found[1]), percent=bool(found[2])) if found else None
        case _:
            return None


def _share(value: float, *, percent: bool) -> float | None:
    """Comparisons with NaN are false, so that it is no share."""
    if not percent and 0.0 <= value <= 1.0:
        return float(value) + 0.0
    least = 0.0 if percent else _LEAST_PERCENT
    return value / _PERCENT if least <= value <= _PERCENT else None


def _settled(answers: list[Answer] | Unreadable) -> Answer | Unreadable:
    """Return the last answer and how many there were; none where they contradict each other."""
    if isinstance(answers, Unreadable):
        return answers
    last = answers[-1]
    foreign = next(
        (one.about for one in answers if one.about.casefold() not in ("", NEUTRAL_KEY)), ""
    )
    if foreign:
        what = f"it answers about {foreign[:40]!r}, which was not asked"
        return Unreadable(Kind.PARSE, f"the reply cannot be read: {what}")
    if len({one.label for one in answers}) > 1:
        labels = ", ".join(dict.fromkeys(one.label for one in answers))
        what = f"its {len(answers)} answers contradict each other ({labels})"
        return Unreadable(Kind.PARSE, f"the reply cannot be read: {what}")
    return Answer(
        label=last.label,
        confidence=last.confidence,
        lean=last.lean,
        type=last.type,
        unknown_type=last.unknown_type,
        reason=last.reason,
        candidates=len(answers),
    )


def _none(text: str, problem: str, *, truncated: bool) -> Unreadable:
    if truncated:
        return Unreadable(Kind.LENGTH, f"the reply ended at its limit of tokens, and {problem}")
    if _REFUSAL.match(text[:400]):
        return Unreadable(Kind.REFUSAL, _said("the model refused", text))
    return Unreadable(Kind.PARSE, _said(f"the reply cannot be read: {problem}", text))


def _said(what: str, text: str) -> str:
    words = " ".join(text[:400].split())[:160]
    return f"{what}; it says: {words}" if words else what


def _unwrapped(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object within one that holds nothing else, such as {"answer": {...}}."""
    inner = list(value.values())
    if len(inner) == 1 and isinstance(inner[0], dict):
        return inner[0]
    return value


def _understand(value: Mapping[str, Any], types: Mapping[str, str]) -> Answer | str:
    """Return the answer that an object stands for, or what it lacks; "" if it is no answer."""
    fields = {name.strip().lower(): inner for name, inner in value.items()}
    if "label" not in fields:
        return ""
    label = _label(fields["label"])
    if label is None:
        return f"its label is {str(fields['label'])[:40]!r}"
    confidence = confidence_of(fields.get("confidence"))
    if confidence is None:
        return f"it says {label}, but its confidence is {str(fields.get('confidence'))[:40]!r}"
    lean = _lean(fields.get("lean")) if label == "UNCERTAIN" else None
    written = fields.get("type", fields.get("predicted_hallucination_type"))
    flagged = label == "HALLUCINATED" or lean == "HALLUCINATED"
    kind = written.strip() if flagged and isinstance(written, str) else ""
    known = types.get(_WORD.sub("_", kind.lower()).strip("_")) if kind else None
    reason = fields.get("reason")
    return Answer(
        label=label,
        confidence=confidence,
        lean=lean,
        type=known,
        unknown_type="" if known or kind.lower() in ("", "null", "none") else kind[:80],
        reason=reason.strip()[:LONGEST_REASON] if isinstance(reason, str) else "",
        about=next((str(fields[name]).strip() for name in _KEYS if fields.get(name)), ""),
    )


def _label(value: object) -> Verdict | None:
    match value.strip().strip(".").upper() if isinstance(value, str) else None:
        case "VALID":
            return "VALID"
        case "HALLUCINATED":
            return "HALLUCINATED"
        case "UNCERTAIN":
            return "UNCERTAIN"
        case _:
            return None


def _lean(value: object) -> Lean | None:
    match _label(value):
        case "VALID":
            return "VALID"
        case "HALLUCINATED":
            return "HALLUCINATED"
        case _:
            return None
