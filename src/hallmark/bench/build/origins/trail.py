"""What was decided about each case of a corpus, and on which grounds?"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from hallmark.bench.entry import Entry, write_jsonl
from hallmark.records.work import Version


class Decision(StrEnum):
    """What became of a case; OPEN is for a person to decide."""

    TAKEN = "taken"
    EXCLUDED = "excluded"
    OPEN = "open"


class Case(Struct, frozen=True, kw_only=True):
    """One case: what was read, what was found, what was decided and why.

    `id` and `line` are the corpus's own. `label` and `type` are what the entry became; `grounds`
    all types that apply, with the reason of each; `record` the nearest real work. `shown` holds
    what the corpus says beside the reference (note, codes).
    """

    id: str
    line: int
    decision: Decision
    reason: str
    raw: str = ""
    label: str | None = None
    type: str | None = None
    tier: int | None = None
    grounds: tuple[tuple[str, str], ...] = ()
    record: dict[str, Any] | None = None
    shown: dict[str, str] = {}
    read: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    entry: Entry | None = None

    def row(self) -> dict[str, Any]:
        """Return the case as a JSON object, with the entry's key in place of the entry."""
        row = {name: value for name, value in structs.asdict(self).items() if name != "entry"}
        return {**row, "key": self.entry.bibtex_key if self.entry else None}


def told(version: Version | None) -> dict[str, Any] | None:
    """Return what a trail says of a record."""
    if version is None:
        return None
    return {
        "collection": version.collection,
        "title": version.title,
        "authors": list(version.authors),
        "venue": version.venue or version.venue_raw,
        "year": version.year,
        "doi": version.doi,
    }


def entries_of(cases: Iterable[Case]) -> tuple[list[Entry], list[Case]]:
    """Return the entries that were taken, and all cases; a second like entry is excluded.

    A reference that is cited in two papers is one entry.
    """
    kept: dict[str, Entry] = {}
    settled: list[Case] = []
    for case in cases:
        if case.entry is None:
            settled.append(case)
        elif case.entry.bibtex_key in kept:
            reason = f"the same entry as {case.entry.bibtex_key}, which was taken already"
            settled.append(structs.replace(case, decision=Decision.EXCLUDED, reason=reason))
        else:
            kept[case.entry.bibtex_key] = case.entry
            settled.append(case)
    return list(kept.values()), settled


def counts(cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    """Return how many cases were decided how, by label or type, and by reason where not taken."""
    taken = Counter(str(one.type or one.label) for one in cases if one.decision is Decision.TAKEN)
    found = {str(Decision.TAKEN): dict(taken.most_common())}
    for decision in (Decision.EXCLUDED, Decision.OPEN):
        reasons = Counter(one.reason for one in cases if one.decision is decision)
        found[str(decision)] = dict(reasons.most_common())
    return found


def write_trail(path: Path, cases: Iterable[Case]) -> None:
    """Write the trail as JSON Lines, whole or not at all; see `write_jsonl` for the errors."""
    write_jsonl(path, (case.row() for case in cases))
