"""How does Hallmark's own verifier answer a benchmark entry?

Contradicted and not found mean HALLUCINATED, verified means VALID, unresolved and not checked are
abstentions; where a source failed or the check of an entry broke off, the tool failed. The
verifier's probability is P(hallucinated); a prediction's confidence is that its own label is
right.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import assert_never

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import EVEN, Setting
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.index import LocalIndex, open_index
from hallmark.judge.policy import Policy
from hallmark.judge.profiles import NAMES, digest, policy_of
from hallmark.parse.benchmark import reference_of
from hallmark.records.reference import Reference
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Result,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.verifier import Verifier


class VerifierSystem:
    """The verifier over an open index.

    Args:
        index: the local index.
        policy: the name of a judge's policy, or a file of one.
        today: the date that decides what lies in the future.
        workers: processes to check with.
        clock: seconds, to time each answer.
    """

    def __init__(
        self,
        index: LocalIndex,
        policy: str,
        today: date,
        workers: int = 1,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        chosen = policy_of(policy)
        self._settings = {
            **index_settings(index),
            **policy_settings(chosen),
            "today": today.isoformat(),
        }
        self._verifier = Verifier(index, policy=chosen, today=today, workers=workers)
        self._clock = clock

    @property
    def settings(self) -> dict[str, Setting]:
        """Which index, by its digest, which policy and which date."""
        return dict(self._settings)

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Check the entries in order; each is judged alone."""
        before = self._clock()
        results = self._verifier.check(reference(entry) for entry in entries)
        for entry, result in zip(entries, results, strict=True):
            now = self._clock()
            yield prediction_of(entry, result, round(now - before, 6))
            before = now


def verifier_system(
    index: Path | None, policy: str, *, today: str, workers: int = 1
) -> VerifierSystem:
    """Open the index and return the verifier over it.

    Raises:
        InputError: no index, `today` is no date, or the policy's file is not valid.
        IndexProblem: the index cannot be opened.
        UnknownName: there is no such policy.
    """
    try:
        day = date.fromisoformat(today)
    except ValueError:
        raise InputError(f"The option today is {today!r}; write it as YYYY-MM-DD.") from None
    return VerifierSystem(open_needed(index), policy, day, workers)


def open_needed(index: Path | None) -> LocalIndex:
    """Open an index that a system cannot do without.

    Raises:
        InputError: none was given.
        IndexProblem: it cannot be opened.
    """
    if index is None:
        raise InputError("This system needs an index: --index DIR.")
    return open_index(index)


def index_settings(index: LocalIndex) -> dict[str, Setting]:
    """Return what a manifest says of an index: its date, size and digest."""
    about = index.info()
    return {
        "index_built": about.built,
        "index_records": about.records,
        "index_digest": about.digest,
    }


def policy_settings(policy: Policy) -> dict[str, Setting]:
    """Return what a manifest says of a policy: its name, and the digest of one that is a file."""
    if policy.name in NAMES:
        return {"policy": policy.name}
    return {"policy": policy.name, "policy_digest": digest(policy)}


def reference(entry: BlindEntry) -> Reference:
    """Return an entry as the verifier reads it."""
    return reference_of(entry.bibtex_key, entry.bibtex_type, entry.fields)


def prediction_of(entry: BlindEntry, result: Result, seconds: float | None = None) -> Prediction:
    """Return what a result means for the benchmark."""
    verdict = result.verdict
    label = label_of(verdict)
    forced = likelier(verdict.probability) if label is Label.UNCERTAIN else None
    return Prediction(
        bibtex_key=entry.bibtex_key,
        label=label,
        confidence=confidence_of(forced or label, verdict.probability),
        predicted_hallucination_type=HallucinationType(verdict.type) if verdict.type else None,
        reason=f"{result.status}: {verdict.reason}",
        subtest_results=dict(verdict.subtests),
        sources=tuple(source.name for source in result.sources),
        seconds=seconds,
        calls=0,
        forced_label=forced,
        extra={"findings": [finding.code for finding in verdict.findings]},
    )


def label_of(verdict: Verdict) -> Label:
    """Return the benchmark's label for a verdict."""
    match verdict:
        case Contradicted() | NotFound():
            return Label.HALLUCINATED
        case Verified():
            return Label.VALID
        case Unresolved(source_failed=True):
            return Label.ERROR
        case Unresolved() | NotChecked():
            return Label.UNCERTAIN
        case _ as never:
            assert_never(never)


def likelier(probability: float) -> Label:
    """Return the label that P(hallucinated) in [0, 1] speaks for."""
    return Label.HALLUCINATED if probability >= EVEN else Label.VALID


def confidence_of(label: Label, probability: float) -> float:
    """Return P(this label is right) from P(hallucinated), both in [0, 1]."""
    match label:
        case Label.HALLUCINATED:
            return probability
        case Label.VALID:
            return 1.0 - probability
        case Label.UNCERTAIN | Label.ERROR:
            return EVEN
        case _ as never:
            assert_never(never)
