"""What do our verifier and a model say together, and who may overrule whom?

Two ways. The cascade (the paper's section 5.5): the model decides what the verifier leaves open.
Assisted: it is heard there as one piece of evidence of a fitted weight (`hallmark.assist`). In the
paper's always-call combination the model has the last word about everything; see `agent_specs`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing

from msgspec import Struct, structs

from hallmark.assist import ask
from hallmark.assist.combine import assisted
from hallmark.assist.weights import Table, weigh
from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.asking import with_costs
from hallmark.bench.systems.interface import Setting, System, estimate_of
from hallmark.bench.systems.opening import Opened
from hallmark.bench.systems.stages import MODEL, FirstStage, Judged, staged
from hallmark.bench.systems.verifier import confidence_of, prediction_of
from hallmark.bench.taxonomy import HallucinationType
from hallmark.judge.calibrate import packaged
from hallmark.llm.estimate import Estimate, estimate
from hallmark.llm.interface import Failure, ModelSpec, Reply
from hallmark.records.opinion import Opinion, Stance, Vote
from hallmark.records.verdict import Result, Verdict

PROMOTED = 0.55
"""The confidence of a flag for want of a verification: section 5.5 of the paper."""

FLAG = 0.8
"""P(hallucinated), where the policy's share of references is bad, from which `assisted` commits to
a flag: four of five such flags are right."""

ACCEPT = 0.002
"""The same below which it commits to VALID: a tenth of what is expected of any reference."""

VOTER = "voter"
"""The key of a row that names the model which was heard, by its name in the table of models; the
id that the service reports stands under `model`, as in every row."""


class Cascade:
    """The verifier first, then another system about what is left open.

    Args:
        first: the verifier.
        second: the system that is asked about open entries; any one will do.
        aggressive: whether what neither stage verifies is flagged.
        careful: whether the second is asked about those open entries alone of which no source
            holds a record with their title or number. Where records of the work merely leave a
            detail open, a model has nothing to add: such entries stay abstentions.
    """

    def __init__(
        self,
        first: FirstStage,
        second: System,
        *,
        aggressive: bool = False,
        careful: bool = False,
    ) -> None:
        self._first = first
        self._second = second
        self._aggressive = aggressive
        self._careful = careful

    @property
    def settings(self) -> Mapping[str, Setting]:
        """What decides the answers: those of both stages."""
        second = {f"second_{name}": value for name, value in self._second.settings.items()}
        stances = {"aggressive": self._aggressive, "careful": self._careful}
        return {**self._first.settings, **second, **stances}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Answer entries in order."""
        judged = list(self._first.judged(entries))
        seconds = self._second.predict([one.entry for one in judged if self._asks(one)])
        for one in judged:
            answer = self._joined(one, next(seconds)) if self._asks(one) else one.prediction
            yield promoted(answer) if self._aggressive else answer

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate | None:
        """Return what the second stage takes; None where it asks no model."""
        left = [one.entry for one in self._first.judged(entries) if self._asks(one)]
        return estimate_of(self._second, left)

    def _asks(self, one: Judged) -> bool:
        return one.unknown if self._careful else one.open

    def _joined(self, one: Judged, second: Prediction) -> Prediction:
        """Return the second stage's answer about an entry that the first left open."""
        return staged(second, MODEL, first=one.result.status)


def promoted(prediction: Prediction) -> Prediction:
    """Return the prediction, a flag of little confidence where it commits to nothing.

    A failure of the tool stays one.
    """
    if prediction.label is not Label.UNCERTAIN:
        return prediction
    return structs.replace(
        prediction,
        label=Label.HALLUCINATED,
        confidence=PROMOTED,
        forced_label=None,
        reason=f"not verified: {prediction.reason}",
    )


class Cast(Struct, frozen=True):
    """A vote, and what came back for its question where one was asked."""

    vote: Vote
    calls: tuple[Reply | Failure, ...] = ()
    spec: ModelSpec | None = None


Voter = Callable[[Sequence[Judged]], Iterator[Cast]]
"""Asks a model about open references: one vote for each, in order."""


class Commit(Struct, frozen=True):
    """P(hallucinated) from and below which `Assisted` commits.

    `prevalence` is the share of bad references for which it is stated, None for the policy's.
    """

    flag: float = FLAG
    accept: float = ACCEPT
    prevalence: float | None = None


