"""Table 2: how many entries does each split hold, by label, tier and type?"""

from collections.abc import Sequence
from typing import Any

from hallmark.bench.entry import Entry, Label
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of

CORE = ("dev_public", "test_public", "stress_test", "test_hidden")
EXTENSIONS = (
    "temporal_probe",
    "temporal_supplement",
    "test_crossdomain",
    "supplement_chatgpt_citations",
)
TOTAL = "Total"
TYPES = "Types"

Counts = dict[str, float | None]


def counts_of(entries: Sequence[Entry]) -> Counts:
    """Counts of one split under the names of the table's columns; absent tiers are left out."""
    bad = [entry for entry in entries if entry.label is Label.HALLUCINATED]
    tiers = {tier: sum(entry.difficulty_tier == tier for entry in bad) for tier in (1, 2, 3)}
    return {
        "Valid": len(entries) - len(bad),
        "Halluc.": len(bad),
        TOTAL: len(entries),
        **{f"Tier {tier}": count for tier, count in tiers.items() if count},
        TYPES: len({entry.hallucination_type for entry in bad}),
    }


def _from_metadata(split: dict[str, Any]) -> Counts:
    tiers = split.get("tier_distribution", {})
    types = split.get("type_distribution")
    return {
        "Valid": split.get("valid"),
        "Halluc.": split.get("hallucinated"),
        TOTAL: split.get("total"),
        **{f"Tier {tier}": count for tier, count in tiers.items()},
        **({} if types is None else {TYPES: len(types)}),
    }


def _split(folder: Folder, name: str) -> tuple[Counts, Origin]:
    entries = folder.entries(name)
    if entries is not None:
        return counts_of(entries), Origin.GOLD
    metadata = folder.json("metadata.json") or {}
    described = metadata.get("splits", {}).get(name)
    return (
        ({}, Origin.MISSING) if described is None else (_from_metadata(described), Origin.AGGREGATE)
    )


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    core: list[Counts] = []
    for name in (*CORE, *EXTENSIONS):
        counts, origin = _split(folder, name)
        sheet.row(name, counts, origin, unit=Unit.COUNT)
        lacking = [column for column in columns_of(2, name) if column not in counts]
        if lacking:
            sheet.lacks(name, lacking, f"{name}.jsonl", unit=Unit.COUNT)
        if name in CORE:
            core.append(counts)
        if name == CORE[-1]:
            total = _total(core)
            sheet.row(TOTAL, total, Origin.DERIVED, unit=Unit.COUNT)
            lacking = [column for column in columns_of(2, TOTAL) if column not in total]
            sheet.lacks(TOTAL, lacking, unit=Unit.COUNT)
    return sheet.done()


def _total(core: list[Counts]) -> Counts:
    """Sums over the core splits of what is known of all of them."""
    columns = ("Valid", "Halluc.", TOTAL)
    return {
        column: sum(counts[column] or 0 for counts in core)
        for column in columns
        if all(counts.get(column) is not None for counts in core)
    }


STUDIES = (Study(2, "Entries of each split", _table),)
