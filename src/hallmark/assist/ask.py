"""How is a model asked about references that evidence left open?"""

from collections.abc import Generator, Iterable, Sequence
from typing import assert_never

from msgspec import Struct

from hallmark.assist.question import TYPES, prompt, question, shown
from hallmark.llm import answers
from hallmark.llm.answers import Answer, Unreadable
from hallmark.llm.interface import Failure, Model, Reply, Request, Trouble
from hallmark.llm.loop import answered
from hallmark.records.evidence import Evidence
from hallmark.records.opinion import Stance, Vote
from hallmark.records.reference import Reference
from hallmark.records.verdict import Verdict

_NAMES = {name: name for name in TYPES}


class Open(Struct, frozen=True):
    """A reference that evidence left open."""

    reference: Reference
    verdict: Verdict
    evidence: Evidence

    @property
    def question(self) -> Request:
        """What a model is asked about it."""
        return question(self.reference, self.verdict, self.evidence)


class Heard(Struct, frozen=True):
    """A vote, and what came back for its question.

    `broken` says that the service failed, as opposed to the model; `detail` how.
    """

    vote: Vote
    outcome: Reply | Failure
    broken: bool = False
    detail: str = ""


def votes(model: Model, items: Iterable[Open]) -> Generator[Heard, None, None]:
    """Ask about all references, several at a time, and yield one vote for each, in order.

    Raises:
        ModelStopped: nothing more may be asked, or the service failed several times in a row.
    """

    async def ask(item: Open) -> Heard:
        return heard(model.spec.name, item, await model.ask(item.question))

    return answered(ask, items, model.spec.at_once, failed=lambda one: one.broken)


def heard(model: str, item: Open, outcome: Reply | Failure) -> Heard:
    """Return the vote that a reply stands for; one that cannot be read is FAILED, with its kind."""
    blocks: Sequence[str] = shown(item.reference, item.verdict, item.evidence)
    answer = answers.read(outcome, blocks, _NAMES)
    digest = prompt().digest
    match answer:
        case Unreadable(kind, detail):
            reason = f"{kind}: {detail}"
            failed = Vote(model=model, prompt=digest, stance=Stance.FAILED, reason=reason)
            return Heard(failed, outcome, kind in answers.OF_SERVICE, detail)
        case Answer(label=label):
            vote = Vote(
                model=model,
                prompt=digest,
                stance=_STANCES[label],
                confidence=answer.confidence,
                type=answer.type,
                reason=answer.reason,
            )
            return Heard(vote, outcome)
        case _ as never:
            assert_never(never)


_STANCES = {
    "VALID": Stance.VALID,
    "HALLUCINATED": Stance.HALLUCINATED,
    "UNCERTAIN": Stance.UNSURE,
}


def unasked(model: str, reason: str) -> Heard:
    """Return what stands for a vote where the model may not be asked any more."""
    vote = Vote(
        model=model, prompt=prompt().digest, stance=Stance.FAILED, reason=f"not asked: {reason}"
    )
    return Heard(vote, Failure(Trouble.REQUEST, reason), broken=True, detail=reason)
