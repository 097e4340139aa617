"""Which entries of a split does a live study ask about?

Entries are drawn within strata of label and tier, in proportion to the strata; which ones depends
on the seed and on each entry alone, never on its place in the file.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import Entry, write_jsonl
from hallmark.bench.systems.constant import draw
from hallmark.errors import InputError

_Stratum = tuple[str, int]


def stratified(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample in the order of the entries.

    Args:
        entries: the population.
        size: entries to draw; 0, or as many as there are, for all.
        seed: what the draw depends on.

    Raises:
        InputError: `size` is negative, or larger than the population.
    """
    if not 0 <= size <= len(entries):
        raise InputError(
            f"--sample is {size:,}, and the split has {len(entries):,} entries; give 0 (all) to "
            f"{len(entries):,}."
        )
    strata: dict[_Stratum, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        strata[str(entry.label), entry.difficulty_tier or 0].append(at)
    counts = _shares({name: len(places) for name, places in strata.items()}, size or len(entries))
    chosen = [
        at
        for name, places in strata.items()
        for at in sorted(places, key=lambda at: draw(entries[at].blind(), seed))[: counts[name]]
    ]
    return tuple(entries[at] for at in sorted(chosen))


def _shares(sizes: dict[_Stratum, int], size: int) -> dict[_Stratum, int]:
    """Return how many of each stratum are drawn, by largest remainders."""
    total = sum(sizes.values())
    exact = {name: size * n / total for name, n in sizes.items()} if total else {}
    counts = {name: math.floor(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: (counts[name] - exact[name], name))
    for name in by_rest[: size - sum(counts.values())]:
        counts[name] += 1
    return counts


def panel(split: Split, entries: tuple[Entry, ...], path: Path, *, write: bool) -> Split:
    """Return a sample as a split of its own, which lies at `path`.

    Args:
        split: where the entries come from.
        entries: the sample.
        path: its file in the layout of released data; it is never written over.
        write: whether it is written where it does not exist; otherwise nothing is.

    Raises:
        InputError: there is another sample at `path`.
        OutputError: it cannot be written.
    """
    if not path.exists():
        if not write:
            return structs.replace(split, name=path.stem, path=path, sha256="", entries=entries)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_jsonl(path, entries)
    found = load_split(path)
    if [entry.row() for entry in found.entries] != [entry.row() for entry in entries]:
        raise InputError(
            f"{path} holds other entries than this sample. Give the same --gold, --sample and "
            "--seed as the studies already in this folder, or another --data-out."
        )
    return found
