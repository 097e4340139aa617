"""What must a system do to be scored?

A system gets blind entries and answers each with one prediction, in order. It must answer every
entry from that entry alone, so that a run can stop after any row and go on later with the same
outcome; what it draws at random it draws from the seed and the entry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.llm.estimate import Estimate

Setting = str | int | float | bool | None

# A rule that was not fitted knows no probability. It claims the middle between a coin (0.5) and
# certainty (1.0), so that its two labels still stand in the right order.
RULE_CONFIDENCE = 0.75
# P(hallucinated) from which the likelier label is HALLUCINATED.
EVEN = 0.5


class System(Protocol):
    """Something that predicts labels for blind entries."""

    @property
    def settings(self) -> Mapping[str, Setting]:
        """Everything that decides its answers, as the manifest records it."""
        ...

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Yield one prediction for each entry, in order, each as soon as it is known."""
        ...


@runtime_checkable
class Estimating(Protocol):
    """A system that knows what asking will take, before anything is asked."""

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate | None:
        """Return what these entries take at the most; None where nobody can tell."""
        ...


@runtime_checkable
class Keeping(Protocol):
    """A system that knows for which entries the replies of its model are kept already."""

    def unkept(self, entries: Sequence[BlindEntry]) -> Sequence[BlindEntry]:
        """Return the entries that must be asked about anew."""
        ...


def estimate_of(system: System, entries: Sequence[BlindEntry]) -> Estimate | None:
    """Return what a system says that entries take, None where it asks no model."""
    return system.estimate(entries) if isinstance(system, Estimating) else None


class EntrySystem:
    """A system made of a pure function from one entry to one prediction.

    Args:
        answer: the function; it must not raise on any entry.
        settings: what the manifest records.
    """

    def __init__(
        self, answer: Callable[[BlindEntry], Prediction], settings: Mapping[str, Setting]
    ) -> None:
        self._answer = answer
        self._settings = dict(settings)

    @property
    def settings(self) -> Mapping[str, Setting]:
        """What decides the answers."""
        return self._settings

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Answer each entry on its own."""
        return map(self._answer, entries)


def commit(
    entry: BlindEntry, *, hallucinated: bool, confidence: float, reason: str = ""
) -> Prediction:
    """Return a committed prediction; `confidence` in [0, 1] is P(this label is right)."""
    label = Label.HALLUCINATED if hallucinated else Label.VALID
    return Prediction(
        bibtex_key=entry.bibtex_key, label=label, confidence=confidence, reason=reason
    )


def commit_probability(entry: BlindEntry, probability: float, reason: str = "") -> Prediction:
    """Return the label that P(hallucinated) = `probability` in [0, 1] calls for; 0.5 flags."""
    hallucinated = probability >= EVEN
    confidence = probability if hallucinated else 1.0 - probability
    return commit(entry, hallucinated=hallucinated, confidence=confidence, reason=reason)


def abstain(entry: BlindEntry, reason: str, *, forced: Label | None = None) -> Prediction:
    """Return an abstention; `forced` is the label that the system would give if it had to."""
    return Prediction(
        bibtex_key=entry.bibtex_key,
        label=Label.UNCERTAIN,
        confidence=0.5,
        reason=reason,
        forced_label=forced,
    )


def fail(entry: BlindEntry | Prediction, reason: str) -> Prediction:
    """Return the record of a failure of the tool itself: no answer, and never a success."""
    return Prediction(bibtex_key=entry.bibtex_key, label=Label.ERROR, confidence=0.0, reason=reason)
