"""What does our verifier say of benchmark entries, and which does it leave to a second stage?

The first stage of every system that puts a model behind the verifier. Evidence comes from the local
index, or from a file that `hallmark check --store-evidence` wrote, live sources included.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import msgspec
from msgspec import Struct

from hallmark._files import read_lines
from hallmark.assist.combine import is_open
from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.verifier import (
    index_settings,
    open_needed,
    policy_settings,
    prediction_of,
    reference,
)
from hallmark.errors import InputError
from hallmark.judge.policy import Policy
from hallmark.judge.profiles import policy_of
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result, Unresolved
from hallmark.verifier import Verifier, replay

VERIFIER, MODEL = "verifier", "model"
"""The stages, as a prediction's `stage` names them."""


class Judged(Struct, frozen=True):
    """One entry, what the first stage says of it, and the evidence that this rests on."""

    entry: BlindEntry
    reference: Reference
    evidence: Evidence
    result: Result

    @property
    def open(self) -> bool:
        """Whether the second stage is asked."""
        return is_open(self.result.verdict)

    @property
    def unknown(self) -> bool:
        """Whether it is open, all that were asked answered, and nobody holds its title or number.

        Nobody then has a record by which it could be judged, of whatever kind.
        """
        verdict = self.result.verdict
        if not (self.open and isinstance(verdict, Unresolved)) or verdict.source_failed:
            return False
        return not any(
            one.title.agrees or one.doi.agrees or one.arxiv.agrees
            for work in self.evidence.works
            for one in work.versions
        )

    @property
    def prediction(self) -> Prediction:
        """What the first stage alone answers."""
        return staged(prediction_of(self.entry, self.result), VERIFIER)


class FirstStage(Struct, frozen=True):
    """The verifier: how it judges an entry, and what a manifest says of it."""

    judge: Callable[[BlindEntry], Judged]
    policy: Policy
    settings: Mapping[str, Setting]

    def judged(self, entries: Sequence[BlindEntry]) -> Iterator[Judged]:
        """Judge entries, in order."""
        return map(self.judge, entries)


def staged(prediction: Prediction, stage: str, **extra: Setting) -> Prediction:
    """Return a prediction that tells which stage it came from."""
    told = {name: value for name, value in extra.items() if value is not None}
    return msgspec.structs.replace(prediction, extra={**prediction.extra, "stage": stage, **told})


def first_stage(request: Request, *, today: str, evidence: Path | None = None) -> FirstStage:
    """Open the first stage: over recorded evidence where a file is named, else over the index.

    Raises:
        InputError: neither is given, the file cannot be read, or `today` is no date.
        IndexProblem: the index cannot be opened.
    """
    policy = policy_of(request.policy)
    if evidence is not None:
        return _recorded(evidence, policy)
    try:
        day = date.fromisoformat(today)
    except ValueError:
        raise InputError(f"The option today is {today!r}; write it as YYYY-MM-DD.") from None
    index = open_needed(request.index)
    verifier = Verifier(index, policy=policy, today=day)

    def judge(entry: BlindEntry) -> Judged:
        cited = reference(entry)
        return Judged(entry, cited, *verifier.explain(cited))

    told = {**index_settings(index), **policy_settings(policy), "today": day.isoformat()}
    return FirstStage(judge, policy, told)


class _Line(Struct, frozen=True):
    reference: Reference | None = None
    evidence: Evidence | None = None


def _recorded(path: Path, policy: Policy) -> FirstStage:
    held = {
        line.reference.key: line.evidence
        for line in _lines(path)
        if line.reference is not None and line.evidence is not None
    }

    def judge(entry: BlindEntry) -> Judged:
        cited, evidence = reference(entry), held.get(entry.bibtex_key, Evidence())
        return Judged(entry, cited, evidence, replay(cited, evidence, policy))

    return FirstStage(judge, policy, {"evidence": path.name, **policy_settings(policy)})


def _lines(path: Path) -> Iterator[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    try:
        for line in read_lines(path):
            yield decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path} holds a line that is no evidence ({error}). Write it with: hallmark check "
            "FILE --store-evidence FILE"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
