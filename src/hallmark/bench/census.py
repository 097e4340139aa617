"""What is in a gold file, counted?"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from hallmark.bench.audit.marks import year_of
from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType

NONE = "none"
SEGMENTS = ("pre-2023", "2023-2024", "2025+")


class Share(Struct, frozen=True):
    """`count` of `n` entries; `share` in [0, 1], None where n is 0."""

    count: int
    n: int

    @property
    def share(self) -> float | None:
        """The part of all."""
        return self.count / self.n if self.n else None


class Pair(Struct, frozen=True):
    """A count for each label."""

    valid: int
    hallucinated: int


class Census(Struct, frozen=True, kw_only=True):
    """The counts of one split; groups hold a pair for each name, types and tiers a number."""

    name: str
    sha256: str
    n: int
    valid: int
    hallucinated: int
    with_doi: Mapping[str, Share]
    types: Mapping[str, int]
    tiers: Mapping[str, int]
    methods: Mapping[str, Pair]
    segments: Mapping[str, Pair]
    years: Mapping[str, Pair]
    entry_types: Mapping[str, Pair]
    conferences: Mapping[str, Pair]


def census(split: Split) -> Census:
    """Count a split."""
    entries = split.entries
    return Census(
        name=split.name,
        sha256=split.sha256,
        n=len(entries),
        valid=split.valid,
        hallucinated=split.hallucinated,
        with_doi=_doi_shares(entries),
        types=_types(entries),
        tiers=_tiers(entries),
        methods=_pairs(entries, lambda e: e.generation_method or NONE),
        segments=_pairs(entries, lambda e: segment(published_year(e)), order=(*SEGMENTS, NONE)),
        years=_pairs(entries, lambda e: e.fields.get("year", NONE)),
        entry_types=_pairs(entries, lambda e: e.bibtex_type),
        conferences=_pairs(entries, lambda e: e.source_conference or NONE),
    )


def published_year(entry: Entry) -> int | None:
    """Return the year of the `year` field, else of the publication date, else None."""
    year = year_of(entry)
    date = entry.publication_date or ""
    return int(date[:4]) if year is None and date[:4].isdigit() and date[:4].isascii() else year


def segment(year: int | None) -> str:
    """Return the paper's temporal segment of a year (section 3.4)."""
    if year is None:
        return NONE
    return SEGMENTS[(year >= 2023) + (year >= 2025)]  # noqa: PLR2004 - the segments' own years


def _doi_shares(entries: Iterable[Entry]) -> dict[str, Share]:
    listed = list(entries)

    def share(chosen: list[Entry]) -> Share:
        return Share(sum(bool(e.fields.get("doi", "").strip()) for e in chosen), len(chosen))

    labels = {str(label): [e for e in listed if e.label is label] for label in _LABELS}
    return {"all": share(listed), **{name: share(chosen) for name, chosen in labels.items()}}


_LABELS = (Label.VALID, Label.HALLUCINATED)


def _types(entries: Iterable[Entry]) -> dict[str, int]:
    """Return the number of hallucinated entries of each type, in the order of Table 1."""
    counts = Counter(
        str(e.hallucination_type or NONE) for e in entries if e.label is Label.HALLUCINATED
    )
    order = [str(kind) for kind in (*HallucinationType, NONE)]
    return {name: counts[name] for name in order if counts[name]}


def _tiers(entries: Iterable[Entry]) -> dict[str, int]:
    counts = Counter(_tier(e) for e in entries if e.label is Label.HALLUCINATED)
    return {name: counts[name] for name in ("1", "2", "3", NONE) if counts[name]}


def _tier(entry: Entry) -> str:
    if entry.difficulty_tier is not None:
        return str(entry.difficulty_tier)
    kind = entry.hallucination_type
    return str(int(TAXONOMY[kind].tier)) if kind else NONE


def _pairs(
    entries: Iterable[Entry], name_of: Callable[[Entry], str], order: tuple[str, ...] = ()
) -> dict[str, Pair]:
    good, bad = Counter[str](), Counter[str]()
    for entry in entries:
        (good if entry.label is Label.VALID else bad)[name_of(entry)] += 1
    names = sorted({*good, *bad} - set(order))
    return {n: Pair(good[n], bad[n]) for n in (*order, *names) if good[n] + bad[n]}
