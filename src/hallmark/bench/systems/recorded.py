"""What do plain rules say over the answers that sources once gave?

The rules of the paper's Table 20 and its DOI-only baseline, over a recording instead of a network:
a file that `hallmark check --store-evidence FILE` wrote, with every source's answer for every
entry. A source confirms an entry when it holds a record whose title is similar enough (appendix D:
0.85). One that did not answer has no vote; `failures=miss` counts its silence as a miss, which
shows what an outage does to a rule.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from hallmark._files import read_lines
from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import (
    RULE_CONFIDENCE,
    EntrySystem,
    Setting,
    abstain,
    commit,
    fail,
)
from hallmark.bench.systems.resolver import CONTRADICTION, RULES, alike, conflicts
from hallmark.bench.systems.verifier import reference
from hallmark.errors import InputError
from hallmark.match.compare import compare
from hallmark.records.answer import (
    RESOLVER,
    Absent,
    Answer,
    Found,
    Registered,
    SourceAnswer,
    Unavailable,
)
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text.venues import VenueClaim, VenueKind

FAILURES = ("skip", "miss")
DOI_SOURCE = "doi_org"
NOT_VOTING = frozenset({"index", DOI_SOURCE})
"""Sources that do not vote unless they are named: the local index, and the resolver of DOIs."""
_TITLE = "title"


class _Named(Struct, frozen=True):
    key: str


class Answers(Struct, frozen=True):
    """What was gathered about one entry: every source's answers, and what its venue means."""

    answers: tuple[SourceAnswer, ...] = ()
    venue: VenueClaim = VenueClaim(name="", kind=VenueKind.MISSING)


class _Line(Struct, frozen=True):
    reference: _Named | None = None
    evidence: Answers | None = None


def read_answers(path: Path) -> dict[str, Answers]:
    """Return what a file of evidence holds, by the keys of its entries.

    Raises:
        InputError: the file cannot be read, a line is no evidence, or a key occurs twice.
    """
    found: dict[str, Answers] = {}
    for number, line in _lines(path):
        if line.reference is None or line.evidence is None:
            continue
        key = line.reference.key
        if key in found:
            raise InputError(f"{path}, line {number}: the key `{key}` occurs a second time.")
        found[key] = line.evidence
    return found


def _lines(path: Path) -> Iterator[tuple[int, _Line]]:
    decoder = msgspec.json.Decoder(_Line)
    try:
        for number, line in enumerate(read_lines(path), start=1):
            yield number, decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path} holds a line that is no evidence ({error}). Write it with: hallmark check "
            "FILE --online --store-evidence FILE"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def recorded_rule(
    path: Path,
    rule: str,
    *,
    similarity: float,
    sources: Sequence[str] = (),
    failures: str = "skip",
) -> EntrySystem:
    """Return the system that applies a rule to recorded answers.

    Args:
        path: the file of evidence.
        rule: a name of `resolver.RULES`; "contradiction" is consensus, and flags also where every
            record with the title contradicts a field.
        similarity: of titles, in [0, 1], from which a source confirms.
        sources: the sources that vote; by default all but `NOT_VOTING`.
        failures: "skip" where a source that did not answer has no vote, "miss" where it misses.

    Raises:
        InputError: an option that cannot be used, or a file that cannot be read.
        UnknownName: there is no such rule.
    """
    _check(similarity, failures)
    recorded = read_answers(path)
    counted = _counted(recorded, sources)
    settings: dict[str, Setting] = {
        "evidence": path.name,
        "rule": rule,
        "similarity": similarity,
        "sources": ",".join(sorted(counted)),
        "failures": failures,
    }
    misses = failures == "miss"
    asked = _Rule(path.name, rule, RULES.get(rule), recorded, counted, similarity, misses)
    return EntrySystem(asked.answer, settings)


class _Rule(NamedTuple):
    """A rule over recorded answers, by key; `misses`: a source that failed counts as a miss."""

    origin: str
    rule: str
    flags: Callable[[int, int], bool]
    recorded: Mapping[str, Answers]
    counted: frozenset[str]
    similarity: float
    misses: bool

    def answer(self, entry: BlindEntry) -> Prediction:
        """Return what the rule says of an entry."""
        known, claimed = self.recorded.get(entry.bibtex_key), reference(entry)
        if known is None:
            return fail(entry, f"{self.origin} has no evidence for this key")
        if not claimed.title:
            return abstain(entry, "no title to look for")
        votes = _votes(known, claimed, self.counted, self.similarity)
        if not votes or (not self.misses and all(vote is None for vote in votes.values())):
            return fail(entry, "no source answered")
        cast = [vote or [] for vote in votes.values() if vote is not None or self.misses]
        return self._decided(entry, claimed, known, cast)

    def _decided(
        self, entry: BlindEntry, claimed: Reference, known: Answers, cast: list[list[Version]]
    ) -> Prediction:
        confirming = sum(map(bool, cast))
        flagged = self.flags(confirming, len(cast))
        reason = f"{confirming} of {len(cast)} sources that answered have the title"
        titled = [version for vote in cast for version in vote]
        if self.rule == CONTRADICTION and titled and _contradicted(known, claimed, titled):
            flagged, reason = True, f"{reason}, and each record contradicts a field"
        return commit(entry, hallucinated=flagged, confidence=RULE_CONFIDENCE, reason=reason)


