"""How does the noise study look as a document?"""

from collections.abc import Iterable

from hallmark.study.document import Items, Part, Section, Table
from hallmark.study.noise import Case, NoiseStudy, Row

SHOWN = 40
"""False alarms and misses that are listed; JSON holds all of them."""


def document(study: NoiseStudy) -> list[Section]:
    """Return the study's tables, its origin, and the first false alarms and misses."""
    wanted = study.wanted
    intro = (
        f"{study.valid.checked:,} valid entries in realistic citation styles and "
        f"{study.corrupted.checked:,} corrupted ones, drawn from an index of "
        f"{study.index_records:,} records (digest {study.index_digest[:12]}, built "
        f"{study.index_built}) with seed {wanted.seed}; policy {study.policy}. Each was written as "
        "BibTeX and read back before it was checked; its work stays in the index."
    )
    return [
        Section("Citation noise", (intro,), level=1),
        Section("Valid entries, by kind of noise", (_table((study.valid, *study.by_kind)),)),
        Section("Valid entries, by style", (_table(study.by_style),)),
        Section("Corrupted entries, by type", (_table((study.corrupted, *study.by_type)),)),
        Section("Attempts to corrupt, by type", (_attempts(study),)),
        Section("False alarms", _listed(study.false_alarms)),
        Section("Corrupted entries that passed", _listed(study.missed)),
    ]


def _table(rows: Iterable[Row]) -> Table:
    head = ("Kind", "Entries", "Flagged", "Passed", "Left open")
    return Table(head, tuple(_cells(row) for row in rows))


def _cells(row: Row) -> tuple[str, ...]:
    counts = (row.flagged, row.passed, row.open)
    return (row.name, f"{row.checked:,}", *(_share(count, row.checked) for count in counts))


def _share(count: int, whole: int) -> str:
    return f"{count:,} ({count / whole:.2%})" if whole else "0"


def _attempts(study: NoiseStudy) -> Table:
    fates = list(dict.fromkeys(fate for counts in study.attempts.values() for fate in counts))
    rows = (
        (name, *(f"{counts.get(fate, 0):,}" for fate in fates))
        for name, counts in sorted(study.attempts.items())
    )
    return Table(("Type", *fates), tuple(rows))


def _listed(cases: tuple[Case, ...]) -> tuple[Part, ...]:
    if not cases:
        return ("None.",)
    lines = Items(tuple(_line(case) for case in cases[:SHOWN]))
    rest = len(cases) - SHOWN
    return (lines, f"{rest:,} more are in the JSON form.") if rest > 0 else (lines,)


def _line(case: Case) -> str:
    text = " ".join(case.bibtex.split())
    return f"{', '.join(case.kinds) or case.style}: {text} | {case.reason}"