class Assisted:
    """The verifier, with a model heard about what it leaves open.

    Args:
        first: the verifier.
        voter: asks the model.
        table: what votes weigh.
        commit: from where on a posterior becomes a label.
        settings: what a manifest says of the voter and the table.
        spec: the model that the voter asks, for estimates; None where it asks none.
    """

    def __init__(
        self,
        first: FirstStage,
        voter: Voter,
        table: Table,
        commit: Commit,
        settings: Mapping[str, Setting],
        spec: ModelSpec | None = None,
    ) -> None:
        self._first = first
        self._spec = spec
        self._voter = voter
        self._table = table
        self._commit = commit
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Setting]:
        """What decides the answers."""
        limits = {"flag": self._commit.flag, "accept": self._commit.accept}
        shares = {"prevalence": self._prevalence}
        return {**self._first.settings, **self._settings, **limits, **shares}

    @property
    def _prevalence(self) -> float:
        given = self._commit.prevalence
        return self._first.policy.prevalence if given is None else given

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Answer entries in order."""
        judged = list(self._first.judged(entries))
        votes = self._voter([one for one in judged if one.open])
        for one in judged:
            yield self._heard(one, next(votes)) if one.open else one.prediction

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate | None:
        """Return what asking takes; None where no model is asked."""
        if self._spec is None:
            return None
        left = (open_of(one) for one in self._first.judged(entries) if one.open)
        return estimate((one.question for one in left), self._spec)

    def _heard(self, one: Judged, cast: Cast) -> Prediction:
        vote = cast.vote
        weighed = weigh(vote, one.reference, self._table)
        verdict, opinion = assisted(one.result.verdict, vote, weighed, self._first.policy)
        if opinion is None:  # the first stage settled it
            return one.prediction
        result = structs.replace(one.result, verdict=verdict, opinion=opinion)
        answer = prediction_of(one.entry, result)
        if opinion.weight:
            answer = self._committed(answer, verdict, vote)
        if cast.spec is not None:
            answer = with_costs(answer, cast.calls, cast.spec, {})
        return staged(answer, MODEL, **_told(result, opinion))

    def _committed(self, answer: Prediction, verdict: Verdict, vote: Vote) -> Prediction:
        """Return the answer, committed where the posterior is beyond a limit on the vote's side."""
        there = packaged().at_prevalence(verdict.probability, self._prevalence)
        if vote.stance is Stance.HALLUCINATED and there >= self._commit.flag:
            label = Label.HALLUCINATED
        elif vote.stance is Stance.VALID and there <= self._commit.accept:
            label = Label.VALID
        else:
            return answer
        kind = vote.type if label is Label.HALLUCINATED and verdict.type is None else verdict.type
        return structs.replace(
            answer,
            label=label,
            confidence=confidence_of(label, verdict.probability),
            predicted_hallucination_type=HallucinationType(kind) if kind else None,
            forced_label=None,
        )


def _told(result: Result, opinion: Opinion) -> dict[str, Setting]:
    """Return what a prediction keeps of a vote, so that weights can be fitted on it."""
    vote = opinion.vote
    return {
        "first": result.status,
        VOTER: vote.model,
        "prompt": vote.prompt,
        "vote": str(vote.stance),
        "vote_confidence": vote.confidence,
        "vote_type": vote.type,
        "vote_reason": vote.reason,
        "weight": opinion.weight,
        "before": opinion.before,
    }


def vote_of(prediction: Prediction, model: str, prompt: str = "") -> Vote:
    """Return the vote that a prediction of a model stands for."""
    kind = prediction.predicted_hallucination_type
    return Vote(
        model=model,
        prompt=prompt,
        stance=_STANCES[prediction.label],
        confidence=prediction.confidence,
        type=None if kind is None else str(kind),
        reason=prediction.reason,
    )


_STANCES = {
    Label.HALLUCINATED: Stance.HALLUCINATED,
    Label.VALID: Stance.VALID,
    Label.UNCERTAIN: Stance.UNSURE,
    Label.ERROR: Stance.FAILED,
}


def votes_of_system(system: System, model: str, prompt: str = "") -> Voter:
    """Return the voter that takes another system's predictions for a model's votes."""

    def votes(judged: Sequence[Judged]) -> Iterator[Cast]:
        answers: Iterable[Prediction] = system.predict([one.entry for one in judged])
        return (Cast(vote_of(one, model, prompt)) for one in answers)

    return votes


def open_of(one: Judged) -> ask.Open:
    """Return an open entry as a model is asked about it."""
    return ask.Open(one.reference, one.result.verdict, one.evidence)


def votes_of_model(spec: ModelSpec, opened: Opened) -> Voter:
    """Return the voter that asks a model, showing it the reference and the evidence."""

    def votes(judged: Sequence[Judged]) -> Iterator[Cast]:
        if not judged:
            return
        with opened() as model, closing(ask.votes(model, map(open_of, judged))) as cast:
            for heard in cast:
                yield Cast(heard.vote, (heard.outcome,), spec)

    return votes
