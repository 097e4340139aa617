"""What is known about one entry: its truth, and what prediction files say of it?"""

import difflib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from hallmark.bench.dataset import CATALOGUE, DATA_VARIABLE, load_split
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.lines import printable, quoted
from hallmark.errors import InputError, UnknownName

Place = tuple[str, Entry]
Said = tuple[str, Prediction]


def find(key: str, gold: str | None = None, data: Path | None = None) -> list[Place]:
    """Return the entries of this key with the split that each is in.

    Args:
        key: a BibTeX key.
        gold: a split or file; all splits of the catalogue that are at hand by default.
        data: the folder of the splits; HALLMARK_DATA by default.

    Raises:
        InputError: no split is at hand, or a file cannot be read.
        UnknownName: no entry has this key; the message offers the nearest ones.
    """
    names = [gold] if gold else _at_hand(data)
    splits = [load_split(name, data) for name in names]
    found = [(s.name, entry) for s in splits for entry in s.entries if entry.bibtex_key == key]
    if not found:
        known = [entry.bibtex_key for split in splits for entry in split.entries]
        near = difflib.get_close_matches(key, known, n=3, cutoff=0.6)
        hint = f" Did you mean {', '.join(printable(k) for k in near)}?" if near else ""
        raise UnknownName(
            f"No entry of {', '.join(s.name for s in splits)} has the key {quoted(key)}.{hint}"
        )
    return found


def _at_hand(data: Path | None) -> list[str]:
    folder = data or Path(os.environ.get(DATA_VARIABLE) or ".")
    names = [name for name in CATALOGUE.names() if (folder / f"{name}.jsonl").is_file()]
    if not names:
        raise InputError(
            f"Where is the entry? Say --gold FILE, or --data DIR (or set {DATA_VARIABLE})."
        )
    return names


def lines(places: Sequence[Place], said: Sequence[Said]) -> Iterator[str]:
    """Yield entries as BibTeX with their truth, then what the files say."""
    for split, entry in places:
        yield from _entry(split, entry)
    for name, row in said:
        right = row.label is places[0][1].label
        mark = "right" if right else "wrong"
        if row.label in (Label.UNCERTAIN, Label.ERROR):
            mark = "no answer"
        yield f"  {name}: {row.label} at {row.confidence:.2f} ({mark}) {printable(row.reason, 200)}"


def _entry(split: str, entry: Entry) -> Iterator[str]:
    yield f"% {split}, line {entry.line}"
    yield f"@{entry.bibtex_type}{{{entry.bibtex_key},"
    for name, value in entry.fields.items():
        yield f"  {name} = {{{value}}},"
    yield "}"
    tier = f", tier {entry.difficulty_tier}" if entry.difficulty_tier else ""
    kind = f": {entry.hallucination_type}{tier}" if entry.hallucination_type else ""
    yield f"  {entry.label}{kind}"
    subtests = (f"{name} {_mark(value)}" for name, value in entry.subtests.items())
    for title, text in (
        ("sub-tests", ", ".join(subtests)),
        ("method", entry.generation_method),
        ("source", entry.source),
        ("published", entry.publication_date),
        ("explanation", entry.explanation),
    ):
        if text:
            yield f"  {title}: {text}"
    yield ""


def _mark(value: bool | None) -> str:
    return "unknown" if value is None else "passes" if value else "fails"


def as_builtins(places: Sequence[Place], said: Sequence[Said]) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {
        "entries": [{"split": split, **entry.row()} for split, entry in places],
        "predictions": [{"file": name, **msgspec.to_builtins(row.row())} for name, row in said],
    }
