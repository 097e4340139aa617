"""Which checks does an audit of a file or a folder make?"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from hallmark.bench.audit.canary import canary_leaks, tokens_of_entries, tokens_of_metadata
from hallmark.bench.audit.leak import LIMITS, Leak, Limits
from hallmark.bench.audit.marks import mark_leaks
from hallmark.bench.audit.overlap import blind_leaks, key_leaks, shared_leaks, twin_leaks
from hallmark.bench.audit.shortcut import shortcut_leaks
from hallmark.bench.dataset import Split, load_split
from hallmark.bench.lines import printable, read_rows
from hallmark.errors import InputError


def audit_split(split: Split, limits: Limits = LIMITS) -> Iterator[Leak]:
    """Yield what one split gives away by itself."""
    yield from key_leaks(split)
    yield from mark_leaks(split, limits)
    yield from twin_leaks(split, limits)
    yield from shortcut_leaks(split, limits)


def audit_file(
    path: Path, predictions: Sequence[Path] = (), canaries: Sequence[str] = ()
) -> Iterator[Leak]:
    """Yield what a gold file, or a blind one, gives away, and canaries in prediction files.

    Raises:
        InputError: a file cannot be read.
    """
    kind = kind_of(path)
    if kind == "blind":
        yield from blind_leaks(path)
        splits = list[Split]()
    elif kind == "gold":
        splits = [load_split(path)]
        yield from audit_split(splits[0])
    else:
        raise InputError(
            f"{printable(path, 300)} holds neither labelled nor blind entries; give predictions "
            "with --predictions FILE."
        )
    yield from scan_predictions(predictions, splits, canaries)


def audit_folder(folder: Path, canaries: Sequence[str] = ()) -> Iterator[Leak]:
    """Yield what the splits of a data folder give away, alone and together.

    All `*.jsonl` of the folder itself count as gold or blind files, all below `predictions/` as
    answers, all `*.json` of the folder as metadata.

    Raises:
        InputError: a file cannot be read, or there are no splits.
    """
    files = sorted(folder.glob("*.jsonl"))
    kinds = {path: kind_of(path) for path in files}
    splits = [load_split(path) for path in files if kinds[path] == "gold"]
    if not splits:
        raise InputError(f"{printable(folder, 300)} holds no labelled split (*.jsonl).")
    for split in splits:
        yield from audit_split(split)
    yield from shared_leaks(splits)
    for path in files:
        if kinds[path] == "blind":
            yield from blind_leaks(path)
    known = {token for path in sorted(folder.glob("*.json")) for token in tokens_of_metadata(path)}
    predictions = sorted((folder / "predictions").rglob("*.jsonl"))
    yield from scan_predictions(predictions, splits, [*canaries, *sorted(known)])


def scan_predictions(
    paths: Sequence[Path], splits: Sequence[Split], canaries: Sequence[str]
) -> Iterator[Leak]:
    """Yield the canaries that prediction files hold, and how many files were looked through."""
    if not paths:
        return
    own = tokens_of_entries(entry for split in splits for entry in split.entries)
    for path in paths:
        yield from canary_leaks(path, own, canaries)
    yield Leak(
        check="canary",
        where=f"{len(paths)} prediction files",
        message=f"looked through for {len(own) + len(canaries)} canary tokens",
        figures={"files": len(paths), "tokens": len(own) + len(canaries)},
        note=True,
    )


def kind_of(path: Path) -> str:
    """Return "gold", "blind" or "answers" by the names that the first row has.

    Raises:
        InputError: the file is no JSON Lines.
    """
    _, row = read_rows(path)[0]
    if "fields" not in row:
        return "answers"
    return "gold" if "label" in row else "blind"
