"""Which entries does a quick run over a part of a split ask about?

The first N in an order that the seed shuffles: it depends on the seed and on each entry alone, so
that a larger N adds entries and takes none away. They stay in the order of the file.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from hallmark._files import read_bytes
from hallmark.bench.dataset import BlindSplit, Split, digest
from hallmark.bench.run import Manifest, manifest_path
from hallmark.bench.systems.constant import draw
from hallmark.errors import InputError

S = TypeVar("S", bound=Split | BlindSplit)


def limited(split: S, limit: int, seed: int) -> S:
    """Return the split with `limit` of its entries, or all where it has no more.

    Raises:
        InputError: `limit` is below 1.
    """
    if limit < 1:
        raise InputError(f"--limit is {limit}; give a number of entries from 1 on.")
    numbers = [draw(entry.blind(), seed) for entry in split.entries]
    chosen = sorted(range(len(numbers)), key=numbers.__getitem__)[:limit]
    return structs.replace(split, entries=tuple(split.entries[at] for at in sorted(chosen)))


def asked(split: Split, path: Path) -> Split:
    """Return the part of a split that a prediction file's own manifest says it was asked about.

    The whole split where there is no manifest of these predictions, or it speaks of all entries.
    """
    manifest = _manifest(path)
    if manifest is None or manifest.gold.drawn_from != len(split.entries):
        return split
    return limited(split, manifest.gold.n, manifest.seed)


def asked_by_all(split: Split, paths: Sequence[Path]) -> Split:
    """Return the part of a split that all these prediction files were asked about.

    Raises:
        InputError: they were asked about different parts.
    """
    parts = [asked(split, path) for path in paths]
    keys = [tuple(entry.bibtex_key for entry in part.entries) for part in parts]
    if len(set(keys)) > 1:
        told = ", ".join(f"{path.name} {len(one):,}" for path, one in zip(paths, keys, strict=True))
        raise InputError(
            f"These predictions are of different parts of {split.name} (entries: {told}). Run all "
            "with the same --limit and --seed, or without --limit."
        )
    return parts[0] if parts else split


def told(part: Split, whole: Split) -> str:
    """Return what a reader must know of figures over a part of a split; "" where it is whole."""
    if len(part.entries) == len(whole.entries):
        return ""
    return (
        f"These are {len(part.entries):,} of the {len(whole.entries):,} entries of {whole.name}, "
        "drawn by bench run --limit: the figures are those of the sample."
    )


def _manifest(path: Path) -> Manifest | None:
    """Return the manifest of a prediction file, None where there is none of this very file."""
    try:
        manifest = msgspec.json.decode(read_bytes(manifest_path(path)), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, InputError):
        return None
    return manifest if manifest.predictions.sha256 == digest(path) else None
