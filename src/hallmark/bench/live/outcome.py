"""What came out of the cells of a live study?

Rates leave abstentions and failures out, as the paper's tables of models do (selective stance).
"""

import math
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from hallmark.bench.align import Stance, align
from hallmark.bench.entry import Entry, Label, Prediction, read_predictions
from hallmark.bench.live.cells import Cell
from hallmark.bench.studies.results import rate
from hallmark.llm.answers import OF_SERVICE

_P95 = 0.95


class Summary(Struct, frozen=True, kw_only=True):
    """One cell: rates in [0, 1], None where undefined.

    `kept` counts replies that were there before the run. `unparsed` is the share of entries whose
    reply could not be read, the service's failures apart; `p95_tokens` the 95th percentile of
    completion tokens, which `limit` bounds.
    """

    name: str
    n: int
    detection_rate: float | None
    false_positive_rate: float | None
    f1: float | None
    abstained: float
    failed: float
    unparsed: float
    p95_tokens: int
    limit: int
    kept: int

    @property
    def saturation(self) -> float:
        """95th percentile of completion tokens, as a share of the limit."""
        return self.p95_tokens / self.limit


class Drift(Struct, frozen=True, kw_only=True):
    """How a run of a panel differs from an earlier one: entries whose label is another."""

    earlier: str
    n: int
    flips: int
    to_flag: int
    from_flag: int


def summary(cell: Cell) -> Summary:
    """Return what came out of a finished cell.

    Raises:
        InputError: its file cannot be read.
    """
    rows = read_predictions(cell.out)
    pairs = align(cell.split.entries, rows)
    detection, alarms, f1 = (
        rate(pairs, Stance.SELECTIVE, name)
        for name in ("detection_rate", "false_positive_rate", "f1")
    )
    return Summary(
        name=cell.name,
        n=len(rows),
        detection_rate=detection,
        false_positive_rate=alarms,
        f1=f1,
        abstained=_share(rows, [row.label is Label.UNCERTAIN for row in rows]),
        failed=_share(rows, [row.label is Label.ERROR for row in rows]),
        unparsed=_share(rows, list(map(is_unparsed, rows))),
        p95_tokens=p95([int(row.extra.get("tokens_out", 0)) for row in rows]),
        limit=cell.model.max_tokens,
        kept=sum(int(row.extra.get("kept", 0)) for row in rows),
    )


def in_words(found: Summary) -> str:
    """Return a cell's outcome as one line for people."""
    return (
        f"{found.name}: n {found.n:,}, DR {_three(found.detection_rate)}, "
        f"FPR {_three(found.false_positive_rate)}, F1 {_three(found.f1)}, "
        f"UNCERTAIN {found.abstained:.1%}, ERROR {found.failed:.1%}, "
        f"parse failures {found.unparsed:.1%}, "
        f"p95 of tokens out {found.p95_tokens:,} of {found.limit:,} ({found.saturation:.2f})"
        f"{f', {found.kept:,} replies kept from before' if found.kept else ''}."
    )


def drifts(cell: Cell, runs: Sequence[Path]) -> list[Drift]:
    """Compare a run of a panel with each of `runs` of the same entries.

    Raises:
        InputError: a file cannot be read.
        AlignmentError: a file is of other entries.
    """
    now = read_predictions(cell.out)
    return [_drift(cell.split.entries, path, now) for path in runs]


def drift_in_words(name: str, found: Drift) -> str:
    """Return a comparison as one line for people."""
    return (
        f"{name} against {found.earlier}: {found.flips:,} of {found.n:,} labels differ; "
        f"{found.to_flag:,} became HALLUCINATED, {found.from_flag:,} no longer are."
    )


def _drift(entries: Sequence[Entry], path: Path, now: Sequence[Prediction]) -> Drift:
    before = read_predictions(path)
    align(entries, before)
    old = {row.bibtex_key: row.label for row in before}
    changed = [(old[row.bibtex_key], row.label) for row in now if old[row.bibtex_key] != row.label]
    return Drift(
        earlier=path.name,
        n=len(now),
        flips=len(changed),
        to_flag=sum(new is Label.HALLUCINATED for _, new in changed),
        from_flag=sum(was is Label.HALLUCINATED for was, _ in changed),
    )


def is_unparsed(row: Prediction) -> bool:
    """Tell whether there was a reply that could not be read."""
    service = {kind.value for kind in OF_SERVICE}
    return row.label is Label.ERROR and row.extra.get("error") not in service


def p95(values: Sequence[int]) -> int:
    """Return the value that 95 % of the values do not exceed."""
    return sorted(values)[math.ceil(_P95 * len(values)) - 1] if values else 0


def _share(rows: Sequence[Prediction], found: Sequence[bool]) -> float:
    return sum(found) / len(rows) if rows else 0.0


def _three(value: float | None) -> str:
    return "0/0" if value is None else f"{value:.3f}"
