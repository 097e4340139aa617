"""Table 2: how many entries does each split hold, by label, tier and type?"""

from collections.abc import Sequence
from typing import NamedTuple

from hallmark.bench.entry import Entry, Label
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, Unit, derived
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.printed import columns_of
from hallmark.bench.studies.released import SplitMeta

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


class Content(NamedTuple):
    """What one split holds: counts under the names of the table's columns, and its types.

    Tiers without entries are left out; `kinds` is None where the types are not known.
    """

    counts: Counts
    kinds: frozenset[str] | None
    origin: Origin


def content_of(entries: Sequence[Entry]) -> Content:
    """Count the entries of one split."""
    bad = [entry for entry in entries if entry.label is Label.HALLUCINATED]
    tiers = {tier: sum(entry.difficulty_tier == tier for entry in bad) for tier in (1, 2, 3)}
    kinds = frozenset(str(entry.hallucination_type) for entry in bad if entry.hallucination_type)
    counts: Counts = {
        "Valid": len(entries) - len(bad),
        "Halluc.": len(bad),
        TOTAL: len(entries),
        **{f"Tier {tier}": count for tier, count in tiers.items() if count},
        TYPES: len(kinds),
    }
    return Content(counts, kinds, Origin.GOLD)


def _from_metadata(split: SplitMeta) -> Content:
    types = split.types
    counts: Counts = {
        "Valid": split.valid,
        "Halluc.": split.hallucinated,
        TOTAL: split.total,
        **{f"Tier {tier}": count for tier, count in split.tier_distribution.items()},
        **({} if types is None else {TYPES: len(types)}),
    }
    return Content(counts, types, Origin.AGGREGATE)


def _split(folder: Folder, name: str) -> Content:
    entries = folder.entries(name)
    if entries is not None:
        return content_of(entries)
    described = folder.metadata().of(name)
    if described is not None:
        return _from_metadata(described)
    return Content({}, None, Origin.MISSING)


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    found = {name: _split(folder, name) for name in (*CORE, *EXTENSIONS)}
    for name in CORE:
        _row(sheet, name, found[name])
    _row(sheet, TOTAL, _total([found[name] for name in CORE]))
    for name in EXTENSIONS:
        _row(sheet, name, found[name])
    return sheet.done()


def _row(sheet: Sheet, name: str, content: Content) -> None:
    sheet.row(name, content.counts, content.origin, unit=Unit.COUNT)
    lacking = [column for column in columns_of(2, name) if column not in content.counts]
    if lacking:
        needs = [f"{split}.jsonl" for split in ([name] if name != TOTAL else [])]
        sheet.lacks(name, lacking, *needs, unit=Unit.COUNT)


def _total(core: Sequence[Content]) -> Content:
    """Sums over the core splits of what is known of all of them."""
    counts: Counts = {}
    for column in ("Valid", "Halluc.", TOTAL):
        if all(content.counts.get(column) is not None for content in core):
            counts[column] = sum(content.counts[column] or 0 for content in core)
    tiers = [f"Tier {tier}" for tier in (1, 2, 3)]
    if all(any(tier in content.counts for tier in tiers) for content in core):
        counts |= {tier: sum(c.counts.get(tier) or 0 for c in core) for tier in tiers}
    kinds = [content.kinds for content in core if content.kinds is not None]
    if len(kinds) == len(core):
        counts[TYPES] = len(frozenset().union(*kinds))
    return Content(counts, None, derived(*(content.origin for content in core)))


STUDIES = (Study(2, "Entries of each split", _table),)
