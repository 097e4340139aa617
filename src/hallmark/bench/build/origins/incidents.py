"""Which entry does each reported incident make, and what must a person decide?

Every reference of an audit list is mapped to the highest tier that applies (the paper, A.2), with
the reason. What records and note leave open, or contradict each other about, is never guessed.
"""

from collections.abc import Iterator

from msgspec import structs

from hallmark.bench.build.origins.claims import Claim, claims
from hallmark.bench.build.origins.entries import entry_of_reference, finished, lacking
from hallmark.bench.build.origins.grounds import Reading, read_case
from hallmark.bench.build.origins.library import Library
from hallmark.bench.build.origins.rows import Row, Table, reference_of_cell
from hallmark.bench.build.origins.trail import Case, Decision, told
from hallmark.bench.entry import Entry
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.reference import FailedEntry, Location, Reference
from hallmark.text import titles

METHOD = "real_world"
"""What the benchmark calls entries that were found in papers."""


def incidents(table: Table, library: Library, *, source: str, date: str) -> Iterator[Case]:
    """Decide about each incident of an audit list, in order.

    Args:
        table: the list.
        library: the real works.
        source: what the list is called, for rows that do not say where they were found.
        date: of the benchmark, "2026-12-02".
    """
    for row in table.rows:
        yield _case(row, table, library, source, date)


def _case(row: Row, table: Table, library: Library, source: str, date: str) -> Case:
    key = table.cell(row, "id") or str(row.line)
    raw, note = table.cell(row, "reference"), table.cell(row, "note")
    said = claims(note)
    shown = {
        "note": note,
        "understood": "; ".join(sorted(said)),
        "source": table.cell(row, "source") or source,
    }
    read = reference_of_cell(raw, key, Location(key, row.line))
    case = Case(id=key, line=row.line, decision=Decision.OPEN, reason="", raw=raw, shown=shown)
    if isinstance(read, FailedEntry):
        return _with(case, reason=f"the reference cannot be read: {read.reason}")
    entry = entry_of_reference(read)
    case = _with(case, read=entry.fields, notes=tuple(one.message for one in read.notes))
    missing = lacking(entry)
    if missing:
        return _with(case, reason=f"no {' and no '.join(missing)} could be read")
    return _decided(case, entry, read, said, library, date)


def _decided(
    case: Case,
    entry: Entry,
    read: Reference,
    said: frozenset[Claim],
    library: Library,
    date: str,
) -> Case:
    reading = read_case(read, said, library, int(date[:4]))
    ranked = reading.ranked
    case = _with(
        case,
        record=told(reading.work),
        grounds=tuple((str(one.type), one.reason) for one in ranked),
    )
    if reading.open or not ranked:
        return _with(case, reason=reading.open or "no type applies")
    kind = ranked[0].type
    more = f"; the highest tier of {len(ranked)} types that apply" if len(ranked) > 1 else ""
    reason = ranked[0].reason + more
    made = finished(
        entry,
        kind,
        method=METHOD,
        source=case.shown["source"],
        explanation=reason[0].upper() + reason[1:],
        date=date,
        works=_works(entry, reading),
        doi_resolves=False if Claim.DEAD_DOI in said else None,
    )
    return _with(
        case,
        decision=Decision.TAKEN,
        reason=reason,
        label=str(made.label),
        type=str(kind),
        tier=made.difficulty_tier,
        entry=made,
    )


def _works(entry: Entry, reading: Reading) -> list[str]:
    """Return the title keys of the entry and of the real work behind it."""
    own = titles.key(entry.fields["title"])
    invented = reading.ranked[0].type is HallucinationType.PLAUSIBLE_FABRICATION
    if invented or reading.work is None:
        return [own]
    return [titles.key(reading.work.title), own]


def _with(case: Case, **changes: object) -> Case:
    return structs.replace(case, **changes)
