"""How are the counts of a split shown to people, and as JSON?"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from hallmark.bench.census import Census, Pair, Share
from hallmark.bench.lines import printable

_MANY = 40


def lines(counts: Census) -> Iterator[str]:
    """Yield the counts, one group after the other."""
    labels = f"{counts.valid:,} valid, {counts.hallucinated:,} hallucinated"
    yield f"{counts.name}: {counts.n:,} entries, {labels}"
    yield f"SHA-256 {counts.sha256}"
    yield ""
    yield from _numbers("type (hallucinated)", counts.types)
    yield from _numbers("tier (hallucinated)", counts.tiers)
    yield from _pairs("generation method", counts.methods)
    yield from _pairs("segment", counts.segments)
    yield from _pairs("year", counts.years)
    yield from _pairs("entry type", counts.entry_types)
    yield from _pairs("conference", counts.conferences)
    yield f"{'with a DOI':<26}"
    for name, share in counts.with_doi.items():
        yield f"  {name:<24}{_percent(share):>9}  ({share.count:,} of {share.n:,})"


def _percent(share: Share) -> str:
    return "-" if share.share is None else f"{share.share:.1%}"


def _numbers(title: str, group: Mapping[str, int]) -> Iterator[str]:
    if not group:
        return
    yield f"{title:<26}{'n':>9}"
    for name, number in group.items():
        yield f"  {name:<24}{number:>9,}"
    yield ""


def _pairs(title: str, group: Mapping[str, Pair]) -> Iterator[str]:
    yield f"{title:<26}{'valid':>9}{'hallucinated':>14}"
    for name, pair in list(group.items())[:_MANY]:
        yield f"  {printable(name, 24):<24}{pair.valid:>9,}{pair.hallucinated:>14,}"
    if len(group) > _MANY:
        yield f"  ... and {len(group) - _MANY:,} more (all of them: --format json)"
    yield ""


def as_builtins(counts: Census) -> dict[str, Any]:
    """Return the counts as JSON values; a share also as a number in [0, 1] or null."""
    shares = {
        name: {"count": share.count, "n": share.n, "share": share.share}
        for name, share in counts.with_doi.items()
    }
    return {**msgspec.to_builtins(counts), "with_doi": shares}
