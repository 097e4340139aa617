"""Which labels of a gold file does the evidence dispute, and what has a reviewer said of them?

A ledger is a JSON Lines file beside the gold file, which is never changed. It proposes; only a
person decides. Figures with a ledger are shown beside those as released, never instead of them: a
verifier that was scored by its own proposals alone would grade itself.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from hallmark.bench.entry import Label
from hallmark.bench.lines import Problems, lines_text, printable, read_rows
from hallmark.errors import InputError
from hallmark.records.answer import VenueYear
from hallmark.records.finding import Finding
from hallmark.study.cases import Case, Side

Decision = Literal["", "accept", "reject"]


class Dispute(Struct, frozen=True, kw_only=True):
    """One row of a ledger: a label, what speaks against it, and room for a reviewer.

    `label` and `proposed` are VALID or HALLUCINATED. `ground` is the reason by the evidence.
    `label_says` is the gold file's explanation of its label, shown beside as the other side.
    `reviewer`, `decision` ("", "accept" or "reject"), `date` and `note` are filled in by a person.
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
    label_says: str = ""
    reviewer: str = ""
    decision: Decision = ""
    date: str = ""
    note: str = ""

    @property
    def claim(self) -> tuple[str, str, str]:
        """What a reviewer decided about; a decision on another claim does not carry over."""
        return (self.key, self.label, self.proposed)


def dispute(case: Case, gold_sha256: str) -> Dispute:
    """Return the row that disputes the label of a wrongly judged entry."""
    flagged = case.status in ("contradicted", "not_found")
    label, proposed = (Label.VALID, Label.HALLUCINATED) if flagged else _CLEARED
    return Dispute(
        key=case.key,
        gold_sha256=gold_sha256,
        label=str(label),
        proposed=str(proposed),
        kind=case.kind,
        ground=case.group,
        evidence=case.sentence,
        findings=case.findings,
        entry=case.entry,
        record=case.record,
        coverage=case.coverage,
        label_says=case.label_says,
    )


_CLEARED = (Label.HALLUCINATED, Label.VALID)


def read_ledger(path: Path) -> list[Dispute]:
    """Read a ledger.

    Raises:
        InputError: naming every line that cannot be used, with what is wrong.
    """
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
    if {found.label, found.proposed} != {str(Label.VALID), str(Label.HALLUCINATED)}:
        problems.add("`label` and `proposed` must be VALID and HALLUCINATED, either way", line)
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
    )


def as_lines(rows: Iterable[Dispute]) -> str:
    """Return a ledger as JSON Lines."""
    return "".join(f"{msgspec.json.encode(row).decode()}\n" for row in rows)
