"""What does somebody hand in who offers entries, or answers of a tool, to a benchmark?

A bundle: the entries and prediction files in canonical form under names of our own, a report for
the reviewer, and checksums. The same input makes the same bytes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from hallmark._files import write_folder
from hallmark.bench.align import align
from hallmark.bench.audit.overlap import shared_leaks
from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import Entry, Prediction, read_predictions
from hallmark.bench.lines import printable
from hallmark.bench.validate import Flaw, validate
from hallmark.errors import InputError, OutputError
from hallmark.report.escape import markdown

ENTRIES, REPORT, SUMS = "entries.jsonl", "REPORT.md", "SHA256SUMS"


class Offer(msgspec.Struct, frozen=True):
    """Entries, prediction files about them, by the name that the contributor gave, and warnings."""

    split: Split
    predictions: tuple[tuple[str, tuple[Prediction, ...]], ...]
    warnings: tuple[Flaw, ...]


def read_offer(file: Path, predictions: Sequence[Path], against: Sequence[Split]) -> Offer:
    """Read what is offered, and refuse what a benchmark cannot take; all faults at once.

    Args:
        file: the gold file of the entries.
        predictions: prediction files that answer every one of them.
        against: splits that must not hold any of the works.

    Raises:
        InputError: an entry is flawed or known already, or a prediction file does not fit.
    """
    split = load_split(file)
    flaws = [*validate(file)]
    faults = [f"{one.check}: {one.message} ({one.where})" for one in flaws if not one.warning]
    for other in against:
        faults += [
            f"{one.where}: {one.check}: {one.message}"
            for one in shared_leaks([split, other])
            if not one.note or one.check == "shared-titles"
        ]
    answers = tuple((path.name, tuple(read_predictions(path))) for path in predictions)
    for name, rows in answers:
        faults += _misfits(name, split.entries, rows)
    if faults:
        where = printable(file, 300)
        raise InputError("\n  ".join([f"{where} cannot be handed in as it is:", *faults]))
    return Offer(split, answers, tuple(one for one in flaws if one.warning))


def _misfits(name: str, entries: Sequence[Entry], rows: Sequence[Prediction]) -> Iterator[str]:
    try:
        align(entries, rows)
    except InputError as error:
        yield f"{printable(name)}: {error}"


def files_of(offer: Offer) -> dict[str, bytes]:
    """Return the files of a bundle, by name, checksums last."""
    files = {ENTRIES: _lines(offer.split.entries)}
    for number, (_, rows) in enumerate(offer.predictions, 1):
        files[f"predictions-{number}.jsonl"] = _lines(rows)
    files[REPORT] = report(offer).encode()
    sums = "".join(f"{_sha256(data)}  {name}\n" for name, data in sorted(files.items()))
    return {**files, SUMS: sums.encode()}


def _lines(rows: Sequence[Entry] | Sequence[Prediction]) -> bytes:
    return b"".join(
        json.dumps(msgspec.to_builtins(row), sort_keys=True, ensure_ascii=False).encode() + b"\n"
        for row in rows
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def report(offer: Offer) -> str:
    """Return what a reviewer reads first, in Markdown."""
    rows = [
        "# Contribution",
        "",
        f"{len(offer.split.entries)} entries; SHA-256 of the file given: `{offer.split.sha256}`.",
        "",
        *_counted("Label", Counter(str(one.label) for one in offer.split.entries)),
        *_counted(
            "Type",
            Counter(
                str(one.hallucination_type)
                for one in offer.split.entries
                if one.hallucination_type is not None
            ),
        ),
        *_counted("Made by", Counter(one.generation_method or "?" for one in offer.split.entries)),
    ]
    for number, (name, answers) in enumerate(offer.predictions, 1):
        rows += [f"## predictions-{number}.jsonl", "", f"Handed in as {markdown(name)}.", ""]
        rows += _counted("Label", Counter(str(one.label) for one in answers))
    rows += ["## To look at", ""]
    rows += [
        f"- {markdown(one.check)}: {markdown(one.message)} ({markdown(one.where)})"
        for one in offer.warnings
    ] or ["Nothing was found."]
    return "\n".join(rows) + "\n"


def _counted(head: str, counts: Mapping[str, int]) -> list[str]:
    rows = [f"| {markdown(name)} | {n} |" for name, n in sorted(counts.items())]
    return [f"| {head} | entries |", "|---|---|", *rows, ""] if rows else []


def write_bundle(files: Mapping[str, bytes], place: Path) -> None:
    """Write a bundle to a new folder, whole or not at all.

    Raises:
        OutputError: there is something at the place, or it cannot be written.
    """
    where = printable(place, 300)
    if place.exists() or place.is_symlink():
        raise OutputError(f"There is something at {where}. Name a new folder, or remove it first.")
    try:
        write_folder(files, place)
    except OSError as error:
        raise OutputError(f"{where} cannot be written: {error.strerror}.") from None
