"""How is evidence stored, so that a verdict can be judged again?"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TextIO

import msgspec
from msgspec import Struct

from hallmark._files import read_lines
from hallmark.cli.output import destination
from hallmark.errors import InputError
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Entry, FailedEntry, Reference
from hallmark.records.verdict import Result, Unresolved
from hallmark.report.wire import dumps
from hallmark.verifier import Verifier

SCHEMA: Literal["hallmark.evidence/1"] = "hallmark.evidence/1"
_ANY_DAY = "2000-01-01"


class Kept(Struct, frozen=True, kw_only=True):
    """One entry with its evidence and its result, as one line of a file.

    Exactly one of `reference` and `failed` is set. `evidence` is None for an entry that could not
    be read, and where the check itself failed.
    """

    schema: Literal["hallmark.evidence/1"] = SCHEMA
    policy: str = "default"
    reference: Reference | None = None
    failed: FailedEntry | None = None
    evidence: Evidence | None = None
    result: Result

    @classmethod
    def of(cls, verifier: Verifier, entry: Entry) -> Self:
        """Check one entry and keep what the verdict rests on."""
        if isinstance(entry, FailedEntry):
            return cls(failed=entry, result=verifier.check_one(entry))
        evidence, result = verifier.explain(entry)
        return cls.checked(entry, evidence, result)

    @classmethod
    def checked(cls, entry: Entry, evidence: Evidence | None, result: Result) -> Self:
        """Keep what a verdict rests on."""
        if isinstance(entry, FailedEntry):
            return cls(failed=entry, result=result)
        if _crashed(result):
            return cls(reference=entry, result=result)
        return cls(reference=entry, evidence=evidence, result=result)


class Keeper(AbstractContextManager["Keeper"]):
    """Writes lines of evidence to a file that appears whole or not at all."""

    def __init__(self, path: Path, *, policy: str, inputs: Sequence[str] = ()) -> None:
        self._destination = destination(path, inputs)
        self._policy = policy
        self._stream: TextIO | None = None

    def __enter__(self) -> Self:
        self._stream = self._destination.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._destination.__exit__(kind, error, trace)

    def add(self, kept: Kept) -> None:
        """Write one line."""
        if self._stream is not None:
            line = dumps(msgspec.structs.replace(kept, policy=self._policy))
            self._stream.write(f"{line}\n")


def _sound(kept: Kept) -> Kept:
    """Return what was kept; raises ValueError where a verdict has nothing that it rests on."""
    if (kept.reference is None) == (kept.failed is None):
        raise ValueError("it must hold either a reference or an entry that could not be read")
    if kept.evidence is not None:
        date.fromisoformat(kept.evidence.today or _ANY_DAY)
    elif kept.reference is not None and not _crashed(kept.result):
        raise ValueError("the evidence for its reference is missing")
    return kept


def _crashed(result: Result) -> bool:
    codes = {finding.code for finding in result.verdict.findings}
    return isinstance(result.verdict, Unresolved) and "HM902" in codes


def read_kept(path: Path) -> Iterator[Kept]:
    """Yield the lines of a file of evidence; raises InputError with the line that is wrong."""
    decoder = msgspec.json.Decoder(Kept)
    try:
        for number, line in enumerate(read_lines(path), start=1):
            try:
                yield _sound(decoder.decode(line))
            except (ValueError, msgspec.DecodeError, RecursionError) as error:
                raise InputError(
                    f"{path}, line {number} is no evidence of this version ({error}). "
                    "Write it with: hallmark check FILE --store-evidence FILE"
                ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
