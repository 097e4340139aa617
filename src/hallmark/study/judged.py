"""What does the verifier say of every entry of a gold file, and on what evidence?

The evidence is kept, so that the entries can be judged again by another policy without asking the
index again. Labels are never seen by the verifier: it gets the blind view of each entry.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from hallmark.bench.align import Pairs, pair
from hallmark.bench.entry import Entry, Label
from hallmark.bench.systems.verifier import label_of, prediction_of
from hallmark.bench.systems.verifier import reference as reference_of
from hallmark.judge.policy import Policy
from hallmark.online.run import Checked
from hallmark.records.evidence import Evidence
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.verifier import Verifier, replay


class Outcome(StrEnum):
    """What a verdict is worth, measured by the entry's label."""

    RIGHT = "right"
    FALSE_ALARM = "false alarm"
    MISS = "miss"
    OPEN_VALID = "abstention on a valid entry"
    OPEN_HALLUCINATED = "abstention on a hallucinated entry"


class Judged(Struct, frozen=True):
    """One entry with what was gathered about it and the verdict."""

    entry: Entry
    reference: Reference
    evidence: Evidence
    result: Result

    @property
    def label(self) -> Label:
        """The verdict as a label of the benchmark."""
        return label_of(self.result.verdict)

    @property
    def outcome(self) -> Outcome:
        """Whether the verdict is right, wrong or open; a failed source leaves it open."""
        bad = self.entry.label is Label.HALLUCINATED
        match self.label:
            case Label.HALLUCINATED:
                return Outcome.RIGHT if bad else Outcome.FALSE_ALARM
            case Label.VALID:
                return Outcome.MISS if bad else Outcome.RIGHT
            case Label.UNCERTAIN | Label.ERROR:
                return Outcome.OPEN_HALLUCINATED if bad else Outcome.OPEN_VALID

    @property
    def kind(self) -> str:
        """The entry's hallucination type, or how the valid entry was made."""
        if self.entry.label is Label.HALLUCINATED:
            return self.entry.hallucination_type or "unspecified"
        return f"valid, {self.entry.generation_method or 'origin not told'}"

    @property
    def problems(self) -> tuple[Finding, ...]:
        """The findings that decide: problems, or, where there are none, warnings."""
        found = self.result.verdict.findings
        decisive = tuple(one for one in found if one.severity is Severity.PROBLEM)
        return decisive or tuple(one for one in found if one.severity is Severity.WARNING)


def judge_all(
    entries: Iterable[Entry],
    verifier: Verifier,
    change: Callable[[Reference], Reference] | None = None,
    step: Callable[[], None] | None = None,
) -> list[Judged]:
    """Check every entry and keep the evidence.

    Args:
        entries: of a gold file.
        verifier: with its index and policy.
        change: makes another reference of each, before it is checked.
        step: called after each entry.
    """
    judged = []
    for entry in entries:
        reference = reference_of(entry.blind())
        if change is not None:
            reference = change(reference)
        evidence, result = verifier.explain(reference)
        judged.append(Judged(entry, reference, evidence, result))
        if step is not None:
            step()
    return judged


def judge_live(
    entries: Sequence[Entry],
    check: Callable[[Iterable[Reference]], Iterable[Checked]],
    step: Callable[[], None] | None = None,
) -> list[Judged]:
    """Check every entry with live sources, too, and keep the evidence.

    Args:
        entries: of a gold file.
        check: yields a row with its evidence for each reference, in order.
        step: called after each entry.
    """
    references = [reference_of(entry.blind()) for entry in entries]
    judged = []
    # The rows come first: asked for one more than there is, they end in order.
    for row, entry, reference in zip(check(references), entries, references, strict=False):
        judged.append(Judged(entry, reference, row.evidence or Evidence(), row.result))
        if step is not None:
            step()
    return judged


def judged_again(judged: Iterable[Judged], policy: Policy) -> list[Judged]:
    """Judge stored evidence by another policy."""
    return [
        Judged(one.entry, one.reference, one.evidence, replay(one.reference, one.evidence, policy))
        for one in judged
    ]


def pairs_of(judged: Sequence[Judged]) -> Pairs:
    """Return the verdicts as the benchmark's measures take them."""
    entries = [one.entry for one in judged]
    return pair(entries, [prediction_of(one.entry.blind(), one.result) for one in judged])