def _check(similarity: float, failures: str) -> None:
    if not 0.0 <= similarity <= 1.0:
        raise InputError(f"The similarity is {similarity}; give one from 0 to 1.")
    if failures not in FAILURES:
        raise InputError(f"The option failures is {failures!r}; give {' or '.join(FAILURES)}.")


def _counted(recorded: Mapping[str, Answers], wanted: Sequence[str]) -> frozenset[str]:
    """Return the sources that vote: those named, else all that were asked about titles."""
    held = {one.source for known in recorded.values() for one in known.answers}
    unknown = [name for name in wanted if name not in held]
    counted = frozenset(wanted) or frozenset(held - NOT_VOTING)
    if unknown or not counted:
        raise InputError(
            f"The evidence has no source named {', '.join(unknown) or 'anything that votes'}; it "
            f"has: {', '.join(sorted(held)) or 'none'}."
        )
    return counted


def _votes(
    known: Answers, claimed: Reference, counted: frozenset[str], similarity: float
) -> dict[str, list[Version] | None]:
    """Return each source's records with the title; [] for a miss, None where it did not answer."""
    votes: dict[str, list[Version] | None] = {}
    for one in known.answers:
        if one.source not in counted:
            continue
        before, vote = votes.get(one.source), _vote(one.answer, claimed, similarity)
        votes[one.source] = before if vote is None else [*(before or ()), *vote]
    return votes


def _vote(answer: Answer, claimed: Reference, similarity: float) -> list[Version] | None:
    match answer:
        case Found(versions, searched):
            near = [one for one in versions if alike(claimed, one) >= similarity]
            return near if near or _TITLE in searched else None
        case Absent(searched):
            return [] if _TITLE in searched else None
        case Registered() | Unavailable():
            return None


def _contradicted(known: Answers, claimed: Reference, versions: Sequence[Version]) -> bool:
    """Tell whether every one of these records contradicts some field of the reference."""
    return all(conflicts(compare(claimed, version, known.venue)) for version in versions)


def doi_only(path: Path, *, without: str = "valid") -> EntrySystem:
    """Return the paper's DOI-only baseline over recorded answers of the DOI resolver.

    It flags a DOI that is not registered or is none, and believes every other entry.

    Args:
        path: the file of evidence.
        without: what an entry without a DOI is: "valid" as in the paper, which reports full
            coverage, or "uncertain".

    Raises:
        InputError: an option that cannot be used, or a file that cannot be read.
    """
    if without not in ("valid", "uncertain"):
        raise InputError(f"The option without is {without!r}; give valid or uncertain.")
    recorded = read_answers(path)

    def answer(entry: BlindEntry) -> Prediction:
        if not entry.fields.get("doi", "").strip():
            if without == "uncertain":
                return abstain(entry, "no DOI", forced=Label.VALID)
            return commit(entry, hallucinated=False, confidence=RULE_CONFIDENCE, reason="no DOI")
        if reference(entry).doi is None:
            reason = "the DOI field holds no DOI"
            return commit(entry, hallucinated=True, confidence=RULE_CONFIDENCE, reason=reason)
        known = recorded.get(entry.bibtex_key)
        if known is None:
            return fail(entry, f"{path.name} has no evidence for this key")
        return _resolved(entry, [one.answer for one in known.answers if one.source == DOI_SOURCE])

    return EntrySystem(answer, {"evidence": path.name, "without": without})


def _resolved(entry: BlindEntry, answers: Sequence[Answer]) -> Prediction:
    """Return what the resolver's answers mean; that none of them is certain is a failure."""
    for answer in answers:
        match answer:
            case Registered():
                reason, missing = "the DOI exists", False
            case Absent(searched) if RESOLVER in searched:
                reason, missing = "the DOI does not exist", True
            case _:
                continue
        return commit(entry, hallucinated=missing, confidence=RULE_CONFIDENCE, reason=reason)
    return fail(entry, "the resolver of DOIs did not answer")
