"""Which entries of a split does a live study ask about?

Which ones are drawn depends on the seed and on each entry alone, never on its place in the file;
how many of each stratum is the study's rule.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import structs

from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import Entry, Label, write_jsonl
from hallmark.bench.systems.constant import draw
from hallmark.bench.taxonomy import TAXONOMY
from hallmark.errors import InputError

_Stratum = tuple[str, str]


LEAST_OF_TYPE = 5
"""Entries of each hallucination type that a sample by type holds, where it can (Table 31)."""
_HALLUCINATED = 0.7
"""Share of hallucinated entries in a sample by type: 70 of 100 (F.5)."""


def stratified(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample in proportion to label and tier, in the order of the entries.

    Args:
        entries: the population.
        size: entries to draw; 0, or as many as there are, for all.
        seed: what the draw depends on.

    Raises:
        InputError: `size` is negative, or larger than the population.
    """
    _check(size, len(entries))
    strata = _strata(entries, lambda entry: (str(entry.label), str(entry.difficulty_tier or 0)))
    counts = _shares({name: len(places) for name, places in strata.items()}, size or len(entries))
    return _drawn(entries, strata, counts, seed)


def valid_only(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample of the valid entries alone; arguments and errors as for `stratified`."""
    valid = [entry for entry in entries if entry.label is Label.VALID]
    if not valid:
        raise InputError("A gold file has no valid entry, and the study asks about no other.")
    return stratified(valid, size, seed)


def by_type(entries: Sequence[Entry], size: int, seed: int) -> tuple[Entry, ...]:
    """Return a sample of which 70 % are hallucinated, five of each type before more of any.

    Beyond five, types are filled in proportion to their numbers in the population. Where a label
    has too few entries for its share, the other one fills the sample. Arguments and errors as for
    `stratified`.
    """
    _check(size, len(entries))
    wanted = size or len(entries)
    strata = _strata(entries, _label_and_type)
    sizes = {name: len(places) for name, places in strata.items()}
    bad = {name: n for name, n in sizes.items() if name[0] == Label.HALLUCINATED}
    good = {name: n for name, n in sizes.items() if name not in bad}
    most, others = sum(bad.values()), sum(good.values())
    flagged = min(max(round(_HALLUCINATED * wanted), wanted - others), most)
    counts = _filled(bad, flagged) | _filled(good, wanted - flagged)
    return _drawn(entries, strata, counts, seed)


def few_of(entries: Sequence[Entry]) -> dict[str, int]:
    """Return the types that a sample has fewer than five entries of, with their number."""
    counts = Counter(kind for _, kind in map(_label_and_type, entries) if kind)
    return {str(kind): counts[str(kind)] for kind in TAXONOMY if counts[str(kind)] < LEAST_OF_TYPE}


def _label_and_type(entry: Entry) -> _Stratum:
    kind = entry.hallucination_type if entry.label is Label.HALLUCINATED else None
    return str(entry.label), str(kind or "")


def _filled(sizes: dict[_Stratum, int], size: int) -> dict[_Stratum, int]:
    """Return how many of each stratum are drawn: five of each by turns, then in proportion."""
    counts = dict.fromkeys(sorted(sizes), 0)
    for _ in range(size):
        open_ = [name for name in counts if counts[name] < sizes[name]]
        short = [name for name in open_ if counts[name] < LEAST_OF_TYPE]
        if short:
            chosen = min(short, key=lambda name: counts[name])
        else:
            chosen = max(open_, key=lambda name: sizes[name] / (2 * counts[name] + 1))
        counts[chosen] += 1
    return counts


def _check(size: int, there: int) -> None:
    if not 0 <= size <= there:
        raise InputError(
            f"--sample is {size:,}, and the split has {there:,} entries; give 0 (all) to {there:,}."
        )


def _strata(
    entries: Sequence[Entry], stratum: Callable[[Entry], _Stratum]
) -> dict[_Stratum, list[int]]:
    """Return the places of the entries of each stratum."""
    strata: dict[_Stratum, list[int]] = defaultdict(list)
    for at, entry in enumerate(entries):
        strata[stratum(entry)].append(at)
    return strata


def _drawn(
    entries: Sequence[Entry],
    strata: dict[_Stratum, list[int]],
    counts: dict[_Stratum, int],
    seed: int,
) -> tuple[Entry, ...]:
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


def shared(split: Split, path: Path) -> Split:
    """Return what a study before wrote to `path`, all of it being entries of `split`.

    Raises:
        InputError: it holds an entry that `split` does not.
    """
    found = load_split(path)
    rows = {entry.bibtex_key: entry.row() for entry in split.entries}
    if any(rows.get(entry.bibtex_key) != entry.row() for entry in found.entries):
        raise InputError(
            f"{path} holds entries that {split.path} does not. Give the --gold of the studies "
            "already in this folder, or another --data-out."
        )
    return found


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
