"""Which labels of a gold file does the evidence dispute, and what has a reviewer said of them?

A ledger is a JSON Lines file beside the gold file, which is never changed. It proposes; only a
person decides. Figures with a ledger are shown beside those as released, never instead of them: a
verifier that was scored by its own proposals alone would grade itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from hallmark.bench.content import content
from hallmark.bench.entry import Entry, Label
from hallmark.bench.lines import Problems, lines_text, printable, quoted, read_rows
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.errors import InputError
from hallmark.records.answer import VenueYear
from hallmark.records.evidence import Evidence
from hallmark.records.finding import Finding
from hallmark.records.verdict import Verdict
from hallmark.study.cases import Case, Side, side_of_version
from hallmark.study.judged import Judged

_FALSE = str(Label.HALLUCINATED)
Decision = Literal["", "accept", "reject"]


class Dispute(Struct, frozen=True, kw_only=True):
    """One row of a ledger: a label, what speaks against it, and room for a reviewer.

    `content` is the digest of what a tool may see of the entry (`bench.content`): a decision holds
    for that alone. `label` and `proposed` are VALID or HALLUCINATED; `type` and `proposed_type` say
    what is false of a hallucinated entry, "" for a valid one; where the type alone is disputed the
    labels are the same. `ground` is the reason by the evidence; `subtests` names those on which
    label and evidence differ; `records` are the records that the entry was compared with; `asked`
    says who was asked and what came of it, `proposed_by` who proposes. `label_says` is the gold
    file's explanation of its label, shown beside as the other side. `reviewer`, `decision` ("",
    "accept" or "reject"), `date` and `note` are filled in by a person, who may change
    `proposed_type`, too.
    """

    key: str
    gold_sha256: str
    label: str
    proposed: str
    kind: str
    ground: str
    evidence: str
    findings: tuple[Finding, ...]
    entry: Side
    record: Side | None
    coverage: VenueYear | None = None
    content: str = ""
    type: str = ""
    proposed_type: str = ""
    subtests: tuple[str, ...] = ()
    records: tuple[Side, ...] = ()
    asked: tuple[str, ...] = ()
    proposed_by: str = ""
    label_says: str = ""
    reviewer: str = ""
    decision: Decision = ""
    date: str = ""
    note: str = ""

    @property
    def is_flip(self) -> bool:
        """Whether the label is disputed, not only the type."""
        return self.label != self.proposed

    @property
    def claim(self) -> tuple[str, str, str]:
        """What a reviewer decided about; a decision on another claim does not carry over."""
        return (self.key, self.label, self.proposed)


def dispute(
    judged: Judged, case: Case, proposed: Label, gold_sha256: str, proposed_by: str
) -> Dispute:
    """Return the row that disputes the label or the type of an entry.

    Args:
        judged: the entry with its evidence.
        case: the same as a case.
        proposed: the label that the evidence speaks for.
        gold_sha256: digest of the gold file.
        proposed_by: the program, policy and index that propose.
    """
    entry, verdict = judged.entry, judged.result.verdict
    false = proposed is Label.HALLUCINATED
    return Dispute(
        key=case.key,
        gold_sha256=gold_sha256,
        content=content(entry),
        label=str(entry.label),
        proposed=str(proposed),
        type=str(entry.hallucination_type or ""),
        proposed_type=(verdict.type or "") if false else "",
        kind=case.kind,
        ground=case.group,
        evidence=case.sentence,
        findings=case.findings,
        entry=case.entry,
        record=case.record,
        coverage=case.coverage,
        subtests=tuple(contradicted(entry, verdict)),
        records=tuple(_records(judged.evidence)),
        asked=tuple(f"{one.name}: {one.outcome}" for one in judged.result.sources),
        proposed_by=proposed_by,
        label_says=case.label_says,
    )


_MOST_RECORDS = 6


def _records(evidence: Evidence) -> Iterator[Side]:
    """Yield the records of the nearest work, one of each collection and place."""
    versions = [one.version for work in evidence.works[:1] for one in work.versions]
    for version in versions[:_MOST_RECORDS]:
        yield side_of_version(version)


_DECISIVE = ("title_exists", "authors_match", "venue_correct")
"""The sub-tests that say what is false; the others fail for want of an identifier or field too."""


def contradicted(entry: Entry, verdict: Verdict) -> Iterator[str]:
    """Yield, in words, the decisive sub-tests on which evidence and label differ.

    The label's are those of the entry, else of its type in Table 1; for a valid one all pass.
    """
    kind = entry.hallucination_type
    signature = TAXONOMY[kind].signature if kind else dict.fromkeys(_DECISIVE, True)
    for name in _DECISIVE:
        stated = entry.subtests.get(name)
        expected = signature[name] if stated is None else stated
        found = verdict.subtests.get(name)
        if None not in (expected, found) and expected is not found:
            yield f"{name}: {_passes(expected)} by the label, {_passes(found)} by the evidence"


def _passes(held: bool | None) -> str:
    return "passes" if held else "fails"


def read_ledger(path: Path) -> list[Dispute]:
    """Read a ledger; an empty one disputes nothing.

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
    if path.is_file() and not path.stat().st_size:
        return []
    problems = Problems(path)
    rows = [(line, _row(row, line, problems)) for line, row in read_rows(path)]
    problems.raise_if_any()
    found = [row for _, row in rows if row is not None]
    _refuse_repeated(path, [(line, row.key) for line, row in rows if row is not None])
    return found


def _row(row: dict[str, Any], line: int, problems: Problems) -> Dispute | None:
    try:
        found = msgspec.convert(row, Dispute)
    except msgspec.ValidationError as error:
        problems.add(f"no row of a ledger ({printable(error)})", line)
        return None
    labels = {found.label, found.proposed}
    retyped = labels == {_FALSE} and found.type != found.proposed_type
    if labels != {str(Label.VALID), _FALSE} and not retyped:
        problems.add("`label` and `proposed` must be VALID and HALLUCINATED, either way", line)
    if found.proposed_type and found.proposed_type not in set(HallucinationType):
        problems.add(f"there is no type {quoted(found.proposed_type)}", line)
    if found.decision and not found.reviewer:
        problems.add("a decision needs a `reviewer`", line)
    return found


def _refuse_repeated(path: Path, keys: Sequence[tuple[int, str]]) -> None:
    lines: dict[str, list[int]] = {}
    for line, key in keys:
        lines.setdefault(key, []).append(line)
    twice = [f"{printable(key)} ({lines_text(at)})" for key, at in lines.items() if len(at) > 1]
    if twice:
        raise InputError(f"{printable(path, 300)} names entries twice: {', '.join(twice)}.")


def merged(proposed: Iterable[Dispute], reviewed: Iterable[Dispute]) -> list[Dispute]:
    """Return the proposals with what reviewers said of them before.

    A row that a reviewer filled in stays, even where the verifier no longer disputes the label.
    """
    said = {row.claim: row for row in reviewed if row.reviewer or row.decision or row.note}
    rows = [_with_review(row, said.pop(row.claim, None)) for row in proposed]
    return sorted([*rows, *said.values()], key=lambda row: row.key)


def _with_review(row: Dispute, before: Dispute | None) -> Dispute:
    if before is None:
        return row
    return structs.replace(
        row,
        reviewer=before.reviewer,
        decision=before.decision,
        date=before.date,
        note=before.note,
        proposed_type=before.proposed_type if before.decision else row.proposed_type,
    )


def as_lines(rows: Iterable[Dispute]) -> str:
    """Return a ledger as JSON Lines."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in rows)
